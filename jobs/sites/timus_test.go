package sites

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A timusRowText is a row to render: only a reduced row of this list was recorded,
// so the markup is that with the cells that notes tell of.
type timusRowText struct{ id, clock, date, number, name, word, language string }

func (r timusRowText) String() string {
	class, name := "verdict_rj", ""
	if r.word == "Accepted" {
		class = "verdict_ac"
	}
	if r.name != "" {
		name = ". <SPAN CLASS=\"problemname\">" + r.name + "</SPAN>"
	}
	return fmt.Sprintf(`<TR CLASS="even"><TD CLASS="id">%s</TD><TD CLASS="date"><NOBR>%s</NOBR><BR><NOBR>%s</NOBR></TD><TD CLASS="coder"><A HREF="author.aspx?id=42">Student</A></TD>`+
		`<TD CLASS="problem"><A HREF="problem.aspx?space=1&amp;num=%[4]s">%[4]s%s</A></TD><TD CLASS="language">%s</TD><TD CLASS="%s">%s</TD><TD CLASS="test">3<BR></TD>`+
		`<TD CLASS="runtime">0.062</TD><TD CLASS="memory">1 536 KB</TD></TR>`, r.id, r.clock, r.date, r.number, name, r.language, class, r.word)
}

func timusPage(rows ...timusRowText) string {
	text := `<HTML><HEAD><TITLE>Judge Status @ Timus Online Judge</TITLE></HEAD><BODY><P CLASS="status_filter">Author: Student</P><TABLE CLASS="status">
<TR><TD COLSPAN=9 CLASS="navigation">Newest</TD></TR><TR><TH>ID</TH><TH>Date</TH></TR>`
	for _, r := range rows {
		text += r.String()
	}
	return text + `<TR><TD COLSPAN=9 CLASS="navigation">Next</TD></TR><TR><TD></TD></TR></TABLE></BODY></HTML>`
}

// timusServer gives at most n rows from a number on.
func timusServer(n int, rows []timusRowText) server {
	return func(_ int, u *url.URL) Page {
		count, _ := strconv.Atoi(u.Query().Get("count"))
		from, given := strconv.Atoi(u.Query().Get("from"))
		var page []timusRowText
		for _, r := range rows {
			if id, _ := strconv.Atoi(r.id); (given != nil || id <= from) && len(page) < min(n, count) {
				page = append(page, r)
			}
		}
		return Page{200, []byte(timusPage(page...))}
	}
}

func timusRead(t testing.TB, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(timus{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

func TestTimusRecorded(t *testing.T) {
	subs, asked, err := timusRead(t, Account{Handle: "42"}, always(200, recorded(t, "timus/status_row_reduced_2026-09.html")))
	want := Submission{ID: "123", At: time.Date(2026, 9, 24, 16, 48, 17, 0, time.UTC),
		Problem: Problem{"1000", "", "https://acm.timus.ru/problem.aspx?space=1&num=1000"},
		Status:  AC, Verdict: "Accepted", Language: "G++ 13.2 x64"}
	if err != nil || len(subs) != 1 || subs[0] != want {
		t.Errorf("%+v (%v), want %+v", subs, err, want)
	}
	if asked[0] != "https://acm.timus.ru/status.aspx?locale=en&author=42&count=1000" {
		t.Errorf("asked %q", asked)
	}
}

func TestTimusGolden(t *testing.T) {
	for _, g := range golden(t, "Timus") {
		at := g.at(t).In(time.FixedZone("", 5*3600))
		number, name, _ := strings.Cut(g.Name, ". ")
		row := timusRowText{"7900000", at.Format(time.TimeOnly), at.Format("2 Jan 2006"), number, name,
			map[string]string{"CE": "Compilation error"}[g.Status], g.Lang}
		subs, _, err := timusRead(t, Account{Handle: "42"}, timusServer(1000, []timusRowText{row}))
		if err != nil || len(subs) != 1 || !subs[0].At.Equal(g.at(t)) || subs[0].Problem.Name != g.Name || subs[0].Problem.Key != number ||
			subs[0].Status != g.Status || subs[0].Language != g.Lang {
			t.Errorf("%+v (%v), want %+v", subs, err, g)
		}
	}
}

// The clock of Yekaterinburg was 5 hours ahead, 6 in summer until 2010, 6 all the
// year until 2014, and is 5 again.
func TestTimusClock(t *testing.T) {
	for civil, want := range map[string]string{
		"10 Jan 2010": "2010-01-10T07:00:00Z", "10 Jul 2010": "2010-07-10T06:00:00Z", "10 Jan 2012": "2012-01-10T06:00:00Z",
		"10 Jul 2014": "2014-07-10T06:00:00Z", "10 Jul 2026": "2026-07-10T07:00:00Z",
	} {
		subs, _, err := timusRead(t, Account{Handle: "42"}, always(200, timusPage(timusRowText{"7", "12:00:00", civil, "1000", "A+B", "Accepted",
			"C"})))
		if err != nil || subs[0].At.Format(time.RFC3339) != want {
			t.Errorf("%s: %+v (%v), want %s", civil, subs, err, want)
		}
	}
}

// A history of several pages, whatever the server gives at most, and a retrieval that
// stops on covered ground.
func TestTimusPages(t *testing.T) {
	var rows []timusRowText
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 130 {
		civil := at.Add(-time.Duration(i) * time.Hour).In(time.FixedZone("", 5*3600))
		rows = append(rows, timusRowText{fmt.Sprint(9000 - 7*i), civil.Format(time.TimeOnly), civil.Format("2 Jan 2006"), "1000", "A+B Problem",
			"Wrong answer", "C"})
	}
	for _, most := range []int{2, 3, 50, 129, 130, 131, 1000} {
		subs, asked, err := timusRead(t, Account{Handle: "42"}, timusServer(most, rows))
		if err != nil || len(ids(t, subs)) != 130 {
			t.Errorf("%d a page: %d rows (%v), want 130 by %d requests", most, len(subs), err, len(asked))
		}
	}
	subs, asked, err := timusRead(t, Account{Handle: "42", CoveredAt: at.Add(-10 * time.Hour), CoveredID: "8923"}, timusServer(1000, rows))
	if err != nil || len(subs) != 11 || len(asked) != 1 || !strings.Contains(asked[0], "count=50") {
		t.Errorf("a retrieval: %d rows by %q (%v), want 11 by one small page", len(subs), asked, err)
	}
}

func TestTimusStatuses(t *testing.T) {
	for said, want := range map[string]string{
		"Accepted": AC, "Wrong answer": WA, "Time limit exceeded": TLE, "Idleness limit exceeded": TLE, "Memory limit exceeded": MLE,
		"Runtime error (access violation)": RE,
		"Compilation error":                CE, "Running": Pending, "Waiting": Pending, "Output limit exceeded": OTH, "Restricted function": OTH,
		"Something new": OTH,
	} {
		subs, _, err := timusRead(t, Account{Handle: "42"}, always(200, timusPage(timusRowText{"7", "12:00:00", "1 Jan 2026", "1000", "A+B",
			said, "C"})))
		if err != nil || len(subs) != 1 || subs[0].Status != want || subs[0].Verdict != said {
			t.Errorf("%s: %+v (%v), want %s", said, subs, err, want)
		}
	}
}

const timusAuthorPage = `<HTML><HEAD><TITLE>Student @ Timus Online Judge</TITLE></HEAD><BODY><H2 CLASS="author_name">Student of <B>Samples</B></H2><TABLE CLASS="author_stats">
<TR><TD CLASS="author_stats_name">Rank by solved problems</TD><TD CLASS="author_stats_value">812 out of 100000</TD></TR><TR><TD>Problems solved</TD><TD CLASS="author_stats_value">321 out of 1190</TD></TR>
<TR><TD>Rank by rating</TD><TD CLASS="author_stats_value">700 out of 100000</TD></TR><TR><TD>Rating</TD><TD CLASS="author_stats_value">92345 out of 500000</TD></TR></TABLE></BODY></HTML>`

func TestTimusAuthor(t *testing.T) {
	got, asked, err := profileOf(t, timus{}, Account{Handle: "42"}, always(200, timusAuthorPage))
	want := `{"Rating":{"Rating":92345,"Best":null},"Rank":{"Rank":700},"Counts":{"Solved":321,"Submitted":null},"Name":{"Name":"Student of Samples"},"Place":null,"Title":null}`
	if err != nil || got != want || asked[0] != "https://acm.timus.ru/author.aspx?id=42&locale=en" {
		t.Errorf("asked %q, error %v\n got %s\nwant %s", asked, err, got, want)
	}
	resting := `<HTML><HEAD><TITLE>Timus Online Judge</TITLE></HEAD><BODY>The server is under maintenance</BODY></HTML>`
	nobody := `<HTML><HEAD><TITLE>Author @ Timus Online Judge</TITLE></HEAD><BODY>Author not found</BODY></HTML>`
	for _, tt := range []struct {
		name, list, author string
		err                error
	}{
		{"nothing yet", timusPage(), timusAuthorPage, nil}, {"nobody", timusPage(), nobody, ErrNoHandle},
		{"nobody, without a table", nobody, nobody, ErrNoHandle},
		{"half a page", timusPage(), nobody[:80], ErrFormat}, {"another site", timusPage(), `<html><title>Wait</title></html>`, ErrFormat},
		{"the site rests", resting, resting, ErrServer}, {"the site rests meanwhile", timusPage(), resting, ErrServer},
	} {
		_, _, err := timusRead(t, Account{Handle: "42"}, func(_ int, u *url.URL) Page {
			if u.Path == "/status.aspx" {
				return Page{200, []byte(tt.list)}
			}
			return Page{200, []byte(tt.author)}
		})
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.err)
		}
	}
}

func TestTimusBadAnswers(t *testing.T) {
	good := timusRowText{"7", "12:00:00", "1 Jan 2026", "1000", "A+B", "Accepted", "C"}
	noID, noTime, noProblem := good, good, good
	noID.id, noTime.clock, noProblem.number = "x", "noon", ""
	for _, body := range []string{timusPage(noID, noID, noID), timusPage(noTime, noTime, noTime),
		timusPage(noProblem, noProblem, noProblem),
		strings.ReplaceAll(timusPage(good), "author.aspx?id=42", "author.aspx?id=43")} {
		if subs, _, err := timusRead(t, Account{Handle: "42"}, always(200, body)); !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%.90s: %d rows, error %v, want %v", body, len(subs), err, ErrFormat)
		}
	}
}

func FuzzTimus(f *testing.F) {
	f.Add(200, timusPage(timusRowText{"7", "02:30:00", "26 Oct 2014", "1000", "A+B", "Accepted", "C"},
		timusRowText{"6", "01:30:00", "26 Oct 2014", "1000", "", "", ""}))
	f.Add(200, timusAuthorPage)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, _, _ := timusRead(t, Account{Handle: "42", CoveredAt: since}, always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		_, _, _ = profileOf(t, timus{}, Account{Handle: "42"}, always(status, body))
	})
}
