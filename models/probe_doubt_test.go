package models_test

import (
	"cmp"
	"testing"
	"time"

	"laurel/models"
	pg "laurel/models/db"
)

// A doubt stays while rows show why somebody is there again, also one of when no look was put off, until a
// look begins after it. No wait is longer than an admin wants.
func TestDoubtStays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		judge string // What the newest row is at first.
		rule  models.Rule
		doubt bool
		wait  time.Duration // After the look.
	}{
		{"nothing shows why", "", models.Rule{Divisor: 5, Rate: 1}, true, 28 * 24 * time.Hour},
		{"a row is being judged", "PENDING", models.Rule{Divisor: 5, Rate: 1}, true, 28 * 24 * time.Hour},
		{"not for so long", "", models.Rule{Divisor: 5, Rate: 1, MaxWait: 5}, true, 5 * 24 * time.Hour},
		{"a look shows", "look", models.Rule{Divisor: 5, Rate: 1}, false, 56 * 24 * time.Hour},
	} {
		p := listing(t, 1, nil)
		known := p.now.Add(-6 * time.Hour)
		p.exec(`
			WITH p AS (INSERT INTO problems (site, key, name, url) VALUES ('codeforces', 'p', '', '') RETURNING id)
			INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
			SELECT a.id, a.member_id, a.site, '1', p.id, ?, '', '', a.created_at, '', a.created_at FROM accounts a, p`, cmp.Or(tt.judge, "AC"))
		p.exec(`UPDATE submissions SET submitted_at = CAST(? AS timestamptz) WHERE status = 'PENDING'`, known)
		probe := func() {
			t.Helper()
			_, err := models.FinishProbe(t.Context(), p.db.DB, models.Probe{Site: "codeforces", Began: p.now, Every: 6 * time.Hour, Within: 6 * time.Hour, Overlap: 24 * time.Hour, News: p.ids, Seen: []time.Time{p.now},
				Requests: 1, Outcome: pg.OutcomeOK}, tt.rule, p.now)
			if err != nil {
				t.Fatal(err)
			}
		}
		probe()
		if a := p.account(0); a.DoubtSince == nil || !a.DoubtSince.Equal(known) {
			t.Errorf("%s: in doubt since %v at first, want %s", tt.name, a.DoubtSince, known)
		}
		p.now = p.now.Add(8 * time.Hour)
		p.exec(`UPDATE submissions SET status = 'AC', submitted_at = (SELECT created_at FROM accounts)`)
		p.exec(`UPDATE accounts SET newest_at = ?`, p.now)
		p.exec(`UPDATE site_feeds SET until = ?`, p.now)
		if tt.judge == "look" {
			known = p.now.Add(-time.Hour)
			p.exec(`UPDATE accounts SET complete_until = ?`, known)
		}
		probe()
		if a := p.account(0); (a.DoubtSince != nil) != tt.doubt || !a.DueAt.Equal(known.Add(tt.wait)) {
			t.Errorf("%s: in doubt since %v, due %s after the look; want %t, %s", tt.name, a.DoubtSince, a.DueAt.Sub(known), tt.doubt, tt.wait)
		}
	}
}
