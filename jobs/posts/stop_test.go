package posts_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
	"laurel/models/posts"
)

// Whoever is asked to stop between what it reserved and what it claims for it gives
// the requests back, and the posts of the month's budget.
func TestWhoStopsGivesBackWhatItReserved(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.budget(50_000)
	w.add("x", "", 400, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	var before posts.Credential // When it was asked to.
	w.Now = func() time.Time {
		if c := w.credentials()["one"]; c.BudgetUsed > 0 && ctx.Err() == nil {
			before = c
			cancel()
		}
		return w.now
	}
	x, _ := networks.ByName("x")
	if err := w.Poll(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if c := w.credentials()["one"]; before.Remaining == 3500 || c.Remaining != 3500 || c.BudgetUsed != 0 {
		t.Errorf("%d requests were left when it was told to stop; now %d are, and %d posts of the budget are used", before.Remaining, c.Remaining, c.BudgetUsed)
	}
}

// An answer that comes when Laurel is stopping is stored: it was paid for.
func TestAnAnswerThatComesAtTheEndIsStored(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	ctx, cancel := context.WithCancel(t.Context())
	n := &invented{batch: 10, fetch: func([]string) error { cancel(); return nil }}
	w.invent(20)
	w.ok(w.Poll(ctx, n))
	if looked, held := len(w.posts("fetches = 1")), len(w.posts("leased_until IS NOT NULL")); looked != 10 || held != 0 {
		t.Errorf("%d posts of an answer of 10 were stored, and %d posts not given back", looked, held)
	}
}

// Where handles cannot be resolved now, their posts and those beside them are given back.
func TestPostsAreGivenBackWhereHandlesAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what  string
		quota int
		fault *standin.Fault
	}{{"the quota ends", 3, nil}, {"the network wants to be left alone", 3000, &standin.Fault{Kind: "429", RetryAfter: "60"}}} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			w := newPostWorld(t, standin.Options{Seed: 1})
			_, err := posts.SaveCredential(t.Context(), w.DB.DB, posts.NewCredential{Network: "bluesky", Name: "one", Token: "one", Quota: tt.quota, Window: 5 * time.Minute}, w.Secret, w.now)
			w.ok(err)
			w.add("bluesky", "", 20, time.Hour)
			for i := range 5 {
				w.follow("bluesky", "", fmt.Sprintf("at://%s/app.bsky.feed.post/3kftldxbvq2%dp", w.out.People()[0].Networks["bluesky"], 2+i))
			}
			w.now = w.now.Add(time.Minute)
			if tt.fault != nil {
				w.ok(w.out.SetFault("bluesky", *tt.fault))
			}
			w.look()
			if n := len(w.posts("leased_until IS NOT NULL OR attempts > 0")); n > 0 {
				t.Errorf("%d of 25 posts were not given back as they were", n)
			}
			if n := len(w.out.Log()); tt.fault != nil && n != 1 {
				t.Errorf("%d requests, after the first of which it was to be left alone", n)
			}
		})
	}
}
