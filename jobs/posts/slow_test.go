package posts_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
	"laurel/models/modelstest"
)

// Where requests take long, what was seen is stored before ten of them were made, and
// what nobody was asked for is claimed once more: long before the lease ends.
func TestASlowNetworksPostsAreStoredEarly(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const batch, posts = 10, 100
	var clock, asked atomic.Int64 // Seconds after noon, and posts.
	// No answer comes before what was seen six requests earlier is stored.
	n := &invented{batch: batch, fetch: func(ids []string) error {
		now := asked.Add(int64(len(ids)))
		for stored := int64(-1); stored < now-6*batch; {
			if err := w.DB.WithContext(ctx).Raw(`SELECT count(*) FROM posts WHERE fetches = 1`).Row().Scan(&stored); err != nil {
				return err
			}
		}
		clock.Add(15)
		return nil
	}}
	w.Networks = []networks.Network{n}
	w.Now = func() time.Time { return modelstest.Noon.Add(time.Duration(clock.Load()) * time.Second) }
	w.invent(posts)
	w.ok(w.Poll(ctx, n))
	// The clock stands while the database works: a lease that ends meanwhile is asked for again, but stored once.
	if looked := len(w.posts("fetches = 1 AND leased_until IS NULL")); looked != posts || asked.Load() >= 2*posts {
		t.Errorf("%d of %d posts were looked at once, %d were asked for", looked, posts, asked.Load())
	}
}

// A database in which a claim takes longer than a round may is asked for all the same.
func TestAClaimThatTakesLong(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	n := &invented{batch: 10, fetch: func([]string) error { return nil }}
	w.invent(30)
	var clock atomic.Int64
	w.Now = func() time.Time { return modelstest.Noon.Add(time.Duration(clock.Add(21)) * time.Second) }
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w.ok(w.Poll(ctx, n))
	if looked := len(w.posts("fetches > 0")); looked != 30 {
		t.Errorf("%d of 30 posts were looked at", looked)
	}
}

// Names that take long to resolve do not outlast the lease: the posts whose names are
// known are asked for before, and where none can be resolved, all are given back.
func TestNamesThatAreResolvedSlowly(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		w := newPostWorld(t, standin.Options{Seed: 1})
		resolved := 0
		n := &invented{batch: 25, resolve: func(id string) (string, error) {
			resolved++
			w.now = w.now.Add(10 * time.Second)
			if fails {
				return "", &networks.Refusal{Kind: networks.ServerError}
			}
			return id, nil
		}}
		n.fetch = func([]string) error {
			if over := len(w.posts(`leased_until < '` + w.now.Format(time.RFC3339) + `'`)); over > 0 {
				t.Errorf("when posts are asked for, the lease of %d is over", over)
			}
			return nil
		}
		w.invent(25)
		w.ok(w.Poll(t.Context(), n))
		// Three of a claim, in a sixth of its two minutes. What is given back may be claimed once more.
		if looked := len(w.posts("fetches = 1")); looked == 0 != fails || resolved > 6 {
			t.Errorf("%d posts were fetched, %d names resolved in a sixth of two minutes; they fail: %t", looked, resolved, fails)
		}
		if held := len(w.posts("leased_until IS NOT NULL")); held > 0 {
			t.Errorf("%d posts were not given back", held)
		}
	}
}
