package posts_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// What counts for awards is what a post has now: a rise counts once, a fall is taken
// back, and a post that is gone counts no more.
func TestAwardsCountWhatAPostHasNow(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(`{"slug":"liked","title":"Liked","permanence":"live","objectives":[{"id":"likes","filters":[{"name":"SourceFilter","config":{"sources":["posts"]}}],"rule":{"name":"SumRule","config":{"fact":"likes"}}}],
		"strategy":{"goal":100,"strategy":[{"objective_id":"likes"}]}}`)
	ada, err := members.ByName(t.Context(), w.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	tiers, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := posts.Add(t.Context(), w.DB, newPosts(1, &ada.ID), modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	look := func(after time.Duration, what string, likes int64) {
		t.Helper()
		w.Now = w.Now.Add(after)
		pool, lease := posts.Pool{Network: "invented"}, posts.Lease{ID: w.Now.Unix(), From: w.Now, Until: w.Now.Add(time.Minute)}
		got, err := posts.Claim(t.Context(), w.DB, pool, posts.Want{Batch: 1, Requests: 1}, lease, w.Now)
		if err != nil || len(got) != 1 {
			t.Fatalf("%d posts are claimed: %v", len(got), err)
		}
		l := posts.Result{Post: &got[0], What: what}
		if what == posts.ResultFound {
			l.Seen = &posts.Seen{Numbers: posts.Numbers{Likes: &likes}}
		}
		polls := []posts.Poll{{Outcome: pg.OutcomeOK, Asked: 1, Results: []posts.Result{l}}}
		if _, err := posts.Store(t.Context(), w.DB, posts.Fetch{Pool: pool, Lease: lease, Polls: polls, Rule: posts.Rule{Tiers: tiers}, Clock: func() time.Time { return w.Now }}); err != nil {
			t.Fatal(err)
		}
		w.Works()
	}
	const day = 24*time.Hour + time.Minute
	for _, c := range []struct {
		after time.Duration
		what  string
		likes int64
		want  string
	}{
		{day, posts.ResultFound, 40, "40 of 100"},
		{day, posts.ResultFound, 40, "40 of 100"},
		{day, posts.ResultFound, 90, "90 of 100"},
		{day, posts.ResultFound, 70, "70 of 100"},
		{day, posts.ResultGone, 0, "70 of 100"},
		{day, posts.ResultGone, 0, "70 of 100"},
		{day, posts.ResultGone, 0, "0 of 100"}, // Three times in more than a day.
		{8 * day, posts.ResultFound, 71, "71 of 100"},
	} {
		look(c.after, c.what, c.likes)
		w.Wants("ada", "liked", c.want)
	}
}
