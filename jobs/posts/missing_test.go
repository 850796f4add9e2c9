package posts_test

import (
	"testing"
	"time"

	"laurel/jobs/standin"
	"laurel/models/posts"
)

// fate finds posts of an age that the stand-in deletes, or protects for some days,
// a while after now.
func (w *postWorld) fate(network string, state string, n int) (ids []string) {
	w.t.Helper()
	for i := 0; len(ids) < n && i < 60_000; i++ {
		id := standin.PostID(network, w.now.Add(-2*time.Hour), i)
		later, _ := w.out.PostAt(network, id, w.now.Add(12*time.Hour))
		if now, _ := w.out.PostAt(network, id, w.now); now.State == "shown" && later.State == state {
			ids = append(ids, id)
		}
	}
	if len(ids) < n {
		w.t.Fatalf("only %d of %d posts will be %s", len(ids), n, state)
	}
	return ids
}

func (w *postWorld) follow(network, host string, ids ...string) {
	w.t.Helper()
	var list []posts.New
	for _, id := range ids {
		list = append(list, posts.New{Key: posts.Key{Network: network, Host: host, ExternalID: id}})
	}
	_, err := posts.Add(w.t.Context(), w.DB.DB, list, w.now)
	w.ok(err)
}

// live lets time pass, looking as often as posts are due.
func (w *postWorld) live(d time.Duration) {
	w.t.Helper()
	for end := w.now.Add(d); w.now.Before(end); {
		var next *time.Time
		w.ok(w.DB.Raw(`SELECT min(next_update_at) FROM posts WHERE leased_until IS NULL`).Row().Scan(&next))
		w.now = w.now.Add(time.Minute)
		if next != nil && next.After(w.now) {
			w.now = next.Add(time.Minute)
		}
		if w.now.After(end) {
			w.now = end
		}
		w.look()
	}
}

func TestADeletedPostIsGoneAfterThreeMissesInADay(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	ids := w.fate("x", "deleted", 3)
	w.follow("x", "", ids...)
	w.live(14 * time.Hour)
	for _, p := range w.posts("true") {
		if p.State != posts.PostActive || p.MissingSince == nil || p.Likes == nil {
			t.Errorf("14 hours later %s is %s, missing since %v", p.Key, p.State, p.MissingSince)
		}
	}
	w.live(48 * time.Hour)
	for _, p := range w.posts("true") {
		if p.State != posts.PostGone || p.MissingCount < 3 || p.Likes == nil || p.MetricsAt == nil {
			t.Errorf("%s is %s after %d misses, and has %v likes", p.Key, p.State, p.MissingCount, p.Likes)
		}
	}
	w.live(40 * 24 * time.Hour)
	if left := w.posts("next_update_at IS NOT NULL"); len(left) > 0 {
		t.Errorf("%s is still looked at, next at %v", left[0].Key, left[0].NextUpdateAt)
	}
}

func TestAProtectedPostComesBack(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	ids := w.fate("x", "protected", 2)
	w.follow("x", "", ids...)
	w.live(13 * time.Hour)
	for _, p := range w.posts("true") {
		if p.State != posts.PostProtected || p.Likes == nil {
			t.Errorf("%s is %s with %v likes: %s", p.Key, p.State, p.Likes, p.LastError)
		}
	}
	w.live(20 * 24 * time.Hour)
	for _, p := range w.posts("true") {
		if p.State != posts.PostActive || p.MissingCount != 0 || p.MissingSince != nil {
			t.Errorf("%s did not come back: %s, missing %d times", p.Key, p.State, p.MissingCount)
		}
	}
}

// A network that leaves out everybody without a word is broken; nobody is missing.
func TestASilentAnswerAboutAllIsNoMiss(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.follow("bluesky", "", "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3aaaaaaaaaaaa", "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3aaaaaaaaaaab")
	w.now = w.now.Add(time.Minute)
	w.look()
	for _, p := range w.posts("true") {
		if p.MissingCount != 0 || p.Attempts != 1 || p.NextUpdateAt == nil {
			t.Errorf("%s was missing %d times, %d failures", p.Key, p.MissingCount, p.Attempts)
		}
	}
}

func TestAFinishedPostHadItsLastFetch(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	ids := w.add("x", "", 120, 29*24*time.Hour)
	w.live(3 * 24 * time.Hour)
	finished := 0
	for _, p := range w.posts("state = 'finished'") {
		finished++
		if p.NextUpdateAt != nil || p.MetricsAt.Before(p.CreatedAt.Add(30*24*time.Hour)) {
			t.Errorf("%s was last looked at when it was %s old, next at %v", p.Key, p.MetricsAt.Sub(p.CreatedAt), p.NextUpdateAt)
		}
	}
	if finished < len(ids)*9/10 {
		t.Errorf("%d of %d posts are finished", finished, len(ids))
	}
	w.add("x", "", 5, 400*24*time.Hour)
	w.live(time.Minute)
	if n := len(w.posts("state = 'finished' AND fetches = 1")); n < 4 {
		t.Errorf("%d of 5 old posts were looked at once", n)
	}
}
