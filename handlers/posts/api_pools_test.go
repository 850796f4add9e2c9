package posts_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/posts"
	"laurel/handlers/web"
	"laurel/models/posts"
)

func TestAPIPools(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	if got := handlerstest.Read[web.List[handlers.APIPool]](t, s.boss.Call("GET", "/admin/posts", ""), http.StatusOK); len(got.Items) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
	for i := range 10 {
		adds(t, s.boss, fmt.Sprintf(`{"network":"x","id":"%s"}`, s.snowflake(time.Duration(i*20)*time.Minute+time.Duration(i)*time.Millisecond)))
	}
	adds(t, s.boss, `{"network":"mastodon","id":"7"}`)
	pool := posts.Pool{Network: "x"}
	ctx, db := t.Context(), s.DB.DB
	if err := posts.MeasurePools(ctx, db, s.Posts.Tiers, map[string]int{"x": 100, "mastodon": 20}, s.Time); err != nil {
		t.Fatal(err)
	}
	start := s.Time
	for i, n := range []int{2, 3} { // The first two die with their lease.
		lease := posts.Lease{ID: int64(i + 1), From: s.Time, Until: s.Time.Add(time.Minute)}
		claimed, err := posts.Claim(ctx, db, pool, posts.Want{Batch: n, Requests: 1}, lease, s.Time)
		if err != nil || len(claimed) != n {
			t.Fatal(len(claimed), err)
		}
		s.Time = s.Time.Add(45 * time.Second)
	}
	credential, err := posts.SaveCredential(ctx, db, posts.NewCredential{Network: "x", Token: "a", Quota: 9, Window: time.Minute}, s.Secret, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	for i, outcome := range []string{"ok", "ok", "blocked", "ok"} {
		if err := s.DB.Exec(`INSERT INTO post_polls (network, host, credential_id, at, asked, found, missing, outcome, took_ms) VALUES ('x', '', ?, ?, ?, 1, 1, ?, 5)`,
			credential, s.Time.Add(-time.Duration(i)*25*time.Minute), 100-20*i, outcome).Error; err != nil {
			t.Fatal(err)
		}
	}
	got := handlerstest.Read[web.List[handlers.APIPool]](t, s.boss.Call("GET", "/admin/posts", ""), http.StatusOK).Items
	if len(got) != 2 || got[0].Host != "home.example" || got[0].Due != 1 || got[0].LastHour.Fill != nil {
		t.Fatalf("%+v", got)
	}
	x := got[1]
	tiers := []handlers.APITier{{"18m", 1}, {"60m", 2}, {"1d", 7}, {"7d", 0}, {"30d", 0}}
	if x.Due != 7 || x.Leased != 3 || x.Expired != 2 || x.Overdue != s.Time.Sub(start).Seconds() || !slices.Equal(x.Tiers, tiers) || x.Slowdown != 1 || x.Demand <= 0 || x.MeasuredAt == nil {
		t.Errorf("%+v", x)
	}
	if l := x.LastHour; l.Requests != 3 || l.Failures != 1 || l.Posts != 180 || *l.Fill != 0.9 {
		t.Errorf("%+v", l)
	}
	s.ada.Call("GET", "/admin/posts", "").Refused(t, 403, "")
}

func TestAPIPostMetrics(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	adds(t, s.boss, `{"network":"x","id":"20","member":"ada"}`)
	ctx, db, pool := t.Context(), s.DB.DB, posts.Pool{Network: "x"}
	credential, err := posts.SaveCredential(ctx, db, posts.NewCredential{Network: "x", Token: "a", Quota: 9, Window: time.Minute}, s.Secret, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	begin := s.Time
	for i, likes := range []int64{0, 5, 5, 3, 1 << 60} {
		s.Time = begin.Add(time.Duration(i) * time.Hour)
		lease := posts.Lease{ID: int64(i + 1), From: s.Time, Until: s.Time.Add(time.Minute)}
		claimed, err := posts.Claim(ctx, db, pool, posts.Want{Batch: 1, Requests: 1}, lease, s.Time)
		if err != nil || len(claimed) != 1 {
			t.Fatal(len(claimed), err)
		}
		seen := &posts.Seen{Numbers: posts.Numbers{Likes: &likes, Replies: new(int64(i))}, Author: "ada", Text: "hello", CreatedAt: begin}
		if i == 2 {
			seen.Replies = new(int64(1))
		}
		polls := []posts.Poll{{CredentialID: credential, Outcome: "ok", Asked: 1, Results: []posts.Result{{Post: &claimed[0], What: posts.ResultFound, Seen: seen}}}}
		if n, err := posts.Store(ctx, db, posts.Fetch{Pool: pool, Lease: lease, Polls: polls, Rule: posts.Rule{Tiers: s.Posts.Tiers, Charged: true}, Clock: s.Now}); err != nil || n != 1 {
			t.Fatal(n, err)
		}
	}
	p := handlerstest.Read[handlers.APIPost](t, s.ada.Call("GET", "/posts/x/20", ""), http.StatusOK)
	if handlerstest.JSON(p.Metrics) != `{"likes":1152921504606846976,"replies":4}` || p.Author != "ada" || p.Text != "hello" || p.Fetches != 5 || !p.MetricsAt.Equal(s.Time) || p.Tier != "1d" || !p.NextUpdateAt.After(s.Time) {
		t.Errorf("%+v", p)
	}
	a := s.ada.Call("GET", "/posts/x/20/metrics", "")
	list := handlerstest.Read[web.List[handlers.APIMetrics]](t, a, http.StatusOK).Items
	var got []string
	for _, m := range list {
		until := "now"
		if m.Until != nil {
			until = m.Until.Sub(begin).String()
		}
		got = append(got, fmt.Sprint(m.At.Sub(begin), " ", until, " ", len(m.Seen), " ", handlerstest.JSON(m.Metrics)))
	}
	want := []string{`0s 1h0m0s 1 {"likes":0,"replies":0}`, `1h0m0s 3h0m0s 2 {"likes":5,"replies":1}`, `3h0m0s 4h0m0s 1 {"likes":3,"replies":3}`}
	if len(got) != 4 || !slices.Equal(got[:3], want) {
		t.Errorf("%s", a.Text)
	}
	for _, limit := range []string{"1", "3"} {
		if parts := handlerstest.All[handlers.APIMetrics](t, s.ada, "/posts/x/20/metrics", limit); handlerstest.JSON(parts) != handlerstest.JSON(list) {
			t.Errorf("in parts of %s: %+v", limit, parts)
		}
	}
	s.ada.Call("GET", "/posts/x/20/metrics?limit=501", "").Refused(t, 422, "limit")
	s.ada.Call("GET", "/posts/x/20/metrics?cursor=x", "").Refused(t, 422, "cursor")
	s.ada.Call("GET", "/posts/x/21/metrics", "").Refused(t, 404, "")
}
