package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
)

// A LoggedRetrieval is one row of the archive's log: a retrieval of an address and its outcome.
type LoggedRetrieval struct {
	ID       int64
	At       time.Time
	StoredAt time.Time
	Source   string
	Address  string
	Viewer   string // As whom; "" is a guest.
	Outcome  string
	Hash     []byte // Of what was read; nil for failures.
	SameAs   *int64 // The retrieval of this address that showed the same and is stored in full.
	Facts    int
	Message  string // Why it failed or was refused.
}

// LogFilter says which retrievals; nil and zero fields do not filter.
type LogFilter struct {
	Source, Address, Viewer, Outcome *string
	Since, Until                     time.Time // [Since, Until)
	Failed                           bool      // Only failures.
}

// Log returns at most limit retrievals behind cursor (older ones), newest first,
// and the cursor to go on with: zero at the end.
func Log(ctx context.Context, db *gorm.DB, f LogFilter, cursor pg.Cursor, limit int) ([]LoggedRetrieval, pg.Cursor, error) {
	q, err := f.where(db.WithContext(ctx).Table("archive_retrievals r").
		Select(`r.id, r.at, r.stored_at, p.source, p.address, p.viewer, r.outcome, r.hash, r.same_as, r.facts,
			coalesce(r.message, '') AS message`).
		Joins("JOIN archive_pages p ON p.id = r.page_id").
		Where(`NOT EXISTS (SELECT FROM members m WHERE lower(m.name) = lower(p.viewer) AND p.viewer <> ''
			AND NOT visible_to(@asking, m.id, m.audience))`, pg.Named("asking", members.Asking(ctx))))
	if err != nil {
		return nil, pg.Cursor{}, err
	}
	if cursor != (pg.Cursor{}) {
		q = q.Where("(r.at, r.id) < (@at, @id)", pg.Named("at", cursor.At, "id", cursor.ID))
	}
	var list []LoggedRetrieval
	if err := q.Order("r.at DESC, r.id DESC").Limit(limit + 1).Scan(&list).Error; err != nil {
		return nil, pg.Cursor{}, fmt.Errorf("retrieval log: %w", err)
	}
	if len(list) <= limit {
		return list, pg.Cursor{}, nil
	}
	last := list[limit-1]
	return list[:limit], pg.Cursor{At: last.At, ID: last.ID}, nil
}

func (f LogFilter) where(q *gorm.DB) (*gorm.DB, error) {
	for _, is := range []struct {
		field, column string
		value         *string
	}{
		{"source", "p.source", f.Source}, {"address", "p.address", f.Address},
		{"viewer", "p.viewer", f.Viewer}, {"outcome", "r.outcome", f.Outcome},
	} {
		if is.value == nil {
			continue
		}
		if !history.Storable(*is.value) {
			return nil, &pg.InputError{Field: is.field,
				Message: "this cannot be in the log: it is not UTF-8, or holds the character U+0000"}
		}
		q = q.Where(is.column+" = ?", *is.value)
	}
	if f.Failed {
		q = q.Where("r.outcome <> 'ok'")
	}
	if !f.Since.IsZero() {
		q = q.Where("r.at >= ?", f.Since)
	}
	if !f.Until.IsZero() {
		q = q.Where("r.at < ?", f.Until)
	}
	return q, nil
}
