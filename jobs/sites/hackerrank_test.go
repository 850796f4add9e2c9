package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func hrRead(t *testing.T, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(hackerrank{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

// An hrList is a list, newest first, behind a server that gives pages of at most
// most rows and names the next one by a cursor.
type hrList struct {
	rows []string // As JSON.
	most int
}

func (l *hrList) serve(_ int, u *url.URL) Page {
	q := u.Query()
	from, _ := strconv.Atoi(strings.TrimPrefix(q.Get("cursor"), "c"))
	limit, _ := strconv.Atoi(q.Get("limit"))
	to := min(from+min(limit, l.most), len(l.rows))
	cursor := fmt.Sprintf("%q", fmt.Sprint("c", to))
	return Page{Status: 200, Body: fmt.Appendf(nil, `{"models":[%s],"cursor":%s,"last_page":%t}`, strings.Join(l.rows[from:to], ","), cursor,
		to == len(l.rows))}
}

// hrMany returns n rows, newest first, one a minute.
func hrMany(n int) []string {
	var rows []string
	for i := n - 1; i >= 0; i-- {
		rows = append(rows, fmt.Sprintf(`{"name":"P %d","url":"/challenges/p-%d","ch_slug":"p-%d","con_slug":"master","created_at":%q}`, i, i, i,
			cfTime(i).Format("2006-01-02T15:04:05.000Z")))
	}
	return rows
}

// The 76 rows of a real account, in pages as the site has them.
func TestHackerrankGolden(t *testing.T) {
	rows := golden(t, "HackerRank")
	var page []string
	for _, r := range slices.Backward(rows) {
		path := strings.TrimPrefix(r.Link, "https://www.hackerrank.com")
		parts := pathParts(path)
		contest := "master"
		if parts[0] == "contests" {
			contest = parts[1]
		}
		text, err := json.Marshal(map[string]string{"url": path, "name": r.Name, "created_at": r.at(t).Format("2006-01-02T15:04:05.000Z"),
			"ch_slug": parts[len(parts)-1], "con_slug": contest})
		if err != nil {
			t.Fatal(err)
		}
		page = append(page, string(text))
	}
	for _, most := range []int{1, 5, 20, 100} {
		subs, _, err := hrRead(t, Account{Handle: "tryingtocode"}, (&hrList{page, most}).serve)
		if err != nil || len(subs) != 76 {
			t.Fatalf("%d rows, error %v, want 76", len(subs), err)
		}
		slices.Reverse(subs)
		ids(t, subs)
		for i, s := range subs {
			want := rows[i]
			if !s.At.Equal(want.at(t)) || s.Problem.URL != want.Link || s.Problem.Name != want.Name || s.Status != want.Status {
				t.Errorf("row %d is %+v, want %+v", i, s, want)
			}
			wantSound(t, s)
			if link, ok := Recognise(s.Problem.URL); !ok || link.Key != s.Problem.Key {
				t.Errorf("%s is %+v, want the problem %s", s.Problem.URL, link, s.Problem.Key)
			}
		}
	}
}

func TestHackerrankGoldenRatings(t *testing.T) {
	want := goldenRatings(t, "HackerRank")
	var events []map[string]any
	for _, r := range want {
		rating, err := strconv.ParseFloat(r.Rating.(string), 64)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, map[string]any{"date": r.At.at(t).Format("2006-01-02T15:04:05.000Z"), "rating": rating, "rank": r.Rank,
			"contest_slug": strings.TrimPrefix(r.URL, "https://www.hackerrank.com/"), "contest_name": r.Name})
	}
	body, err := json.Marshal(map[string]any{"models": []any{map[string]any{"category": "Algorithms", "events": events}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := hackerrank{}.Ratings(t.Context(), &fake{t: t, serve: always(200, string(body))}, Account{Handle: "tryingtocode"})
	if err != nil || len(got) != 4 || !slices.IsSortedFunc(got, func(a, b Rating) int { return a.At.Compare(b.At) }) {
		t.Fatalf("%d ratings, error %v, want 4, oldest first", len(got), err)
	}
	for _, r := range got {
		w := want[r.Name]
		exact, _ := strconv.ParseFloat(w.Rating.(string), 64)
		if r.URL != w.URL || r.Rank != w.Rank || r.Rating != int(math.Round(exact)) || !r.At.Equal(w.At.at(t)) {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
}

// One challenge in two contests is two rows, one row that comes on two pages one.
func TestHackerrankRows(t *testing.T) {
	body := `{"models":[
		{"name":" A <b> ","url":"/contests/w7/challenges/a","ch_slug":"a","con_slug":"w7","created_at":"2020-02-03T04:05:06.789Z"},
		{"name":"A","url":"/challenges/a","ch_slug":"a","con_slug":"master","created_at":"2020-02-03T09:35:06.000+05:30"},
		{"name":"A","url":"/challenges/a","ch_slug":"a","con_slug":"master","created_at":"2020-02-03T09:35:06.000+05:30"},
		{"url":"/challenges/only-an-address","created_at":"2020-02-01T00:00:00+00:00","new_field":{}}],"cursor":null,"last_page":true}`
	subs, asked, err := hrRead(t, Account{Handle: "ada"}, always(200, body))
	if err != nil {
		t.Fatal(err)
	}
	second := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
	want := []Submission{
		{ID: "w7/a", At: second.Add(789 * time.Millisecond), Problem: Problem{"w7/a", "A <b>",
			"https://www.hackerrank.com/contests/w7/challenges/a"}, Status: AC, Verdict: "Accepted",
			Contest: ContestRef{Key: "w7", URL: "https://www.hackerrank.com/contests/w7"}, Participation: InUnknown},
		{ID: "master/a", At: second, Problem: Problem{"a", "A", "https://www.hackerrank.com/challenges/a"}, Status: AC, Verdict: "Accepted",
			Participation: InPractice},
		{ID: "master/only-an-address", At: time.Date(2020, 2, 1, 0, 0, 0, 0, time.UTC),
			Problem: Problem{"only-an-address", "", "https://www.hackerrank.com/challenges/only-an-address"}, Status: AC, Verdict: "Accepted",
			Participation: InPractice},
	}
	if !slices.Equal(subs, want) {
		t.Errorf("\n got %+v\nwant %+v", subs, want)
	}
	if want := "https://www.hackerrank.com/rest/hackers/ada/recent_challenges?limit=100&response_version=v2&cursor=null"; len(asked) != 1 ||
		asked[0] != want {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

func TestHackerrankSameHistoryWhateverThePage(t *testing.T) {
	for _, length := range []int{0, 1, 2, 19, 20, 21, 100, 101, 137} {
		for _, most := range pageSizes(length) {
			list := &hrList{hrMany(length), most}
			for _, since := range []time.Time{{}, time.Unix(1500000000, 0)} {
				subs, asked, err := hrRead(t, Account{Handle: "ada", CoveredAt: since}, list.serve)
				if err != nil || len(ids(t, subs)) != length {
					t.Fatalf("%d rows, pages of %d: read %d in %d requests, error %v", length, most, len(subs), len(asked), err)
				}
			}
		}
	}
}

func TestHackerrankStopsAtCoveredGround(t *testing.T) {
	list := &hrList{hrMany(500), 100}
	for _, tt := range []struct{ fresh, requests int }{{1, 1}, {19, 1}, {20, 2}, {50, 3}} {
		subs, asked, err := hrRead(t, Account{Handle: "ada", CoveredAt: cfTime(500 - tt.fresh)}, list.serve)
		if err != nil || len(subs) != tt.fresh || len(asked) != tt.requests {
			t.Errorf("%d rows in %d requests, error %v, want %d in %d", len(subs), len(asked), err, tt.fresh, tt.requests)
		}
	}
}

// A first reading that is interrupted goes on where it was, and reads last what
// was solved meanwhile.
func TestHackerrankGoesOn(t *testing.T) {
	list := &hrList{hrMany(300), 100}
	a := Account{Handle: "ada"}
	first, err := allPages(hackerrank{}.Submissions(t.Context(), &fake{t: t, serve: func(n int, u *url.URL) Page {
		if n == 2 {
			return Page{Status: 200, Body: []byte(`<html>`)}
		}
		return list.serve(n, u)
	}}, a))
	if err == nil || len(first.Rows) != 200 || first.Resume == "" {
		t.Fatalf("%d rows, error %v, resume from %q; want 200, an error and a place", len(first.Rows), err, first.Resume)
	}
	a.ResumeFrom = first.Resume
	list.rows = append(hrMany(303)[:3], list.rows...)
	second, asked, err := hrRead(t, a, func(n int, u *url.URL) Page { // The cursor stands for a row, not for a number.
		if n == 0 {
			return (&hrList{list.rows[3:], 100}).serve(n, u)
		}
		return list.serve(n, u)
	})
	if err != nil || len(asked) != 2 {
		t.Fatalf("%d requests, error %v, want 2", len(asked), err)
	}
	got := map[string]bool{}
	for _, s := range append(first.Rows, second...) {
		got[s.ID] = true
	}
	if len(got) != 303 {
		t.Errorf("%d rows in both readings, want 303", len(got))
	}
	a.ResumeFrom = "17 gone"
	anew, asked, err := hrRead(t, a, func(n int, u *url.URL) Page {
		if n == 0 {
			return Page{Status: 400}
		}
		return list.serve(n, u)
	})
	if err != nil || len(anew) != 303 || len(asked) != 5 {
		t.Errorf("a cursor that is not known: %d rows by %d requests, error %v, want all of them", len(anew), len(asked), err)
	}
	if last, err := allPages(hackerrank{}.Submissions(t.Context(), &fake{t: t, serve: always(400, "")}, a)); err == nil || last.Resume != "" {
		t.Errorf("nothing is known any more: error %v, resume from %q, want an error and no place", err, last.Resume)
	}
}

// A 404 proves absence only where the profile is missing, too.
func TestHackerrankAbsence(t *testing.T) {
	for name, tt := range map[string]struct {
		profile int
		want    error
	}{"gone": {404, ErrNoHandle}, "the list has moved": {200, ErrFormat}, "strange": {400, ErrFormat}} {
		serve := func(_ int, u *url.URL) Page {
			if strings.HasSuffix(u.Path, "/profile") {
				return Page{Status: tt.profile, Body: []byte(`{"model":{"username":"ada"}}`)}
			}
			return Page{Status: 404, Body: []byte(`{"status":false}`)}
		}
		if _, asked, err := hrRead(t, Account{Handle: "ada"}, serve); !errors.Is(err, tt.want) || len(asked) != 2 {
			t.Errorf("%s: error %v after %q, want %v", name, err, asked, tt.want)
		}
		if _, err := (hackerrank{}).Ratings(t.Context(), &fake{t: t, serve: serve}, Account{Handle: "ada"}); !errors.Is(err, tt.want) {
			t.Errorf("%s: ratings: error %v, want %v", name, err, tt.want)
		}
	}
}

func TestHackerrankBadAnswers(t *testing.T) {
	row := hrMany(1)[0]
	for _, body := range []string{
		`{}`, `[]`, `{"models":null,"last_page":true}`, `{"models":{},"last_page":true}`, `{"models":[null],"last_page":true}`,
		`{"models":[],"cursor":"x","last_page":false}`,
		`{"models":[{"ch_slug":"a","created_at":"yesterday"}],"last_page":true}`,
		`{"models":[{"created_at":"2020-01-01T00:00:00Z"}],"last_page":true}`,
		`{"models":[{"ch_slug":"a","created_at":"1020-01-01T00:00:00Z"}],"last_page":true}`,
		`{"models":[{"ch_slug":7,"created_at":"2020-01-01T00:00:00Z"}],"last_page":true}`,
	} {
		if subs, _, err := hrRead(t, Account{Handle: "ada"}, always(200, thrice(body))); !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%s: %d rows, error %v, want %v", body, len(subs), err, ErrFormat)
		}
	}
	for name, serve := range map[string]server{
		"one cursor": always(200, `{"models":[`+row+`],"cursor":"x","last_page":false}`),
		"no cursor":  always(200, `{"models":[`+row+`],"cursor":null,"last_page":false}`),
		"new cursors": func(n int, _ *url.URL) Page {
			return Page{Status: 200, Body: fmt.Appendf(nil, `{"models":[%s],"cursor":"%d","last_page":false}`, row, n)}
		},
	} {
		if _, asked, err := hrRead(t, Account{Handle: "ada"}, serve); !errors.Is(err, ErrFormat) || len(asked) > 5 {
			t.Errorf("%s: error %v after %d requests, want %v", name, err, len(asked), ErrFormat)
		}
	}
}

func TestHackerrankProfile(t *testing.T) {
	serve := func(model, days string) server {
		return func(_ int, u *url.URL) Page {
			if strings.HasSuffix(u.Path, "/profile") {
				return Page{Status: 200, Body: []byte(model)}
			}
			return Page{Status: 200, Body: []byte(days)}
		}
	}
	for _, tt := range []struct{ name, model, days, want string }{
		{"all", `{"model":{"username":"ada","name":"Ada L","country":"India","school":""}}`, `{"2020-01-01":3,"2020-01-02":"4"}`,
			`{"Rating":null,"Rank":null,"Counts":{"Solved":null,"Submitted":7},"Name":{"Name":"Ada L"},"Place":{"Country":"India","Organisation":null},"Title":null}`},
		{"days as seconds", `{"model":{"username":"ada"}}`, `{"1577836800":3}`,
			`{"Rating":null,"Rank":null,"Counts":{"Solved":null,"Submitted":3},"Name":null,"Place":null,"Title":null}`},
	} {
		if got, asked, err := profileOf(t, hackerrank{}, Account{Handle: "ada"}, serve(tt.model, tt.days)); got != tt.want || err != nil ||
			len(asked) != 2 {
			t.Errorf("%s: %s, error %v, asked %q; want %s", tt.name, got, err, asked, tt.want)
		}
	}
	for _, bad := range [][2]string{{`{"model":{"username":"ada"}}`, `{"2020-01-01":-1}`}, {`{"model":{"username":"ada"}}`, `[]`},
		{`{"model":null}`, `{}`}, {`{}`, `{}`}} {
		if got, _, err := profileOf(t, hackerrank{}, Account{Handle: "ada"}, serve(bad[0], bad[1])); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %s, error %v, want %v", bad, got, err, ErrFormat)
		}
	}
}

// Ratings of several categories are told apart.
func TestHackerrankCategories(t *testing.T) {
	body := `{"models":[{"category":"Algorithms","events":[{"date":"2020-01-02T00:00:00.000Z","rating":1500.5,"rank":3,"contest_slug":"w1","contest_name":"Week 1"}]},
		{"category":"Functional Programming","events":[{"date":"2020-01-01T00:00:00.000Z","rating":1400,"rank":4,"contest_slug":"l1","contest_name":"Lambda 1"},
			{"date":"2020-01-03T00:00:00.000Z","rating":1300,"rank":5,"contest_slug":null,"contest_name":"A &amp; B"},{"date":"2020-01-04T00:00:00.000Z","rating":1200,"rank":6}]}]}`
	got, err := hackerrank{}.Ratings(t.Context(), &fake{t: t, serve: always(200, body)}, Account{Handle: "ada"})
	want := []Rating{
		{"Functional Programming/l1", "Lambda 1 (Functional Programming)", "https://www.hackerrank.com/l1", 4, 1400,
			time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"w1", "Week 1", "https://www.hackerrank.com/w1", 3, 1501, time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)},
		{"Functional Programming/A & B", "A & B (Functional Programming)", "https://www.hackerrank.com/", 5, 1300,
			time.Date(2020, 1, 3, 0, 0, 0, 0, time.UTC)},
		{"Functional Programming/2020-01-04T00:00:00.000Z", "2020-01-04T00:00:00.000Z (Functional Programming)", "https://www.hackerrank.com/",
			6, 1200, time.Date(2020, 1, 4, 0, 0, 0, 0, time.UTC)},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, error %v, want %+v", got, err, want)
	}
}

func FuzzHackerrank(f *testing.F) {
	f.Add(200, `{"models":[`+strings.Join(hrMany(3), ",")+`],"cursor":"x","last_page":true}`)
	f.Add(200, `{"models":[{"category":"Algorithms","events":[{"date":"2020-01-02T00:00:00.000Z","rating":1e300,"rank":3}]}]}`)
	f.Add(200, `{"model":{"username":"ada"},"2020-01-01":1}`)
	f.Add(404, ``)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, _, _ := hrRead(t, Account{Handle: "ada", CoveredAt: since}, always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		ratings, _ := hackerrank{}.Ratings(t.Context(), &fake{t: t, serve: always(status, body)}, Account{Handle: "ada"})
		for _, r := range ratings {
			if r.At.Before(earliest) || r.At.After(latest) || r.Rating < -1e6 || r.Rating > 1e6 {
				t.Errorf("rating %+v", r)
			}
		}
		_, _, _ = profileOf(t, hackerrank{}, Account{Handle: "ada"}, always(status, body))
	})
}
