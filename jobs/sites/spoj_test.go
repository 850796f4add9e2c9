package sites

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A spojRowText is a row to render: no page of this list was ever recorded, so the
// markup is that of the recorded ranks with the cells that notes and other crawlers tell of.
type spojRowText struct{ id, time, code, name, status, word, language string }

func (r spojRowText) String() string {
	return fmt.Sprintf(`<tr class="kol1">
<td class="statustext text-center">%[1]s</td>
<td class="status_sm"><span title="%[2]s">%[2]s</span></td>
<td class="sproblem text-center"><a href="/problems/%[3]s/" title="%[4]s">%[4]s</a></td>
<td class="statusres text-center" id="statusres_%[1]s" status="%[5]s" final="1" manual="0">


	<strong>%[6]s</strong>	
</td>
<td class="stime text-center" id="statustime_%[1]s"> 0.83 </td><td class="smemory statustext text-center" id="statusmem_%[1]s"> 3.2M </td>
<td class="slang text-center"><span>%[7]s</span></td></tr>
`, r.id, r.time, r.code, r.name, r.status, r.word, r.language)
}

func spojPage(rows ...spojRowText) string {
	var text strings.Builder
	text.WriteString(`<!DOCTYPE html><html><head><title>Sphere Online Judge (SPOJ) - Status</title></head><body><table class="problems table newstatus"><thead><tr><th>ID</th></tr></thead><tbody>`)
	for _, r := range rows {
		text.WriteString(r.String())
	}
	return text.String() + "</tbody></table></body></html>"
}

// spojServer gives n rows from start on, and the last page beyond the end.
func spojServer(n int, rows func(asked int) []spojRowText) server {
	return func(asked int, u *url.URL) Page {
		_, text, ok := strings.Cut(u.Path, "/all/start=")
		if !ok {
			return Page{200, []byte(`<html><title>Sphere Online Judge (SPOJ)  - User ada</title><div id="user-profile-left"></div></html>`)}
		}
		all := rows(asked)
		start, _ := strconv.Atoi(text)
		if last := max(0, (len(all)-1)/n*n); start > last {
			start = last
		}
		return Page{200, []byte(spojPage(all[start:min(start+n, len(all))]...))}
	}
}

func spojRead(t testing.TB, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(spoj{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

var spojWords = map[string][2]string{"AC": {"15", "accepted"}, "WA": {"14", "wrong answer"}, "TLE": {"13", "time limit exceeded"},
	"RE": {"12", "runtime error (SIGSEGV)"}, "CE": {"11", "compilation error"}, "OTH": {"9", "internal error"}}

// The crawler that kept the golden rows added 3 h 30 to the site's clock all the
// year, which in winter is an hour too little: the clock is what is true.
func TestSpojGolden(t *testing.T) {
	golden := newestFirst(golden(t, "Spoj"))
	warsaw, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	var rows []spojRowText
	var want []time.Time
	winter := 0
	for i, g := range golden {
		civil, _ := time.Parse(time.DateTime, g.Time)
		civil = civil.Add(-210 * time.Minute)
		at := time.Date(civil.Year(), civil.Month(), civil.Day(), civil.Hour(), civil.Minute(), civil.Second(), 0, warsaw).UTC()
		if !at.Equal(g.at(t)) {
			winter++
		}
		want = append(want, at)
		rows = append(rows, spojRowText{fmt.Sprint(9900000 - i), civil.Format(time.DateTime), strings.Split(g.Link, "/")[4], g.Name,
			spojWords[g.Status][0], spojWords[g.Status][1], g.Lang})
	}
	for _, size := range []int{2, 5, 20, 25, 30} {
		subs, _, err := spojRead(t, Account{Handle: "raj454raj"}, spojServer(size, func(int) []spojRowText { return rows }))
		if err != nil || len(subs) != 25 {
			t.Fatalf("pages of %d: %d rows (%v), want 25", size, len(subs), err)
		}
		for i, s := range subs {
			g := golden[i]
			if s.ID != rows[i].id || !s.At.Equal(want[i]) || s.ToMinute || s.Problem.URL != g.Link || s.Problem.Name != g.Name ||
				s.Status != g.Status || s.Language != g.Lang || s.Verdict != rows[i].word {
				t.Errorf("row %d: %+v, want %+v at %s", i, s, g, want[i])
			}
		}
	}
	if winter != 3 {
		t.Errorf("%d rows of winter, want 3", winter)
	}
}

// A whole page of a list of ranks: other rows, the same cells.
func TestSpojRecordedRanks(t *testing.T) {
	doc, err := document([]byte(recorded(t, "spoj/ranks_problem_20rows_2014.html")), spojLongest)
	if err != nil {
		t.Fatal(err)
	}
	var subs []Submission
	for _, cell := range doc.Find("td.statusres").EachIter() {
		s, err := spojRow(cell.Closest("tr"), time.Time{})
		if err != nil || s.Status != AC || s.Verdict != "accepted" {
			t.Errorf("%+v (%v), want it accepted", s, err)
		}
		subs = append(subs, s)
	}
	if len(subs) != 20 || subs[0].ID != "4723979" || !subs[0].At.Equal(time.Date(2011, 2, 23, 9, 52, 23, 0, time.UTC)) ||
		spojPath(doc.Find("td.statusres").First().Closest("tr"), "users") != "edushka" {
		t.Errorf("%d rows, the first %+v", len(subs), subs[0])
	}
	if subs[1].ID != "5229338" || !subs[1].At.Equal(time.Date(2011, 6, 11, 14, 28, 35, 0, time.UTC)) {
		t.Errorf("the second is %+v", subs[1])
	}
	for _, name := range []string{"spoj/ranks_problem_20rows_2014.html", "spoj/ranks_no_such_problem_2014.html",
		"spoj/problem_list_2014.html"} {
		if subs, _, err := spojRead(t, Account{Handle: "ada"}, always(200, recorded(t, name))); err == nil || len(subs) > 0 {
			t.Errorf("%s passes for a list of submissions: %d rows", name, len(subs))
		}
	}
}

func TestSpojRecordedProfile(t *testing.T) {
	got, asked, err := profileOf(t, spoj{}, Account{Handle: "kosaksi"}, always(200, recorded(t, "spoj/profile_kosaksi_2018.html")))
	want := `{"Rating":null,"Rank":{"Rank":28304},"Counts":{"Solved":70,"Submitted":105},"Name":{"Name":"Kousshik Raj"},"Place":{"Country":"India","Organisation":"IIT Kharagpur"},"Title":null}`
	if err != nil || got != want || asked[0] != "https://www.spoj.com/users/kosaksi/" {
		t.Errorf("asked %q, error %v\n got %s\nwant %s", asked, err, got, want)
	}
	if _, _, err := profileOf(t, spoj{}, Account{Handle: "somebody"}, always(200,
		recorded(t, "spoj/profile_kosaksi_2018.html"))); !errors.Is(err, ErrFormat) {
		t.Errorf("the page of another: %v", err)
	}
}

func TestSpojStatuses(t *testing.T) {
	for _, tt := range []struct{ word, code, final, status, points string }{
		{"accepted", "15", "1", AC, "none"}, {"wrong answer", "14", "1", WA, "none"}, {"time limit exceeded", "13", "1", TLE, "none"},
		{"runtime error (NZEC)", "12", "1", RE, "none"},
		{"compilation error", "11", "1", CE, "none"}, {"84.5", "15", "1", AC, "84.5"}, {"40", "", "1", PS, "40"},
		{"waiting..", "1", "0", Pending, "none"}, {"running judge..", "5", "0", Pending, "none"},
		{"", "15", "1", AC, "none"}, {"", "3", "0", Pending, "none"}, {"internal error", "20", "1", OTH, "none"}, {"NaN", "14", "1", WA, "none"},
		{"2.5 (threshold: 3)", "16", "1", PS, "2.5"}, {"12,345.5", "15", "1", AC, "12345.5"},
	} {
		status, points := spojStatus(tt.word, tt.code, tt.final)
		if got := fmt.Sprint(plain(Submission{Points: points}).([]any)[1]); status != tt.status || got != tt.points {
			t.Errorf("%q, %s: %s, %s, want %s, %s", tt.word, tt.code, status, got, tt.status, tt.points)
		}
	}
}

// A verdict may be a link to its details; other links beside it are no words of it.
func TestSpojVerdictsThatLead(t *testing.T) {
	row := spojRowText{id: "7", time: "2025-10-20 03:05:00", code: "X1", status: "14", word: "@"}
	page := strings.Replace(spojPage(row), "<strong>@</strong>",
		`<a href="/error/7" title="View details."> wrong answer </a> <br/> <span class="small"><a href="/submit/X1/id=7">edit</a></span>`, 1)
	subs, _, err := spojRead(t, Account{Handle: "ada"}, always(200, page))
	if err != nil || len(subs) != 1 || subs[0].Status != WA || subs[0].Verdict != "wrong answer" {
		t.Errorf("%+v (%v)", subs, err)
	}
}

// The hour that comes twice in autumn: the order of the rows says which it is.
func TestSpojTheHourThatComesTwice(t *testing.T) {
	rows := []spojRowText{{id: "5", time: "2025-10-26 03:05:00"}, {id: "4", time: "2025-10-26 02:10:00"},
		{id: "3", time: "2025-10-26 02:50:00"}, {id: "2", time: "2025-10-26 02:05:00"}, {id: "1", time: "2025-10-26 01:59:59"}}
	for i := range rows {
		rows[i].code, rows[i].word = "X1", "accepted"
	}
	for _, size := range []int{1, 2, 5} {
		subs, _, err := spojRead(t, Account{Handle: "ada"}, spojServer(size, func(int) []spojRowText { return rows }))
		var got []string
		for _, s := range subs {
			got = append(got, s.At.Format("15:04"))
		}
		if want := []string{"02:05", "01:10", "00:50", "00:05", "23:59"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("pages of %d: %q (%v), want %q", size, got, err, want)
		}
	}
}

func TestSpojAbsence(t *testing.T) {
	for name, tt := range map[string]struct {
		user Page
		err  error
	}{
		"nothing yet":       {Page{200, []byte(`<html><title>Sphere Online Judge (SPOJ) - User</title><div id="user-profile-left"></div></html>`)}, nil},
		"a page without":    {Page{200, []byte(`<html><title>Sphere Online Judge (SPOJ)</title><p>news</p></html>`)}, ErrNoHandle},
		"404":               {Page{404, nil}, ErrNoHandle},
		"the site rests":    {Page{200, []byte(`<html><title>SPOJ.com - Maintenance</title><p>We will be back soon.</p></html>`)}, ErrServer},
		"half a page":       {Page{200, []byte(`<html><title>Sphere Online Judge (SPOJ)</title><p>ne`)}, ErrFormat},
		"somebody else's":   {Page{200, []byte(`<html><title>Please wait</title></html>`)}, ErrFormat},
		"forbidden or such": {Page{418, nil}, ErrFormat},
	} {
		serve := func(_ int, u *url.URL) Page {
			if strings.Contains(u.Path, "/status/") {
				return Page{200, []byte(spojPage())}
			}
			return tt.user
		}
		if _, _, err := spojRead(t, Account{Handle: "ada"}, serve); !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", name, err, tt.err)
		}
	}
}

func TestSpojBadAnswers(t *testing.T) {
	good := spojRowText{"7", "2025-01-02 03:04:05", "X1", "X", "15", "accepted", "C"}
	noID, noTime, noProblem := good, good, good
	noID.id, noTime.time, noProblem.code = "x", "yesterday", ""
	other := strings.Replace(spojPage(good), "<td class=\"sproblem", `<td><a href="/users/bo/">Bo</a></td><td class="sproblem`, 1)
	for _, body := range []string{`<html></html>`, spojPage(noID, noID, noID), spojPage(noTime, noTime, noTime),
		spojPage(noProblem, noProblem, noProblem), other} {
		if subs, _, err := spojRead(t, Account{Handle: "ada"}, always(200, body)); !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%.90s: %d rows, error %v, want %v", body, len(subs), err, ErrFormat)
		}
	}
}

func FuzzSpoj(f *testing.F) {
	f.Add(200, spojPage(spojRowText{"7", "2025-10-26 02:04:05", "X1", "X", "15", "accepted", "C"},
		spojRowText{"6", "2025-10-26 02:54:05", "X1", "X", "", "84", ""}))
	f.Add(200, `<html><title>SPOJ</title><div id="user-profile-left"><h3>A</h3><p>World Rank: #28,304 (0.6 points)</p></div><dl><dt>Problems solved</dt><dd>7</dd></dl></html>`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, _, _ := spojRead(t, Account{Handle: "ada", CoveredAt: since}, always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		_, _, _ = profileOf(t, spoj{}, Account{Handle: "ada"}, always(status, body))
	})
}

// A page that breaks off is not understood, even where the rows before reach covered ground.
func TestPagesThatBreakOff(t *testing.T) {
	var rows []spojRowText
	var authors []timusRowText
	for i := range 20 {
		at := cfTime(100 - i).Add(2 * time.Hour)
		rows = append(rows, spojRowText{strconv.Itoa(100 - i), at.Format(time.DateTime), "X1", "X", "15", "accepted", "C"})
		at = at.Add(3 * time.Hour)
		authors = append(authors, timusRowText{strconv.Itoa(100 - i), at.Format(time.TimeOnly), at.Format("2 Jan 2006"), "1000", "A", "Accepted",
			"C"})
	}
	for name, page := range map[string]string{"spoj": spojPage(rows...), "timus": timusPage(authors...)} {
		site, _ := siteNamed(name)
		a := Account{Handle: "42", CoveredAt: cfTime(95), CoveredID: "94"}
		if subs, err := all(site.Submissions(t.Context(), &fake{t: t, serve: always(200, page)}, a)); err != nil || len(subs) == 0 {
			t.Fatalf("%s: %d rows, error %v", name, len(subs), err)
		}
		for end := strings.LastIndex(page, "</table"); end > 0; end -= 97 {
			if subs, err := all(site.Submissions(t.Context(), &fake{t: t, serve: always(200, page[:end])}, a)); !errors.Is(err, ErrFormat) {
				t.Errorf("%s, cut at %d of %d: %d rows, error %v", name, end, len(page), len(subs), err)
			}
		}
	}
}
