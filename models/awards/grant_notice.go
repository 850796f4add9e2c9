package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/notices"
)

// noticeNear writes the notices for those who are one step away from a level.
func (r *evaluation) noticeNear(ctx context.Context, tx *gorm.DB) error {
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
		FROM unnest(CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@levels AS integer[]),
			CAST(@progress AS numeric[]))
			AS g(award_id, member_id, period, level, progress)`+notices.Again,
		pg.Named("awards", &ids, "members", &members, "periods", &periods, "levels", &levels, "progress", &progress, "now", r.now, "due",
			r.now.Add(notices.Delay))).Error
	if err != nil {
		return fmt.Errorf("notices of who is near: %w", err)
	}
	return nil
}

// noticeChanges writes the notices for what the log of grants says of now about
// these members. What is granted back was told before; only what was dropped,
// because it was not true for long, is tried again.
func noticeChanges(ctx context.Context, tx *gorm.DB, members []int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO notices AS n (member_id, award_id, period, level, kind, created_at, due_at)
		SELECT DISTINCT g.member_id, g.award_id, g.period, g.level,
			CASE WHEN g.revoked_at IS NOT NULL THEN 'revoked' WHEN g.granted_at < @fresh THEN 'older' ELSE 'granted' END,
				CAST(@now AS timestamptz), CAST(@due AS timestamptz)
		FROM award_grants g JOIN award_grant_log l ON l.grant_id = g.id AND l.at = @now
			AND l.what IN ('granted', 'granted again', 'revoked')
		WHERE g.member_id = ANY(CAST(@members AS bigint[]))
			AND (g.revoked_at IS NOT NULL OR NOT EXISTS (SELECT FROM notices w
				WHERE w.member_id = g.member_id AND w.award_id = g.award_id AND w.period = g.period
				AND w.level = g.level AND w.kind IN ('granted', 'older') AND w.state = 'told'))`+notices.Again,
		pg.Named("members", &members, "now", now, "due", now.Add(notices.Delay), "fresh", now.Add(-notices.Fresh))).Error
	if err != nil {
		return fmt.Errorf("notices of grants: %w", err)
	}
	return nil
}
