package forums

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// A Inspection is an address that an admin pasted, and a job's answer to what it is.
// No message is stored for it.
type Inspection struct {
	ID          int64
	URL         string
	AskedBy     string
	AskedAt     time.Time
	LeasedUntil *time.Time
	AnsweredAt  *time.Time
	Kind, Base  string // "" where it is no archive that can be read.
	Name        string // As the archive calls itself.
	Robots      string // What robots.txt says, in words.
	Periods     int
	Messages    int    // As far as the entry point tells.
	Message     string // What went wrong.
}

// WakeInspections is heard on ChannelAsked where an address was pasted.
const WakeInspections = "forum look"

// forumLooksKept is for how long an answer can be read: an archive changes.
const forumLooksKept = 30 * 24 * time.Hour

// RequestInspection asks what an address is.
func RequestInspection(ctx context.Context, db *gorm.DB, address, by string, now time.Time) (look Inspection, err error) {
	address = strings.TrimSpace(pg.CleanText(address))
	if address != "" && !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || len(address) > 500 {
		return look, &pg.InputError{Field: "url", Message: "must be an address such as https://lists.example.org/pipermail/news/"}
	}
	u.Host, u.Fragment = strings.ToLower(u.Host), ""
	err = db.WithContext(ctx).Raw(`
		WITH old AS (DELETE FROM forum_looks WHERE asked_at < @old)
		INSERT INTO forum_looks (url, asked_by, asked_at) VALUES (@url, @by, @now) RETURNING *`,
		pg.Named("old", now.Add(-forumLooksKept), "url", u.String(), "by", by, "now", now)).Scan(&look).Error
	if err != nil {
		return look, fmt.Errorf("ask what %s is: %w", address, err)
	}
	return look, events.Wake(ctx, db, WakeInspections)
}

// InspectionByID returns a question with its answer, if there is one by now; or
// ErrNotFound.
func InspectionByID(ctx context.Context, db *gorm.DB, id int64) (look Inspection, err error) {
	res := db.WithContext(ctx).Raw(`SELECT * FROM forum_looks WHERE id = @id`, pg.Named("id", id)).Scan(&look)
	if res.Error == nil && res.RowsAffected == 0 {
		return look, pg.ErrNotFound
	}
	return look, res.Error
}

// ClaimInspection leases the question that has waited for longest; false where none
// waits.
func ClaimInspection(ctx context.Context, db *gorm.DB, until, now time.Time) (look Inspection, ok bool, err error) {
	res := db.WithContext(ctx).Raw(`
		UPDATE forum_looks SET leased_until = @until WHERE id = (
			SELECT id FROM forum_looks WHERE answered_at IS NULL AND (leased_until IS NULL OR leased_until <= @now)
			ORDER BY asked_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING *`, pg.Named("until", until, "now", now)).Scan(&look)
	if res.Error != nil {
		return look, false, fmt.Errorf("claim a look: %w", res.Error)
	}
	return look, res.RowsAffected == 1, nil
}

// AnswerInspection stores what an address is. The first answer stays.
func AnswerInspection(ctx context.Context, db *gorm.DB, look *Inspection, now time.Time) error {
	err := db.WithContext(ctx).Exec(`
		UPDATE forum_looks SET leased_until = NULL, answered_at = @now, kind = @kind, base = @base, name = @name, robots = @robots,
			periods = @periods, messages = @messages, message = @message
		WHERE id = @id AND answered_at IS NULL`,
		pg.Named("now", now, "kind", look.Kind, "base", pg.CleanText(look.Base), "name", pg.CleanText(look.Name), "robots",
			pg.CleanText(look.Robots), "periods", look.Periods, "messages", look.Messages,
			"message", pg.CleanText(look.Message), "id", look.ID)).Error
	if err != nil {
		return fmt.Errorf("answer look %d: %w", look.ID, err)
	}
	return nil
}

// SlugFor proposes a name for addresses of pages: what an archive's own address
// ends in.
func SlugFor(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	text := strings.TrimPrefix(u.Hostname(), "www.")
	if len(parts) > 0 {
		text = parts[len(parts)-1]
	}
	text, _, _ = strings.Cut(text, "@") // A list's address: its name is enough.
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
	return strings.Trim(slug[:min(len(slug), 64)], "-")
}
