package archive_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
)

// arena is a declared shard with the history of two players.
func arena(t *testing.T) (*handlerstest.Site, handlerstest.Program) {
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player text", "rank integer, score number", "rank")
	row := func(m int, player string, rank, score int) string {
		return fmt.Sprintf(`{"retrieved_at":%q,"player":%q,"rank":%d,"score":%d}`, minute(m), player, rank, score)
	}
	pushes(t, p, "arena", row(0, "ada", 1, 1000), row(5, "ada", 1, 1000), row(10, "ada", 2, 1000), row(10, "bob", 1, 1500), row(20, "cy", 3, 10))
	return s, p
}

// Every shard is its own time gate, as a page and in the API.
func TestMementosOfAnyShard(t *testing.T) {
	t.Parallel()
	s, p := arena(t)
	b := s.Browser(t)
	at := func(m int) string {
		when, _ := time.Parse(time.RFC3339, minute(m))
		return when.UTC().Format(http.TimeFormat)
	}
	for _, base := range []string{"/archive/arena", "/api/v1/archive/arena"} {
		for m, want := range map[int]int{-5: 0, 0: 0, 7: 5, 12: 10, 60: 20} {
			a := b.Get(base, "Accept-Datetime", at(m))
			if to := a.Header.Get("Location"); a.StatusCode != http.StatusFound || to != base+"?at="+url.QueryEscape(minute(want)) {
				t.Errorf("%s as of minute %d: %d to %q, want minute %d", base, m, a.StatusCode, to, want)
			} else if state := b.Get(to); state.Header.Get("Memento-Datetime") != at(want) || !strings.Contains(state.Header.Get("Link"), `rel="original timegate"`) {
				t.Errorf("%s: state of %q, links %q", to, state.Header.Get("Memento-Datetime"), state.Header.Get("Link"))
			}
		}
		if a := b.Get(base+"?player=bob", "Accept-Datetime", at(15)); !strings.Contains(a.Header.Get("Location"), "player=bob&at="+url.QueryEscape(minute(10))) {
			t.Errorf("%s of bob: to %q", base, a.Header.Get("Location"))
		}
		if a := b.Get(base); a.Header.Get("Memento-Datetime") != "" || !strings.Contains(strings.Join(a.Header.Values("Vary"), " "), "accept-datetime") {
			t.Errorf("%s: %v", base, a.Header)
		}
		a := b.Get(base + "/timemap?player=ada")
		if n := strings.Count(a.Text, `memento"`); a.StatusCode != http.StatusOK || n != 3 || a.Header.Get("Content-Type") != web.LinkFormat {
			t.Errorf("%s: TimeMap with %d states:\n%s", base, n, a.Text)
		}
		b.Get(base+"/timemap?nobody=x").Is(t, http.StatusUnprocessableEntity)
	}
	b.Get("/archive/arena", "Accept-Datetime", "yesterday").Is(t, http.StatusBadRequest)
	p.Call("GET", "/archive/none/timemap", "").Refused(t, 404, "")
}

// What is to come is told as last known.
func TestReadingsOfTimesToCome(t *testing.T) {
	t.Parallel()
	s, p := arena(t)
	coming := s.Now().AddDate(1, 0, 0).UTC().Format(time.RFC3339)
	a := p.Call("GET", "/archive/arena?at="+coming, "")
	rows := handlerstest.Read[web.List[handlers.APIRow]](t, a, http.StatusOK)
	if len(rows.Items) != 3 || rows.Items[0].Certainty != "last_known" || a.Header.Get("Last-Known-At") == "" {
		t.Errorf("%+v, header %q", rows.Items, a.Header.Get("Last-Known-At"))
	}
	rows = handlerstest.Read[web.List[handlers.APIRow]](t, p.Call("GET", "/archive/arena?at="+minute(7), ""), http.StatusOK)
	if len(rows.Items) != 1 || rows.Items[0].Certainty != "last_known" {
		t.Errorf("%+v", rows.Items)
	}
	b := s.Browser(t)
	b.Get("/archive/arena?at="+coming).Is(t, http.StatusOK, "This time is still to come", "as last known on")
	s.Base.Now = func() time.Time { // As clocks do.
		s.Time = s.Time.Add(time.Microsecond)
		return s.Time
	}
	if page := b.Get("/archive/arena").Is(t, http.StatusOK); strings.Contains(page.Text, "still to come") {
		t.Error("now is still to come")
	}
}

func TestDiffOfAnyShard(t *testing.T) {
	t.Parallel()
	s, p := arena(t)
	type difference struct {
		Key         map[string]any
		Change      string
		Fields      []string
		From, Until *struct{ Data map[string]any }
	}
	got := handlerstest.All[difference](t, p, "/archive/arena/diff?from="+minute(0)+"&until="+minute(30), "2")
	text, _ := json.Marshal(got)
	const want = `[{"Key":{"player":"ada"},"Change":"changed","Fields":["rank"],"From":{"Data":{"rank":1,"score":1000}},"Until":{"Data":{"rank":2,"score":1000}}},` +
		`{"Key":{"player":"bob"},"Change":"new","Fields":[],"From":null,"Until":{"Data":{"rank":1,"score":1500}}},` +
		`{"Key":{"player":"cy"},"Change":"new","Fields":[],"From":null,"Until":{"Data":{"rank":3,"score":10}}}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	for query, field := range map[string]string{"": "from", "?from=x": "from", "?from=2026-11-22&until=2026-11-21": "until", "?from=2026-11-21&rank=1": "rank"} {
		p.Call("GET", "/archive/arena/diff"+query, "").Refused(t, 422, field)
	}
	b := s.Browser(t)
	b.Get("/archive/arena/diff?from="+minute(0)+"&until="+minute(30)).Is(t, http.StatusOK, "rank 1 → 2", "rank 1, score 1500", `name="until"`)
	b.Get("/archive/arena/diff?from="+minute(11)+"&until="+minute(12)).Is(t, http.StatusOK, "No changes found")
	b.Get("/archive/arena/diff?from=x").Is(t, http.StatusUnprocessableEntity)
	b.Get("/archive/arena?at="+minute(7)).Is(t, http.StatusOK, "What changed", "/archive/arena/diff?from=")
}

func TestFeedOfAnyShard(t *testing.T) {
	t.Parallel()
	_, p := arena(t)
	read := func(cursor string) (keys []string, next string) {
		a := p.Call("GET", "/archive/arena/changes?limit=2&cursor="+cursor, "")
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "application/x-ndjson" {
			t.Fatalf("%d %s", a.StatusCode, a.Text)
		}
		next = cursor
		for l := range strings.Lines(a.Text) {
			var c struct {
				Gone   bool
				Key    map[string]any
				Data   map[string]any
				Cursor string
			}
			if err := json.Unmarshal([]byte(l), &c); err != nil {
				t.Fatal(err)
			}
			keys, next = append(keys, fmt.Sprint(c.Key["player"], " ", c.Data["rank"], " ", c.Gone)), c.Cursor
		}
		return keys, next
	}
	all := func(cursor string) (got string, last string) {
		for {
			some, next := read(cursor)
			if len(some) == 0 {
				return got, cursor
			}
			got, cursor = got+strings.Join(some, ", ")+"; ", next
		}
	}
	got, last := all("")
	if want := "ada 1 false, ada 2 false; bob 1 false, cy 3 false; "; got != want {
		t.Errorf("from the beginning %q, want %q", got, want)
	}
	pushes(t, p, "arena", fmt.Sprintf(`{"retrieved_at":%q,"player":"cy","rank":3,"score":10}`, minute(25)))
	if got, _ := all(last); got != "" {
		t.Errorf("a sighting changes %q", got)
	}
	pushes(t, p, "arena", fmt.Sprintf(`{"retrieved_at":%q,"player":"cy","rank":3,"score":10}`, minute(15))) // It begins earlier.
	if got, _ := all(last); got != "cy <nil> true, cy 3 false; " {
		t.Errorf("a late sighting changes %q", got)
	}
	a := p.Call("GET", "/archive/arena/changes?format=atom", "")
	if n := strings.Count(a.Text, "<entry>"); n != 4 || !strings.Contains(a.Text, "ada: rank 2, score 1000") {
		t.Errorf("Atom:\n%s", a.Text)
	}
	p.Call("GET", "/archive/arena/changes?cursor=x", "").Refused(t, 422, "cursor")
}

// What is exported as CSV can be pushed to another shard, and is the same there.
func TestCSVThereAndBack(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	for _, name := range []string{"one", "two"} {
		declares(t, p, name, "id integer, name text", "on boolean, since timestamp, share number, doc json, note text")
	}
	pushes(t, p, "one",
		`{"retrieved_at":"2026-11-21T12:00:00.000001Z","id":9007199254740993,"name":"=1+1, \"ü\"","on":true,"since":"2026-01-02T03:04:05Z","share":0.1,"doc":{"a":[1,2.5]},"note":"-x"}`,
		`{"retrieved_at":"2026-11-21T12:05:00Z","id":9007199254740993,"name":"=1+1, \"ü\"","on":true,"since":"2026-01-02T03:04:05Z","share":0.1,"doc":{"a":[1,2.5]},"note":"-x"}`,
		`{"retrieved_at":"2026-11-21T12:06:00Z","id":1,"name":"","on":null,"since":null,"share":null,"doc":null,"note":null}`)
	file := p.Call("GET", "/archive/one/history?format=csv", "").Text
	pushCSV := func(body string) handlerstest.Answer {
		return p.With("POST", "/archive/two", body, "Content-Type", "text/csv")
	}
	if a := pushCSV(file); a.StatusCode != http.StatusOK {
		t.Fatalf("%d %s\n%s", a.StatusCode, a.Text, file)
	}
	one, two := p.Call("GET", "/archive/one/history", "").Text, p.Call("GET", "/archive/two/history", "").Text
	if one != two {
		t.Errorf("two has\n%s\nwant\n%s", two, one)
	}
	for body, words := range map[string]string{
		"": "the file is empty", "id,name\n": "retrieved_at", "retrieved_at,id,name,on,since,share,doc,note,more\n": "no field has the name",
		"retrieved_at,id,name,on,since,share,doc,note\n2026-11-21T12:00:00Z,one,x,true,,,,\n": "line 2",
		"retrieved_at,id,name,on,since,share,doc,note\n,1,x,true,,,,\n":                       "when was it seen",
		"retrieved_at,id,name,on,since,share,doc,note\n2026-11-21T12:00:00Z,1,x,yes,,,,\n":    "neither true nor false",
	} {
		if a := pushCSV(body); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text, words) {
			t.Errorf("%q: %d %s, want %q", body, a.StatusCode, a.Text, words)
		}
	}
	sound(t, s)
}

// The clients of the guide do what it says.
func TestClientOfTheGuide(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	const client = "../../docs/guide/archive_client.py"
	text, err := os.ReadFile(client)
	if err != nil || strings.Count(string(text), "\n") > 50 {
		t.Fatalf("%d lines, %v", strings.Count(string(text), "\n"), err)
	}
	s, p := arena(t)
	server := httptest.NewServer(s.Echo)
	defer server.Close()
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), python, append([]string{client}, args...)...)
		cmd.Env = append(os.Environ(), "LAUREL="+server.URL, "TOKEN="+p.Token)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if got := run("at", "arena", minute(7)); !strings.Contains(got, "ada") || strings.Contains(got, "bob") {
		t.Errorf("at: %s", got)
	}
	if got := run("diff", "arena", minute(0), minute(30)); strings.Count(got, "\n") != 3 {
		t.Errorf("diff: %s", got)
	}
	if got := run("follow", "arena"); strings.Count(got, "\n") != 4 {
		t.Errorf("follow: %s", got)
	}
	if got := run("push", "arena", fmt.Sprintf(`[{"retrieved_at":%q,"player":"dee","rank":9,"score":1}]`, minute(30))); !strings.Contains(got, "'inserted': 1") {
		t.Errorf("push: %s", got)
	}
}
