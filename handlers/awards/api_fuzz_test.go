package awards_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/awards"
	"laurel/handlers/handlerstest"
)

const fullAward = `{"slug":"a","title":"A","text":"t","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}},{"name":"RatingFilter","config":{"min":1,"max":2.5}},` +
	`{"name":"ExpressionFilter","config":{"expression":"facts.a > 1"}}],"rule":{"name":"SumRule","config":{"fact":"a","max_per_day":3}}}],` +
	`"strategy":{"goal":2,"operation":"max","strategy":[{"objective_id":"o","normalization_factor":0.5,"goal":2}]},"permanence":"live","backfill":"since:2026-01-01",` +
	`"window":{"every":"week","grace":"1h","zone":"fixed:Europe/Riga"},"levels":[{"title":"I","goal":1},{"title":"II","goal":2}]}`

// rubbish are documents that are no award, each wrong in another way.
func rubbish() map[string]string {
	docs := map[string]string{
		"nothing": "", "space": " \n", "words": "award", "null": "null", "a number": "7", "a text": `"x"`, "a list": "[]", "an empty object": "{}",
		"two": fullAward + fullAward, "a comma behind": strings.TrimSuffix(fullAward, "}") + ",}", "single quotes": "{'slug':'a'}", "a comment": "/* */" + fullAward, "NaN": `{"title":NaN}`,
		"deep lists": strings.Repeat("[", 30_000), "deep objects": strings.Repeat(`{"a":`, 10_000), "a deep strategy": `{"strategy":` + strings.Repeat(`{"goal":1,"strategy":[`, 3000),
		"deep and closed": strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "huge space": strings.Repeat(" ", 900_000), "huge text": `{"title":"` + strings.Repeat("x", 900_000) + `"}`,
		"more than a body": `{"title":"` + strings.Repeat("x", 2<<20) + `"}`, "a huge number": `{"strategy":{"goal":1` + strings.Repeat("0", 60_000) + `}}`, "a huge exponent": `{"strategy":{"goal":1e999999999}}`,
		"many keys": `{"a":1` + strings.Repeat(`,"a":1`, 10_000) + `}`, "many objectives": `{"objectives":[{}` + strings.Repeat(`,{}`, 20_000) + `]}`,
		"a key twice": strings.Replace(fullAward, `"title"`, `"title":"B","title"`, 1), "NUL": strings.Replace(fullAward, `"A"`, `"\u0000"`, 1), "a raw NUL": strings.Replace(fullAward, `"A"`, "\"\x00\"", 1),
		"NUL in a key": strings.Replace(fullAward, `"text"`, `"te\u0000xt"`, 1), "invalid UTF-8": strings.Replace(fullAward, `"A"`, "\"\xff\xfe\"", 1), "half a surrogate": strings.Replace(fullAward, `"A"`, `"\ud800"`, 1),
		"a byte order mark": "\ufeff" + fullAward, "UTF-16": "\xff\xfe{\x00}\x00", "a tag": `<award/>`, "a form": "title=a&slug=b", "a control character": "{\"title\":\"\x01\"}",
		"an expression without an end": strings.Replace(fullAward, "facts.a > 1", strings.Repeat("(", 20_000), 1), "prototype": `{"__proto__":{},"constructor":{}}`,
	}
	for i := 0; i < len(fullAward); i += 11 {
		docs[fmt.Sprint("cut at ", i)] = fullAward[:i]
	}
	return docs
}

func TestAPIAwardsRefuseRubbishWithItsPlace(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	slowest, which := time.Duration(0), ""
	refused := func(name, doc string) (mistaken bool) {
		t.Helper()
		start := time.Now()
		a := s.Boss.Call("PUT", "/admin/awards/a", doc)
		if took := time.Since(start); took > slowest {
			slowest, which = took, name
		}
		var got struct {
			Error struct {
				Field    string
				Mistakes []struct{ Path, Text string }
			}
		}
		if a.StatusCode < 300 {
			return false
		}
		if err := json.Unmarshal([]byte(a.Text), &got); err != nil || a.StatusCode != 422 || got.Error.Field == "" || len(got.Error.Mistakes) == 0 || got.Error.Mistakes[0].Path != got.Error.Field {
			t.Errorf("%s: status %d %.200s, want 422 with a place", name, a.StatusCode, a.Text)
		}
		return true
	}
	for name, doc := range rubbish() {
		if !refused(name, doc) {
			t.Errorf("%s: accepted %.100s", name, doc)
		}
	}
	if refused("a good one", fullAward) {
		t.Error("the good one is refused")
	}
	// Every value of a good one, replaced by one of each other kind.
	var good any
	if err := json.Unmarshal([]byte(fullAward), &good); err != nil {
		t.Fatal(err)
	}
	n := 0
	replaceEach(good, func() {
		doc, _ := json.Marshal(good)
		n++
		refused(string(doc), string(doc)) // A text instead of another one is no mistake.
	})
	t.Logf("%d replaced; the slowest took %s: %.60s", n, slowest, which)
	if s.Logged.Len() > 0 {
		t.Errorf("the server's log says:\n%.2000s", s.Logged)
	}
}

// replaceEach puts values of all kinds into each place below v, and calls try
// with each of them in place.
func replaceEach(v any, try func()) {
	in := func(set func(any), was any) {
		for _, other := range []any{nil, true, -1, 1e300, "\x00x", "", []any{}, map[string]any{}, []any{[]any{}}} {
			set(other)
			try()
		}
		set(was)
		replaceEach(was, try)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, was := range v {
			in(func(x any) { v[key] = x }, was)
		}
	case []any:
		for i, was := range v {
			in(func(x any) { v[i] = x }, was)
		}
	}
}

func TestAPIEventsRefuseRubbish(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	for name, doc := range rubbish() {
		start := time.Now()
		a := s.Boss.Call("POST", "/events", doc)
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Logf("%s took %s", name, took)
		}
		if out := (handlers.APIAppended{}); a.StatusCode == 200 && (json.Unmarshal([]byte(a.Text), &out) != nil || out.Accepted+out.Duplicate > 0 || len(out.Rejected) == 0 && name != "a list") || a.StatusCode >= 500 {
			t.Errorf("%s: %d %.300s", name, a.StatusCode, a.Text)
		}
	}
	if s.Logged.Len() > 0 {
		t.Errorf("the server's log says:\n%.2000s", s.Logged)
	}
}

// FuzzAwards asks and tells awards anything: they may refuse, and never fail.
func FuzzAwards(f *testing.F) {
	f.Add("PUT", "/admin/awards/a?note=n", fullAward)
	f.Add("POST", "/events", `{"source":"photo","id":"1","item":"i","seq":1,"member":"boss","type":"photo","object":"o","status":"active","at":"2026-11-01T12:00:00+01:00","facts":{"n":1.5e3,"l":["a"],"b":true}}`)
	f.Add("POST", "/events", "[1,{}]\n\x00{")
	f.Add("POST", "/admin/awards/import", `{"awards":[{"secret":true,"document":`+fullAward+`},{"document":[]}]}`)
	f.Add("POST", "/admin/awards/x/activate", `{"version":1}`)
	f.Add("POST", "/admin/awards/x/dry-run", `{"version":1e3}`)
	f.Add("POST", "/admin/members/boss/awards/x/grant", `{"note":"n","level":1,"period":"2026-11-01"}`)
	f.Add("POST", "/admin/members/boss/awards/x/revoke", `{"note":"n","period":"0000-00-00"}`)
	f.Add("POST", "/admin/members/boss/ban", `{"note":"\u0000n"}`)
	f.Add("GET", "/admin/members/boss/awards/x/explain?limit=3&items_cursor=WyJpdGVtcyIseyJLZXkiOiJcdTAwMDAifV0&log_cursor=WyJsb2ciLDFd", "")
	f.Add("GET", "/awards?limit=2&cursor=WyJhd2FyZHMiLCJcdTAwMDAiXQ", "")
	f.Add("GET", "/members/boss/awards?cursor=%00", "")
	f.Add("POST", "/admin/sources/%ff/pause", "")
	f.Add("GET", "/admin/events/dead?source=%00&cursor=WyJkZWFkIiwtMV0", "")
	f.Add("PATCH", "/admin/awards/x", `{"secret":null}`)
	f.Add("DELETE", "/admin/awards/%00", "")
	f.Fuzz(func(t *testing.T, method, path, body string) {
		if !strings.Contains(" GET POST PUT PATCH DELETE ", " "+method+" ") {
			return
		}
		s, token := handlerstest.NewForFuzzing(t)
		for _, one := range [][3]string{{http.MethodPut, "/admin/awards/x", onePhoto}, {http.MethodPost, "/admin/awards/x/activate", ""}, {method, path, body}, {method, path, body}} {
			r := httptest.NewRequestWithContext(t.Context(), one[0], "/", strings.NewReader(one[2]))
			r.URL.Path, r.URL.RawQuery, _ = strings.Cut("/api/v1"+one[1], "?")
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			s.Echo.ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Fatalf("%s %q %q: status %d\n%s", one[0], one[1], one[2], w.Code, s.Logged)
			}
		}
	})
}
