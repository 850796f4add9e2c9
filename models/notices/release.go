package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

const (
	// mailEvery is how long a member is left alone after an e-mail.
	mailEvery = time.Hour
	// mailsPerDay is how many e-mails a member gets in 24 hours; what is more
	// waits for the next one.
	mailsPerDay = 10
)

// Ways are the ways by which this installation can reach people, beside the page.
type Ways struct{ Mail, Webhook bool }

// noticeFacts joins to a notice n what makes it true or not.
const noticeFacts = `
	LEFT JOIN awards a ON a.id = n.award_id
	LEFT JOIN site_alarms al ON al.id = n.alarm_id
	LEFT JOIN members m ON m.id = n.member_id AND NOT m.custom
	LEFT JOIN award_grants g ON g.member_id = n.member_id AND g.award_id = n.award_id AND g.period = n.period AND g.level = n.level
	LEFT JOIN user_awards u ON u.member_id = n.member_id AND u.award_id = n.award_id AND u.period = n.period`

// noticeWrong is why a notice n must not be told now; ” where nothing is wrong.
const noticeWrong = `CASE
	WHEN m.id IS NULL THEN 'the member is gone'
	WHEN n.kind = 'renamed' THEN ''
	WHEN n.kind = 'site' THEN CASE WHEN m.role <> 'admin' THEN 'the member is no admin' WHEN al.closed_at IS NOT NULL THEN 'it has ended'
		ELSE '' END
	WHEN m.banned_at IS NOT NULL THEN 'the member is banned'
	WHEN a.state <> 'active' AND (a.state <> 'retired' OR n.kind IN ('near', 'new')) THEN 'the award is ' || a.state
	WHEN a.secret AND n.kind NOT IN ('granted', 'older') THEN 'the award is secret'
	WHEN n.kind IN ('granted', 'older') AND (g.id IS NULL OR g.revoked_at IS NOT NULL) THEN 'it was taken back'
	WHEN n.kind = 'revoked' AND (g.id IS NULL OR g.revoked_at IS NULL) THEN 'it was given back'
	WHEN n.kind = 'near' AND g.id IS NOT NULL THEN 'it is reached'
	WHEN n.kind = 'near' AND (u.progress IS NULL OR u.progress < n.progress) THEN 'progress fell'
	WHEN n.kind = 'new' AND EXISTS (SELECT FROM award_grants h WHERE h.member_id = n.member_id AND h.award_id = n.award_id)
		THEN 'it is earned'
	ELSE '' END`

// noticeUntold is why a notice that is true need not be told the first time: a
// loss of what they never heard of, a level that came with a higher one.
const noticeUntold = `CASE
	WHEN n.kind = 'revoked' AND EXISTS (SELECT FROM notices w
		WHERE w.member_id = n.member_id AND w.award_id = n.award_id AND w.period = n.period
		AND w.level = n.level AND w.kind IN ('granted', 'older') HAVING count(*) > 0 AND count(*) FILTER (WHERE w.state = 'told') = 0)
			THEN 'nobody heard that it was granted'
	WHEN n.kind IN ('granted', 'older') AND EXISTS (SELECT FROM notices w
		JOIN award_grants h ON h.member_id = w.member_id AND h.award_id = w.award_id AND h.period = w.period
		AND h.level = w.level AND h.revoked_at IS NULL WHERE w.member_id = n.member_id AND w.award_id = n.award_id AND w.period = n.period
		AND w.level > n.level AND w.kind IN ('granted', 'older') AND w.created_at = n.created_at) THEN 'a higher level came with it'
	ELSE '' END`

// mailFrom is when the next e-mail of settings s may go out, to a member m.
const mailFrom = `greatest(
	CASE WHEN s.daily
		THEN (date_trunc('day',
			CAST(@now AS timestamptz) AT TIME ZONE m.time_zone - INTERVAL '8 hours') + INTERVAL '1 day 8 hours') AT TIME ZONE m.time_zone
		ELSE CAST(@now AS timestamptz) END,
	s.mailed_at + CAST(@every AS interval),
	CASE WHEN s.day_mails >= @perday THEN s.day_began_at + INTERVAL '1 day' END)`

func mailArgs(args map[string]any) map[string]any {
	args["every"], args["perday"] = fmt.Sprintf("%d seconds", int(mailEvery.Seconds())), mailsPerDay
	return args
}

// Settle looks again at notices whose time has come, at most limit: what
// is still true is told on the page and made ready for the other ways, by what
// each member chose; the rest is dropped. It returns how many it looked at.
func Settle(ctx context.Context, db *gorm.DB, by Ways, limit int, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (
			SELECT id FROM notices WHERE state = 'waiting' AND due_at <= @now ORDER BY due_at, id LIMIT @limit FOR UPDATE SKIP LOCKED),
		judged AS (
			SELECT n.id, n.member_id, CASE WHEN w.wrong <> '' THEN w.wrong ELSE `+noticeUntold+` END AS reason,
				s.member_id IS NULL OR c.chosen = ANY(s.page_kinds) OR n.kind IN ('site', 'renamed') AS shown,
				coalesce(@mail AND s.confirmed_at IS NOT NULL
					AND (c.chosen = ANY(s.mail_kinds) OR n.kind IN ('site', 'renamed') AND s.mail_kinds <> '{}'), false) AS mailed
			FROM due JOIN notices n USING (id)`+noticeFacts+`
			LEFT JOIN notice_settings s ON s.member_id = n.member_id
			CROSS JOIN LATERAL (SELECT CASE n.kind WHEN 'older' THEN 'granted' ELSE n.kind END AS chosen) c
			CROSS JOIN LATERAL (SELECT `+noticeWrong+` AS wrong) w),
		settled AS (
			UPDATE notices n SET state = CASE j.reason WHEN '' THEN 'told' ELSE 'dropped' END, reason = j.reason,
				told_at = CASE j.reason WHEN '' THEN CAST(@now AS timestamptz) END,
				shown = j.reason = '' AND j.shown, mail = CASE WHEN j.reason = '' AND j.mailed THEN 'due' ELSE '' END,
					hook = CASE WHEN j.reason = '' AND @hook THEN 'due' ELSE '' END
			FROM judged j WHERE n.id = j.id
			RETURNING n.member_id, n.mail),
		planned AS (
			UPDATE notice_settings s SET mail_due_at = least(s.mail_due_at, `+mailFrom+`) FROM members m
			WHERE m.id = s.member_id AND s.member_id IN (SELECT member_id FROM settled WHERE mail = 'due'))
		SELECT count(*) FROM settled`,
		mailArgs(pg.Named("now", now, "limit", limit, "mail", by.Mail, "hook", by.Webhook))).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("settle notices: %w", err)
	}
	return n, nil
}
