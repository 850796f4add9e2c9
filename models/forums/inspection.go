package forums

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// An Inspection is an address that an admin pasted, and a job's answer to what it is.
// No message is stored for it.
type Inspection struct {
	ID          int64
	URL         string
	RequestedBy string
	RequestedAt time.Time
	LeasedUntil *time.Time
	AnsweredAt  *time.Time
	Kind, Base  string // "" where it is no archive that can be read.
	Name        string // As the archive calls itself.
	Robots      string // What robots.txt says, as text.
	Periods     int
	Messages    int    // As far as the entry point shows.
	Message     string // What went wrong.
}

// TableName is GORM's.
func (Inspection) TableName() string { return "forum_inspections" }

// WakeInspections is heard on ChannelAsked where an address was pasted.
const WakeInspections = "inspect"

// inspectionLifetime is for how long an answer can be read: an archive changes.
const inspectionLifetime = 30 * 24 * time.Hour

// RequestInspection asks what an address is.
func RequestInspection(ctx context.Context, db *gorm.DB, address, by string, now time.Time) (in Inspection, err error) {
	address = strings.TrimSpace(pg.CleanText(address))
	if address != "" && !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || len(address) > 500 {
		return in, &pg.InputError{Field: "url", Message: "must be an address such as https://lists.example.org/pipermail/news/"}
	}
	u.Host, u.Fragment = strings.ToLower(u.Host), ""
	in = Inspection{URL: u.String(), RequestedBy: by, RequestedAt: now}
	if _, err = gorm.G[Inspection](db).Where("requested_at < ?", now.Add(-inspectionLifetime)).Delete(ctx); err == nil {
		err = gorm.G[Inspection](db).Create(ctx, &in)
	}
	if err != nil {
		return in, fmt.Errorf("ask what %s is: %w", address, err)
	}
	return in, pg.Wake(ctx, db, WakeInspections)
}

// InspectionByID returns a question with its answer, if there is one by now; or
// ErrNotFound.
func InspectionByID(ctx context.Context, db *gorm.DB, id int64) (Inspection, error) {
	return gorm.G[Inspection](db).Where("id = ?", id).Take(ctx)
}

// ClaimInspection leases the question that has waited for longest; false where none
// waits.
func ClaimInspection(ctx context.Context, db *gorm.DB, until, now time.Time) (in Inspection, ok bool, err error) {
	res := db.WithContext(ctx).Raw(`
		UPDATE forum_inspections i SET leased_until = @until WHERE id = (
			SELECT id FROM forum_inspections WHERE answered_at IS NULL AND (leased_until IS NULL OR leased_until <= @now)
			ORDER BY requested_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+pg.Columns[Inspection]("i"), pg.Named("until", until, "now", now)).Scan(&in)
	if res.Error != nil {
		return in, false, fmt.Errorf("claim an inspection: %w", res.Error)
	}
	return in, res.RowsAffected == 1, nil
}

// AnswerInspection stores what an address is. The first answer stays.
func AnswerInspection(ctx context.Context, db *gorm.DB, in *Inspection, now time.Time) error {
	in.LeasedUntil, in.AnsweredAt = nil, &now
	in.Base, in.Name, in.Robots = pg.CleanText(in.Base), pg.CleanText(in.Name), pg.CleanText(in.Robots)
	in.Message = pg.CleanText(in.Message)
	_, err := gorm.G[Inspection](db).Where("id = ? AND answered_at IS NULL", in.ID).
		Select("leased_until", "answered_at", "kind", "base", "name", "robots", "periods", "messages", "message").Updates(ctx, *in)
	if err != nil {
		return fmt.Errorf("answer inspection %d: %w", in.ID, err)
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
