// Package posts holds posts of social networks with their numbers, and the
// credentials and budgets with which they are refreshed.
package posts

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
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
	FetchedAt     *time.Time
	LastError     string
	Posts         int
	AddedAt       time.Time
}

// TableName is GORM's.
func (Account) TableName() string { return "post_accounts" }

// How often an account is asked for new posts: soon after it had some, and
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
	bad := func(r rune) bool { return r <= ' ' || strings.ContainsRune(`/?#&%"<>`, r) }
	if a.Handle == "" || len(a.Handle) > 253 || strings.ContainsFunc(a.Handle, bad) {
		return &pg.InputError{Field: "handle", Message: "is not the name of an account"}
	}
	err := db.WithContext(ctx).Exec(`
		WITH pool AS (INSERT INTO post_pools (network, host) VALUES (@network, @host) ON CONFLICT DO NOTHING)
		INSERT INTO post_accounts (member_id, network, host, handle, next_update_at, added_at)
		VALUES (@member, @network, @host, @handle, @now, @now)
		ON CONFLICT (member_id, network, host, lower(handle)) DO UPDATE
		SET state = 'active', next_update_at = EXCLUDED.next_update_at, attempts = 0, last_error = ''`,
		pg.Named("member", a.MemberID, "network", a.Network, "host", strings.ToLower(a.Host), "handle", a.Handle, "now", now)).Error
	if err != nil {
		return fmt.Errorf("link an account: %w", err)
	}
	return pg.Wake(ctx, db, WakeFindPosts)
}

// RemoveAccount ends the link; the posts that were found stay the member's.
func RemoveAccount(ctx context.Context, db *gorm.DB, member, id int64) error {
	return pg.Touched(db.WithContext(ctx).Exec(`DELETE FROM post_accounts WHERE id = @id AND member_id = @member`,
		pg.Named("id", id, "member", member)), pg.ErrNotFound)
}

// AccountsOf returns a member's accounts on networks.
func AccountsOf(ctx context.Context, db *gorm.DB, member int64) ([]Account, error) {
	return gorm.G[Account](db).Where("member_id = ?", member).Order("network, host, handle").Find(ctx)
}

// ClaimAccount leases the account that has been due for longest; false where
// none is due.
func ClaimAccount(ctx context.Context, db *gorm.DB, lease Lease, now time.Time) (Account, bool, error) {
	var a Account
	res := db.WithContext(ctx).Raw(`
		UPDATE post_accounts a SET leased_until = @until, lease_id = @lease WHERE id = (
			SELECT id FROM post_accounts WHERE next_update_at <= @now AND (leased_until IS NULL OR leased_until <= @now)
			ORDER BY next_update_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+pg.Columns[Account]("a"), pg.Named("until", lease.Until, "lease", lease.ID, "now", now)).Scan(&a)
	if res.Error != nil {
		return a, false, fmt.Errorf("claim an account: %w", res.Error)
	}
	return a, res.RowsAffected == 1, nil
}

// An AccountFetch is what an account showed.
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
func StoreAccountFetch(ctx context.Context, db *gorm.DB, a *Account, lease Lease, f AccountFetch, now time.Time) (added int, err error) {
	next, state, attempts := a.next(f, now), "active", 0
	switch {
	case f.Invalid:
		state = "invalid"
	case f.Why != "":
		attempts = a.Attempts + 1
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if added, err = Add(ctx, tx, f.Posts, now); err != nil {
			return err
		}
		return pg.Touched(tx.Exec(`
			UPDATE post_accounts SET key = @key, newest_id = coalesce(nullif(@newest, ''), newest_id), state = @state,
				next_update_at = @next, leased_until = NULL, lease_id = NULL, attempts = @attempts, last_error = @why,
				fetched_at = CASE WHEN @why = '' THEN CAST(@now AS timestamptz) ELSE fetched_at END, posts = posts + @added
			WHERE id = @id AND lease_id = @lease`,
			pg.Named("key", f.Key, "newest", f.Newest, "state", state, "next", next, "attempts", attempts, "now", now,
				"why", pg.CleanText(f.Why), "added", added, "id", a.ID, "lease", lease.ID)), pg.ErrLeaseLost)
	})
	if err != nil {
		err = fmt.Errorf("store the posts of %s on %s: %w", a.Handle, a.Network, err)
	}
	return added, err
}

// ChargeAccountFetch counts what it took and cost, whoever has the lease now. A post that
// was paid for today costs nothing more, nor will one that was paid for now.
func ChargeAccountFetch(ctx context.Context, db *gorm.DB, f AccountFetch, now time.Time) error {
	if f.CredentialID == 0 || f.Requests == 0 {
		return nil
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		charged := 0
		if f.Charged {
			again, err := paidToday(ctx, tx, f.Posts, now)
			if err != nil {
				return err
			}
			charged = f.Shown - again
		}
		err := tx.Exec(queries.Must("charge"), pg.Named("id", f.CredentialID, "requests", f.Requests, "posts", f.Shown,
			"charged", charged, "today", now.UTC().Truncate(24*time.Hour))).Error
		if err != nil {
			return fmt.Errorf("charge a credential: %w", err)
		}
		return nil
	})
}

// paidToday returns how many of some posts were paid for on this UTC day, and notes that the
// others are now.
func paidToday(ctx context.Context, tx *gorm.DB, posts []New, now time.Time) (n int, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("paid_today"),
		pg.Named("today", now.UTC().Truncate(24*time.Hour),
			"networks", pg.Column(posts, func(p *New) string { return p.Network }),
			"hosts", pg.Column(posts, func(p *New) string { return p.Host }),
			"ids", pg.Column(posts, func(p *New) string { return p.ExternalID }))).Row().Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("which posts were paid for: %w", err)
	}
	return n, nil
}

// next is when an account is due again: where it wrote something soon,
// else after a quarter of the time since it was last known to.
func (a *Account) next(f AccountFetch, now time.Time) *time.Time {
	var wait time.Duration
	switch {
	case f.Invalid:
		return nil
	case f.Why != "":
		wait = min(time.Minute<<min(a.Attempts, 10), accountLate)
	case f.More:
	case len(f.Posts) > 0 || a.FetchedAt == nil:
		wait = accountSoon
	default:
		wait = accountLate
		if a.NextUpdateAt != nil {
			wait = min(max(2*a.NextUpdateAt.Sub(*a.FetchedAt), accountSoon), accountLate)
		}
	}
	next := now.Add(wait)
	return &next
}
