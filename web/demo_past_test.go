package main

import (
	"log/slog"
	"math"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// The demo's past is lived through with its own time, outage included, and ends
// where the present begins.
func TestDemoPast(t *testing.T) {
	t.Parallel()
	b := &base{clock: newClock(1), db: modelstest.Open(t), log: slog.New(slog.DiscardHandler)}
	var back atomic.Int64
	people := 2
	if jobstest.Soak() {
		people = demoPeople + 1
	}
	world := standin.New(standin.Options{Seed: 1, People: people, Begin: time.Now().AddDate(0, 0, -60), Now: func() time.Time { return b.clock.now().Add(-time.Duration(back.Load())) }})
	sites := httptest.NewServer(world)
	t.Cleanup(sites.Close)
	t.Cleanup(world.Close)
	mirror, err := url.Parse(sites.URL)
	if err != nil {
		t.Fatal(err)
	}
	b.settings = settings{URL: "http://laurel.example", CrawlRate: 20, ClockRate: 1, PostTiers: posts.DefaultTiers, SecretKey: "a key that seals nothing of worth", allowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, mirrors: map[string]*url.URL{}}
	for _, names := range []map[string]bool{siteNames(), networkNames()} {
		for name := range names {
			b.mirrors[name] = mirror
		}
	}
	if err := b.readPosts(); err != nil {
		t.Fatal(err)
	}
	p := &past{base: b, world: world, back: &back}
	for range 2 { // Once only.
		if _, err := p.at(demoPast[0]).settleSample(t.Context(), samplePeople(world)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.live(t.Context()); err != nil || back.Load() != 0 {
		t.Fatal(err, back.Load())
	}
	name, now := samplePeople(world)[0].Name, b.clock.now()
	at := func(days int) history.History {
		h, err := history.At(t.Context(), b.db.DB, history.Query{Member: name, Sites: modelSites(), At: now.AddDate(0, 0, -days), Now: now, Since: yearBefore, Recent: 5})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	begin, trouble, end := at(demoPast[0]-1), at(troubledDay-1), at(0)
	if begin.Stats.Submissions == 0 || begin.Stats.Submissions >= end.Stats.Submissions || at(demoPast[0]+1).Stats.Submissions != 0 {
		t.Errorf("%d submissions at the beginning and %d at the end", begin.Stats.Submissions, end.Stats.Submissions)
	}
	m, err := members.ByName(t.Context(), b.db.DB, name)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := posts.OfMember(t.Context(), b.db.DB, m.ID, pg.Cursor{}, 50)
	if err != nil || len(list) != 50 || !slices.ContainsFunc(list, func(p posts.Row) bool { return p.MetricsAt != nil && len(p.Line) > 5 }) {
		t.Errorf("the posts of %s have no past: %+v, %v", name, list, err)
	}
	inOrder(t, b)
	rightDates(t, b)
	if len(trouble.Failed["atcoder"]) == 0 || len(trouble.Failed["codeforces"]) > 0 {
		t.Errorf("looks that failed: %v", trouble.Failed)
	}
}

func yearBefore(today time.Time) time.Time { return today.AddDate(-1, 0, 0) }

// inOrder runs both checks over what was made in no time, which shall be what a program that lived on would have.
func inOrder(t *testing.T, b *base) {
	t.Helper()
	var made struct{ Grants, Places, Waiting int }
	if err := b.db.Raw(`SELECT (SELECT count(*) FROM award_grants) AS grants, (SELECT count(*) FROM standing_places) AS places,
		(SELECT count(*) FROM standing_moves) AS waiting`).Scan(&made).Error; err != nil {
		t.Fatal(err)
	}
	if made.Grants == 0 || made.Places == 0 || made.Waiting > 0 {
		t.Errorf("at the first page there would be: %+v", made)
	}
	c, err := awards.Check(t.Context(), b.db.DB, 0, math.MaxInt64-1, b.clock.now())
	if err != nil || len(c.Differences) > 0 {
		t.Errorf("awards differ: %+v, %v", c.Differences, err)
	}
	a, err := history.Check(t.Context(), b.db.DB, b.clock.now())
	if err != nil || len(a.Findings) > 0 {
		t.Errorf("the archive has findings: %+v, %v", a.Findings, err)
	}
}
