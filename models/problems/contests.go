package problems

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// States of contests.
const (
	StateRunning = "running"
	StateComing  = "coming"
	StatePast    = "past"
)

// A Contest is one of a site.
type Contest struct {
	ID        int64
	Site, Key string
	Name, URL string
	StartsAt  *time.Time // Nil while the site has not said.
	EndsAt    *time.Time
	State     string
	Place     time.Time // In a list.
}

// A ContestSearch says which contests; "" does not filter.
type ContestSearch struct {
	State, Site string
}

// Contests returns at most limit contests behind cursor: coming and running ones by their start, others the newest first. Those that only
// submissions name have no times and are not listed; one that was called off is past or gone.
func Contests(ctx context.Context, db *gorm.DB, s ContestSearch, cursor pg.Cursor, limit int, now time.Time) (
	list []Contest, next pg.Cursor, err error) {
	const place = "coalesce(c.starts_at, CAST('9999-01-01T00:00:00Z' AS timestamptz))"
	q := db.WithContext(ctx).Table("contests c").Select("c.id, c.site, c.key, c.name, c.url, c.starts_at, c.ends_at, "+
		"contest_state(c.starts_at, c.ends_at, c.listed_at, ?) AS state, "+place+" AS place", now)
	order, sign := place+", c.id", ">"
	switch s.State {
	case StateRunning:
		q = q.Where("c.starts_at <= ? AND c.ends_at > ? AND c.retired_at IS NULL", now, now)
	case StateComing:
		q = q.Where("(c.starts_at > ? OR c.starts_at IS NULL AND c.listed_at IS NOT NULL) AND c.retired_at IS NULL", now)
	case StatePast:
		q, order, sign = q.Where("c.starts_at <= ? AND c.ends_at <= ?", now, now), place+" DESC, c.id DESC", "<"
	default:
		q = q.Where("(c.starts_at IS NOT NULL OR c.listed_at IS NOT NULL) AND (c.retired_at IS NULL OR c.ends_at <= ?)", now)
		order, sign = place+" DESC, c.id DESC", "<"
	}
	if s.Site != "" {
		q = q.Where("c.site = ?", pg.CleanText(s.Site))
	}
	if cursor != (pg.Cursor{}) {
		q = q.Where("("+place+", c.id) "+sign+" (?, ?)", cursor.At, cursor.ID)
	}
	if err := q.Order(order).Limit(limit + 1).Scan(&list).Error; err != nil {
		return nil, next, fmt.Errorf("contests: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].Place, ID: list[limit-1].ID}
	}
	return list, next, nil
}
