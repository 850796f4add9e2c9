package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Notices are an outbox. What a member is to be told is written in the
// transaction of what it tells, once per member, award, period, level and kind,
// and told a minute later if it is still true then: an award that comes and goes
// within the minute is never heard of, and one that flaps is heard of once.

// Kinds of notices.
const (
	NoticeGranted = "granted"
	NoticeOlder   = "older" // Granted, and reached long ago: told together, in one line.
	NoticeRevoked = "revoked"
	NoticeNear    = "near"    // One step away.
	NoticeNew     = "new"     // An award that is new and fits.
	NoticeRenamed = "renamed" // A site has renamed a handle: who has it always hears of it.
	NoticeSite    = "site"    // Something is amiss with a judge site: for admins, who always hear of it.
)

// NoticeKinds are what members choose from. Older ones go with those granted.
var NoticeKinds = []string{NoticeGranted, NoticeRevoked, NoticeNear, NoticeNew}

// WakeNotices is said on ChannelAsked where an e-mail is to be sent at once.
const WakeNotices = "send e-mails"

const (
	// noticeDelay is how long a notice waits to become untrue.
	noticeDelay = time.Minute
	// noticeFresh is how old news may be.
	noticeFresh = 48 * time.Hour
	// announceDelay lets awards that are activated one after the other be told together.
	announceDelay = 10 * time.Minute
	// announceEvery is how often a member hears of new awards at most.
	announceEvery = 24 * time.Hour
)

// noticeChanges writes the notices for what the log of grants says of now about
// these members. What is granted back was told before; only what was dropped,
// because it was not true for long, is tried again.
func noticeChanges(ctx context.Context, tx *gorm.DB, members []int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO notices AS n (member_id, award_id, period, level, kind, created_at, due_at)
		SELECT DISTINCT g.member_id, g.award_id, g.period, g.level,
			CASE WHEN g.revoked_at IS NOT NULL THEN 'revoked' WHEN g.granted_at < @fresh THEN 'older' ELSE 'granted' END, CAST(@now AS timestamptz), CAST(@due AS timestamptz)
		FROM award_grants g JOIN award_grant_log l ON l.grant_id = g.id AND l.at = @now AND l.what IN ('granted', 'granted again', 'revoked')
		WHERE g.member_id = ANY(CAST(@members AS bigint[]))
			AND (g.revoked_at IS NOT NULL OR NOT EXISTS (SELECT FROM notices w WHERE w.member_id = g.member_id AND w.award_id = g.award_id AND w.period = g.period
				AND w.level = g.level AND w.kind IN ('granted', 'older') AND w.state = 'told'))`+again,
		pg.Named("members", &members, "now", now, "due", now.Add(noticeDelay), "fresh", now.Add(-noticeFresh))).Error
	if err != nil {
		return fmt.Errorf("notices of grants: %w", err)
	}
	return nil
}

// again lets a notice that was dropped wait once more.
const again = `
		ON CONFLICT (member_id, award_id, period, level, kind) DO UPDATE
		SET state = 'waiting', reason = '', created_at = EXCLUDED.created_at, due_at = EXCLUDED.due_at, progress = EXCLUDED.progress
		WHERE n.state = 'dropped'`

// noticeNear writes the notices for those who are one step away from a level.
func (r *reckoning) noticeNear(ctx context.Context, tx *gorm.DB) error {
	var ids, members, levels []int64
	var periods, progress []string
	for _, p := range r.pairs {
		level := p.progress.Level + 1
		if g := p.grants[level]; g != nil || !p.award.State.Grants() || p.barred || !p.award.Award.OneStep(p.counters) {
			continue
		}
		ids, members, levels = append(ids, p.Award), append(members, p.Member), append(levels, int64(level))
		periods, progress = append(periods, p.Period), append(progress, p.progress.Value.String())
	}
	if len(ids) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO notices AS n (member_id, award_id, period, level, kind, progress, created_at, due_at)
		SELECT g.member_id, g.award_id, g.period, g.level, 'near', g.progress, CAST(@now AS timestamptz), CAST(@due AS timestamptz)
		FROM unnest(CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@levels AS integer[]), CAST(@progress AS numeric[]))
			AS g(award_id, member_id, period, level, progress)`+again,
		pg.Named("awards", &ids, "members", &members, "periods", &periods, "levels", &levels, "progress", &progress, "now", r.now, "due", r.now.Add(noticeDelay))).Error
	if err != nil {
		return fmt.Errorf("notices of who is near: %w", err)
	}
	return nil
}

// announceLater lets an award that is activated for the first time be told to
// those whom it fits, once it is known who they are.
func announceLater(tx *gorm.DB, awardID int64, now time.Time) error {
	return tx.Exec(`INSERT INTO notice_announcements (award_id, created_at, due_at) VALUES (@id, @now, @due) ON CONFLICT DO NOTHING`,
		pg.Named("id", awardID, "now", now, "due", now.Add(announceDelay))).Error
}
