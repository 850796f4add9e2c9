package members

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	pg "laurel/models/db"
)

// Roles of a member. A custom member has no role worth asking for: nobody can sign in as one.
const (
	RoleMember  = "member"
	RoleSupport = "support" // Investigates awards, grants and revokes them with a note.
	RoleAdmin   = "admin"
)

// A Member is a person: registered, or custom (followed by somebody, without a
// way to sign in).
type Member struct {
	ID           int64
	Name         string // In addresses; unique without regard to case.
	DisplayName  string
	TimeZone     string // An IANA name. The member's days begin there.
	Custom       bool
	Role         string
	OwnerID      *int64 // Of a custom member: who follows.
	PasswordHash string
	RequestedAt  *time.Time // The newest press of the button.
	CreatedAt    time.Time
	BannedAt     *time.Time // From awards.
	SeenBy       string     `gorm:"default:everyone"` // Whom the member lets see them.
	OffBoards    bool       // In no ranking.
	ProvedAt     *time.Time // Of a custom member: the person proved a handle, and lets it be shown.
	SuspendedAt  *time.Time // By an admin: cannot sign in, and only admins see them.
	Audience     int        `gorm:"->"` // What follows of these.
	Language     string     // Of pages: "de"; "" is what the browser says.
	HiddenCards  string     // The cards that are not on Today, by name, with spaces between.
}

// Location returns the member's time zone. A zone that this machine does not
// know (it knew it when the member chose it) reads as UTC.
func (m *Member) Location() *time.Location {
	if loc, err := time.LoadLocation(m.TimeZone); err == nil {
		return loc
	}
	return time.UTC
}

// Manages says whether m may change of and press its buttons: its own person,
// the owner of a custom member, or an admin.
func (m *Member) Manages(of *Member) bool {
	return m.ID == of.ID || m.Role == RoleAdmin || of.OwnerID != nil && *of.OwnerID == m.ID
}

// Supports says whether m may see all of other members' awards: support, or an admin. A visitor is nil.
func (m *Member) Supports() bool { return m != nil && (m.Role == RoleSupport || m.Role == RoleAdmin) }

// MemberName is what a member may be called: it is in addresses.
var MemberName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)

// CheckTimeZone returns an InputError unless both Go and PostgreSQL can tell the
// days of the zone. PostgreSQL is asked by using the zone, in a transaction that
// may fail: its list of names takes a tenth of a second to read.
func CheckTimeZone(ctx context.Context, db *gorm.DB, zone string) error {
	if !LoadsZone(zone) {
		return BadZone()
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Exec(`SELECT TIMESTAMPTZ 'epoch' AT TIME ZONE @zone`, pg.Named("zone", zone)).Error
	})
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "22023" { // invalid_parameter_value
		return BadZone()
	}
	if err != nil {
		return fmt.Errorf("check time zone: %w", err)
	}
	return nil
}

// LoadsZone says whether Go knows the zone.
func LoadsZone(zone string) bool {
	_, err := time.LoadLocation(zone)
	return err == nil && zone != "" && zone != "Local"
}

// BadZone is the refusal of a time zone that does not exist.
func BadZone() *pg.InputError {
	return &pg.InputError{Field: "time_zone", Message: "no time zone has this name; use one such as Europe/Riga or Asia/Kolkata"}
}

// Create stores a new member and sets its ID. The caller chooses Role,
// Custom and OwnerID; m is checked here.
func Create(ctx context.Context, db *gorm.DB, m *Member, now time.Time) error {
	if err := m.CheckName(); err != nil {
		return err
	}
	if err := m.CheckPerson(ctx, db); err != nil {
		return err
	}
	if m.Role == "" {
		m.Role = RoleMember
	}
	m.CreatedAt = now
	err := db.WithContext(ctx).Create(m).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return nameTaken(m.Name)
	}
	if err != nil {
		return fmt.Errorf("create member %s: %w", m.Name, err)
	}
	return nil
}

func nameTaken(name string) error {
	return &pg.InputError{Field: "name", Message: fmt.Sprintf("the name %q is taken; choose another", name)}
}

// CheckName cleans and checks the name.
func (m *Member) CheckName() error {
	m.Name = pg.CleanText(m.Name)
	if !MemberName.MatchString(m.Name) {
		return &pg.InputError{Field: "name",
			Message: "a name has 1 to 32 letters, digits, dots, - or _, and begins with a letter or a digit"}
	}
	return nil
}

// CheckDisplayName cleans and checks the display name; without one it is the name.
func (m *Member) CheckDisplayName() error {
	m.DisplayName = pg.CleanText(m.DisplayName)
	if m.DisplayName == "" {
		m.DisplayName = m.Name
	}
	if len(m.DisplayName) > 200 {
		return &pg.InputError{Field: "display_name", Message: "a display name has at most 200 bytes"}
	}
	return nil
}

// CheckPerson cleans and checks what a member may change of its own person.
func (m *Member) CheckPerson(ctx context.Context, db *gorm.DB) error {
	return errors.Join(m.CheckDisplayName(), m.checkZone(ctx, db))
}

func (m *Member) checkZone(ctx context.Context, db *gorm.DB) error {
	if m.TimeZone == "" {
		m.TimeZone = "UTC"
	}
	return CheckTimeZone(ctx, db, m.TimeZone)
}

// ByName returns a member whom the one who asks may see, or ErrNotFound.
func ByName(ctx context.Context, db *gorm.DB, name string) (Member, error) {
	m, err := named(ctx, db, name)
	if err == nil && !Asking(ctx).Sees(m.ID, m.Audience) {
		return Member{}, fmt.Errorf("member %q: %w", name, pg.ErrNotFound)
	}
	return m, err
}

// named returns any member.
func named(ctx context.Context, db *gorm.DB, name string) (Member, error) {
	if !MemberName.MatchString(name) {
		return Member{}, pg.ErrNotFound
	}
	m, err := gorm.G[Member](db).Where("lower(name) = lower(?)", name).First(ctx)
	if err != nil {
		return m, fmt.Errorf("member %q: %w", name, err)
	}
	return m, nil
}

// ByID returns a member, or ErrNotFound. It asks nobody's leave: for one's own rows.
func ByID(ctx context.Context, db *gorm.DB, id int64) (Member, error) {
	m, err := gorm.G[Member](db).Where("id = ?", id).First(ctx)
	if err != nil {
		return m, fmt.Errorf("member %d: %w", id, err)
	}
	return m, nil
}

// Lock makes others that change the member's sums or requests wait. It is
// always taken before an account's row, so that nobody waits in a circle.
func Lock(ctx context.Context, tx *gorm.DB, id int64) (Member, error) {
	m, err := gorm.G[Member](tx, clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", id).Take(ctx)
	if err != nil {
		return m, fmt.Errorf("lock member %d: %w", id, err)
	}
	return m, nil
}

// LeaveZone remembers the zone in which a member has lived: what came until now stays on its day.
func LeaveZone(ctx context.Context, tx *gorm.DB, m *Member, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`INSERT INTO member_zones (member_id, until, zone) VALUES (@id, @now, @zone) ON CONFLICT DO NOTHING`,
		pg.Named("id", m.ID, "now", now, "zone", m.TimeZone)).Error
	if err != nil {
		return fmt.Errorf("the zone of member %d: %w", m.ID, err)
	}
	return nil
}
