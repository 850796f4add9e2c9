package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
)

// The plain address is its own time gate, and says where its states are.
func TestMementos(t *testing.T) {
	t.Parallel()
	h := &Base{URL: "https://laurel.test"}
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
	find := func(at time.Time) (Mementos, error) {
		m := Mementos{Original: "/x", TimeMap: "/x/timemap", First: day(1), Last: day(3)}
		for n := 1; n <= 3; n++ {
			if !day(n).After(at) {
				m.At = day(n)
			}
		}
		return m, nil
	}
	for _, tt := range []struct{ name, query, accept, want string }{
		{"without the header", "", "", "not answered"},
		{"a memento stays what it is", "?at=2026-11-01T12:00:00Z", "Mon, 02 Nov 2026 12:00:00 GMT", "not answered"},
		{"between two", "", "Tue, 03 Nov 2026 11:59:59 GMT", "/x?at=2026-11-02T12%3A00%3A00Z"},
		{"before the first", "", "Tue, 03 Nov 2015 11:59:59 GMT", "/x?at=2026-11-01T12%3A00%3A00Z"},
		{"after the last", "", "Tue, 03 Nov 2037 11:59:59 GMT", "/x?at=2026-11-03T12%3A00%3A00Z"},
		{"unreadable", "", "yesterday", "400"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := echo.New()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x"+tt.query, nil)
			if tt.accept != "" {
				r.Header.Set("Accept-Datetime", tt.accept)
			}
			w := httptest.NewRecorder()
			answered, err := h.TimeGate(e.NewContext(r, w), find)
			got := w.Header().Get("Location")
			switch {
			case err != nil && strings.Contains(err.Error(), "code=400"):
				got = "400"
			case err != nil:
				t.Fatal(err)
			case !answered:
				got = "not answered"
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if vary := w.Header().Get("Vary"); (vary != "") != (tt.query == "") {
				t.Errorf("Vary: %q", vary)
			}
		})
	}
}

func TestMementoLinks(t *testing.T) {
	t.Parallel()
	h := &Base{URL: "https://laurel.test"}
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
	w := httptest.NewRecorder()
	c := echo.New().NewContext(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x?at=2026-11-02T13:00:00Z", nil), w)
	h.SetMementoHeaders(c, Mementos{Original: "/x", TimeMap: "/x/timemap", First: day(1), Prev: day(1), At: day(2), Last: day(2)})
	if got, want := w.Header().Get("Memento-Datetime"), "Mon, 02 Nov 2026 12:00:00 GMT"; got != want {
		t.Errorf("Memento-Datetime: %s, want %s", got, want)
	}
	want := `<https://laurel.test/x>; rel="original timegate", ` +
		`<https://laurel.test/x/timemap>; rel="timemap"; type="application/link-format"; from="Sun, 01 Nov 2026 12:00:00 GMT"; until="Mon, 02 Nov 2026 12:00:00 GMT", ` +
		`<https://laurel.test/x?at=2026-11-01T12%3A00%3A00Z>; rel="first prev memento"; datetime="Sun, 01 Nov 2026 12:00:00 GMT", ` +
		`<https://laurel.test/x?at=2026-11-02T12%3A00%3A00Z>; rel="last memento"; datetime="Mon, 02 Nov 2026 12:00:00 GMT"`
	if got := w.Header().Get("Link"); got != want {
		t.Errorf("Link: %s\nwant %s", got, want)
	}
}
