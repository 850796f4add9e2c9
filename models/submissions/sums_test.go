package submissions_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"
	"pgregory.net/rapid"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	modelsubmissions "laurel/models/submissions"
)

// A counted is what the sums must be, counted here by the plainest means.
type counted struct {
	days    map[string][3]int // Submissions, accepted and undetailed by civil day.
	stats   modelsubmissions.MemberStats
	bySite  map[string][3]int // Submissions, accepted, solved.
	lastDay string
}

// The counts are what site b reports, and lists in part.
type counts struct {
	days           map[string]int // By day of UTC.
	submitted, all int            // And solved, as the last answer had it.
	short          bool           // That answer, or a day that it leaves as it was, counted more than was stored.
}

// report notes an answer of the site: of the days from its first one on there are those that it has. Older ones stay as
// an earlier answer had them, and may be short, too.
func (k *counts) report(answer *retrieval.Counted, rows map[string]modelstest.Seen) {
	first := time.Time{}
	for day := range answer.Days {
		if first.IsZero() || day.Before(first) {
			first = day
		}
	}
	maps.DeleteFunc(k.days, func(day string, _ int) bool { return !first.IsZero() && day >= first.Format(time.DateOnly) })
	stored, onDay := 0, map[string]int{}
	for _, r := range rows {
		if r.Site == "b" {
			stored++
			onDay[r.At.UTC().Format(time.DateOnly)]++
		}
	}
	for day, n := range answer.Days {
		k.days[day.Format(time.DateOnly)] = n
	}
	k.submitted, k.all, k.short = answer.Total, answer.Solved, answer.Total > stored
	for day, n := range k.days {
		k.short = k.short || len(answer.Days) > 0 && n > onDay[day]
	}
}

// add counts what the site counts and does not list.
func (k *counts) add(c *counted, rows []modelstest.Seen) {
	left := maps.Clone(k.days)
	for _, r := range rows {
		if r.Site == "b" {
			left[r.At.UTC().Format(time.DateOnly)]--
		}
	}
	for day, n := range left {
		if n > 0 {
			d := c.days[day]
			c.days[day] = [3]int{d[0] + n, d[1], d[2] + n}
		}
	}
	if b := c.bySite["b"]; k.short {
		c.stats.UndetailedSubmissions, c.stats.UndetailedSolved = max(k.submitted-b[0], 0), max(k.all-b[2], 0)
		c.stats.Submissions += c.stats.UndetailedSubmissions
		c.stats.Solved += c.stats.UndetailedSolved
	}
}

func countAll(rows []modelstest.Seen, loc *time.Location, k *counts) counted {
	c := counted{days: map[string][3]int{}, bySite: map[string][3]int{}}
	slices.SortFunc(rows, func(a, b modelstest.Seen) int { return cmp.Or(a.At.Compare(b.At), a.Order-b.Order) })
	solved, run := map[string]bool{}, 0
	for _, r := range rows {
		day, site := c.days[r.At.In(loc).Format(time.DateOnly)], c.bySite[r.Site]
		day[0], site[0], c.stats.Submissions = day[0]+1, site[0]+1, c.stats.Submissions+1
		if r.Status == "AC" {
			day[1], site[1], c.stats.Accepted = day[1]+1, site[1]+1, c.stats.Accepted+1
			if key := r.Site + " " + r.ProblemKey; !solved[key] {
				solved[key] = true
				site[2]++
				c.stats.Solved++
			}
			run++
		} else if r.Status != "PENDING" {
			run = 0
		}
		c.stats.BestAcStreak = max(c.stats.BestAcStreak, run)
		c.days[r.At.In(loc).Format(time.DateOnly)], c.bySite[r.Site] = day, site
	}
	c.stats.AcStreak = run
	k.add(&c, rows)
	streak, before := 0, time.Time{}
	for _, text := range slices.Sorted(maps.Keys(c.days)) {
		day, _ := time.Parse(time.DateOnly, text)
		if streak++; day.Sub(before) != 24*time.Hour {
			streak = 1
		}
		before, c.lastDay = day, text
		c.stats.DayStreak, c.stats.BestDayStreak = streak, max(c.stats.BestDayStreak, streak)
	}
	return c
}

var zones = []string{"UTC", "Asia/Kolkata", "America/New_York", "America/St_Johns", "Europe/Riga", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia"}

// drawRow draws a submission near the moments at which clocks have done strange things.
func drawRow(t *rapid.T) retrieval.Found {
	near := rapid.SampledFrom([]time.Time{
		time.Date(2010, 11, 7, 2, 30, 0, 0, time.UTC), time.Date(2011, 12, 30, 10, 0, 0, 0, time.UTC), time.Date(2017, 10, 15, 3, 0, 0, 0, time.UTC),
		time.Date(2018, 2, 18, 2, 0, 0, 0, time.UTC), time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC),
	}).Draw(t, "near")
	id := fmt.Sprint(rapid.IntRange(1, 40).Draw(t, "id"))
	f := found(id, near.Add(time.Duration(rapid.IntRange(-60, 60).Draw(t, "hours"))*time.Hour/2), rapid.SampledFrom([]string{"AC", "AC", "WA", "CE", "PENDING"}).Draw(t, "status"))
	f.ProblemKey = fmt.Sprint(rapid.IntRange(1, 8).Draw(t, "problem"))
	return f
}

// drawCounted draws what a site counts, by days at which rows may be.
func drawCounted(t *rapid.T) *retrieval.Counted {
	c := retrieval.Counted{Total: rapid.IntRange(0, 30).Draw(t, "total"), Solved: rapid.IntRange(0, 9).Draw(t, "all"), Days: map[time.Time]int{}}
	for range rapid.IntRange(0, 8).Draw(t, "days") {
		day := drawRow(t).At.UTC().Truncate(24 * time.Hour)
		c.Days[day] = rapid.IntRange(0, 3).Draw(t, "of the day")
	}
	return &c
}

// Submissions arrive in any order and in any batches, on two sites, are revised
// and moved, while fetches fail and zones change, and one of the sites counts more than it lists; the sums are those of one count.
func TestSumsEqualACount(t *testing.T) {
	t.Parallel()
	tx := modelstest.DB(t) // One transaction of all of it would grow slow with dead rows.
	n, checks := 0, "25"
	if os.Getenv("LAUREL_SOAK") != "" {
		checks = "1000"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t2 *rapid.T) {
		n++
		name := fmt.Sprint("m", n)
		m := modelstest.Member(t, tx, name, map[string]string{"a": "x", "b": "y"}, modelstest.Noon)
		zone, rows, k := "UTC", map[string]modelstest.Seen{}, &counts{days: map[string]int{}}
		for range rapid.IntRange(1, 6).Draw(t2, "batches") {
			site := rapid.SampledFrom([]string{"a", "b"}).Draw(t2, "fetched")
			dueNow(t, tx, site)
			d := modelstest.Claim(t, tx, site, modelstest.Noon)
			for range rapid.IntRange(0, 2).Draw(t2, "pages") {
				var page []retrieval.Found
				for range rapid.IntRange(0, 6).Draw(t2, "rows") {
					f := drawRow(t2)
					if slices.ContainsFunc(page, func(o retrieval.Found) bool { return o.ID == f.ID }) {
						continue
					}
					page = append(page, f)
				}
				arrive(rows, site, page)
				modelstest.StorePage(t, tx, d, modelstest.Noon, page...)
			}
			if rapid.Bool().Draw(t2, "moves") {
				zone = rapid.SampledFrom(zones).Draw(t2, "zone")
				if err := accounts.EditPerson(t.Context(), tx, m.ID, "", zone, modelstest.Noon); err != nil {
					t2.Fatal(err)
				}
			}
			res := retrieval.Result{Outcome: rapid.SampledFrom([]string{pg.OutcomeOK, pg.OutcomeServerError}).Draw(t2, "outcome")}
			if site == "b" && rapid.Bool().Draw(t2, "counts") {
				if res.Reported = drawCounted(t2); res.Outcome == pg.OutcomeOK {
					k.report(res.Reported, rows)
				}
			}
			modelstest.Finish(t, tx, d, res, modelstest.Noon)
			compare(t2, t, tx, name, zone, slices.Collect(maps.Values(rows)), k)
		}
		if err := tx.Exec(`DELETE FROM members`).Error; err != nil {
			t2.Fatal(err)
		}
	})
}

// arrive notes rows in the order in which StorePage gives them their ids.
func arrive(rows map[string]modelstest.Seen, site string, page []retrieval.Found) {
	page = slices.Clone(page)
	slices.SortFunc(page, func(a, b retrieval.Found) int {
		return cmp.Or(a.At.Compare(b.At), len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID))
	})
	for _, f := range page {
		order := len(rows)
		if old, ok := rows[site+f.ID]; ok {
			order = old.Order
		}
		rows[site+f.ID] = modelstest.Seen{Found: f, Site: site, Order: order}
	}
}

func compare(t2 *rapid.T, t *testing.T, tx *gorm.DB, name, zone string, rows []modelstest.Seen, k *counts) {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t2.Fatal(err)
	}
	want, got := countAll(rows, loc, k), modelstest.Profile(t, tx, name)
	gotDays := map[string][3]int{}
	for _, d := range got.Days {
		gotDays[d.Day.Format(time.DateOnly)] = [3]int{d.Submissions, d.Accepted, d.Undetailed}
	}
	if !maps.Equal(gotDays, want.days) {
		t2.Errorf("days in %s: %v, want %v", zone, gotDays, want.days)
	}
	lastDay := ""
	if got.Stats.LastDay != nil {
		lastDay = got.Stats.LastDay.Format(time.DateOnly)
	}
	got.Stats.LastDay, got.Stats.NewestAt = nil, nil
	if got.Stats != want.stats || lastDay != want.lastDay {
		t2.Errorf("stats in %s: %+v until %s, want %+v until %s", zone, got.Stats, lastDay, want.stats, want.lastDay)
	}
	for _, a := range got.Accounts {
		if w := want.bySite[a.Site]; [3]int{a.Submissions, a.Accepted, a.Solved} != w {
			t2.Errorf("%s: %d/%d/%d, want %v", a.Site, a.Submissions, a.Accepted, a.Solved, w)
		}
	}
}

// Counting everything again changes nothing, whatever came before.
func TestRefreshMember(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	fetch(t, tx, "a", modelstest.Noon, found("1", modelstest.Noon, "AC"), found("2", modelstest.Noon.AddDate(0, 0, -1), "WA"))
	before := modelstest.Profile(t, tx, "ada")
	if err := modelsubmissions.RefreshMember(t.Context(), tx, m.ID, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if after := modelstest.Profile(t, tx, "ada"); !slices.Equal(modelstest.Days(after), modelstest.Days(before)) || after.Stats.DayStreak != 2 || after.Stats.Submissions != 2 {
		t.Errorf("counted again: %+v %v, before %+v %v", after.Stats, modelstest.Days(after), before.Stats, modelstest.Days(before))
	}
	if err := modelsubmissions.RefreshMember(t.Context(), tx, -1, modelstest.Noon); err == nil {
		t.Error("nobody was counted")
	}
}
