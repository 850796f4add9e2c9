package follows

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Person is a registered member in a list of somebody's.
type Person struct {
	ID          int64
	Name        string
	DisplayName string
	At          time.Time // Since when, or when they asked.
	State       string    // Following or Requested.
}

// A Relation is what a viewer has to do with a member.
type Relation struct {
	State   string // Following, Requested or "".
	Blocked bool   // By the viewer.
}

// Between is a viewer's relation to a member.
func Between(ctx context.Context, db *gorm.DB, viewer, member int64) (r Relation, err error) {
	err = db.WithContext(ctx).Raw(`SELECT
		coalesce((SELECT CASE WHEN since IS NULL THEN 'requested' ELSE 'following' END FROM follows
			WHERE follower_id = @viewer AND followed_id = @member), '') AS state,
		EXISTS (SELECT FROM member_blocks WHERE blocker_id = @viewer AND blocked_id = @member) AS blocked`,
		pg.Named("viewer", viewer, "member", member)).Scan(&r).Error
	if err != nil {
		return r, fmt.Errorf("relation to member %d: %w", member, err)
	}
	return r, nil
}

// Lists of people.
const (
	Followed  = "followed"  // Whom the member follows, or asked.
	Followers = "followers" // Who follows the member.
	Requests  = "requests"  // Who asks to.
	Blocked   = "blocked"   // Whom the member blocked.
)

// ways are the lists: the table with whose it is, who is on it, and since when.
var ways = map[string]struct{ table, of, who, at, which string }{
	Followed:  {"follows", "follower_id", "followed_id", "asked_at", "true"},
	Followers: {"follows", "followed_id", "follower_id", "since", "f.since IS NOT NULL"},
	Requests: {"follows", "followed_id", "follower_id", "asked_at", `f.since IS NULL AND f.declined_at IS NULL AND NOT EXISTS (
		SELECT FROM member_blocks b WHERE b.blocker_id = f.followed_id AND b.blocked_id = f.follower_id)`},
	Blocked: {"member_blocks", "blocker_id", "blocked_id", "at", "true"},
}

// Of returns at most limit people of a member's list whom the one who asks may see, the newest first,
// and the cursor to go on with.
func Of(ctx context.Context, db *gorm.DB, list string, member int64, after pg.Cursor, limit int) (all []Person, next pg.Cursor, err error) {
	w := ways[list]
	at := "f." + w.at
	columns := "m.id, m.name, m.display_name, " + at + " AS at"
	if list == Followed {
		columns += ", CASE WHEN f.since IS NULL THEN 'requested' ELSE 'following' END AS state"
	}
	q := db.WithContext(ctx).Table(w.table+" f").Select(columns).Joins("JOIN members m ON m.id = f."+w.who).
		Scopes(members.Visible(ctx, "m")).Where("f."+w.of+" = ?", member).Where(w.which)
	if after != (pg.Cursor{}) {
		q = q.Where("("+at+", m.id) < (?, ?)", after.At, after.ID)
	}
	if err := q.Order(at + " DESC, m.id DESC").Limit(limit + 1).Scan(&all).Error; err != nil {
		return nil, next, fmt.Errorf("%s of member %d: %w", list, member, err)
	}
	if len(all) > limit {
		all = all[:limit]
		next = pg.Cursor{At: all[limit-1].At, ID: all[limit-1].ID}
	}
	return all, next, nil
}

// Waiting counts the requests that wait for a member's answer.
func Waiting(ctx context.Context, db *gorm.DB, member int64) (n int, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT count(*) FROM follows f JOIN members m ON m.id = f.follower_id AND visible_to(@asking, m.id, m.audience)
		WHERE f.followed_id = @member AND f.since IS NULL AND f.declined_at IS NULL
			AND NOT EXISTS (SELECT FROM member_blocks b WHERE b.blocker_id = f.followed_id AND b.blocked_id = f.follower_id)`,
		pg.Named("member", member, "asking", members.Asking(ctx))).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("requests of member %d: %w", member, err)
	}
	return n, nil
}
