package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func heRead(t *testing.T, a Account, s server) ([]Submission, []Request, error) {
	t.Helper()
	get := &fake{t: t, serve: s, header: Header{"Set-Cookie": {"other=1; Path=/", "csrfToken=Abcdef1234567890; Path=/; Secure"}}}
	subs, err := all(hackerearth{}.Submissions(t.Context(), get, a))
	return subs, get.questions, err
}

// heMade is a row of a table.
func heMade(id, path, name, verdict, language, at string) string {
	return fmt.Sprintf(`<tr id="submission-row-%s"><td><a href="/@ada/">ada</a></td><td> <a href="%s">%s</a></td><td>
		<i title="%s"></i></td><td>0.1</td><td>64</td><td>%s</td><td> <span title="%s">long ago</span></td></tr>`,
		id, html.EscapeString(path), html.EscapeString(name), html.EscapeString(verdict), html.EscapeString(language), at)
}

func hePageOf(rows ...string) Page {
	text, _ := json.Marshal(map[string]string{"status": "SUCCESS", "data": "<table><tbody>" + strings.Join(rows, "\n") + "</tbody></table>"})
	return Page{200, text}
}

var heEnd = Page{200, []byte(`{"status":"ERROR"}`)}

// A heList is a list, newest first, of which each page begins with the last rows of
// the one before.
type heList struct {
	rows         []string
	most, shared int
}

func (l *heList) serve(_ int, u *url.URL) Page {
	if !strings.HasPrefix(u.Path, "/AJAX/") {
		return Page{200, []byte("<html></html>")}
	}
	n, _ := strconv.Atoi(u.Query().Get("page"))
	from := (n - 1) * l.most
	if from >= len(l.rows) {
		return heEnd
	}
	return hePageOf(l.rows[max(0, from-l.shared):min(from+l.most, len(l.rows))]...)
}

// heVerdicts are the site's words for the statuses of the golden rows.
var heVerdicts = map[string]string{AC: "Accepted", PS: "Partially Accepted", WA: "Wrong Answer", TLE: "Time Limit Exceeded",
	CE: "Compilation Error", RE: "Runtime Error"}

// The 117 rows of a real account are 112 submissions: pages begin with the last row
// of the page before.
func TestHackerearthGolden(t *testing.T) {
	rows := golden(t, "HackerEarth")
	want := map[string]goldenRow{}
	var list []string
	for _, r := range slices.Backward(rows) {
		id := r.View[strings.LastIndex(r.View, "/")+1:]
		if _, twice := want[id]; !twice {
			list = append(list, heMade(id, strings.TrimPrefix(r.Link, hackerearthHome), r.Name, heVerdicts[r.Status], r.Lang,
				r.at(t).Format("2006-01-02 15:04:05-07:00")))
		}
		want[id] = r
	}
	for _, l := range []heList{{list, 20, 1}, {list, 21, 0}, {list, 5, 2}, {list, 112, 0}, {list, 200, 0}} {
		subs, _, err := heRead(t, Account{Handle: "tryingtocode"}, l.serve)
		if err != nil || len(ids(t, subs)) != 112 {
			t.Fatalf("pages of %d: %d rows, error %v, want 112", l.most, len(subs), err)
		}
		for _, s := range subs {
			w := want[s.ID]
			if !s.At.Equal(w.at(t)) || s.Problem.URL != w.Link || s.Problem.Name != strings.TrimSpace(w.Name) || s.Status != w.Status ||
				s.Language != w.Lang || s.URL != w.View {
				t.Errorf("%+v, want %+v", s, w)
			}
			wantSound(t, s)
			if link, ok := Recognise(s.Problem.URL); !ok || link.Key != s.Problem.Key {
				t.Errorf("%s is %+v, want the problem %s", s.Problem.URL, link, s.Problem.Key)
			}
		}
	}
}

func TestHackerearthGoldenRatings(t *testing.T) {
	want := goldenRatings(t, "HackerEarth")
	var events []map[string]any
	for _, r := range want {
		events = append(events, map[string]any{"event_start": r.At.at(t).Format("02 Jan 2006, 03:04 PM"), "event_title": r.Name,
			"rating": r.Rating, "rank": r.Rank,
			"event_url": strings.TrimPrefix(r.URL, hackerearthHome)})
	}
	text, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	got, err := hackerearth{}.Ratings(t.Context(), &fake{t: t, serve: always(200,
		"<script> var dataset = "+string(text)+"; var x = [1];</script>")}, Account{Handle: "tryingtocode"})
	if err != nil || len(got) != 2 || got[0].At.After(got[1].At) {
		t.Fatalf("%+v, error %v, want 2", got, err)
	}
	for _, r := range got {
		if w := want[r.Name]; r.URL != w.URL || r.Rank != w.Rank || float64(r.Rating) != w.Rating || !r.At.Equal(w.At.at(t)) {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
}

func TestHackerearthRows(t *testing.T) {
	rows := []string{
		heMade("9", "/challenges/competitive/x/algorithm/a-b-1/?ref=1", `A & <B>`, "Something New", "C++14", "2026-03-29 02:30:00+00:00"),
		heMade("8", "/problem/golf/short-2/", "Short", "Newest", "Befunge", "2026-03-29 02:30:00"),
		heMade("7", "https://www.hackerearth.com/problem/algorithm/a-b-1/", "A", "Memory Limit Exceeded", "C",
			"2026-03-29 08:00:00.123456+05:30"),
		heMade("6", "/problem/algorithm/a-b-1/", "A", "In queue", "C", "2026-03-29 02:29:59+00:00"),
	}
	l := heList{rows, 20, 0}
	subs, asked, err := heRead(t, Account{Handle: "ada"}, l.serve)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC)
	url := hackerearthHome + "/submission/"
	want := []Submission{
		{ID: "9", At: at, Problem: Problem{"a-b-1", "A & <B>", hackerearthHome + "/challenges/competitive/x/algorithm/a-b-1/"}, Status: OTH,
			Verdict: "Something New", Language: "C++14", URL: url + "9"},
		{ID: "8", At: at, Problem: Problem{"short-2", "Short", hackerearthHome + "/problem/golf/short-2/"}, Status: OTH, Verdict: "Newest", Language: "Befunge",
			URL: url + "8"},
		{ID: "7", At: at.Add(123456 * time.Microsecond), Problem: Problem{"a-b-1", "A", hackerearthHome + "/problem/algorithm/a-b-1/"},
			Status: MLE, Verdict: "Memory Limit Exceeded", Language: "C", URL: url + "7"},
		{ID: "6", At: at.Add(-time.Second), Problem: Problem{"a-b-1", "A", hackerearthHome + "/problem/algorithm/a-b-1/"}, Status: Pending,
			Verdict: "In queue", Language: "C", URL: url + "6"},
	}
	if !slices.Equal(subs, want) {
		t.Errorf("\n got %+v\nwant %+v", subs, want)
	}
	var addresses []string
	for _, r := range asked {
		addresses = append(addresses, strings.TrimPrefix(r.Address, hackerearthHome))
	}
	feed := "/AJAX/feed/newsfeed/submission/user/ada/?page="
	if want := []string{"/submissions/ada/", feed + "1", feed + "2", feed + "2"}; !slices.Equal(addresses, want) {
		t.Errorf("asked %q, want %q", addresses, want)
	}
	if h := asked[1].Header; h["X-CSRFToken"] != "Abcdef1234567890" || h["Cookie"] != "other=1; csrfToken=Abcdef1234567890" ||
		h["X-Requested-With"] != "XMLHttpRequest" || h["Referer"] == "" {
		t.Errorf("the token is not sent along: %v", h)
	}
}

func TestHackerearthStopsAtCoveredGround(t *testing.T) {
	var rows []string
	for i := range 100 {
		rows = append(rows, heMade(strconv.Itoa(1000-i), "/problem/algorithm/a/", "A", "Accepted", "C",
			cfTime(1000-i).Format("2006-01-02 15:04:05-07:00")))
	}
	l := heList{rows, 20, 1}
	subs, asked, err := heRead(t, Account{Handle: "ada", CoveredAt: cfTime(991), CoveredID: "990"}, l.serve)
	if err != nil || len(subs) != 10 || len(asked) != 2 {
		t.Errorf("%d rows in %d requests, error %v, want 10 in 2", len(subs), len(asked), err)
	}
	for _, end := range []string{`{"status":"error"}`, `{"status":"SUCCESS","data":""}`, `{"status":"SUCCESS","data":" \n"}`, string(hePageOf().Body)} {
		subs, _, err := heRead(t, Account{Handle: "ada"}, func(n int, u *url.URL) Page {
			if u.Query().Get("page") > "5" {
				return Page{200, []byte(end)}
			}
			return l.serve(n, u)
		})
		if err != nil || len(subs) != 100 {
			t.Errorf("a list that ends with %s: %d rows, error %v, want 100", end, len(subs), err)
		}
	}
	// One error in the middle is not the end; two are, and not before what was read earlier.
	for failures, want := range map[int]int{1: 100, 2: 40} {
		left := failures
		subs, _, err := heRead(t, Account{Handle: "ada"}, func(n int, u *url.URL) Page {
			if u.Query().Get("page") == "3" && left > 0 {
				left--
				return heEnd
			}
			return l.serve(n, u)
		})
		if err != nil || len(subs) != want {
			t.Errorf("%d errors in a row: %d rows, error %v, want %d", failures, len(subs), err, want)
		}
	}
	if _, _, err := heRead(t, Account{Handle: "ada", CoveredAt: cfTime(991), CoveredID: "990"}, func(_ int, u *url.URL) Page {
		if strings.HasPrefix(u.Path, "/AJAX/") {
			return heEnd
		}
		return l.serve(0, u)
	}); !errors.Is(err, ErrFormat) {
		t.Errorf("an error instead of a list that was there: %v, want %v", err, ErrFormat)
	}
}

func TestHackerearthAbsence(t *testing.T) {
	login := `<form><input id="id_login"><input type="password" id="id_password"></form>`
	for name, tt := range map[string]struct {
		list, profile int
		body          string
		want          error
	}{
		"gone": {404, 404, "", ErrNoHandle}, "the list has moved": {404, 200, "", ErrFormat}, "strange": {400, 404, "", ErrFormat},
		"a login": {200, 200, login, ErrBlocked},
	} {
		subs, _, err := heRead(t, Account{Handle: "ada"}, func(_ int, u *url.URL) Page {
			if strings.HasPrefix(u.Path, "/@") {
				return Page{tt.profile, nil}
			}
			return Page{tt.list, []byte(tt.body)}
		})
		if !errors.Is(err, tt.want) || len(subs) > 0 {
			t.Errorf("%s: error %v, want %v", name, err, tt.want)
		}
	}
	get := &fake{t: t, serve: always(200, "<html></html>")} // Without a cookie.
	if _, err := all(hackerearth{}.Submissions(t.Context(), get, Account{Handle: "ada"})); !errors.Is(err, ErrFormat) {
		t.Errorf("without a token: error %v, want %v", err, ErrFormat)
	}
	if subs, _, err := heRead(t, Account{Handle: "ada"}, (&heList{}).serve); err != nil || len(subs) > 0 {
		t.Errorf("who has submitted nothing: %d rows, error %v", len(subs), err)
	}
}

func TestHackerearthBadAnswers(t *testing.T) {
	at := "2026-03-29 02:30:00+00:00"
	thrice := func(row string) Page { return hePageOf(row, row, row) }
	for _, p := range []Page{
		{200, []byte(`{}`)}, {200, []byte(`[]`)}, {200, []byte(`{"status":"SUCCESS","data":null}`)},
		{200, []byte(`{"status":"SUCCESS","data":"<p>hello</p>"}`)}, {404, nil},
		thrice(heMade("x", "/problem/algorithm/a/", "A", "Accepted", "C", at)), thrice(heMade("1", "", "A", "Accepted", "C", at)),
		thrice(heMade("1", "/problem/algorithm/a/", "A", "Accepted", "C", "yesterday")),
		thrice(heMade("1", "/problem/algorithm/a/", "A", "Accepted", "C", "1026-03-29 02:30:00")),
		thrice(heMade("1", "/problem/algorithm/a/", "A", "", "C", at)),
		thrice(`<tr id="submission-1"><td>1</td><td>2</td></tr>`),
	} {
		subs, _, err := heRead(t, Account{Handle: "ada"}, func(_ int, u *url.URL) Page {
			if strings.HasPrefix(u.Path, "/AJAX/") {
				return p
			}
			return Page{200, nil}
		})
		if !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%s: %d rows, error %v, want %v", p.Body, len(subs), err, ErrFormat)
		}
	}
	// The first page for ever.
	page := hePageOf(heMade("1", "/problem/algorithm/a/", "A", "Accepted", "C", at))
	if _, asked, err := heRead(t, Account{Handle: "ada"}, func(int, *url.URL) Page { return page }); !errors.Is(err, ErrFormat) ||
		len(asked) > 5 {
		t.Errorf("a site that turns no page: error %v after %d requests", err, len(asked))
	}
	for body, want := range map[string]error{"": nil, " \n": nil, "<script>var dataset = [];</script>": nil, "<html>": ErrFormat,
		"var dataset = null": ErrFormat,
		`var dataset = [{"event_start":"soon","rating":1}]`: ErrFormat, "var dataset = [{": ErrFormat} {
		if ratings, err := (hackerearth{}).Ratings(t.Context(), &fake{t: t, serve: always(200, body)}, Account{Handle: "ada"}); !errors.Is(err,
			want) || len(ratings) > 0 {
			t.Errorf("ratings of %q: %v, error %v, want %v", body, ratings, err, want)
		}
	}
}

func FuzzHackerearth(f *testing.F) {
	f.Add(200, string(hePageOf(heMade("1", "/problem/algorithm/a/", "A", "Accepted", "C", "2026-03-29 02:30:00+00:00")).Body))
	f.Add(200, `var dataset = [{"event_start":"23 Apr 2016, 03:30 PM","event_url":"/a/","rating":"1467","rank":871}]`)
	f.Add(200, `{"status":"SUCCESS","data":"<tbody><tr id=\"a-1\"><td>"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, _, _ := heRead(t, Account{Handle: "ada", CoveredAt: since}, always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		ratings, _ := hackerearth{}.Ratings(t.Context(), &fake{t: t, serve: always(status, body)}, Account{Handle: "ada"})
		for _, r := range ratings {
			if r.Contest == "" || r.At.Before(earliest) || r.At.After(latest) {
				t.Errorf("rating %+v", r)
			}
		}
	})
}
