package main

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// pageStates are the pages beside those that an address alone shows.
func pageStates(code string) []state {
	return []state{
		{name: "home-visitor", path: "/", status: 200},
		{name: "today-empty", path: "/", viewer: "grace", status: 200},
		{name: "today-running", path: "/", viewer: "running", status: 200},
		{name: "today-failing", path: "/", viewer: "failing", status: 200},
		{name: "leaderboard-week", path: "/leaderboard?in=week", viewer: "ada", status: 200},
		{name: "leaderboard-rating", path: "/leaderboard?by=rating:codeforces", status: 200},
		{name: "leaderboard-before", path: "/leaderboard?at=2010-01", viewer: "ada", status: 200},
		{name: "profile-visitor", path: "/u/ada", status: 200},
		{name: "profile-empty", path: "/u/grace", viewer: "grace", status: 200},
		{name: "profile-empty-visitor", path: "/u/grace", status: 200},
		{name: "profile-pending", path: "/u/pending", viewer: "pending", status: 200},
		{name: "profile-running", path: "/u/running", viewer: "running", status: 200},
		{name: "profile-invalid", path: "/u/wrong", viewer: "wrong", status: 200},
		{name: "profile-partly", path: "/u/partly", viewer: "partly", status: 200},
		{name: "profile-failing", path: "/u/failing", viewer: "failing", status: 200},
		{name: "profile-failing-visitor", path: "/u/failing", status: 200},
		{name: "profile-quiet", path: "/u/quiet", viewer: "quiet", status: 200},
		{name: "profile-custom", path: "/u/star", viewer: "ada", status: 200},
		{name: "submissions-filtered", path: "/u/ada/submissions?site=codeforces&status=WA", status: 200},
		{name: "submissions-none", path: "/u/ada/submissions?problem=nothing+of+the+kind", status: 200},
		{name: "submissions-mistake", path: "/u/ada/submissions?from=yesterday", status: 422},
		{name: "submissions-empty", path: "/u/grace/submissions", viewer: "grace", status: 200},
		{name: "days-earlier", path: "/u/ada/days?until=2025-11-30", status: 200},
		{name: "days-empty", path: "/u/grace/days", status: 200},
		{name: "ratings-empty", path: "/u/grace/ratings", status: 200},
		{name: "history", path: "/u/ada?at=now", status: 200},
		{name: "history-evidence", path: "/u/ada?at=now&show=evidence", status: 200},
		{name: "history-before", path: "/u/ada?at=2020-01-01", status: 200},
		{name: "history-later", path: "/u/ada?at=2100-01-01", viewer: "ada", status: 200},
		{name: "history-never", path: "/u/grace?at=now", status: 200},
		{name: "history-failing", path: "/u/failing?at=now", status: 200},
		{name: "history-long-values", path: "/u/star?at=now&show=evidence", viewer: "ada", status: 200},
		{name: "history-mistake", path: "/u/ada?at=soon", status: 422},
		{name: "diff", path: "/u/ada/diff?from=2020-01-01", status: 200},
		{name: "archive-visitor", path: "/archive", status: 200},
		{name: "shard-filtered", path: "/archive/account_rating?site=codeforces", status: 200},
		{name: "shard-empty", path: "/archive/account_rating?at=2020-01-01", status: 200},
		{name: "shard-later", path: "/archive/ladder?ladder=solved&player=ada&at=2020-01-01", status: 200},
		{name: "shard-declared", path: "/archive/arena", viewer: "ada", status: 200},
		{name: "shard-declared-visitor", path: "/archive/arena", status: 200},
		{name: "shard-never", path: "/archive/account_rating?site=codeforces&handle=nobody-at-all", status: 200},
		{name: "shard-mistake", path: "/archive/account_rating?at=soon", status: 422},
		{name: "shard-none", path: "/archive/none", status: 404},
		{name: "timeline-partly", path: "/archive/account_rating/history?site=codeforces", status: 422},
		{name: "declare-refused", path: "/archive/declare", viewer: "ada", status: 422, button: "Declare", form: map[string]string{"declaration": `{"name": "Bad name", "keys": 1}`}},
		{name: "looks-refused", path: "/looks?outcome=refused", status: 200},
		{name: "looks-mistake", path: "/looks?since=soon", status: 422},
		{name: "ladder-before", path: "/ladders/solved?at=2020-01-01", status: 200},
		{name: "ladder-none", path: "/ladders/none", status: 404},
		{name: "ladder-diff", path: "/ladders/solved/diff?from=2020-01-01", status: 200},
		{name: "looks-failed", path: "/looks?failed=1", status: 200},
		{name: "looks-of", path: "/looks?viewer=ada&day=2020-01-01", status: 200},
		{name: "sites-visitor", path: "/sites", status: 200},
		{name: "canary-refused", path: "/sites", viewer: "ada", status: 422, button: "Add", form: map[string]string{"handle": "no handle!", "least": "3"}},
		{name: "settings-handles-refused", path: "/settings", viewer: "grace", status: 422, button: "Save handles", form: map[string]string{"accounts.codeforces": "not a handle!", "accounts.uva": "fine"}},
		{name: "settings-person-refused", path: "/settings/profile", viewer: "grace", status: 422, button: "Save", form: map[string]string{"time_zone": "Atlantis"}},
		{name: "settings-password-refused", path: "/settings/security", viewer: "grace", status: 422, button: "Change password", form: map[string]string{"current_password": "wrong", "password": "x"}},
		{name: "settings-token-refused", path: "/settings/data", viewer: "grace", status: 422, button: "Create token", form: map[string]string{"label": ""}},
		{name: "settings-token-made", path: "/settings/data", viewer: "ada", status: 200, button: "Create token", form: map[string]string{"label": "shown once"}},
		{name: "settings-saved", path: "/settings/profile?done=person", viewer: "ada", status: 200},
		{name: "custom-refused", path: "/custom", viewer: "grace", status: 422, button: "Follow", form: map[string]string{"name": "a b", "time_zone": "Atlantis"}},
		{name: "following-empty", path: "/following", viewer: "grace", status: 200},
		{name: "following-refused", path: "/following", viewer: "grace", status: 422, button: "Follow", form: map[string]string{"name": "grace"}},
		{name: "report", path: "/report?member=ada", viewer: "grace", status: 200},
		{name: "feed-empty", path: "/feed", viewer: "grace", status: 200},
		{name: "admin", path: "/admin", viewer: "ada", status: 200},
		{name: "admin-invited", path: "/admin/invitations", viewer: "ada", status: 200, button: "Create an invitation", form: map[string]string{"guest": "Grace"}},
		{name: "admin-members", path: "/admin/members", viewer: "ada", status: 200},
		{name: "admin-found-nobody", path: "/admin/members?q=nobody", viewer: "ada", status: 200},
		{name: "admin-member", path: "/admin/members/grace", viewer: "ada", status: 200},
		{name: "admin-member-refused", path: "/admin/members/grace", viewer: "ada", status: 422, button: "Save", form: map[string]string{"time_zone": "Atlantis"}},
		{name: "admin-access", path: "/admin/access", viewer: "ada", status: 200},
		{name: "admin-archive", path: "/admin/archive", viewer: "ada", status: 200},
		{name: "admin-import", path: "/admin/import", viewer: "ada", status: 200},
		{name: "admin-community", path: "/admin/community", viewer: "ada", status: 200},
		{name: "admin-not-allowed", path: "/admin", viewer: "grace", status: 403},
		{name: "settings-add-refused", path: "/settings", viewer: "grace", status: 422, button: "Add", form: map[string]string{"address": "https://elsewhere.example/x"}},
		{name: "forgot", path: "/forgot", status: 200},
		{name: "sign-in", path: "/sign-in", status: 200},
		{name: "sign-in-first", path: "/settings", status: 200},
		{name: "sign-in-refused", path: "/sign-in", status: 422, button: "Sign in", form: map[string]string{"name": "ada", "password": "wrong"}},
		{name: "sign-up", path: "/sign-up?code=" + code, status: 200},
		{name: "sign-up-refused-fields", path: "/sign-up?code=" + code, status: 422, button: "Sign up", form: map[string]string{"name": "ada", "password": "short"}},
		{name: "sign-up-without-code", path: "/sign-up", status: 200},
		{name: "too-often", path: "/u/quiet", viewer: "quiet", status: 429, post: "/u/quiet/retrieve"},
		{name: "not-found", path: "/u/nobody", status: 404},
		{name: "nothing", path: "/no/such/address", viewer: "grace", status: 404},
	}
}

// cookies are made once for each member: hashing passwords takes its time.
var cookies sync.Map

// cookieOf is the cookie of a member who signed in; nil of a visitor.
func (l *laurel) cookieOf(t *testing.T, name string) *http.Cookie {
	t.Helper()
	if name == "" {
		return nil
	}
	once, _ := cookies.LoadOrStore(l.URL+" "+name, sync.OnceValue(func() *http.Cookie { return l.cookie(t, name) }))
	return once.(func() *http.Cookie)()
}

// exec runs a statement with the time and other named values.
func (l *laurel) exec(t *testing.T, statement string, values ...any) {
	t.Helper()
	args := map[string]any{"now": l.clock.now()}
	for i := 0; i+1 < len(values); i += 2 {
		args[values[i].(string)] = values[i+1]
	}
	if err := l.db.Exec(statement, args).Error; err != nil {
		t.Fatal(err)
	}
}

// routes are the addresses of all pages, as an admin sees them.
func (s *sample) routes(t *testing.T) []state {
	t.Helper()
	var all []state
	for _, r := range s.echo(nil).Routes() {
		path := addressOf(r.Path)
		if r.Method != http.MethodGet || strings.HasSuffix(path, "/events") || strings.Contains(path, "*") {
			continue
		}
		status, page := s.get(t, path)
		if strings.HasPrefix(page, "<!doctype html>") {
			name, _, _ := strings.Cut(path, "?")
			all = append(all, state{name: "route" + strings.ReplaceAll(name, "/", "-"), path: path, viewer: "ada", status: status})
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d pages are routes: %v", len(all), all)
	}
	return all
}

// addressOf is an address that a route has, with what it is about.
func addressOf(route string) string {
	for prefix, name := range map[string]string{"/custom/": "star", "/archive/": "account_totals", "/ladders/": "solved"} {
		if strings.HasPrefix(route, prefix) {
			route = strings.ReplaceAll(route, ":name", name)
		}
	}
	route = strings.ReplaceAll(route, ":slug", "explorer")
	switch route = strings.ReplaceAll(route, ":name", "ada"); route {
	case "/archive/account_totals/history":
		return route + "?member=ada&site=codeforces"
	case "/ladders/solved/climb":
		return route + "?player=ada"
	case "/admin/awards/explorer/members":
		return route + "?member=ada"
	}
	return route
}

// get asks as the admin and returns the status and the beginning of the answer.
func (s *sample) get(t *testing.T, path string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(s.cookieOf(t, "ada"))
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	begin := make([]byte, 100)
	n, _ := io.ReadFull(res.Body, begin) // A short answer is one, too.
	return res.StatusCode, strings.ToLower(string(begin[:n]))
}
