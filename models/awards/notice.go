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
	err := tx.WithContext(ctx).Exec(queries.Must("notify_near"),
		pg.Named("awards", &ids, "members", &members, "periods", &periods, "levels", &levels, "progress", &progress, "now", r.now, "due",
			r.now.Add(notices.Delay))).Error
	if err != nil {
		return fmt.Errorf("notices of who is near: %w", err)
	}
	return nil
}

// noticeChanges writes the notices for what the log of grants says of now about
// these members. What is granted back was reported before; only what was dropped,
// because it was not true for long, is tried again.
func noticeChanges(ctx context.Context, tx *gorm.DB, members []int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(queries.Must("notify_changes"),
		pg.Named("members", &members, "now", now, "due", now.Add(notices.Delay), "fresh", now.Add(-notices.Fresh))).Error
	if err != nil {
		return fmt.Errorf("notices of grants: %w", err)
	}
	return nil
}
