package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A demoPerson is what a member of the demo did, oldest first.
type demoPerson struct {
	zone     *time.Location
	solved   []demoRow // Accepted submissions.
	contests []demoRow
	days     []demoRow // With submissions.
}

type demoRow struct {
	MemberID                int64
	At, Arrived             time.Time
	Site, Object, Language  string
	Rank, Rating, Submitted int
}

// reached is when something that grows has come to each goal; what never does is left out.
func reached(rows []demoRow, goals []int, grow func(demoRow) int) (at []time.Time) {
	for _, r := range rows {
		for so := grow(r); len(at) < len(goals) && so >= goals[len(at)]; {
			at = append(at, r.At)
		}
	}
	return at
}

// distinct counts the different things of rows that pass.
func distinct(what func(demoRow) string, pass func(demoRow) bool) func(demoRow) int {
	seen := map[string]bool{}
	return func(r demoRow) int {
		if pass(r) {
			seen[what(r)] = true
		}
		return len(seen)
	}
}

func (r demoRow) object() string { return r.Object }

func every(demoRow) bool { return true }

// firsts are the first solutions of each problem.
func (p *demoPerson) firsts() (list []demoRow) {
	seen := map[string]bool{}
	for _, r := range p.solved {
		if !seen[r.Object] {
			seen[r.Object], list = true, append(list, r)
		}
	}
	return list
}

// hours are the first solutions between two hours of the member's clock.
func (p *demoPerson) hours(from, until int) func(demoRow) int {
	n := 0
	return func(r demoRow) int {
		if h := r.At.In(p.zone).Hour(); h >= from && h < until {
			n++
		}
		return n
	}
}

// longest is the longest row of days so far.
func longest() func(demoRow) int {
	var last time.Time
	now, best := 0, 0
	return func(r demoRow) int {
		if now++; last.AddDate(0, 0, 1) != r.At {
			now = 1
		}
		last, best = r.At, max(best, now)
		return best
	}
}

// wanted are the dates of all awards of the starter set, by award, period and level, as a person with the list of rows counts them.
func (p *demoPerson) wanted() map[string]time.Time {
	want := map[string]time.Time{}
	note := func(slug string, at []time.Time) {
		for i, t := range at {
			want[fmt.Sprintf("%s %d", slug, i+1)] = t
		}
	}
	firsts := p.firsts()
	note("first-accepted", reached(p.solved, []int{1}, distinct(demoRow.object, every)))
	note("problem-solver", reached(p.solved, []int{10, 100, 500, 1000}, distinct(demoRow.object, every)))
	note("streak", reached(p.days, []int{7, 30, 100, 365}, longest()))
	note("night-owl", reached(firsts, []int{25}, p.hours(0, 5)))
	note("early-bird", reached(firsts, []int{25}, p.hours(5, 8)))
	note("weekend", reached(firsts, []int{50}, distinct(demoRow.object, func(r demoRow) bool {
		day := r.At.In(p.zone).Weekday()
		return day == time.Saturday || day == time.Sunday
	})))
	note("contestant", reached(p.contests, []int{1, 10, 50, 100}, distinct(demoRow.object, every)))
	best := 0
	note("rising-star", reached(p.contests, []int{1200, 1400, 1600, 1900, 2100, 2400}, func(r demoRow) int {
		if r.Site == "codeforces" {
			best = max(best, r.Rating)
		}
		return best
	}))
	note("podium", reached(p.contests, []int{1}, distinct(demoRow.object, func(r demoRow) bool { return r.Rank >= 1 && r.Rank <= 3 })))
	note("explorer", reached(p.solved, []int{3}, distinct(func(r demoRow) string { return r.Site }, func(r demoRow) bool { return r.Site != "dmoj" })))
	note("polyglot", reached(p.solved, []int{15}, languages()))
	note("busy-day", reached(p.days, []int{20}, func(r demoRow) int { return r.Submitted }))
	p.periods(want, "thirty-a-month", 30, func(day time.Time) (start, end time.Time) {
		start = day.AddDate(0, 0, 1-day.Day())
		return start, start.AddDate(0, 1, 0)
	})
	p.periods(want, "dozen-a-day", 12, func(day time.Time) (start, end time.Time) { return day, day.AddDate(0, 0, 1) })
	if at := p.allRound(); !at.IsZero() {
		want["all-rounder 1"] = at
	}
	return want
}

// periods notes when so many first solutions of one period were there, without those that arrived two weeks after its end.
func (p *demoPerson) periods(want map[string]time.Time, slug string, goal int, period func(day time.Time) (start, end time.Time)) {
	count := map[string]int{}
	for _, r := range p.firsts() {
		at := r.At.In(p.zone)
		start, end := period(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, p.zone))
		name := slug + " " + start.Format(time.DateOnly) + " 1"
		if r.Arrived.After(end.AddDate(0, 0, 14)) {
			continue
		}
		if count[name]++; count[name] == goal {
			want[name] = r.At
		}
	}
}

// languages counts problems, of each language at most five.
func languages() func(demoRow) int {
	problems := map[string]map[string]bool{}
	return func(r demoRow) (n int) {
		for _, l := range []string{"C++", "Py", "Java", "Go", "Rust", "Kotlin", "Pascal"} {
			is := strings.Contains(r.Language, l)
			if l == "Java" || l == "Go" {
				is = strings.HasPrefix(r.Language, l) && !strings.HasPrefix(r.Language, "JavaScript")
			}
			if problems[l] == nil {
				problems[l] = map[string]bool{}
			}
			if is {
				problems[l][r.Object] = true
			}
			n += min(len(problems[l]), 5)
		}
		return n
	}
}

// allRound is when the last of three goals was reached.
func (p *demoPerson) allRound() time.Time {
	var last time.Time
	for _, at := range [][]time.Time{
		reached(p.solved, []int{100}, distinct(demoRow.object, every)),
		reached(p.contests, []int{10}, distinct(demoRow.object, every)),
		reached(p.days, []int{14}, longest()),
	} {
		if len(at) == 0 {
			return time.Time{}
		}
		last = slices.MaxFunc([]time.Time{last, at[0]}, time.Time.Compare)
	}
	return last
}

// readDemo reads what everybody did.
func readDemo(t *testing.T, b *base) map[int64]*demoPerson {
	t.Helper()
	people := map[int64]*demoPerson{}
	var zones []struct {
		ID       int64
		TimeZone string
	}
	read := func(into any, query string) {
		t.Helper()
		if err := b.db.Raw(query).Scan(into).Error; err != nil {
			t.Fatal(err)
		}
	}
	read(&zones, `SELECT id, time_zone FROM members`)
	for _, z := range zones {
		zone, err := time.LoadLocation(z.TimeZone)
		if err != nil {
			t.Fatal(err)
		}
		people[z.ID] = &demoPerson{zone: zone}
	}
	var solved, contests, days []demoRow
	read(&solved, `SELECT member_id, submitted_at AS at, site, CAST(problem_id AS text) AS object, language,
			greatest(first_seen_at, revised_at) AS arrived FROM submissions
		WHERE status = 'AC' ORDER BY submitted_at, id`)
	read(&contests, `SELECT a.member_id, r.rated_at AS at, a.site, a.site || '/' || r.contest AS object, r.rank, r.rating
		FROM ratings r JOIN accounts a ON a.id = r.account_id ORDER BY r.rated_at`)
	read(&days, `SELECT member_id, CAST(day AS timestamp) AT TIME ZONE 'UTC' AS at, submissions AS submitted FROM days WHERE submissions > 0 ORDER BY day`)
	for _, r := range solved {
		people[r.MemberID].solved = append(people[r.MemberID].solved, r)
	}
	for _, r := range contests {
		people[r.MemberID].contests = append(people[r.MemberID].contests, r)
	}
	for _, r := range days {
		r.At = r.At.UTC()
		people[r.MemberID].days = append(people[r.MemberID].days, r)
	}
	return people
}

// rightDates compares the date of each grant with what is counted by hand. What a day made true is compared by the day.
func rightDates(t *testing.T, b *base) {
	t.Helper()
	var grants []struct {
		MemberID     int64
		Slug, Period string
		Level        int
		GrantedAt    time.Time
	}
	if err := b.db.Raw(`SELECT g.member_id, a.slug, g.period, g.level, g.granted_at FROM award_grants g JOIN awards a ON a.id = g.award_id
		WHERE g.revoked_at IS NULL`).Scan(&grants).Error; err != nil {
		t.Fatal(err)
	}
	right := 0
	people := readDemo(t, b)
	want := map[int64]map[string]time.Time{}
	for id, p := range people {
		want[id] = p.wanted()
	}
	for _, g := range grants {
		key := strings.Join(strings.Fields(fmt.Sprint(g.Slug, " ", g.Period, " ", g.Level)), " ")
		at, there := want[g.MemberID][key]
		delete(want[g.MemberID], key)
		if byDay := slices.Contains([]string{"streak", "busy-day", "all-rounder"}, g.Slug); !there ||
			byDay && g.GrantedAt.Sub(at).Abs() > 36*time.Hour || !byDay && !g.GrantedAt.Equal(at) {
			t.Errorf("member %d has %s since %s, want %s", g.MemberID, key, g.GrantedAt.UTC(), at)
			continue
		}
		right++
	}
	for id, rest := range want {
		for key, at := range rest {
			t.Errorf("member %d lacks %s since %s", id, key, at)
		}
	}
	t.Logf("%d of %d dates are right", right, len(grants))
}
