package follows_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/follows"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/notices"
)

// A crowd is some members and who follows whom.
type crowd struct {
	t   *testing.T
	db  *gorm.DB
	all map[string]*members.Member
	now time.Time
}

func newCrowd(t *testing.T, db *gorm.DB, names ...string) *crowd {
	t.Helper()
	c := &crowd{t, db, map[string]*members.Member{}, modelstest.Noon}
	for _, name := range names {
		c.all[name] = new(modelstest.Member(t, db, name, nil, c.now))
	}
	return c
}

func (c *crowd) hides(name string) {
	c.t.Helper()
	if err := members.SetVisibility(c.t.Context(), c.db, c.all[name].ID, members.SeenBySelf, false); err != nil {
		c.t.Fatal(err)
	}
}

func (c *crowd) shows(name string) {
	c.t.Helper()
	if err := members.SetVisibility(c.t.Context(), c.db, c.all[name].ID, members.SeenByEveryone, false); err != nil {
		c.t.Fatal(err)
	}
}

// follows fails the test unless what becomes of a wish is as wanted.
func (c *crowd) follows(by, name, want string) {
	c.t.Helper()
	got, err := follows.Follow(c.t.Context(), c.db, c.all[by], name, c.now)
	if err != nil || got != want {
		c.t.Errorf("%s follows %s: %q, %v; want %q", by, name, got, err, want)
	}
}

// has is a member's list as they see it.
func (c *crowd) has(name, list, want string) {
	c.t.Helper()
	m := c.all[name]
	people, _, err := follows.Of(members.As(c.t.Context(), members.Viewer(m.ID)), c.db, list, m.ID, pg.Cursor{}, 100)
	if err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for _, p := range people {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != want {
		c.t.Errorf("the list %s of %s is %q, want %q", list, name, got, want)
	}
}

func (c *crowd) as(name string) *members.Member { return c.all[name] }

// hears is what a member is notified of when a while has passed.
func (c *crowd) hears(name, want string) {
	c.t.Helper()
	c.now = c.now.Add(2 * notices.Delay)
	if got := strings.Join(modelstest.Heard(c.t, c.db, c.all[name].ID, c.now), " "); got != want {
		c.t.Errorf("%s hears %q, want %q", name, got, want)
	}
}

func TestRequestIsNotified(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, modelstest.Tx(t), "ann", "bob", "cyd", "ghost", "shade")
	c.hides("ghost")
	c.hides("shade")
	c.follows("ann", "bob", follows.Following)
	c.hears("bob", "")
	c.follows("ann", "ghost", follows.Requested)
	c.follows("ann", "GHOST", follows.Requested) // Once.
	c.follows("shade", "ghost", follows.Requested)
	c.follows("bob", "ghost", follows.Requested)
	if err := follows.Unfollow(t.Context(), c.db, c.as("bob").ID, "ghost"); err != nil { // Within the minute.
		t.Fatal(err)
	}
	c.hears("ghost", "ann asks to follow you.")
	c.has("ghost", follows.Requests, "ann")
	c.hides("ann") // Then who asks is not shown any more.
	c.hears("ghost", "")
	c.has("ghost", follows.Requests, "")
	c.shows("ann")
	if err := follows.Answer(t.Context(), c.db, c.as("ghost").ID, "ann", true, c.now); err != nil {
		t.Fatal(err)
	}
	c.has("ghost", follows.Followers, "ann")
	c.has("ann", follows.Followed, "bob")
	c.shows("ghost")
	c.has("ann", follows.Followed, "ghost bob")
}

func TestSuspendedMembers(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, modelstest.Tx(t), "ann", "bob")
	c.follows("ann", "bob", follows.Following)
	c.follows("bob", "ann", follows.Following)
	if err := accounts.Suspend(t.Context(), c.db, c.as("bob").ID, "boss", "spam", c.now); err != nil {
		t.Fatal(err)
	}
	c.has("ann", follows.Followed, "")
	c.has("ann", follows.Followers, "")
	if err := accounts.Lift(t.Context(), c.db, c.as("bob").ID, "boss", "a mistake", c.now); err != nil {
		t.Fatal(err)
	}
	c.has("ann", follows.Followed, "bob")
	c.has("ann", follows.Followers, "bob")
}

func TestDeletedMembersLeaveNothing(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, modelstest.Tx(t), "ann", "bob", "cyd", "dan")
	c.follows("ann", "bob", follows.Following)
	c.follows("bob", "ann", follows.Following)
	c.hides("dan")
	c.follows("bob", "dan", follows.Requested)
	if err := follows.Block(t.Context(), c.db, c.as("bob").ID, "cyd", c.now); err != nil {
		t.Fatal(err)
	}
	if err := accounts.Delete(t.Context(), c.db, c.as("bob").ID); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := c.db.Raw(`SELECT (SELECT count(*) FROM follows) + (SELECT count(*) FROM member_blocks) + (SELECT count(*) FROM notices)`).Scan(&left).Error; err != nil || left > 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
}

func TestFollowingHasALimit(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, modelstest.Tx(t), "ann", "bob")
	if err := c.db.Exec(`WITH m AS (INSERT INTO members (name, display_name, created_at) SELECT 'm' || i, 'M', @now FROM generate_series(1, @n) AS i RETURNING id)
		INSERT INTO follows (follower_id, followed_id, asked_at, since) SELECT @ann, id, @now, @now FROM m`,
		pg.Named("now", c.now, "n", follows.AtMost, "ann", c.as("ann").ID)).Error; err != nil {
		t.Fatal(err)
	}
	_, err := follows.Follow(t.Context(), c.db, c.as("ann"), "bob", c.now)
	if field := modelstest.Field(t, err); field != "name" {
		t.Errorf("one more: a mistake in %q", field)
	}
	c.follows("ann", "m7", follows.Following) // Again is none more.
}

// Of a block and a wish at the same time, both happen, and the block holds.
func TestBlockAndFollowAtOnce(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprint("a", i), fmt.Sprint("b", i))
	}
	c := newCrowd(t, db, names...)
	var wg sync.WaitGroup
	for i := range 20 {
		a, b := fmt.Sprint("a", i), fmt.Sprint("b", i)
		wg.Go(func() {
			if _, err := follows.Follow(t.Context(), db, c.as(a), b, c.now); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := follows.Block(t.Context(), db, c.as(b).ID, a, c.now); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var n int
	if err := db.Raw(`SELECT count(*) FROM follows WHERE since IS NOT NULL`).Scan(&n).Error; err != nil || n > 0 {
		t.Errorf("%d follow whom they are blocked by, %v", n, err)
	}
}
