package jobs

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/go-co-op/gocron/v2"

	"laurel/models/members"
	"laurel/models/modelstest"
)

// The jobs of a declared site begin when it is declared, begin anew when it is changed, and end when it
// is removed; an unchanged site keeps its jobs.
func TestJobsOfDeclaredSites(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	cron, err := gocron.NewScheduler()
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{DB: db, Now: func() time.Time { return modelstest.Noon }, Log: slog.New(slog.DiscardHandler), ClockRate: 1}
	r.Retrieval.DB = db
	c := &crew{Runner: r, cron: cron, awake: map[*job]func(){}, declared: map[string]declaredSite{}}
	ctx, cancel := context.WithCancel(t.Context())
	declare := func(name, title string) {
		t.Helper()
		s := members.DeclaredSite{Kind: "dmoj", Name: name, Title: title, Home: "https://" + name + ".example"}
		if _, err := members.DeclareSite(ctx, db.DB, &s, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := db.Exec(`DELETE FROM outside_sites WHERE name = ?`, name).Error; err != nil {
			t.Fatal(err)
		}
	}
	// running are the jobs, of which a test can only tell whether they are the same ones as before.
	running := func() map[*job]bool {
		t.Helper()
		if err := c.follow(ctx); err != nil {
			t.Fatal(err)
		}
		all := map[*job]bool{}
		for j := range c.awake {
			all[j] = true
		}
		if len(all) != len(cron.Jobs()) {
			t.Errorf("%d jobs can be woken, %d tick", len(all), len(cron.Jobs()))
		}
		return all
	}
	common := func(a, b map[*job]bool) (n int) {
		for j := range a {
			if b[j] {
				n++
			}
		}
		return n
	}
	if n := len(running()); n != 0 {
		t.Errorf("%d jobs run before a site is declared", n)
	}
	declare("school", "School judge")
	one := running()
	declare("club", "Club judge")
	two := running()
	if len(one) == 0 || len(two) != 2*len(one) || common(one, two) != len(one) {
		t.Errorf("%d jobs of one site, %d of two, %d of them as before", len(one), len(two), common(one, two))
	}
	declare("school", "The school's judge")
	changed := running()
	if len(changed) != len(two) || common(one, changed) != 0 || common(two, changed) != len(one) {
		t.Errorf("after a change %d jobs, %d of the first site as before, %d of both", len(changed), common(one, changed), common(two, changed))
	}
	remove("school")
	remove("club")
	if n := len(running()); n != 0 {
		t.Errorf("%d jobs run after the sites were removed", n)
	}
	cancel()
	c.passes.Wait() // All have ended, or this never does.
}
