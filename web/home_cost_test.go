package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/handlers/profiles"
)

// Today of a busy member, with all cards.
func TestTodayCost(t *testing.T) {
	t.Parallel()
	db, queries := openCounted(t)
	fillBusy(t, db)
	b := &base{settings: settings{URL: "http://127.0.0.1", CrawlRate: 1}, db: db, clock: newClock(1), log: slog.New(slog.DiscardHandler)}
	e := b.echo(profiles.NewProgress())
	in := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sign-in", strings.NewReader("name=sample-1&password=correct+horse+battery"))
	in.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	signed := httptest.NewRecorder()
	e.ServeHTTP(signed, in)
	look := func(path string, cookies []*http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		return w
	}
	for _, page := range []struct {
		path, words string
		cookies     []*http.Cookie
	}{
		{"/", "Retrieve my submissions", signed.Result().Cookies()},
		{"/", "Add your handles", nil},
		{"/leaderboard?in=week", "last 7 days", signed.Result().Cookies()},
	} {
		look(page.path, page.cookies) // The first time a connection is opened.
		for len(queries.sql) > 0 {
			<-queries.sql
		}
		before := queries.n.Load()
		w := look(page.path, page.cookies)
		sent := queries.n.Load() - before
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), page.words) {
			t.Fatalf("%s: %d without %q\n%s", page.path, w.Code, page.words, w.Body)
		}
		t.Logf("%s: %d queries, %d bytes of HTML", page.path, sent, w.Body.Len())
		if sent > mostQueries {
			t.Errorf("%d queries, want at most %d", sent, mostQueries)
		}
		for len(queries.sql) > 0 {
			sql := <-queries.sql
			t.Log(sql[:min(len(sql), 110)])
		}
	}
}
