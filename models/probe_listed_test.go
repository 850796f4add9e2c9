package models_test

import (
	"testing"
	"time"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// Of whom the list of what all submit has shown all that is in it, the look may wait: for as long as they
// have done nothing for that it leaves out, in proportion. Others are looked at as without the list.
func TestProbeOfTheListed(t *testing.T) {
	t.Parallel()
	noon := modelstest.Noon
	ago := func(h float64) *time.Time { at := noon.Add(-time.Duration(h * float64(time.Hour))); return &at }
	within, most := 6*time.Hour, 28*24*time.Hour
	shown := func(more func(*models.Account)) func(*models.Account) { // What is listed shows why somebody was there.
		return func(a *models.Account) { a.NewestAt = ago(1.4); more(a) }
	}
	for _, tt := range []struct {
		name   string
		change func(*models.Account)
		seen   time.Time
		sql    string // Also done to the account.
		listed bool
		due    time.Time
	}{
		{"nothing but what is listed, ever", func(a *models.Account) {}, noon, "", true, ago(6).Add(most)},
		{"something else five days ago", func(a *models.Account) { a.UnlistedAt = ago(5 * 24) }, noon, "", true, ago(6).Add(24 * time.Hour)},
		{"something else today", func(a *models.Account) { a.UnlistedAt = ago(7) }, noon, "", true, noon},
		{"known before the hole, and not there since", func(a *models.Account) { a.CompleteUntil = ago(20) }, *ago(15), "", true, ago(20).Add(most)},
		{"there in the hole", func(a *models.Account) { a.CompleteUntil = ago(20) }, *ago(12), "", false, noon},
		{"known before the list was read", func(a *models.Account) { a.CompleteUntil = ago(6 * 24) }, *ago(15), "", false, noon},
		{"known by the list alone", func(a *models.Account) { a.CompleteUntil, a.FedUntil = ago(6*24), ago(9) }, noon, "", true, ago(9).Add(most)},
		{"a row shows why", shown(func(a *models.Account) {}), noon, "", true, ago(6).Add(2 * most)},
		{"a row shows why, something else today", shown(func(a *models.Account) { a.UnlistedAt = ago(7) }), noon, "", true, ago(6).Add(24 * time.Hour)},
		{"a row shows why, and of the time before none did", shown(func(a *models.Account) { a.CompleteUntil, a.DoubtSince, a.FedUntil = ago(6*24), ago(48), ago(9) }), noon, "", true, ago(48).Add(most)},
		{"a row shows why, and a look of the time before", shown(func(a *models.Account) { a.DoubtSince = ago(6.1) }), noon, "", true, ago(6).Add(2 * most)},
		{"a row is older than that", func(a *models.Account) { a.NewestAt = ago(1.6) }, noon, "", true, ago(6).Add(most)},
		{"a row shows why that is not listed", shown(func(a *models.Account) { a.UnlistedAt = a.NewestAt }), noon, "", true, noon},
		{"a look that died", func(a *models.Account) { a.DirtyFrom = ago(9) }, noon, "", false, noon},
		{"nobody knows when", shown(func(a *models.Account) {}), time.Time{}, "", true, ago(6).Add(most)},
		{"a verdict may change", func(a *models.Account) { a.OpenAt = ago(10) }, noon, "", true, ago(10).Add(30 * time.Hour)},
		{"one may have changed before the last look", func(a *models.Account) { a.OpenAt = ago(80) }, noon, "", true, ago(6).Add(most)},
		{"a look that was due", func(a *models.Account) { a.DueAt = *ago(1) }, noon, "", true, ago(6).Add(most)},
		{"a gap", func(a *models.Account) { a.Missing, a.LastRetrievedAt = 3, ago(6) }, noon, "", false, noon},
		{"a new rating", func(a *models.Account) {}, noon, `UPDATE accounts SET look_wanted = true WHERE id = ?`, false, noon},
		{"a row that is being judged", func(a *models.Account) {}, noon, `
			WITH p AS (INSERT INTO problems (site, key, name, url) VALUES ('codeforces', 'p', '', '') RETURNING id)
			INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
			SELECT a.id, a.member_id, a.site, '1', p.id, 'PENDING', '', '', CAST('2026-11-21 11:00Z' AS timestamptz), '', CAST('2026-11-21 11:00Z' AS timestamptz) FROM accounts a, p WHERE a.id = ?`, false, noon},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProbing(t, 1, func(_ int, a *models.Account) {
				a.CompleteUntil, a.CreatedAt, a.DueAt = ago(6), noon.AddDate(-1, 0, 0), noon.Add(time.Hour)
				tt.change(a)
			})
			p.exec(`INSERT INTO site_feeds (site, kind, since, until, holes, hole_since, hole_from, hole_until) VALUES ('codeforces', 'feed', ?, ?, 1, ?, ?, ?)`, ago(10), ago(0.1), ago(5*24), ago(14), ago(10))
			if tt.sql != "" {
				p.exec(tt.sql, p.ids[0])
			}
			_, err := models.FinishProbe(t.Context(), p.db.DB, models.Probe{Site: "codeforces", Began: noon, Every: within, Within: within, Overlap: 24 * time.Hour, News: p.ids, Seen: []time.Time{tt.seen}, Requests: 1,
				Outcome: pg.OutcomeOK}, models.Rule{Divisor: 5, Rate: 1}, noon)
			if err != nil {
				t.Fatal(err)
			}
			a := p.account(0)
			if listed := a.FedUntil != nil && a.FedUntil.Equal(*ago(0.1)); listed != tt.listed || a.Delay != 0 || tt.listed && !a.DueAt.Equal(tt.due) || a.DueAt.After(tt.due) {
				t.Errorf("due %s, here until %v; want %s, %t", a.DueAt, a.FedUntil, tt.due, tt.listed)
			}
			if !a.CompleteUntil.Before(noon) {
				t.Errorf("complete until %s: what is not listed is not known", a.CompleteUntil)
			}
		})
	}
}

func (p *probing) exec(sql string, args ...any) {
	p.Helper()
	if err := p.db.WithContext(p.Context()).Exec(sql, args...).Error; err != nil {
		p.Fatal(err)
	}
}

// A list that nobody read for hours, or that is not read any more, puts no look off.
func TestProbeWithoutTheList(t *testing.T) {
	t.Parallel()
	noon := modelstest.Noon
	for name, until := range map[string]*time.Time{"read yesterday": new(noon.Add(-24 * time.Hour)), "not read": nil} {
		p := newProbing(t, 1, nil)
		since := until
		if until != nil {
			since = new(until.Add(-48 * time.Hour))
		}
		p.exec(`INSERT INTO site_feeds (site, kind, since, until) VALUES ('codeforces', 'feed', ?, ?)`, since, until)
		p.finish(nil, p.ids)
		if a := p.account(0); a.DueAt.After(noon) || a.FedUntil != nil {
			t.Errorf("%s: due %s, here until %v", name, a.DueAt, a.FedUntil)
		}
	}
}

// Holes with little between them are one: those who were on the site before it need no look.
func TestHolesThatGoOn(t *testing.T) {
	t.Parallel()
	p := newProbing(t, 6, nil)
	f := claimFeed(t, p.db, "one", p.now)
	if f == nil {
		t.Fatal("there is nothing to read")
	}
	at := func(minute int) *time.Time { x := p.now.Add(time.Duration(minute) * time.Minute); return &x }
	move := func(until int, since *time.Time) {
		t.Helper()
		if err := models.MoveFeed(t.Context(), p.db.DB, f, models.FeedStep{CursorAt: at(until), CursorID: "x", Until: at(until), Since: since}, time.Hour, p.now); err != nil {
			t.Fatal(err)
		}
	}
	move(0, at(0))
	move(300, nil)
	move(320, at(319)) // A hole from 300 on,
	move(340, at(339)) // which goes on
	move(350, nil)
	if f.Holes != 1 || !f.HoleSince.Equal(*at(0)) || !f.HoleFrom.Equal(*at(300)) || !f.HoleUntil.Equal(*at(339)) || !f.Since.Equal(*at(339)) {
		t.Errorf("%d holes, from %s until %s, of what was read since %s", f.Holes, f.HoleFrom, f.HoleUntil, f.HoleSince)
	}
	move(500, nil)
	move(520, at(515))
	if f.Holes != 2 || !f.HoleSince.Equal(*at(339)) || !f.HoleFrom.Equal(*at(500)) || !f.HoleUntil.Equal(*at(515)) {
		t.Errorf("%d holes, from %s until %s, of what was read since %s", f.Holes, f.HoleFrom, f.HoleUntil, f.HoleSince)
	}
}

// A row that a look finds and the list should have had says that the list leaves out more than its
// reader knows: then looks at its owner do not wait.
func TestListThatLacksARow(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	complete, fed := noon.AddDate(0, 0, -5), noon.Add(-time.Hour)
	if err := tx.Exec(`UPDATE accounts SET complete_until = ?, fed_until = ?`, complete, fed).Error; err != nil {
		t.Fatal(err)
	}
	d := modelstest.Claim(t, tx, "judge", noon)
	gym := found("4", noon.AddDate(0, 0, -30), "AC")
	gym.Unlisted = true
	for _, tt := range []struct {
		row  models.Found
		want *time.Time
	}{
		{found("1", complete, "AC"), nil},               // Of before it was known.
		{found("2", noon.Add(-time.Minute), "AC"), nil}, // Of after the list was read.
		{gym, &gym.At},
		{found("3", fed.Add(-time.Hour), "AC"), new(fed.Add(-time.Hour))},
		{gym, new(fed.Add(-time.Hour))},
	} {
		modelstest.StorePage(t, tx, d, noon, tt.row)
		if got := modelstest.AccountOn(t, tx, m.ID, "judge").UnlistedAt; (got == nil) != (tt.want == nil) || got != nil && !got.Equal(*tt.want) {
			t.Errorf("after row %s of %s: not listed is one of %v, want %v", tt.row.ID, tt.row.At, got, tt.want)
		}
	}
}

// listing is an account that a list of what all submit covers.
func listing(t *testing.T, n int, change func(*models.Account)) *probing {
	t.Helper()
	p := newProbing(t, n, func(_ int, a *models.Account) {
		known := modelstest.Noon.Add(-6 * time.Hour)
		a.CompleteUntil, a.LastRetrievedAt, a.CreatedAt = &known, &known, modelstest.Noon.AddDate(-1, 0, 0)
		if change != nil {
			change(a)
		}
	})
	p.within = 6 * time.Hour
	p.exec(`INSERT INTO site_feeds (site, kind, since, until) VALUES ('codeforces', 'feed', ?, ?)`, p.now.Add(-48*time.Hour), p.now.Add(-time.Minute))
	return p
}

// The probe that tells of a new rating asks for a look, and the list does not put that off.
func TestNewRatingOfTheListed(t *testing.T) {
	t.Parallel()
	p := listing(t, 1, nil)
	probe := models.Probe{Site: "codeforces", Began: p.now, Every: 6 * time.Hour, Within: p.within, Overlap: 24 * time.Hour, News: p.ids, Seen: []time.Time{p.now}, Requests: 1,
		Outcome: pg.OutcomeOK, Told: models.ProbeTold{Rated: p.ids, Ratings: []*int{new(1500)}}}
	if _, err := models.FinishProbe(t.Context(), p.db.DB, probe, models.Rule{Divisor: 5, Rate: 1}, p.now); err != nil {
		t.Fatal(err)
	}
	if a := p.account(0); a.DueAt.After(p.now.Add(6 * time.Hour)) {
		t.Errorf("due in %s", a.DueAt.Sub(p.now))
	}
}

// Who was asked about before a hole ended may have come to the site in it since.
func TestHoleAfterTheAnswer(t *testing.T) {
	t.Parallel()
	p := newProbing(t, 1, nil)
	ago := func(m int) time.Time { return p.now.Add(-time.Duration(m) * time.Minute) }
	p.exec(`UPDATE accounts SET complete_until = ?`, ago(300))
	p.exec(`INSERT INTO site_feeds (site, kind, since, until, holes, hole_since, hole_from, hole_until) VALUES ('codeforces', 'feed', ?, ?, 1, ?, ?, ?)`, ago(5), ago(1), ago(5000), ago(11), ago(5))
	for began, listed := range map[int]bool{10: false, 4: true} {
		_, err := models.FinishProbe(t.Context(), p.db.DB, models.Probe{Site: "codeforces", Began: ago(began), Every: 6 * time.Hour, Within: 6 * time.Hour, Overlap: 24 * time.Hour, News: p.ids,
			Seen: []time.Time{ago(200)}, Requests: 1, Outcome: pg.OutcomeOK}, models.Rule{Divisor: 5, Rate: 1}, p.now)
		if err != nil {
			t.Fatal(err)
		}
		if a := p.account(0); (a.FedUntil != nil) != listed {
			t.Errorf("asked %d minutes ago: here until %v", began, a.FedUntil)
		}
		p.exec(`UPDATE accounts SET fed_until = NULL`)
	}
}

// Rows of the list bring the look to within a day, for nobody may answer for their owner before; those
// that are being judged to within six hours. What is of the second that was read last is no row that the list lacks.
func TestRowsOfTheListed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status string
		within time.Duration
	}{{"AC", 24 * time.Hour}, {"PENDING", 6 * time.Hour}} {
		p := listing(t, 1, func(a *models.Account) { a.DueAt = modelstest.Noon.AddDate(0, 0, 13) })
		second := p.now.Add(-time.Minute)
		p.exec(`UPDATE accounts SET probed_at = ?, fed_until = ?`, p.now.Add(-time.Hour), second)
		rows := []models.Fed{{Handle: "h0", Found: models.Found{ID: "77", At: second, ProblemKey: "p", Status: tt.status}}}
		if _, err := models.StoreFeed(t.Context(), p.db.DB, models.FeedSource{Site: "codeforces", Address: "https://codeforces.com/all", Partial: true}, rows, models.Rule{Divisor: 5, Rhythm: true, Rate: 1}, p.now); err != nil {
			t.Fatal(err)
		}
		a := p.account(0)
		if due := a.DueAt.Sub(p.now); due != tt.within || a.Delay != 0 || a.UnlistedAt != nil || !a.FedUntil.Equal(second) {
			t.Errorf("%s: due in %s, delay %d, not listed %v, here until %v", tt.status, due, a.Delay, a.UnlistedAt, a.FedUntil)
		}
	}
}

// Looks that the list puts off do not make rounds worthless, which fill its holes; and when the
// list is not worth it any more, people are asked about as without it.
func TestWorthOfTheListed(t *testing.T) {
	t.Parallel()
	p := listing(t, 60, nil)
	p.exec(`UPDATE accounts SET activity = 0.4, activity_at = ?, newest_at = ?`, p.now, p.now.Add(-24*time.Hour))
	p.exec(`UPDATE site_feeds SET cursor_at = until, cursor_id = 'x', per_day = 1000, weighed_at = NULL`)
	p.finish(nil, p.ids)
	f, err := models.ClaimFeed(t.Context(), p.db.DB, models.FeedClaim{Site: "codeforces", Kind: models.KindRounds, PerDay: 12}, pg.Lease{ID: "x", For: time.Minute}, p.now)
	if err != nil || f == nil {
		t.Errorf("rounds of 60 active people are not read: %v", err)
	}
	f, err = models.ClaimFeed(t.Context(), p.db.DB, models.FeedClaim{Site: "codeforces", Kind: models.KindFeed, PerDay: 1, Partial: true}, pg.Lease{ID: "x", For: time.Minute}, p.now)
	if err != nil || f != nil {
		t.Fatalf("the list of 1000 requests is read: %+v, %v", f, err)
	}
	if got := p.claim(100); len(got) != 60 {
		t.Errorf("%d of 60 are asked about", len(got))
	}
}
