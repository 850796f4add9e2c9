package standings_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"
	"pgregory.net/rapid"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	"laurel/models/standings"
	"laurel/models/submissions"
)

// A person is a member as the test knows them: all rows, and nothing computed.
type person struct {
	members.Member
	zone   string
	gone   bool
	rows   map[string]modelstest.Seen // By site and the site's id.
	rated  map[string][]submissions.RatingFound
	hidden int // The audience; 3: off the boards.
}

// A world is some people and a clock.
type world struct {
	t      *testing.T
	db     *gorm.DB
	now    time.Time
	people []*person
}

// place is what a board is to say of a person.
type place struct{ value, submissions, accepted int }

// day is a civil day as a number of days.
func day(at time.Time) int {
	return int(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// places counts a person's boards by going through all rows.
func (p *person) places(now time.Time) map[string]place {
	loc, _ := time.LoadLocation(p.zone)
	today, boards := day(now.In(loc)), map[string]place{}
	rows := slices.Collect(maps.Values(p.rows))
	slices.SortFunc(rows, func(a, b modelstest.Seen) int { return a.At.Compare(b.At) })
	for name, window := range map[string]int{"week": 7, "month": 30, "year": 365, "all": 1 << 30} {
		first, n := map[string]bool{}, place{}
		for _, r := range rows {
			within := day(r.At.In(loc)) > today-window
			if within {
				n.submissions++
			}
			if r.Status != "AC" {
				continue
			}
			if within {
				n.accepted++
			}
			if key := r.Site + " " + r.ProblemKey; !first[key] {
				if first[key] = true; within {
					n.value++
				}
			}
		}
		if n.submissions > 0 {
			boards["solved:"+name] = n
		}
	}
	days := map[int]bool{}
	for _, r := range rows {
		days[day(r.At.In(loc))] = true
	}
	end := today
	if !days[end] {
		end--
	}
	streak := 0
	for days[end-streak] {
		streak++
	}
	if all := boards["solved:all"]; streak > 0 {
		boards["streak"] = place{streak, all.submissions, all.accepted}
	}
	for site, list := range p.rated {
		if len(list) > 0 {
			newest := slices.MaxFunc(list, func(a, b submissions.RatingFound) int { return a.At.Compare(b.At) })
			boards["rating:"+site] = place{newest.Rating, boards["solved:all"].submissions, boards["solved:all"].accepted}
		}
	}
	return boards
}

// weeks counts what a person solved first in each of eight weeks by going through all rows, the oldest first.
func (p *person) weeks(now time.Time) []int {
	loc, _ := time.LoadLocation(p.zone)
	first, list := map[string]int{}, make([]int, 8)
	for _, r := range p.rows {
		key, d := r.Site+" "+r.ProblemKey, day(r.At.In(loc))
		if was, found := first[key]; r.Status == "AC" && (!found || d < was) {
			first[key] = d
		}
	}
	for _, d := range first {
		for n := range 8 {
			if end := day(now.In(loc)) - 7*(7-n); d > end-7 && d <= end {
				list[n]++
			}
		}
	}
	return list
}

// want is a board by brute force: everybody is counted, sorted and ranked.
func (w *world) want(board string, asking members.Viewer) (lines []string) {
	type line struct {
		person *person
		place
	}
	var all []line
	for _, p := range w.people {
		if n, ok := p.places(w.now)[board]; ok && !p.gone && p.hidden < 3 && asking.Sees(p.ID, p.hidden) {
			all = append(all, line{p, n})
		}
	}
	slices.SortFunc(all, func(a, b line) int {
		return cmp.Or(b.value-a.value, strings.Compare(strings.ToLower(a.person.Name), strings.ToLower(b.person.Name)))
	})
	for _, l := range all {
		rank, size := 1, 0
		for _, o := range all {
			if asking < 0 || o.person.hidden < 2 {
				size++
			}
			if o.value > l.value && (asking < 0 || o.person.hidden < 2) {
				rank++
			}
		}
		lines = append(lines, fmt.Sprintf("%d of %d: %s %d %d/%d %d", rank, size, l.person.Name, l.value, l.submissions, l.accepted,
			l.person.weeks(w.now)))
	}
	return lines
}

// got is the board as pages of a size show it.
func (w *world) got(b standings.Board, asking members.Viewer, size int) (lines []string) {
	ctx, cursor := members.As(w.t.Context(), asking), ""
	for {
		p, err := standings.PageOf(ctx, w.db, b, cursor, size, w.now)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range p.Rows {
			lines = append(lines, fmt.Sprintf("%d of %d: %s %d %d/%d %d", r.Rank, p.Size, r.Name, r.Value, r.Submissions, r.Accepted, r.Weeks))
		}
		if cursor = p.Next; cursor == "" {
			return lines
		}
	}
}

// compare compares all boards, as a visitor, a member and an admin see them.
func (w *world) compare(t2 *rapid.T) {
	if err := standings.Turn(w.t.Context(), w.db, w.now); err != nil {
		t2.Fatal(err)
	}
	boards := []standings.Board{{By: "streak", In: "all"}, {By: "rating:a", In: "all"}}
	for _, in := range standings.Periods {
		boards = append(boards, standings.Board{By: "solved", In: in})
	}
	me := w.people[rapid.IntRange(0, len(w.people)-1).Draw(t2, "me")]
	size := rapid.IntRange(1, 4).Draw(t2, "page")
	for _, b := range boards {
		for _, asking := range []members.Viewer{members.Visitor, members.Viewer(me.ID), members.Everything} {
			want, got := w.want(b.Key(), asking), w.got(b, asking, size)
			if !slices.Equal(want, got) {
				t2.Fatalf("%s at %s for %d:\n%s\nwant\n%s", b.Key(), w.now, asking, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		w.own(t2, b, me)
	}
}

// own compares the pinned row.
func (w *world) own(t2 *rapid.T, b standings.Board, me *person) {
	own, err := standings.Own(members.As(w.t.Context(), members.Viewer(me.ID)), w.db, b, me.ID, w.now)
	if err != nil {
		t2.Fatal(err)
	}
	want, of := "", regexp.MustCompile(` of \d+:`)
	for _, line := range w.want(b.Key(), members.Viewer(me.ID)) {
		if strings.Contains(line, " "+me.Name+" ") {
			want = of.ReplaceAllString(line, "")
		}
	}
	got := ""
	if own != nil {
		got = fmt.Sprintf("%d %s %d %d/%d %d", own.Rank, own.Name, own.Value, own.Submissions, own.Accepted, own.Weeks)
	}
	if got != want {
		t2.Fatalf("own row of %s: %q, want %q", b.Key(), got, want)
	}
}

// read is a fetch: rows are new, late, or judged again.
func (w *world) read(t2 *rapid.T, p *person, site string) {
	d := modelstest.Take(w.t, w.db, p.Member, site, w.now)
	page := []retrieval.Found{}
	for range rapid.IntRange(0, 6).Draw(t2, "rows") {
		id := fmt.Sprint(rapid.IntRange(1, 30).Draw(t2, "id"))
		at := w.now.Add(-time.Duration(rapid.OneOf(rapid.IntRange(0, 10*24), rapid.IntRange(0, 400*24)).Draw(t2, "hours ago")) * time.Hour)
		if slices.ContainsFunc(page, func(o retrieval.Found) bool { return o.ID == id }) {
			continue
		}
		f := retrieval.Found{ID: id, At: at, ProblemKey: fmt.Sprint(rapid.IntRange(1, 8).Draw(t2, "problem")), ProblemURL: "https://judge.example/p",
			Status: rapid.SampledFrom([]string{"AC", "AC", "WA", "PENDING"}).Draw(t2, "status"), Language: "Go", URL: "https://judge.example/s"}
		f.Verdict = f.Status
		page = append(page, f)
		p.rows[site+f.ID] = modelstest.Seen{Found: f, Site: site}
	}
	modelstest.StorePage(w.t, w.db, d, w.now, page...)
	res := retrieval.Result{Outcome: rapid.SampledFrom([]string{pg.OutcomeOK, pg.OutcomeServerError}).Draw(t2, "outcome")}
	if rapid.Bool().Draw(t2, "rated") {
		res.RatingsRead = true
		for n := range rapid.IntRange(0, 2).Draw(t2, "contests") {
			res.Ratings = append(res.Ratings, submissions.RatingFound{Contest: fmt.Sprint(n), Name: "Round", URL: "https://judge.example/c", Rank: 1,
				Rating: rapid.OneOf(rapid.IntRange(1, 3000), rapid.IntRange(-60, 60)).Draw(t2, "rating"), At: w.now.AddDate(0, 0, -10+n)})
		}
		p.rated[site] = res.Ratings
	}
	modelstest.Finish(w.t, w.db, d, res, w.now)
}

// happens is one thing that may happen to a person.
func (w *world) happens(t2 *rapid.T, p *person) {
	ctx := w.t.Context()
	var err error
	switch rapid.IntRange(0, 9).Draw(t2, "what") {
	case 0:
		p.zone = rapid.SampledFrom([]string{"UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Kiritimati", "Pacific/Pago_Pago"}).Draw(t2, "zone")
		err = accounts.EditPerson(ctx, w.db, p.ID, "", p.zone, w.now)
	case 1:
		p.hidden = rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t2, "seen by")
		seen := []string{members.SeenByEveryone, members.SeenByMembers, members.SeenBySelf, members.SeenByEveryone}[p.hidden]
		err = members.SetVisibility(ctx, w.db, p.ID, seen, p.hidden == 3)
	case 2:
		maps.DeleteFunc(p.rows, func(_ string, r modelstest.Seen) bool { return r.Site == "b" })
		delete(p.rated, "b")
		sites := []members.Site{{Name: "a"}, {Name: "b"}}
		if err = accounts.SetHandles(ctx, w.db, sites, p.ID, map[string]string{"b": ""}, w.now); err == nil {
			modelstest.Account(w.t, w.db, &members.Account{MemberID: p.ID, Site: "b", Handle: p.Name, CreatedAt: w.now, Schedule: members.Schedule{DueAt: w.now}})
		}
	case 3:
		w.now = w.now.Add(time.Duration(rapid.IntRange(1, 40*24).Draw(t2, "hours")) * time.Hour)
	case 4:
		err = standings.Fold(ctx, w.db)
	case 5:
		if rapid.IntRange(0, 3).Draw(t2, "leaves") == 0 {
			p.gone = true
			err = accounts.Delete(ctx, w.db, p.ID)
		}
	default:
		w.read(t2, p, rapid.SampledFrom([]string{"a", "b"}).Draw(t2, "site"))
	}
	if err != nil {
		t2.Fatal(err)
	}
}

// Rows come late, are judged again and removed, zones, visibility and days change, people leave: the
// boards are those of one count of everybody. Each processor has a database of its own with its share of the histories.
func TestStandingsEqualACount(t *testing.T) {
	t.Parallel()
	workers, histories := 1, 15
	if os.Getenv("LAUREL_SOAK") != "" {
		workers, histories = runtime.GOMAXPROCS(0), 10_000
	}
	each := (histories + workers - 1) / workers
	if err := flag.Set("rapid.checks", strconv.Itoa(each)); err != nil {
		t.Fatal(err)
	}
	for i := range workers {
		t.Run(fmt.Sprint("database ", i+1), func(t *testing.T) {
			t.Parallel()
			db := modelstest.DB(t)
			n := 0
			rapid.Check(t, func(t2 *rapid.T) {
				history(t, t2, db)
				n++
			})
			if n < each { // Rapid ends before the test's time is over, and is content.
				t.Errorf("there was time for %d of %d histories: give more with -timeout", n, each)
			}
		})
	}
}

// history is what happens to four people, and the boards then, and without them.
func history(t *testing.T, t2 *rapid.T, db *gorm.DB) {
	w := &world{t: t, db: db, now: modelstest.Noon}
	for i := range 4 {
		name := fmt.Sprint("m", i+1)
		m := modelstest.Member(t, db, name, map[string]string{"a": name, "b": name}, w.now)
		w.people = append(w.people, &person{Member: m, zone: "UTC", rows: map[string]modelstest.Seen{}, rated: map[string][]submissions.RatingFound{}})
	}
	for range rapid.IntRange(1, 12).Draw(t2, "steps") {
		if p := w.people[rapid.IntRange(0, 3).Draw(t2, "who")]; !p.gone {
			w.happens(t2, p)
		}
	}
	w.compare(t2)
	if err := db.Exec(`DELETE FROM members`).Error; err != nil {
		t2.Fatal(err)
	}
	w.empty(t2)
}

// empty says whether counts are back at nothing when everybody left.
func (w *world) empty(t2 *rapid.T) {
	if err := standings.Fold(w.t.Context(), w.db); err != nil {
		t2.Fatal(err)
	}
	var left int
	err := w.db.Raw(`SELECT count(*) FROM standing_counts WHERE for_everyone <> 0 OR for_members <> 0 OR kept <> 0`).Scan(&left).Error
	if err != nil || left > 0 {
		t2.Fatalf("%d counts are left of nobody; %v", left, err)
	}
}
