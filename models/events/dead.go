package events

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// A Dead is an event that could not be handled.
type Dead struct {
	ID       int64
	Source   string
	EventID  string
	Member   string
	Body     string
	Reason   string
	StoredAt time.Time
	DeadAt   time.Time

	Topic     *string // Of a record that could not be taken; nil for what came another way.
	Part      *int32
	LogOffset *int64
}

// ParseRecord reads a record of Kafka as an event of a source, or says why it is none.
func ParseRecord(value []byte, source string) (e rules.Event, refused string) {
	e, mistakes := rules.ParseEventOf(value, source)
	if len(mistakes) > 0 {
		return e, strings.ReplaceAll(mistakes.Error(), "\n", "; ")
	}
	if e.Source != source {
		return e, fmt.Sprintf("source: the topic is mapped to %q, and the record names %q", source, e.Source)
	}
	return e, ""
}

// replayAtMost is how many records are tried again in one transaction.
const replayAtMost = 5000

// ReplayRecords tries again to take records that could not be taken: the one of the id, or the oldest where it
// is 0. What still cannot be taken stays; of the one that is named, the error says why.
func ReplayRecords(ctx context.Context, tx *gorm.DB, id int64, now time.Time) (n int64, err error) {
	var rows []Dead
	err = tx.WithContext(ctx).Raw(`
		SELECT id, source, body FROM event_dead WHERE topic IS NOT NULL AND (@id = 0 OR id = @id) ORDER BY id LIMIT @limit FOR UPDATE`,
		pg.Named("id", id, "limit", replayAtMost)).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	var list []rules.Event
	var ids []int64
	refused := ""
	for _, d := range rows {
		e, why := ParseRecord([]byte(d.Body), d.Source)
		if why != "" {
			refused = why
			continue
		}
		list, ids = append(list, e), append(ids, d.ID)
	}
	done, err := Append(ctx, tx, list, now)
	if err != nil {
		return 0, err
	}
	for _, r := range done.Rejected {
		ids[r.Index], refused = 0, r.Reason
	}
	if id != 0 && refused != "" {
		return 0, &pg.InputError{Field: "id", Message: "it still cannot be taken: " + refused}
	}
	res := tx.WithContext(ctx).Exec(`DELETE FROM event_dead WHERE id = ANY(CAST(@ids AS bigint[]))`, pg.Named("ids", &ids))
	return res.RowsAffected, res.Error
}
