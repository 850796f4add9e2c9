// Package posts holds posts of social networks with their numbers, and the
// credentials and budgets with which they are refreshed.
package posts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// An Account is a member's account on a network. Its new posts are followed.
type Account struct {
	ID            int64
	MemberID      int64
	Network, Host string
	Handle        string
	Key           string // The network's own name for it; "" until it was asked.
	NewestID      string // The newest post that is known.
	State         string // active, invalid or paused.
	NextUpdateAt  *time.Time
	LeasedUntil   *time.Time
	LeaseID       *int64
	Attempts      int
	LookedAt      *time.Time
	LastError     string
	Posts         int
	AddedAt       time.Time
}

// TableName is GORM's.
func (Account) TableName() string { return "post_accounts" }

// How often an account is looked at for new posts: soon after it had some, and
// less and less often while it has none.
const (
	accountSoon = 15 * time.Minute
	accountLate = 6 * time.Hour
)

// WakeFindPosts is heard on ChannelAsked where an account was linked.
const WakeFindPosts = "find posts"

// AddAccount links a member with an account, whose posts are then followed.
func AddAccount(ctx context.Context, db *gorm.DB, a Account, now time.Time) error {
	a.Handle = strings.TrimPrefix(strings.TrimSpace(pg.CleanText(a.Handle)), "@")
	if a.Handle == "" || len(a.Handle) > 253 || strings.ContainsFunc(a.Handle, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`/?#&%"<>`, r) }) {
		return &pg.InputError{Field: "handle", Message: "is no name of an account"}
	}
	err := db.WithContext(ctx).Exec(`
		WITH pool AS (INSERT INTO post_pools (network, host) VALUES (@network, @host) ON CONFLICT DO NOTHING)
		INSERT INTO post_accounts (member_id, network, host, handle, next_update_at, added_at) VALUES (@member, @network, @host, @handle, @now, @now)
		ON CONFLICT (member_id, network, host, lower(handle)) DO UPDATE SET state = 'active', next_update_at = EXCLUDED.next_update_at, attempts = 0, last_error = ''`,
		pg.Named("member", a.MemberID, "network", a.Network, "host", strings.ToLower(a.Host), "handle", a.Handle, "now", now)).Error
	if err != nil {
		return fmt.Errorf("link an account: %w", err)
	}
	return events.Wake(ctx, db, WakeFindPosts)
}

// RemoveAccount ends the link; the posts that were found stay the member's.
func RemoveAccount(ctx context.Context, db *gorm.DB, member, id int64) error {
	res := db.WithContext(ctx).Exec(`DELETE FROM post_accounts WHERE id = @id AND member_id = @member`, pg.Named("id", id, "member", member))
	if res.Error == nil && res.RowsAffected == 0 {
		return pg.ErrNotFound
	}
	return res.Error
}

// AccountsOf returns a member's accounts on networks.
func AccountsOf(ctx context.Context, db *gorm.DB, member int64) (all []Account, err error) {
	return gorm.G[Account](db).Where("member_id = ?", member).Order("network, host, handle").Find(ctx)
}

// ClaimAccount leases the account that has been due for longest; false where
// none is due.
func ClaimAccount(ctx context.Context, db *gorm.DB, lease Lease, now time.Time) (Account, bool, error) {
	var a Account
	res := db.WithContext(ctx).Raw(`
		UPDATE post_accounts SET leased_until = @until, lease_id = @lease WHERE id = (
			SELECT id FROM post_accounts WHERE next_update_at <= @now AND (leased_until IS NULL OR leased_until <= @now) ORDER BY next_update_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+pg.Columns[Account]("post_accounts"), pg.Named("until", lease.Until, "lease", lease.ID, "now", now)).Scan(&a)
	if res.Error != nil {
		return a, false, fmt.Errorf("claim an account: %w", res.Error)
	}
	return a, res.RowsAffected == 1, nil
}

// An AccountFetch is what a look at an account found.
type AccountFetch struct {
	Key     string
	Posts   []New  // Newest first.
	Newest  string // "" where there are none.
	More    bool   // There are more than were read.
	Invalid bool   // There is no such account.
	Why     string // What went wrong; "" for nothing.

	CredentialID    int64 // That was asked with; 0 where none was.
	Requests, Shown int   // How many were made, and how many posts they showed.
	Charged         bool  // The network wants money for each post shown, once in a UTC day.
}

// StoreAccountFetch stores it, if the lease is still ours: new posts are followed,
// and the account is due again.
func StoreAccountFetch(ctx context.Context, db *gorm.DB, a *Account, lease Lease, look AccountFetch, now time.Time) (added int, err error) {
	next, state, attempts := nextAccountLook(a, look, now), "active", 0
	switch {
	case look.Invalid:
		state = "invalid"
	case look.Why != "":
		attempts = a.Attempts + 1
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if added, err = Add(ctx, tx, look.Posts, now); err != nil {
			return err
		}
		res := tx.Exec(`
			UPDATE post_accounts SET key = @key, newest_id = coalesce(nullif(@newest, ''), newest_id), state = @state, next_update_at = @next, leased_until = NULL, lease_id = NULL,
				attempts = @attempts, looked_at = CASE WHEN @why = '' THEN CAST(@now AS timestamptz) ELSE looked_at END, last_error = @why, posts = posts + @added
			WHERE id = @id AND lease_id = @lease`,
			pg.Named("key", look.Key, "newest", look.Newest, "state", state, "next", next, "attempts", attempts, "now", now, "why", pg.CleanText(look.Why), "added", added, "id", a.ID, "lease", lease.ID))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost
		}
		return res.Error
	})
	if err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		err = fmt.Errorf("store the look at %s on %s: %w", a.Handle, a.Network, err)
	}
	return added, err
}

// ChargeAccountFetch counts what a look took and cost, whoever has the lease now. A post that
// was paid for today costs nothing more, nor will one that this look has paid for.
func ChargeAccountFetch(ctx context.Context, db *gorm.DB, l AccountFetch, now time.Time) error {
	if l.CredentialID == 0 || l.Requests == 0 {
		return nil
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		charged := 0
		if l.Charged {
			again, err := paidToday(ctx, tx, l.Posts, now)
			if err != nil {
				return err
			}
			charged = l.Shown - again
		}
		err := tx.Exec(queries.Must("charge"), pg.Named("id", l.CredentialID, "requests", l.Requests, "posts", l.Shown, "charged", charged, "today", now.UTC().Truncate(24*time.Hour))).Error
		if err != nil {
			return fmt.Errorf("charge a credential: %w", err)
		}
		return nil
	})
}

// paidToday returns how many of some posts were paid for on this UTC day, and notes that the
// others are now.
func paidToday(ctx context.Context, tx *gorm.DB, posts []New, now time.Time) (n int, err error) {
	networks, hosts, ids := make([]string, len(posts)), make([]string, len(posts)), make([]string, len(posts))
	for i := range posts {
		networks[i], hosts[i], ids[i] = posts[i].Network, posts[i].Host, posts[i].ExternalID
	}
	err = tx.WithContext(ctx).Raw(`
		WITH known AS MATERIALIZED (
			SELECT p.id, coalesce(p.charged_on >= CAST(@today AS date), false) AS paid
			FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@ids AS text[])) AS g(network, host, id)
			JOIN posts p ON p.network = g.network AND p.host = g.host AND p.external_id = g.id ORDER BY p.id FOR UPDATE OF p),
		marked AS (UPDATE posts p SET charged_on = CAST(@today AS date) FROM known k WHERE p.id = k.id AND NOT k.paid)
		SELECT count(*) FILTER (WHERE paid) FROM known`,
		pg.Named("today", now.UTC().Truncate(24*time.Hour), "networks", &networks, "hosts", &hosts, "ids", &ids)).Row().Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("which posts were paid for: %w", err)
	}
	return n, nil
}

// nextAccountLook is when an account is due again: where it wrote something soon,
// else after a quarter of the time since it was last known to.
func nextAccountLook(a *Account, look AccountFetch, now time.Time) *time.Time {
	var wait time.Duration
	switch {
	case look.Invalid:
		return nil
	case look.Why != "":
		wait = min(time.Minute<<min(a.Attempts, 10), accountLate)
	case look.More:
	case len(look.Posts) > 0 || a.LookedAt == nil:
		wait = accountSoon
	default:
		wait = accountLate
		if a.NextUpdateAt != nil {
			wait = min(max(2*a.NextUpdateAt.Sub(*a.LookedAt), accountSoon), accountLate)
		}
	}
	next := now.Add(wait)
	return &next
}
