package community_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/standings"
)

// A boardWorld is some people with what they submitted, as the test knows it.
type boardWorld struct {
	*handlerstest.Site
	people []*boardPerson
	rand   *rand.Rand
}

type boardPerson struct {
	members.Member
	first  map[string]int // Days ago on which each problem was first solved.
	days   map[int]bool   // Days ago with submissions.
	seenBy string
	off    bool
}

// boardViewers is how many of them can sign in: one of each kind.
const boardViewers = 4

// newBoardWorld makes n people of all audiences, in UTC, who solve few problems, so that many are equal.
func newBoardWorld(t *testing.T, n int) *boardWorld {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w := &boardWorld{Site: handlerstest.New(t, "http://laurel.test"), rand: rand.New(rand.NewPCG(seed, 0))}
	for i := range n {
		p := &boardPerson{seenBy: "everyone", first: map[string]int{}, days: map[int]bool{}}
		kind, name := i, fmt.Sprintf("%c%02d", 'a'+w.rand.IntN(26), i)
		if i < boardViewers {
			p.Member = w.Member(t, name, members.RoleMember)
			modelstest.Account(t, w.DB.DB, &members.Account{MemberID: p.ID, Site: "uva", Handle: p.Name, CreatedAt: w.Time,
				Schedule: members.Schedule{DueAt: w.Time}})
		} else {
			p.Member, kind = modelstest.Member(t, w.DB.DB, name, map[string]string{"uva": name}, w.Time), w.rand.IntN(6)
		}
		switch kind {
		case 0:
			p.seenBy = "self"
		case 1:
			p.off = true
		case 2:
			p.seenBy = "members"
		}
		w.solves(t, p)
		if err := members.SetVisibility(t.Context(), w.DB.DB, p.ID, p.seenBy, p.off); err != nil {
			t.Fatal(err)
		}
		w.people = append(w.people, p)
	}
	return w
}

// solves stores up to three accepted submissions of four problems, on days up to a year and more ago.
func (w *boardWorld) solves(t *testing.T, p *boardPerson) {
	t.Helper()
	var ago []int
	for range 1 + w.rand.IntN(3) {
		ago = append(ago, []int{1, 5, 20, 29, 100, 364, 366, 500}[w.rand.IntN(8)]*24+w.rand.IntN(4))
	}
	slices.Sort(ago)
	ago = slices.Compact(ago)
	for _, hours := range slices.Backward(ago) {
		at, key := w.Time.Add(-time.Duration(hours)*time.Hour), fmt.Sprint(100+w.rand.IntN(4))
		w.Submits(t, p.Member, "uva", at, key+" AC")
		day := int(w.Time.Truncate(24*time.Hour).Sub(at.Truncate(24*time.Hour)) / (24 * time.Hour))
		if _, done := p.first[key]; !done {
			p.first[key] = day
		}
		p.days[day] = true
	}
}

// value is what a person has in a window of days, and whether they are on its board.
func (p *boardPerson) value(window int) (n int, on bool) {
	for _, day := range p.first {
		if day < window {
			n++
		}
	}
	for day := range p.days {
		on = on || day < window
	}
	return n, on
}

// visible says whether somebody sees a person on boards; nil is a visitor.
func (p *boardPerson) visible(to *boardPerson) bool {
	return !p.off && (p.seenBy == "everyone" || to != nil && (p.seenBy == "members" || p == to))
}

// board is what a viewer must read: the rows of all pages, and the own row above; computed from all.
func (w *boardWorld) board(window int, viewer *boardPerson) (rows []string, own string, size int) {
	var all []*boardPerson
	for _, p := range w.people {
		if _, on := p.value(window); on && p.visible(viewer) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *boardPerson) int {
		na, _ := a.value(window)
		nb, _ := b.value(window)
		return cmp.Or(nb-na, strings.Compare(a.Name, b.Name))
	})
	for _, p := range all {
		n, _ := p.value(window)
		rank := 1
		for _, q := range all {
			if more, _ := q.value(window); more > n && q.seenBy != "self" { // Who hides counts in no rank.
				rank++
			}
		}
		line := fmt.Sprint(rank, " ", p.Name, " ", n)
		rows = append(rows, line)
		if p.seenBy != "self" {
			size++
		}
		if p == viewer {
			own = line
		}
	}
	return rows, own, size
}

var (
	boardRow  = regexp.MustCompile(`(?s)<tr( class="own")?><td class="num lead">(.*?)</td>.*?</tr>`)
	boardName = regexp.MustCompile(`href="/u/([^"]+)"`)
	boardCell = regexp.MustCompile(`class="num strong"[^>]*>([^<]*)<`)
	boardSize = regexp.MustCompile(`(\d+) members?`)
	boardNext = regexp.MustCompile(`href="([^"]+)" rel="next"`)
)

// readBoard reads all pages of a board; on each the own row must be above the others.
func readBoard(t *testing.T, b *handlerstest.Browser, address string) (rows []string, own, size string) {
	t.Helper()
	for address != "" {
		page := b.Get(address).Is(t, http.StatusOK)
		top, rest := "", page.Text
		if parts := strings.Split(page.Text, "<tbody>"); len(parts) == 3 {
			top, rest = parts[1], parts[2]
		}
		own = strings.Join(boardLines(top), ", ")
		rows = append(rows, boardLines(rest)...)
		if m := boardSize.FindStringSubmatch(page.Text); m != nil {
			size = m[1]
		}
		m := boardNext.FindStringSubmatch(page.Text)
		if address = ""; m != nil {
			address = strings.ReplaceAll(m[1], "&amp;", "&")
		}
	}
	return rows, own, size
}

func boardLines(text string) (lines []string) {
	for _, m := range boardRow.FindAllStringSubmatch(text, -1) {
		name, _ := url.PathUnescape(append(boardName.FindStringSubmatch(m[0]), "", "")[1])
		lines = append(lines, m[2]+" "+name+" "+boardCell.FindStringSubmatch(m[0])[1])
	}
	return lines
}

// What visitors and members read on all pages of the boards is what a count of everybody gives.
func TestLeaderboardEqualsACount(t *testing.T) {
	t.Parallel()
	w := newBoardWorld(t, 53) // More than a page.
	viewers := append([]*boardPerson{nil}, w.people[:boardViewers]...)
	for step := range 2 { // Changes that the counts do not have yet, and then have.
		for _, viewer := range viewers {
			b, who := w.Browser(t), "a visitor"
			if viewer != nil {
				b, who = w.SignedIn(t, viewer.Name), fmt.Sprint(viewer.Name, " (", viewer.seenBy, " ", viewer.off, ")")
			}
			for in, window := range map[string]int{"week": 7, "month": 30, "year": 365, "all": 1 << 30} {
				rows, own, size := readBoard(t, b, "/leaderboard?in="+in)
				wantRows, wantOwn, wantSize := w.board(window, viewer)
				if n := len(wantRows); n > 0 && wantRows[(n-1)/50*50] == wantOwn {
					wantOwn = "" // The last page begins with it.
				}
				if got, want := strings.Join(rows, "\n"), strings.Join(wantRows, "\n"); got != want {
					t.Fatalf("step %d, %s, %s:\n%s\nwant\n%s", step, who, in, got, want)
				}
				if own != wantOwn || size != fmt.Sprint(wantSize) {
					t.Errorf("step %d, %s, %s: own row %q of %s, want %q of %d", step, who, in, own, size, wantOwn, wantSize)
				}
			}
		}
		if err := standings.Fold(t.Context(), w.DB.DB); err != nil {
			t.Fatal(err)
		}
	}
}

// Ranks a week ago, the end of a month, and what addresses may say.
func TestLeaderboardThen(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	people, when := map[string]members.Member{}, time.Date(2026, 10, 31, 12, 0, 0, 0, time.UTC)
	s.Time = when
	submits := func(name string, days int, rows ...string) {
		t.Helper()
		s.Submits(t, people[name], "uva", when.AddDate(0, 0, days), rows...)
	}
	for _, name := range []string{"ann", "ben", "cat", "dan"} {
		people[name] = s.Member(t, name, members.RoleMember)
		modelstest.Account(t, s.DB.DB, &members.Account{MemberID: people[name].ID, Site: "uva", Handle: name, CreatedAt: s.Time, Schedule: members.Schedule{DueAt: s.Time}})
	}
	submits("ann", -20, "1 AC", "2 AC", "3 AC")
	submits("ben", -19, "1 AC", "2 AC")
	submits("cat", -18, "1 AC", "2 AC")
	submits("dan", -17, "1 AC")
	s.Time = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for _, err := range []error{history.ArchiveLeaderboards(t.Context(), s.DB.DB, s.Time), standings.KeepSteps(t.Context(), s.DB.DB, s.Time)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Time = time.Date(2026, 11, 7, 12, 0, 0, 0, time.UTC)
	submits("dan", 7, "2 AC", "3 AC", "4 AC")
	visitor := s.Browser(t)
	page := visitor.Get("/leaderboard").Is(t, http.StatusOK, "▲ 3", "3 places up", "▼ 1", "1 place down", `<option value="2026-10">End of October 2026`)
	if rows := boardLines(page.Text); strings.Join(rows, ", ") != "1 dan 4, 2 ann 3, 3 ben 2, 3 cat 2" {
		t.Errorf("now: %q", rows)
	}
	ben := s.SignedIn(t, "ben")
	then := ben.Get("/leaderboard?at=2026-10").Is(t, http.StatusOK, "at the end of October 2026", "4 members")
	if rows := boardLines(then.Text); strings.Join(rows, ", ") != "2 ben 2, 1 ann 3, 2 ben 2, 2 cat 2, 4 dan 1" {
		t.Errorf("then: %q", rows)
	}
	if err := members.SetVisibility(t.Context(), s.DB.DB, people["ann"].ID, "self", false); err != nil {
		t.Fatal(err)
	}
	if rows := boardLines(ben.Get("/leaderboard?at=2026-10").Text); strings.Join(rows, ", ") != "2 ben 2, 2 ben 2, 2 cat 2, 4 dan 1" {
		t.Errorf("then, without who hides now: %q", rows)
	}
	visitor.Get("/leaderboard?at=2026-05").Is(t, http.StatusOK, "Our records start on 1 Nov 2026")
	visitor.Get("/leaderboard?by=streak&in=week").Is(t, http.StatusOK, "by streak") // The form sends both.
	visitor.Get("/leaderboard?by=rating:uva").Is(t, http.StatusOK, "by rating on UVa", "Nobody is on this leaderboard yet")
	for _, query := range []string{"by=best", "in=day", "at=2026-11", "at=x", "cursor=x"} {
		visitor.Get("/leaderboard?"+query).Is(t, http.StatusUnprocessableEntity)
	}
}

// Who is not among the first that are kept still learns their own rank of then.
func TestOwnRankThen(t *testing.T) {
	t.Parallel()
	w := newBoardWorld(t, 12)
	day := w.Time.Truncate(24 * time.Hour)
	if err := standings.KeepSteps(t.Context(), w.DB.DB, day); err != nil {
		t.Fatal(err)
	}
	for _, p := range w.people {
		n, _ := p.value(1 << 30)
		rank := 1
		for _, q := range w.people {
			if more, _ := q.value(1 << 30); more > n && !q.off && q.seenBy != "self" {
				rank++
			}
		}
		w.Submits(t, p.Member, "uva", w.Time, "later AC") // Nothing of today counts then.
		row, err := standings.OwnAsOf(members.As(t.Context(), members.Viewer(p.ID)), w.DB.DB, p.ID, day)
		switch {
		case err != nil:
			t.Fatal(err)
		case p.off && row != nil:
			t.Errorf("%s is off the boards: %+v", p.Name, row)
		case !p.off && (row == nil || row.Rank != rank || row.Value != n):
			t.Errorf("%s: %+v, want %d with %d", p.Name, row, rank, n)
		}
	}
}

// The switch shows whom the viewer follows, on all boards.
func TestLeaderboardOfFollowed(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	if err := s.DB.Exec(`INSERT INTO standings (member_id, name, display_name, custom, shown, solved, submissions, accepted, streak, incomplete)
		SELECT id, name, name, false, 0, 3, 3, 3, 0, '{}' FROM members`).Error; err != nil {
		t.Fatal(err)
	}
	if err := s.DB.Exec(`INSERT INTO standing_places (member_id, board, shown, name, value, submissions, accepted)
		SELECT id, 'solved:week', 0, name, 3, 3, 3 FROM members`).Error; err != nil {
		t.Fatal(err)
	}
	bob.Get("/leaderboard?in=week").Is(t, http.StatusOK, "People I follow", `href="/leaderboard?in=week&amp;who=followed"`, "/u/ann")
	page := bob.Get("/leaderboard?in=week&who=followed").Is(t, http.StatusOK, "People I follow, last 7 days", "1 member", `value="followed"`,
		`href="/leaderboard?in=month&amp;who=followed"`)
	if strings.Contains(page.Text, "/u/ann") {
		t.Error("one whom nobody follows is shown")
	}
	bob.Post("/u/ann/follow").Is(t, http.StatusSeeOther)
	bob.Get("/leaderboard?in=week&who=followed").Is(t, http.StatusOK, "2 members", "/u/ann")
	bob.Get("/leaderboard?by=streak&who=followed").Is(t, http.StatusOK, "Nobody whom you follow is on this leaderboard yet")
	bob.Get("/leaderboard?who=friends").Is(t, http.StatusUnprocessableEntity)
	if text := s.Browser(t).Get("/leaderboard").Is(t, http.StatusOK).Text; strings.Contains(text, "who=followed") {
		t.Error("a visitor is shown the switch")
	}
	s.Browser(t).Get("/leaderboard?who=followed").Is(t, http.StatusUnauthorized)
}

// The rows around a member are those of the whole board.
func TestAroundEqualsACount(t *testing.T) {
	t.Parallel()
	w := newBoardWorld(t, 30)
	const each = 3
	for _, p := range w.people {
		rows, own, _ := w.board(30, p)
		at := slices.Index(rows, own)
		from, to := max(0, at-each), min(len(rows), at+each+1)
		if at < 0 {
			from, to = 0, min(len(rows), 2*each+1)
		}
		found, err := standings.Around(members.As(t.Context(), members.Viewer(p.ID)), w.DB.DB, standings.Board{By: "solved", In: "month"}, p.ID, each, w.Time)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range found {
			got = append(got, fmt.Sprint(r.Rank, " ", r.Name, " ", r.Value))
		}
		if strings.Join(got, ", ") != strings.Join(rows[from:to], ", ") {
			t.Errorf("around %s (%s, off %v): %q, want %q", p.Name, p.seenBy, p.off, got, rows[from:to])
		}
	}
}
