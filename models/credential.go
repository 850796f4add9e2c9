package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
)

// A Credential is what a network is asked with. Its token is sealed in the
// database and is never logged or shown.
type Credential struct {
	ID            int64
	Network, Host string
	Name          string
	Token         []byte // Sealed; nil for asking as anybody.
	Legacy        bool   // X: speaks the v1.1 look-up.
	Fields        string // X: the parameter's name; "" is tweet.fields.
	State         string // active, paused (until somebody goes on with it) or disabled (its network refuses it).
	Reason        string // Why it is not active, or cools down.
	CooldownUntil *time.Time
	Quota         int // Requests
	WindowSeconds int // in so many seconds.
	Remaining     int
	ResetAt       *time.Time
	Failures      int
	MonthlyPosts  *int64 // Posts a UTC month that may be read and paid for; nil is without end.
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
func (c *Credential) OpenToken(secret Secret) (string, error) {
	if c.Token == nil {
		return "", nil
	}
	token, err := secret.open(c.sealName(), c.Token)
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
func SaveCredential(ctx context.Context, db *gorm.DB, n NewCredential, secret Secret, now time.Time) (int64, error) {
	n.Name, n.Host, n.Token = cleanText(strings.TrimSpace(n.Name)), strings.ToLower(strings.TrimSpace(n.Host)), strings.TrimSpace(n.Token)
	if n.Name == "" {
		n.Name = "default"
	}
	switch {
	case len(n.Name) > 100:
		return 0, &InputError{"name", "is longer than 100 letters"}
	case n.Token == "":
		return 0, &InputError{"token", "must not be empty"}
	case strings.ContainsFunc(n.Token, func(r rune) bool { return r <= ' ' || r > '~' }) || len(n.Token) > 4096:
		return 0, &InputError{"token", "is no token: it may have letters, digits and signs, and no spaces"}
	case n.Quota <= 0 || n.Window < time.Second:
		return 0, &InputError{"quota", "requests and their time must be above 0"}
	case n.MonthlyPosts != nil && *n.MonthlyPosts <= 0:
		return 0, &InputError{"monthly_posts", "must be above 0; leave it out for no end"}
	}
	c := Credential{Network: n.Network, Host: n.Host, Name: n.Name}
	sealed, err := secret.seal(c.sealName(), []byte(n.Token))
	if err != nil {
		return 0, err
	}
	var id int64
	err = db.WithContext(ctx).Raw(`
		INSERT INTO credentials AS c (network, host, name, token, legacy, fields, quota, window_seconds, remaining, monthly_posts, created_at)
		VALUES (@network, @host, @name, @token, @legacy, @fields, @quota, @window, @quota, @posts, @now)
		ON CONFLICT (network, host, name) DO UPDATE SET token = EXCLUDED.token, legacy = EXCLUDED.legacy, fields = EXCLUDED.fields, quota = EXCLUDED.quota, window_seconds = EXCLUDED.window_seconds,
			remaining = least(c.remaining, EXCLUDED.quota), monthly_posts = EXCLUDED.monthly_posts, state = 'active', reason = '', cooldown_until = NULL, failures = 0
		RETURNING id`,
		named("network", n.Network, "host", n.Host, "name", n.Name, "token", &sealed, "legacy", n.Legacy, "fields", n.Fields, "quota", n.Quota, "window", int(n.Window/time.Second),
			"posts", n.MonthlyPosts, "now", now)).Row().Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("save a credential: %w", err)
	}
	return id, wake(ctx, db, WakePosts)
}

// AskAsAnybody makes sure that a network that needs no token has a credential
// without one, whose quota is that of one address.
func AskAsAnybody(ctx context.Context, db *gorm.DB, pool Pool, quota int, window time.Duration, now time.Time) error {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO credentials (network, host, name, quota, window_seconds, remaining, created_at) VALUES (@network, @host, 'anybody', @quota, @window, @quota, @now) ON CONFLICT DO NOTHING`,
		named("network", pool.Network, "host", pool.Host, "quota", quota, "window", int(window/time.Second), "now", now)).Error
	if err != nil {
		return fmt.Errorf("ask %s as anybody: %w", pool, err)
	}
	return nil
}

// heldBack is the share of a quota that is left alone: a request that was counted
// in one window may arrive in the next.
const heldBack = 100

// usable is what holds of a credential c that may be asked with at @now.
const usable = `c.state = 'active' AND (c.cooldown_until IS NULL OR c.cooldown_until <= @now)
	AND (c.reset_at IS NULL OR c.reset_at <= @now OR c.remaining > c.quota / @held)
	AND (c.monthly_posts IS NULL OR c.monthly_posts - @batch >= (SELECT coalesce(sum(charged), 0) FROM credential_days d WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date)))`

// ReserveRequests takes at most n requests off the quota of a credential of a
// pool, the one with most left, before anything is claimed for them. got is 0
// where none may be asked with now.
func ReserveRequests(ctx context.Context, db *gorm.DB, pool Pool, n, batch int, now time.Time) (c Credential, got int, err error) {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var row struct {
		Credential `gorm:"embedded"`
		Got        int
	}
	err = db.WithContext(ctx).Raw(`
		WITH best AS MATERIALIZED (
			SELECT id, remaining AS was, reset_at IS NULL OR reset_at <= @now AS fresh,
				least(@n, (monthly_posts - (SELECT coalesce(sum(charged), 0) FROM credential_days d WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date))) / @batch) AS affordable FROM credentials c
			WHERE network = @network AND host = @host AND `+usable+`
			ORDER BY CASE WHEN reset_at IS NULL OR reset_at <= @now THEN quota ELSE remaining END DESC, id LIMIT 1 FOR UPDATE)
		UPDATE credentials c SET used_at = @now, reset_at = CASE WHEN fresh THEN CAST(@now AS timestamptz) + c.window_seconds * interval '1 second' ELSE c.reset_at END,
			remaining = CASE WHEN fresh THEN c.quota ELSE c.remaining END - least(affordable, CASE WHEN fresh THEN c.quota ELSE c.remaining END - c.quota / @held)
		FROM best WHERE c.id = best.id
		RETURNING c.*, CASE WHEN fresh THEN c.quota ELSE was END - c.remaining AS got`,
		named("network", pool.Network, "host", pool.Host, "n", n, "batch", batch, "held", heldBack, "now", now, "month", month)).Scan(&row).Error
	if err != nil {
		return Credential{}, 0, fmt.Errorf("reserve requests of %s: %w", pool, err)
	}
	return row.Credential, row.Got, nil
}

// GiveBack returns requests that were reserved and not made, within their window.
func GiveBack(ctx context.Context, db *gorm.DB, c *Credential, n int) error {
	if n <= 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`UPDATE credentials SET remaining = remaining + @n WHERE id = @id AND reset_at = @reset`, named("id", c.ID, "n", n, "reset", c.ResetAt)).Error
	if err != nil {
		return fmt.Errorf("give back requests: %w", err)
	}
	return nil
}

// A Told is what an answer told of the credential.
type Told struct {
	Quota *ToldQuota
	// What is to become of the credential: "" for nothing, or a state, or "cooldown".
	Then   string
	Until  time.Time // Of the cool-down.
	Reason string
	Failed bool // The network failed. After five in a row it is left alone for a minute.
}

// A ToldQuota is a quota as headers tell it.
type ToldQuota struct {
	Limit, Remaining int
	Reset            time.Time
}

// Cooldown is Told.Then for a credential that is left alone for a while.
const Cooldown = "cooldown"

// A credential is left alone for breakFor after breakAfter failures in a row.
const (
	breakAfter = 5
	breakFor   = time.Minute
)

// LearnCredential takes in what an answer told: its quota is what the headers say
// where that is less than what we counted, for others may use it, too. A window
// that ends later is another one, or the same told more exactly.
func LearnCredential(ctx context.Context, db *gorm.DB, id int64, t Told, now time.Time) error {
	var limit, remaining *int
	var reset, cooldown *time.Time
	if q := t.Quota; q != nil && q.Limit > 0 && q.Reset.After(now) {
		end := q.Reset.Add(time.Second) // Headers tell whole seconds.
		limit, remaining, reset = &q.Limit, &q.Remaining, &end
	}
	if t.Then == Cooldown {
		cooldown = &t.Until
	}
	err := db.WithContext(ctx).Exec(`
		UPDATE credentials SET quota = coalesce(CAST(@limit AS integer), quota), remaining = least(remaining, coalesce(CAST(@remaining AS integer), remaining)),
			reset_at = greatest(reset_at, CAST(@reset AS timestamptz)),
			failures = CASE WHEN @failed THEN failures + 1 ELSE 0 END,
			state = CASE WHEN @then IN ('paused', 'disabled') THEN @then ELSE state END,
			cooldown_until = CASE WHEN CAST(@cooldown AS timestamptz) IS NOT NULL THEN greatest(cooldown_until, CAST(@cooldown AS timestamptz))
				WHEN @failed AND failures + 1 >= @many THEN greatest(cooldown_until, CAST(@break AS timestamptz)) ELSE cooldown_until END,
			reason = CASE WHEN @reason <> '' THEN @reason WHEN state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now) THEN '' ELSE reason END
		WHERE id = @id`,
		named("id", id, "limit", limit, "remaining", remaining, "reset", reset, "failed", t.Failed, "then", t.Then, "cooldown", cooldown, "many", breakAfter, "break", now.Add(breakFor),
			"reason", cleanText(t.Reason), "now", now)).Error
	if err != nil {
		return fmt.Errorf("learn of a credential: %w", err)
	}
	return nil
}

// SetCredentialState lets an admin pause a credential, or go on with it.
func SetCredentialState(ctx context.Context, db *gorm.DB, id int64, state string) error {
	res := db.WithContext(ctx).Exec(`
		UPDATE credentials SET state = @state, reason = CASE WHEN @state = 'active' THEN '' ELSE 'paused by an admin' END, failures = 0, cooldown_until = NULL WHERE id = @id`,
		named("id", id, "state", state))
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrNotFound
	}
	return res.Error
}

// DeleteCredential forgets a credential and what it was used for.
func DeleteCredential(ctx context.Context, db *gorm.DB, id int64) error {
	res := db.WithContext(ctx).Exec(`DELETE FROM credentials WHERE id = @id`, named("id", id))
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrNotFound
	}
	return res.Error
}

// ReserveOne takes one more request off the quota of a credential, or reports
// that there is none.
func ReserveOne(ctx context.Context, db *gorm.DB, id int64, now time.Time) (bool, error) {
	res := db.WithContext(ctx).Exec(`
		UPDATE credentials c SET used_at = @now, reset_at = CASE WHEN fresh THEN CAST(@now AS timestamptz) + window_seconds * interval '1 second' ELSE c.reset_at END,
			remaining = CASE WHEN fresh THEN quota ELSE remaining END - 1
		FROM (SELECT id, reset_at IS NULL OR reset_at <= @now AS fresh FROM credentials WHERE id = @id FOR UPDATE) o
		WHERE c.id = o.id AND state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now) AND (fresh OR remaining > quota / @held)`, named("id", id, "held", heldBack, "now", now))
	if res.Error != nil {
		return false, fmt.Errorf("reserve a request: %w", res.Error)
	}
	return res.RowsAffected == 1, nil
}
