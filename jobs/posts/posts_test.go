package posts_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/networks"
	"laurel/jobs/posts"
	"laurel/jobs/standin"
	"laurel/models/modelstest"
	modelposts "laurel/models/posts"
)

// A postWorld is a runner with networks outside, over real HTTP, on a clock that
// only the test moves: what a check sees is known to the second.
type postWorld struct {
	*posts.Jobs
	t   testing.TB
	out *standin.Server
	now time.Time
}

func newPostWorld(t testing.TB, o standin.Options) *postWorld {
	t.Helper()
	w := &postWorld{t: t, now: modelstest.Noon}
	o.Now, o.Polls = func() time.Time { return w.now }, true
	w.out = standin.New(o)
	srv := httptest.NewServer(w.out)
	t.Cleanup(srv.Close)
	t.Cleanup(w.out.Close)
	db, now := modelstest.Open(t), func() time.Time { return w.now }
	client := jobstest.NewClient(db, now, srv.URL)
	client.Slots, client.Rate = nil, 1
	w.Jobs = &posts.Jobs{
		DB: db, Now: now, Log: slog.New(slog.DiscardHandler), Client: client, Networks: networks.All(), Secret: jobstest.Secret(), ClockRate: 1,
		Settings: jobstest.PostSettings(10 * time.Second),
	}
	return w
}

func (w *postWorld) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *postWorld) credential(network, host, token string) {
	w.t.Helper()
	_, err := modelposts.SaveCredential(w.t.Context(), w.DB.DB, modelposts.NewCredential{Network: network, Host: host, Name: token, Token: token, Quota: 3500, Window: 15 * time.Minute}, w.Secret, w.now)
	w.ok(err)
}

// add follows n posts of an age.
func (w *postWorld) add(network, host string, n int, age time.Duration) (ids []string) {
	w.t.Helper()
	var posts []modelposts.New
	for i := range n {
		id := standin.PostID(network, w.now.Add(-age), i)
		ids = append(ids, id)
		posts = append(posts, modelposts.New{Key: modelposts.Key{Network: network, Host: host, ExternalID: id}})
	}
	added, err := modelposts.Add(w.t.Context(), w.DB.DB, posts, w.now)
	w.ok(err)
	if added != n {
		w.t.Fatalf("%d of %d posts are new", added, n)
	}
	return ids
}

func (w *postWorld) look() {
	w.t.Helper()
	for _, n := range w.Networks {
		w.ok(w.Poll(w.t.Context(), n))
	}
}

func (w *postWorld) posts(where string) (posts []modelposts.Post) {
	w.t.Helper()
	w.ok(w.DB.Where(where).Order("id").Find(&posts).Error)
	return posts
}

func TestNumbersAreWhatTheNetworksShow(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	hosts := map[string]string{"x": "", "bluesky": "", "mastodon": "social.sample.invalid"}
	for network, host := range hosts {
		w.add(network, host, 230, 26*time.Hour)
	}
	w.look()
	w.now = w.now.Add(10 * time.Second)
	w.look()
	for network := range hosts {
		found := 0
		for _, p := range w.posts(fmt.Sprintf("network = '%s'", network)) {
			truth := w.out.Metrics(network, p.ExternalID, w.now)
			if p.MetricsAt != nil {
				truth = w.out.Metrics(network, p.ExternalID, *p.MetricsAt)
				found++
			}
			for name, n := range map[string]*int64{"likes": p.Likes, "reposts": p.Reposts, "replies": p.Replies, "quotes": p.Quotes, "bookmarks": p.Bookmarks, "views": p.Views} {
				want, told := truth[name]
				if (n != nil) != told || told && *n != want {
					t.Errorf("%s has %s %v, want %v (told: %v); state %s: %s", p.Key, name, n, want, told, p.State, p.LastError)
				}
			}
			if p.Fetches != 1 || p.NextUpdateAt == nil {
				t.Errorf("%s: %d looks, next at %v", p.Key, p.Fetches, p.NextUpdateAt)
			}
		}
		requests, ids, full := w.out.Batches(network)
		t.Logf("%s: %d found, %d requests for %d ids, %d full", network, found, requests, ids, full)
		if ids != 230 || found < 200 {
			t.Errorf("%s was asked for %d ids, %d found", network, ids, found)
		}
	}
	var spans int
	w.ok(w.DB.Raw(`SELECT count(*) FROM shard_post_metrics`).Row().Scan(&spans))
	if spans < 600 {
		t.Errorf("%d posts are in the archive", spans)
	}
}

// Raw answers of networks are kept; one that nobody understood is marked, and no token is in any.
func TestAnswersOfNetworksAreKept(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "a-secret-token")
	w.add("x", "", 30, 26*time.Hour)
	w.look()
	w.now = w.now.Add(10 * time.Second)
	w.look()
	count := func(which string) (n int) {
		w.ok(w.DB.Raw(`SELECT count(*) FROM responses WHERE source = 'x' AND ` + which).Row().Scan(&n))
		return n
	}
	requests, _, _ := w.out.Batches("x")
	if n := count("readable"); n != requests || requests == 0 {
		t.Errorf("%d answers are kept of %d", n, requests)
	}
	w.ok(w.out.SetFault("x", standin.Fault{Kind: "html", Count: 1}))
	w.now = w.now.Add(20 * 24 * time.Hour)
	w.look()
	w.now = w.now.Add(10 * time.Second)
	w.look()
	if n := count("NOT readable"); n != 1 {
		t.Errorf("%d answers are kept as not understood, want 1", n)
	}
	if n := count("(address || question || CAST(header AS text)) LIKE '%a-secret-token%'"); n != 0 {
		t.Errorf("%d kept answers have the token", n)
	}
}
