package archive_test

import (
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

// Lists go in and out as JSON and CSV, and pages tell an empty one, a cut one and none apart.
func TestAPILists(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "topics", "board text", "threads list")
	pushes(t, p, "topics",
		`{"retrieved_at":"`+minute(0)+`","board":"x","threads":["a","b"]}`,
		`{"retrieved_at":"`+minute(1)+`","board":"x","threads":{"items":["b","c"],"size":10}}`,
		`{"retrieved_at":"`+minute(2)+`","board":"x","threads":[]}`,
		`{"retrieved_at":"`+minute(3)+`","board":"x","threads":null}`)
	p.Call("POST", "/archive/topics", `[{"retrieved_at":"`+minute(4)+`","board":"x","threads":{"items":["a"]}}]`).Refused(t, 422, "0.threads")
	p.Call("GET", "/archive/topics?threads=a", "").Refused(t, 422, "threads")
	text := p.Call("GET", "/archive/topics/history", "").Text
	for _, want := range []string{`"size":2,"complete":true,"items":["a","b"]`, `"size":10,"complete":false,"items":["b","c"]`, `"size":0,"complete":true,"items":[]`, `"threads":null`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	csv := p.Call("GET", "/archive/topics/history?format=csv", "").Text
	declares(t, p, "copied", "board text", "threads list")
	p.With("POST", "/archive/copied", csv, "Content-Type", "text/csv").Is(t, 200)
	if again := p.Call("GET", "/archive/copied/history?format=csv", "").Text; again != csv {
		t.Errorf("from a file came\n%s\nwant\n%s", again, csv)
	}
	page := s.Browser(t)
	page.Get("/archive/topics/history?board=x").Is(t, 200, "2 items: a, b", "first 2 of 10 items: b, c", "empty list")
	page.Get("/archive/topics/diff?from="+minute(0)+"&until="+minute(1)).Is(t, 200, "2 items → first 2 of 10 items (added c; removed a)")
	page.Get("/archive/topics?at="+minute(2)).Is(t, 200, "empty list")
	sound(t, s)
}
