package static

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHandler(t *testing.T) {
	styles := Assets().Styles
	if styles == "" {
		t.Fatal("there are no styles")
	}
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, r)
		return w
	}

	w := get(styles)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/css; charset=utf-8" || w.Body.Len() == 0 {
		t.Errorf("%s = %d %s, %d bytes", styles, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
	}
	if got := w.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("Cache-Control = %q", got)
	}
	if again := get(styles, "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("with the ETag = %d, want 304", again.Code)
	}
	if small := get(styles, "Accept-Encoding", "gzip, br"); all()[styles].small != nil &&
		(small.Header().Get("Content-Encoding") != "gzip" || small.Body.Len() >= w.Body.Len()) {
		t.Errorf("compressed: %q, %d of %d bytes", small.Header().Get("Content-Encoding"), small.Body.Len(), w.Body.Len())
	}
	for _, path := range []string{"/static/", "/static/.gitkeep", "/static/manifest.json", "/static/../static.go", "/static/app.css"} {
		if w := get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s = %d, want 404", path, w.Code)
		}
	}
}
