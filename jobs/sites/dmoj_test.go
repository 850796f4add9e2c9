package sites

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

// A dmojHistory is a host on which ada has rows 1 to n, one a day.
type dmojHistory struct {
	n, page int
	noLast  bool // The host does not know the word "last".
}

const dmojNobody = `{"api_version":"2.0","method":"get","fetched":"","error":{"code":404,"message":"page/object not found"}}`

func (h *dmojHistory) serve(_ int, u *url.URL) Page {
	if u.Path != "/api/v2/submissions" {
		return Page{404, []byte(dmojNobody)}
	}
	pages, n := max(1, (h.n+h.page-1)/h.page), 0
	switch which := u.Query().Get("page"); {
	case which == "last" && !h.noLast:
		n = pages
	default:
		_, _ = fmt.Sscan(which, &n)
	}
	if n < 1 || n > pages {
		return Page{404, []byte(dmojNobody)}
	}
	var rows []string
	for id := (n-1)*h.page + 1; id <= min(n*h.page, h.n); id++ {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"problem":"p%d","user":"ada","date":%q,"language":"C","points":1,"result":"AC"}`, id, id%5,
			dmojBegan.AddDate(0, 0, id).Format(time.RFC3339)))
	}
	return Page{200, fmt.Appendf(nil, `{"api_version":"2.0","data":{"page_index":%d,"total_pages":%d,"total_objects":%d,"objects":[%s]}}`,
		n, pages, h.n, strings.Join(rows, ","))}
}

var dmojBegan = fakesite.UTC("2020-01-01T12:00:00Z")

// asked are the pages that were asked for.
func dmojAsked(f *fake) (pages []string) {
	for _, address := range f.asked {
		u, _ := url.Parse(address) // The fake has read it.
		pages = append(pages, u.Query().Get("page"))
	}
	return pages
}

// A first retrieval reads from the last page to the first, a later one only back to covered ground,
// however long the history is.
func TestDmojReadsBackwards(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		h    dmojHistory
		a    Account
		want string // Pages,
		rows int    // and how many rows they bring.
	}{
		{dmojHistory{n: 25, page: 10}, Account{}, "last 2 1", 25},
		{dmojHistory{n: 20, page: 10}, Account{}, "last 1", 20},
		{dmojHistory{n: 7, page: 10}, Account{}, "last", 7},
		{dmojHistory{n: 25, page: 10, noLast: true}, Account{}, "last 1 3 2 1", 25},
		{dmojHistory{n: 25, page: 10}, Account{CoveredAt: dmojBegan.AddDate(0, 0, 24), CoveredID: "23"}, "last", 2},
		{dmojHistory{n: 31, page: 10}, Account{CoveredAt: dmojBegan.AddDate(0, 0, 24), CoveredID: "23"}, "last 3", 8},
		// Interrupted, it goes on one page back, and reads at last what has come since.
		{dmojHistory{n: 45, page: 10}, Account{ResumeFrom: fmt.Sprint(dmojBegan.AddDate(0, 0, 35).Unix(), " 2")}, "2 1 last 4", 20 + 11},
		// The page is gone, for the site has fewer rows now.
		{dmojHistory{n: 15, page: 10}, Account{ResumeFrom: fmt.Sprint(dmojBegan.AddDate(0, 0, 35).Unix(), " 3")}, "3 last 1 last", 15},
	} {
		tt.a.Handle = "ada"
		get := &fake{t: t, serve: tt.h.serve}
		rows, err := all(dmoj{Host{Base: "https://oj.example"}}.Submissions(t.Context(), get, tt.a))
		if err != nil || strings.Join(dmojAsked(get), " ") != tt.want || len(rows) != tt.rows {
			t.Errorf("%+v, %+v: pages %v with %d rows, %v; want %s with %d", tt.h, tt.a, dmojAsked(get), len(rows), err, tt.want, tt.rows)
		}
		if !slices.IsSortedFunc(rows, func(a, b Submission) int { return b.At.Compare(a.At) }) && tt.a.ResumeFrom == "" {
			t.Errorf("%+v: not newest first", tt.h)
		}
	}
}

// What a host counts is what its last page says.
func TestDmojTotal(t *testing.T) {
	t.Parallel()
	h := dmojHistory{n: 25, page: 10}
	for p, err := range (dmoj{Host{Base: "https://oj.example"}}).Submissions(t.Context(), &fake{t: t, serve: h.serve}, Account{Handle: "ada"}) {
		if err != nil || (p.Total != nil) != (len(p.Rows) == 5) || p.Total != nil && *p.Total != 25 {
			t.Errorf("%d rows, total %v, %v", len(p.Rows), p.Total, err)
		}
	}
}

// The interface's own 404 proves absence; a list that lacks what was in it does not.
func TestDmojNobody(t *testing.T) {
	t.Parallel()
	h := dmojHistory{page: 10}
	for _, a := range []Account{{Handle: "nobody"}, {Handle: "ada", CoveredAt: dmojBegan, CoveredID: "1"}} {
		if _, err := all(dmoj{Host{Base: "https://oj.example"}}.Submissions(t.Context(), &fake{t: t, serve: h.serve}, a)); !errors.Is(err, ErrNoHandle) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	h.n = 3
	for _, serve := range []server{always(404, "<h1>Not Found</h1>"), func(n int, u *url.URL) Page {
		if page := h.serve(n, u); page.Status == 200 {
			return page
		}
		return Page{404, []byte(`{"detail":"not found"}`)}
	}} {
		get := &fake{t: t, serve: serve}
		_, err := all(dmoj{Host{Base: "https://oj.example"}}.Submissions(t.Context(), get, Account{Handle: "bob"}))
		if !errors.Is(err, ErrFormat) {
			t.Errorf("another's list, or another site's 404: %v", err)
		}
	}
}

// refusing is a Getter whose client calls a status an error, as that of jobs does.
type refusing struct {
	*fake
	led string
}

func (r refusing) Ask(ctx context.Context, q Request) (Page, Header, error) {
	page, header, err := r.fake.Ask(ctx, q)
	if page.Status == 401 || page.Status == 403 {
		err = errors.New("the host refuses access")
	}
	return page, header, err
}

func (r refusing) PageAddress() string { return r.led }

// A host that wants a token says so, and so do we; a challenge for browsers is none.
func TestDmojToken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		token  string
		status int
		body   string
		led    string
		want   string // What the error says; "" for another error.
	}{
		{"", 403, `{"api_version":"2.0","error":{"code":403,"message":"login required"}}`, "", "403 login required); give it a token"},
		{"", 403, `<html><h1>403 Forbidden</h1>`, "", "give it a token"},
		{"", 403, ``, "", "give it a token"},
		{"old", 401, `Invalid token`, "", "its token may have ended"},
		{"old", 403, `<html><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/x">`, "", ""},
		{"", 200, `<html><form>Log in</form>`, "https://oj.example/accounts/login/?next=/api/v2/problems", "signing in; give it a token"},
		{"", 200, `<html>`, "https://oj.example/", ""},
	} {
		get := refusing{&fake{t: t, serve: always(tt.status, tt.body)}, tt.led}
		err := dmoj{Host{Base: "https://oj.example", Token: tt.token}}.Check(t.Context(), get)
		if err == nil || errors.Is(err, ErrBlocked) != (tt.want != "") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%d %s: %v, want %q", tt.status, tt.body, err, tt.want)
		}
		if sent := get.questions[0].Header["Authorization"]; tt.token == "" && sent != "" || tt.token != "" && sent != "Bearer "+tt.token {
			t.Errorf("token %q: %q was sent", tt.token, sent)
		}
		if strings.Contains(fmt.Sprint(err), "Bearer") {
			t.Errorf("the token is in %v", err)
		}
	}
}

// A host may be a part of a site.
func TestDmojBelowAPath(t *testing.T) {
	t.Parallel()
	i := dmoj{Host{Name: "school", Base: "https://school.example/judge"}}.Info()
	if l, ok := Recognise("https://school.example/judge/problem/aplusb", i); !ok || l != (Link{"school", LinkProblem, "aplusb"}) {
		t.Errorf("%+v", l)
	}
	for _, address := range []string{"https://school.example/problem/aplusb", "https://judge.example/judge/problem/aplusb"} {
		if l, ok := Recognise(address, i); ok {
			t.Errorf("%s is %+v", address, l)
		}
	}
}

func TestDmojProblems(t *testing.T) {
	t.Parallel()
	d := dmoj{Host{Base: "https://oj.example"}}
	got, err := listNamed(t, d, "problems").Read(t.Context(), &fake{t: t, serve: func(n int, _ *url.URL) Page {
		return Page{200, fmt.Appendf(nil, `{"api_version":"2.0","data":{"page_index":%d,"total_pages":2,"objects":[
			{"code":"p%d","name":" One ","types":["Math","Graph Theory"],"points":2.5},{"code":"both","name":"Both","types":[],"points":null}]}}`, n+1, n)}
	}})
	if err != nil || len(got.Problems) != 3 || *got.Problems[0].Difficulty != 3 || got.Problems[0].Name != "One" || got.Problems[1].Difficulty != nil ||
		got.Problems[2].URL != "https://oj.example/problem/p1" || strings.Join(got.Problems[0].Tags, ",") != "Graph Theory,Math" {
		t.Errorf("%+v, %v", got, err)
	}
}
