package rankings_test

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	"laurel/models/standings"
)

// rankings is a site with a ranking that was seen on five days.
func rankings(t *testing.T) (*handlerstest.Site, *handlerstest.Browser) {
	t.Helper()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	s.StoreRanking(t, 1, 3, "x", "y", "z")
	s.StoreRanking(t, 2, 3, "x", "y", "z")
	s.StoreRanking(t, 3, 3, "y", "x", "new & good")
	s.StoreRanking(t, 4, 0)
	s.StoreRanking(t, 5, 5000, "y")
	return s, s.Browser(t)
}

func TestRankingPages(t *testing.T) {
	t.Parallel()
	_, b := rankings(t)
	const base = "/ladders/a%2Fb%20c"
	b.Get("/ladders").Is(t, http.StatusOK, "a/b c", `href="`+base+`"`, "first 1 of 5,000 rows")
	b.Get(base).Is(t, http.StatusOK, "first 1 of 5,000 rows", "not checked since", "Since the list before", "1,000.5")
	b.Get(base+"?at="+handlerstest.November(2, 13)).Is(t, http.StatusOK, "list of 2 Nov 12:00", "3 of 3 rows", `climb?player=z"`, "next check 23 h later")
	b.Get(base+"?at="+handlerstest.November(3, 13)).Is(t, http.StatusOK, "up 1 place", "down 1 place", "new", "Left since the list before", "was 3 with 998.5", "Compare with now",
		"/looks?address=%2Fboard&amp;source=game", "&amp;format=csv", base+"/timemap")
	b.Get(base+"?at="+handlerstest.November(4, 13)).Is(t, http.StatusOK, "The ranking was empty at this check")
	b.Get("/ladders/a%2Fb%20c?at=2026-10-01").Is(t, http.StatusOK, "No data for this ranking yet at that time", "1 November 2026")
	b.Get(base+"?at=then").Is(t, http.StatusUnprocessableEntity, "Write the instant")
	b.Get("/ladders/b").Is(t, http.StatusNotFound)
	b.Get("/ladders?after=x").Is(t, http.StatusUnprocessableEntity)

	b.Get(base+"/diff?from="+handlerstest.November(2, 13)+"&to="+handlerstest.November(3, 13)).Is(t, http.StatusOK, "Entered", "Left", "Moved", "2 → 1")
	b.Get(base+"/diff?to="+handlerstest.November(3, 13)+"&from="+handlerstest.November(2, 13)).Is(t, http.StatusOK, "new &amp; good")
	b.Get(base+"/diff").Is(t, http.StatusOK, "what changed", "Entered")
	b.Get(base+"/diff?from=x").Is(t, http.StatusUnprocessableEntity, "Write the instant")
	b.Get(base+"/diff?to=x").Is(t, http.StatusUnprocessableEntity, "Write the instant")
	b.Get("/ladders/b/diff").Is(t, http.StatusNotFound)

	b.Get(base+"/climb?player=y").Is(t, http.StatusOK, "rank 2 at first, 1 at last, best 1", "no longer shown", base+"?at="+handlerstest.November(1, 12))
	b.Get(base+"/climb?player=nobody").Is(t, http.StatusOK, "nobody has not appeared in this ranking yet")
	b.Get(base+"/climb").Is(t, http.StatusUnprocessableEntity, "Add ?player=NAME")
	b.Get("/ladders/b/climb?player=y").Is(t, http.StatusNotFound)
}

// A long list is shown in parts, all of one list.
func TestLongRanking(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	var names []string
	for i := range 250 {
		names = append(names, fmt.Sprintf("p%03d", i))
	}
	s.StoreRanking(t, 1, 250, names...)
	b, base := s.Browser(t), "/ladders/a%2Fb%20c"
	b.Get(base).Is(t, http.StatusOK, "p099", "250 of 250 rows", "&amp;page=1")
	if a := b.Get(base+"?page=2").Is(t, http.StatusOK, "p200", "p249", "&amp;page=1"); strings.Contains(a.Text, "p199<") {
		t.Error("the third page shows the second")
	}
	b.Get(base+"?page=99").Is(t, http.StatusOK, "p249")
}

func TestRankingMementos(t *testing.T) {
	t.Parallel()
	_, b := rankings(t)
	const base = "/ladders/a%2Fb%20c"
	a := b.Get(base, "Accept-Datetime", "Mon, 02 Nov 2026 20:00:00 GMT").Is(t, http.StatusFound)
	if want := base + "?at=" + handlerstest.November(2, 12); a.To() != want || !strings.Contains(strings.Join(a.Header.Values("Vary"), ","), "accept-datetime") {
		t.Errorf("leads to %s, want %s; vary %q", a.To(), want, a.Header.Values("Vary"))
	}
	a = b.Get(a.To()).Is(t, http.StatusOK)
	if got := a.Header.Get("Memento-Datetime"); got != "Mon, 02 Nov 2026 12:00:00 GMT" {
		t.Errorf("Memento-Datetime: %s", got)
	}
	exact := a.Header.Get("Link")
	for _, want := range []string{
		`<http://laurel.test/ladders/a%2Fb%20c>; rel="original timegate"`, `timemap>; rel="timemap"`,
		`at=2026-11-01T12%3A00%3A00Z>; rel="first prev memento"`, `at=2026-11-02T12%3A00%3A00Z>; rel="memento"`,
		`at=2026-11-03T12%3A00%3A00Z>; rel="next memento"`, `at=2026-11-05T12%3A00%3A00Z>; rel="last memento"`,
	} {
		if !strings.Contains(exact, want) {
			t.Errorf("no %s in %s", want, exact)
		}
	}
	if between := b.Get(base+"?at="+handlerstest.November(2, 20)).Is(t, http.StatusOK).Header.Get("Link"); between != exact {
		t.Errorf("an hour later it is the same state, and its links are %s", between)
	}
	b.Get(base, "Accept-Datetime", "Mon, 02 Nov 2015 20:00:00 GMT").Is(t, http.StatusFound)
	b.Get(base, "Accept-Datetime", "monday").Is(t, http.StatusBadRequest)
	b.Get("/ladders/b", "Accept-Datetime", "Mon, 02 Nov 2026 20:00:00 GMT").Is(t, http.StatusNotFound)
	if plain := b.Get(base).Is(t, http.StatusOK); plain.Header.Get("Memento-Datetime") != "" || strings.Contains(plain.Header.Get("Link"), "prev memento") {
		t.Errorf("the plain address says it is a state: %v", plain.Header)
	}
	a = b.Get(base+"/timemap").Is(t, http.StatusOK, `rel="first memento"; datetime="Sun, 01 Nov 2026 12:00:00 GMT"`, `rel="last memento"; datetime="Thu, 05 Nov 2026 12:00:00 GMT"`)
	if got := a.Header.Get("Content-Type"); got != "application/link-format" || strings.Count(a.Text, "memento\"") != 5 {
		t.Errorf("%s:\n%s", got, a.Text)
	}
	b.Get("/ladders/b/timemap").Is(t, http.StatusNotFound)
}

// Players of Laurel's own ranking are members.
func TestOwnRanking(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	m := s.Member(t, "ada", members.RoleMember)
	if err := s.DB.Exec(`INSERT INTO member_stats (member_id, submissions, accepted, solved) VALUES (@id, 1, 1, 1)`, map[string]any{"id": m.ID}).Error; err != nil {
		t.Fatal(err)
	}
	if err := standings.Refresh(t.Context(), s.DB.DB, []int64{m.ID}, s.Time); err != nil {
		t.Fatal(err)
	}
	if err := modelhistory.ArchiveLeaderboards(t.Context(), s.DB.DB, s.Time); err != nil {
		t.Fatal(err)
	}
	s.SignedIn(t, "ada").Get("/ladders/solved").Is(t, http.StatusOK, "ada", "you", "<h1>Problems solved", "<title>Problems solved")
	b := s.Browser(t)
	b.Get("/ladders").Is(t, http.StatusOK, `<a href="/ladders/solved">Problems solved</a>`)
	b.Get("/ladders/solved/diff").Is(t, http.StatusOK, "<h1>Problems solved: what changed")
	b.Get("/ladders/solved/climb?player=ada").Is(t, http.StatusOK, `href="/u/ada"`, `">Problems solved</a>`)
	at := url.QueryEscape(s.Time.Format(time.RFC3339))
	b.Get("/u/ada?at="+at).Is(t, http.StatusOK, `<a href="/ladders/solved?at=`+at+`">rank 1 in Problems solved</a>`)
	if a := b.Get("/u/ada?at=2020-01-01").Is(t, http.StatusOK); strings.Contains(a.Text, "rank 1") {
		t.Error("a member has a rank before anybody checked")
	}
}

// A list may show a player without a rank, or only say how many there are.
func TestRankingWithoutRanks(t *testing.T) {
	t.Parallel()
	s, b := rankings(t)
	const base = "/ladders/a%2Fb%20c"
	s.StoreRanking(t, 6, 10)
	lacks := func(a handlerstest.Answer, words string) {
		t.Helper()
		if strings.Contains(a.Text, words) {
			t.Errorf("the page says %q", words)
		}
	}
	lacks(b.Get(base).Is(t, http.StatusOK, "first 0 of 10 rows", "only the number of rows"), "The ranking was empty")
	at := time.Date(2026, 11, 7, 12, 0, 0, 0, time.UTC)
	l := modelhistory.RankingPage{Name: "a/b c", Source: "game", Address: "/board", At: at, Size: 1, Places: []modelhistory.Place{{Player: "y", Score: new(5.0)}}}
	if _, err := modelhistory.StoreRanking(t.Context(), s.DB.DB, l, at); err != nil {
		t.Fatal(err)
	}
	lacks(b.Get(base).Is(t, http.StatusOK, `<td class="num">-</td>`), `<td class="num">0</td>`)
	b.Get(base+"/diff?from="+handlerstest.November(5, 13)).Is(t, http.StatusOK, "1 → -", "no longer ranked")
}

// Rankings may have any names, and their pages have addresses that browsers keep.
func TestRankingNames(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	b := s.Browser(t)
	for name, base := range map[string]string{
		"": "/ladders/~", ".": "/ladders/~.", "..": "/ladders/~..", "...": "/ladders/...", "~": "/ladders/~~", "~x": "/ladders/~~x", "  sp": "/ladders/%20%20sp", "sp ": "/ladders/sp%20",
		"a/b": "/ladders/a%2Fb", "../b": "/ladders/..%2Fb", "%": "/ladders/%25", "%2F": "/ladders/%252F", "a/%2F": "/ladders/a%2F%252F", "😀": "/ladders/%F0%9F%98%80", "a?b#c": "/ladders/a%3Fb%23c", "diff": "/ladders/diff", "+": "/ladders/+",
	} {
		l := modelhistory.RankingPage{Name: name, Source: "game", Address: "/board", At: s.Time, Size: 1, Places: []modelhistory.Place{{Player: " " + name + "!", Rank: new(int64(1))}}}
		if _, err := modelhistory.StoreRanking(t.Context(), s.DB.DB, l, s.Time); err != nil {
			t.Fatal(err)
		}
		player := template.HTMLEscapeString(" " + name + "!")
		b.Get("/ladders").Is(t, http.StatusOK, `href="`+base+`"`)
		b.Get(base).Is(t, http.StatusOK, ">"+player+"</a>", `href="`+base+`/climb?player=+`)
		b.Get(base+"/diff?from=2020-01-01").Is(t, http.StatusOK, "Entered", ">"+player+"</a>")
		b.Get(base+"/climb?player="+url.QueryEscape(" "+name+"!")).Is(t, http.StatusOK, "Rank of")
		b.Get(base+"/timemap").Is(t, http.StatusOK, "<http://laurel.test"+base+">")
	}
	b.Get("/ladders/%FF").Is(t, http.StatusNotFound)
	b.Get("/ladders/%00").Is(t, http.StatusNotFound)
	b.Get("/ladders/sp").Is(t, http.StatusNotFound)
}
