package archive_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

// FuzzArchive asks and tells the archive anything: it may refuse, and never fails.
func FuzzArchive(f *testing.F) {
	const row = `"ladder":"x","player":"y","rank":1,"score":1.5`
	for _, tt := range [][2]string{
		{"", `{"name":"s","key":[{"name":"k","type":"integer"}],"data":[{"name":"v","type":"json"}],"unique":[["k","v"]],"scope":["k"]}`},
		{"", `{"name":"s","title":"t","key":[{"name":"k","type":"text"},{"name":"l","type":"timestamp"}],"unique":[["l"]],"scope":["l"]}`},
		{"/ladder", `[{"retrieved_at":"2026-11-21T12:00:00Z",` + row + `},{"retrieved_at":"2026-11-21T11:00:00.5+01:00",` + row + `}]`},
		{"/ladder", `[{"retrieved_at":"2026-11-21T12:00:00Z",` + row + `},{"retrieved_at":"2026-11-21T12:00:00Z","ladder":"x","player":"z","rank":1e0,"score":-0}]`},
		{"/responses", `{"source":"a","address":"b","retrieved_at":"0001-01-01T00:00:00Z","shards":{"ladder":[{` + row + `}]},"complete":{"ladder":[{"ladder":"x"}]},"gone":true}`},
		{"/responses", `{"source":"a","viewer":"\u0001","retrieved_at":"2026-11-21T12:00:00Z","outcome":"blocked","message":"\ud83d\ude00"}`},
		{"/ladder?player=y&at=2026-11-21&window=1h&limit=3&format=csv", ""},
		{"/ladder/history?ladder=%00&cursor=WyJoIix7fV0", ""},
		{"/retrievals?member=%ff&since=2026-11-21T12:00:00Z&format=cdx&cursor=MS4x", ""},
		{"/%00", ""},
	} {
		f.Add(tt[0], tt[1])
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		s, token := handlerstest.NewForFuzzing(t)
		for range 2 { // Again: what is there already is another way.
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", strings.NewReader(body))
			if body != "" {
				r.Method = http.MethodPost
			}
			r.URL.Path, r.URL.RawQuery, _ = strings.Cut("/api/v1/archive"+path, "?")
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			s.Echo.ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Fatalf("%s %q: status %d\n%s", path, body, w.Code, s.Logged)
			}
		}
	})
}
