package archive_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
)

// What is pushed comes back as it was: numbers with all their digits, lists that
// are empty or truncated, null.
func TestAPIArchiveKeepsValues(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "kinds", "id integer, on boolean, since timestamp, share number, name text", "count integer, part number, doc json, mail text", "mail")
	values := func(id, rest string) string {
		return fmt.Sprintf(`{"retrieved_at":"2026-11-21T12:00:00.123456Z","id":%s,"on":true,"since":"2026-01-02T03:04:05.000001+01:00","share":-0.5,"name":"a+b & ü",%s}`, id, rest)
	}
	pushes(t, p, "kinds",
		values("9007199254740993", `"count":-9223372036854775808,"part":0.1,"doc":{"n":9007199254740993,"list":[],"more":[1,2.50,"x",null]},"mail":null`),
		values("9007199254740992", `"count":1e3,"part":null,"doc":[],"mail":null`),
		values("9223372036854775807", `"count":null,"part":1e300,"doc":null,"mail":null`))
	want := []string{
		`{"id":9007199254740992,"name":"a+b \u0026 ü","on":true,"share":-0.5,"since":"2026-01-02T02:04:05.000001Z"} {"count":1000,"doc":[],"mail":null,"part":null}`,
		`{"id":9007199254740993,"name":"a+b \u0026 ü","on":true,"share":-0.5,"since":"2026-01-02T02:04:05.000001Z"} {"count":-9223372036854775808,"doc":{"list":[],"more":[1,2.5,"x",null],"n":9007199254740993},"mail":null,"part":0.1}`,
		`{"id":9223372036854775807,"name":"a+b \u0026 ü","on":true,"share":-0.5,"since":"2026-01-02T02:04:05.000001Z"} {"count":null,"doc":null,"mail":null,"part":1e+300}`,
	}
	body := p.Call("GET", "/archive/kinds", "").Text
	for _, row := range want {
		key, data, _ := strings.Cut(row, " {\"count")
		if !strings.Contains(body, `{"key":`+key+`,"data":{"count`+data) {
			t.Errorf("%s\nlacks %s", body, row)
		}
	}
	for query, n := range map[string]int{
		"id=9007199254740993": 1, "id=9007199254740991": 0, "on=true": 3, "on=false": 0, "share=-0.5": 3, "share=-5e-1&id=9223372036854775807": 1,
		"since=2026-01-02T02:04:05.000001Z": 3, "since=2026-01-02T03:04:05.000001%2B01:00": 3, "since=2026-01-02T02:04:05Z": 0,
		"name=" + url.QueryEscape("a+b & ü"): 3, "name=": 0, "at=2026-11-21T12:00:00.123455Z": 0, "at=2026-11-21T12:00:00.123456Z": 3, "at=2026-11-21": 0, "at=2026-11-22": 3,
		"at=2036-11-22&window=24h&format=json": 3,
	} {
		if got := handlerstest.All[handlers.APIRow](t, p, "/archive/kinds?"+query, "2"); len(got) != n {
			t.Errorf("%s: %d rows, want %d", query, len(got), n)
		}
	}
	// NULL is outside of the unique key, and seen again it is the same row.
	if got := pushes(t, p, "kinds", strings.Replace(values("9007199254740992", `"count":1000.0,"part":null,"doc":[],"mail":null`), "12:00:00", "12:00:01", 1)); got != (handlers.APIPushed{Confirmed: 1}) {
		t.Errorf("again: %+v", got)
	}
	sound(t, s)
}

func TestAPIArchiveQueriesRefuse(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "kinds", "id integer, on boolean, since timestamp, share number, name text", "count integer")
	declares(t, p, "odd", "format text, window text", "")
	for query, field := range map[string]string{
		"player=1": "player", "count=x": "count", "id=one": "id", "id=": "id", "id=1.5": "id", "id=9223372036854775808": "id", "id=1&id=2": "id",
		"on=1": "on", "on=TRUE": "on", "since=now": "since", "since=2026-11-21": "since", "share=NaN": "share", "share=1e999": "share", "share=x": "share",
		"name=%00": "name", "name=%ff": "name", "limit=0": "limit", "limit=501": "limit", "cursor=x": "cursor", "window=12": "window", "window=-5m": "window",
		"format=xml": "format", "id=%zz": "", "Id=1": "Id",
	} {
		p.Call("GET", "/archive/kinds?"+query, "").Refused(t, 422, field)
		p.Call("GET", "/archive/kinds/history?"+query, "").Refused(t, 422, field)
	}
	for _, at := range []string{"yesterday", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9000-01-01"} {
		p.Call("GET", "/archive/kinds?at="+at, "").Refused(t, 422, "at")
	}
	p.Call("GET", "/archive/kinds/history?at=2026-11-21", "").Refused(t, 422, "at")
	p.Call("GET", "/archive?name=kinds", "").Refused(t, 422, "name")
	p.Call("GET", "/archive?cursor=x", "").Refused(t, 422, "cursor")
	p.Call("GET", "/archive/none", "").Refused(t, 404, "")
	p.Call("GET", "/archive/responses", "").Refused(t, 404, "")
	p.Call("GET", "/archive/none/history", "").Refused(t, 404, "")
	p.Call("GET", "/archive/kinds%00", "").Refused(t, 404, "")
	// A key field is what its name means.
	pushes(t, p, "odd", `{"retrieved_at":"`+minute(0)+`","format":"xml","window":"12"}`)
	if n := len(handlerstest.All[handlers.APIRow](t, p, "/archive/odd?format=xml&window=12", "5")); n != 1 || s.Logged.Len() > 0 {
		t.Errorf("%d rows, want 1; the log says %q", n, s.Logged)
	}
}

// A cursor goes on behind the row it was made at, whatever comes before that.
func TestAPIArchiveCursors(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "board text, player integer", "rank integer")
	row := func(m, player int) string {
		return fmt.Sprintf(`{"retrieved_at":%q,"board":"x","player":%d,"rank":%d}`, minute(m), player, m)
	}
	pushes(t, p, "arena", row(10, 1), row(10, 3), row(10, 5), row(10, 7), row(10, 9))
	players := func(l web.List[handlers.APIRow]) (out []string) {
		for _, r := range l.Items {
			out = append(out, fmt.Sprint(r.Key["player"]))
		}
		return out
	}
	list := func(path string) web.List[handlers.APIRow] {
		return handlerstest.Read[web.List[handlers.APIRow]](t, p.Call("GET", path, ""), http.StatusOK)
	}
	now, past := list("/archive/arena?limit=3&board=x"), list("/archive/arena/history?limit=3")
	pushes(t, p, "arena", row(5, 2), row(20, 5), row(12, 8)) // Before, behind, and one row changed.
	for name, tt := range map[string]struct{ path, want string }{
		"rows":    {"/archive/arena?limit=3&board=x&cursor=" + now.Next, "7 8 9"},
		"history": {"/archive/arena/history?limit=3&cursor=" + past.Next, "7 9 8"},
	} {
		if got := strings.Join(players(list(tt.path)), " "); got != tt.want {
			t.Errorf("%s go on with players %s, want %s", name, got, tt.want)
		}
	}
	if got := strings.Join(players(list("/archive/arena?limit=3&board=x&at="+minute(10))), " "); got != "1 2 3" {
		t.Errorf("at 10: %s", got)
	}
	p.Call("GET", "/archive/arena?cursor="+now.Next, "").Refused(t, 422, "cursor")
	p.Call("GET", "/archive/arena/history?cursor="+now.Next, "").Refused(t, 422, "cursor")
	p.Call("GET", "/archive/arena?board=x&at="+minute(10)+"&cursor="+now.Next, "").Refused(t, 422, "cursor")
	// A row that is gone: the list goes on where it stood.
	pushes(t, p, "arena", row(9, 5)) // Now it is another row that is valid at 10.
	if got := players(list("/archive/arena/history?limit=9&cursor=" + past.Next)); !slices.Contains(got, "7") || !slices.Contains(got, "9") {
		t.Errorf("behind a row that changed: %v", got)
	}
}

// A list is read to its end, however long, in parts of JSON and of CSV; a number
// keeps its digits in the cursor.
func TestAPIArchiveLongLists(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "v integer")
	const n, first = 10_600, int64(9007199254740993)
	for m := range 2 {
		var rows []string
		for i := range int64(n) {
			if m == 0 || i%2 == 0 {
				rows = append(rows, fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"v":%d}`, minute(m), first+i, m))
			}
		}
		pushes(t, p, "arena", rows...)
	}
	for path, want := range map[string]int{"/archive/arena?limit=500&at=" + minute(0): n, "/archive/arena?limit=500": n, "/archive/arena/history?limit=500": n + n/2} {
		seen := map[string]bool{}
		for next, parts := "", 0; parts == 0 || next != ""; parts++ {
			l := handlerstest.Read[web.List[struct {
				Key       struct{ Player int64 }
				ValidFrom string `json:"valid_from"`
			}]](t, p.Call("GET", path+"&cursor="+next, ""), http.StatusOK)
			for _, r := range l.Items {
				seen[fmt.Sprint(r.Key.Player, r.ValidFrom)] = true
			}
			if next = l.Next; len(l.Items) < 500 && next != "" || len(l.Items) == 0 {
				t.Fatalf("%s: part %d has %d rows, next %q", path, parts, len(l.Items), next)
			}
		}
		if len(seen) != want {
			t.Errorf("%s: %d rows, want %d", path, len(seen), want)
		}
	}
	lines := 0
	for next := "/archive/arena?format=csv"; next != ""; {
		a := p.Call("GET", next, "").Is(t, http.StatusOK)
		lines += strings.Count(a.Text, "\n") - 1
		next = strings.TrimSuffix(strings.TrimPrefix(a.Header.Get("Link"), "</api/v1"), `>; rel="next"`)
	}
	if lines != n {
		t.Errorf("%d lines of CSV, want %d", lines, n)
	}
}

func TestAPIArchiveCSV(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player text", "score number, doc json, best integer, set timestamp")
	stores(t, p, "p", 0, `"shards":{"arena":[{"player":"=1+1","score":-1.5,"doc":{"a":"b,\"c\""},"best":9007199254740993,"set":"2026-11-21T12:00:00Z"},{"player":"two, lines\nof it","score":null,"doc":null,"best":null,"set":null}]}`)
	stores(t, p, "p", 5, `"shards":{"arena":[{"player":"=1+1","score":-1.5,"doc":{"a":"b,\"c\""},"best":9007199254740993,"set":"2026-11-21T12:00:00Z"}]}`)
	stores(t, p, "p", 7, `"shards":{"arena":[{"player":"=1+1","score":2,"doc":[],"best":1,"set":null}]}`)
	a := p.Call("GET", "/archive/arena/history?format=csv&player="+url.QueryEscape("=1+1"), "")
	got, err := csv.NewReader(strings.NewReader(a.Text)).ReadAll()
	want := [][]string{
		{"player", "score", "doc", "best", "set", "valid_from", "valid_until", "end_reason", "retrieved", "first_retrieved", "last_retrieved", "retrieved_at"},
		{"'=1+1", "-1.5", `{"a":"b,\"c\""}`, "9007199254740993", minute(0), minute(0), minute(7), "changed", "2", minute(0), minute(5), minute(0) + " " + minute(5)},
		{"'=1+1", "2", "[]", "1", "", minute(7), "", "", "1", minute(7), minute(7), minute(7)},
	}
	if err != nil || handlerstest.JSON(got) != handlerstest.JSON(want) || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("%s: %v\n%v, want\n%v", a.Header.Get("Content-Type"), err, got, want)
	}

	// By Accept, in parts: each leads to the next.
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/archive/arena/history?limit=2", nil)
	r.Header.Set("Accept", "text/csv")
	w := httptest.NewRecorder()
	p.Site.Echo.ServeHTTP(w, r)
	handlerstest.CheckAnswer(t, r, w.Code, w.Result().Header, w.Body.String())
	next, ok := strings.CutPrefix(w.Header().Get("Link"), "</api/v1")
	next, end := strings.CutSuffix(next, `>; rel="next"`)
	if !ok || !end || !strings.Contains(strings.Join(w.Header().Values("Vary"), " "), "Accept") {
		t.Fatalf("Link %q, Vary %q", w.Header().Get("Link"), w.Header().Values("Vary"))
	}
	rest, err := csv.NewReader(strings.NewReader(p.Call("GET", next+"&format=csv", "").Text)).ReadAll()
	if err != nil || len(rest) != 2 || rest[1][1] != "2" {
		t.Errorf("the rest is %v, %v", rest, err)
	}
	if empty := p.Call("GET", "/archive/arena?format=csv&at=2020-01-01", "").Is(t, http.StatusOK).Text; strings.Count(empty, "\n") != 1 {
		t.Errorf("no rows: %q", empty)
	}
}
