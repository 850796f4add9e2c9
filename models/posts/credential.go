package posts

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Credential is what a network is asked with. Its token is sealed in the
// database and is never logged or shown.
type Credential struct {
	ID            int64
	Network, Host string
	Name          string
	Token         []byte // Sealed; nil for asking as anybody.
	Legacy        bool   // Uses Network.OldAPI.
	Fields        string // Replaces Network.FieldsParameter; "" keeps it.
	State         string // active, paused (until somebody goes on with it) or disabled (its network refuses it).
	Reason        string // Why it is not active, or cools down.
	CooldownUntil *time.Time
	Quota         int // Requests
	WindowSeconds int // in so many seconds.
	Remaining     int
	ResetAt       *time.Time
	Failures      int
	MonthlyPosts  *int64     // Posts a UTC month that may be read and paid for; nil is without end.
	BudgetMonth   *time.Time // The UTC month of BudgetUsed; nil where there is no budget to count for.
	BudgetUsed    int64      // Posts of it that were paid for, or may have to be for requests under way.
	UsedAt        *time.Time
	CreatedAt     time.Time
}

// TableName is GORM's.
func (Credential) TableName() string { return "credentials" }

// Window is the time in which the quota may be used.
func (c *Credential) Window() time.Duration { return time.Duration(c.WindowSeconds) * time.Second }

func (c *Credential) sealName() string {
	return "credential " + c.Network + " " + c.Host + " " + c.Name
}

// OpenToken returns the token, "" where there is none.
func (c *Credential) OpenToken(secret pg.Secret) (string, error) {
	if c.Token == nil {
		return "", nil
	}
	token, err := secret.Open(c.sealName(), c.Token)
	if err != nil {
		return "", fmt.Errorf("credential %q of %s: %w", c.Name, c.Network, err)
	}
	return string(token), nil
}

// A NewCredential is one to add, or to put in the place of the one of its name.
type NewCredential struct {
	Network, Host, Name, Token string
	Legacy                     bool
	Fields                     string
	Quota                      int
	Window                     time.Duration
	MonthlyPosts               *int64
}

// SaveCredential adds a credential, or gives the one of that name another token
// and settings, and lets it begin afresh.
func SaveCredential(ctx context.Context, db *gorm.DB, n NewCredential, secret pg.Secret, now time.Time) (int64, error) {
	n.Name = cmp.Or(pg.CleanText(strings.TrimSpace(n.Name)), "default")
	n.Host, n.Token = strings.ToLower(strings.TrimSpace(n.Host)), strings.TrimSpace(n.Token)
	switch {
	case len(n.Name) > 100:
		return 0, &pg.InputError{Field: "name", Message: "is longer than 100 letters"}
	case n.Token == "":
		return 0, &pg.InputError{Field: "token", Message: "must not be empty"}
	case strings.ContainsFunc(n.Token, func(r rune) bool { return r <= ' ' || r > '~' }) || len(n.Token) > 4096:
		return 0, &pg.InputError{Field: "token", Message: "is not a token: it may have letters, digits and signs, but no spaces"}
	case n.Quota <= 0 || n.Window < time.Second:
		return 0, &pg.InputError{Field: "quota", Message: "requests and window must be above 0"}
	case n.MonthlyPosts != nil && *n.MonthlyPosts <= 0:
		return 0, &pg.InputError{Field: "monthly_posts", Message: "must be above 0; omit it for no limit"}
	}
	c := Credential{Network: n.Network, Host: n.Host, Name: n.Name}
	sealed, err := secret.Seal(c.sealName(), []byte(n.Token))
	if err != nil {
		return 0, err
	}
	var id int64
	err = db.WithContext(ctx).Raw(queries.Must("save_credential"),
		pg.Named("network", n.Network, "host", n.Host, "name", n.Name, "token", &sealed, "legacy", n.Legacy, "fields", n.Fields, "quota",
			n.Quota, "window", int(n.Window/time.Second), "posts", n.MonthlyPosts, "now", now)).Row().Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("save a credential: %w", err)
	}
	return id, pg.Wake(ctx, db, Wake(n.Network))
}

// AskAsAnybody makes sure that a network that needs no token has a credential
// without one, whose quota is that of one address.
func AskAsAnybody(ctx context.Context, db *gorm.DB, pool Pool, quota int, window time.Duration, now time.Time) error {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO credentials (network, host, name, quota, window_seconds, remaining, created_at)
		VALUES (@network, @host, 'anybody', @quota, @window, @quota, @now) ON CONFLICT DO NOTHING`,
		pg.Named("network", pool.Network, "host", pool.Host, "quota", quota, "window", int(window/time.Second), "now", now)).Error
	if err != nil {
		return fmt.Errorf("ask %s as anybody: %w", pool, err)
	}
	return nil
}

// SetCredentialState lets an admin pause a credential, or go on with it.
func SetCredentialState(ctx context.Context, db *gorm.DB, id int64, state string) error {
	return pg.Touched(db.WithContext(ctx).Exec(`
		UPDATE credentials SET state = @state, reason = CASE WHEN @state = 'active' THEN '' ELSE 'paused by an admin' END,
			failures = 0, cooldown_until = NULL WHERE id = @id`, pg.Named("id", id, "state", state)), pg.ErrNotFound)
}

// DeleteCredential forgets a credential and what it was used for.
func DeleteCredential(ctx context.Context, db *gorm.DB, id int64) error {
	return pg.Touched(db.WithContext(ctx).Exec(`DELETE FROM credentials WHERE id = @id`, pg.Named("id", id)), pg.ErrNotFound)
}
