package handlers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/accounts"
	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/members"
)

// filled is an address of a route, about ann.
func filled(r web.Route) string {
	return strings.NewReplacer(":name", "ann", ":site", "uva", ":slug", "x", ":source", "x", ":id", "1", ":list", "1", "*", "x").Replace(r.Path)
}

func TestEveryAnswerHasTheHeaders(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.Browser(t)
	check := func(name string, a handlerstest.Answer) {
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if got := a.Header.Get("Content-Security-Policy"); !strings.Contains(got, want) {
				t.Errorf("%s: Content-Security-Policy %q lacks %q", name, got, want)
			}
		}
		if strings.Contains(a.Header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: the policy is unsafe", name)
		}
		for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Strict-Transport-Security": ""} {
			if got := a.Header.Get(header); got != want {
				t.Errorf("%s: %s %q, want %q", name, header, got, want)
			}
		}
		if c := a.Cookies(); len(c) > 0 {
			t.Errorf("%s: sets %v for a visitor", name, c)
		}
		if a.StatusCode >= 500 || strings.Contains(a.Text, "<script>") || strings.Contains(a.Text, "style=\"") {
			t.Errorf("%s: status %d\n%s", name, a.StatusCode, a.Text)
		}
	}
	for _, r := range s.Routes() {
		if !r.Streams {
			check(r.Method+" "+r.Path, b.Do(r.Method, filled(r), nil))
		}
	}
	for _, path := range []string{"/nothing", "/u/nobody", "/u/a%00b", "/u/%2e%2e", "/u/a%2Fb", "/u/%ff", "/static/../go.mod", "/api/v1/nothing"} {
		check(path, b.Get(path).Is(t, http.StatusNotFound))
	}
	check("wrong method", b.Do(http.MethodDelete, "/settings", nil))
	check("HEAD", b.Do(http.MethodHead, "/", nil).Is(t, http.StatusOK))
	if s.Logged.Len() > 0 {
		t.Errorf("the log says:\n%s", s.Logged)
	}
}

func TestEveryChangeRefusesAForeignPage(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleAdmin)
	b := s.SignedIn(t, "ann")
	for _, r := range s.Routes() {
		if r.Method == "GET" {
			continue
		}
		for _, header := range [][]string{
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
			{"Origin", "http://evil.test"},
			{"Origin", "null"},
			{"Sec-Fetch-Site", "cross-site", "Authorization", "Basic eDp5"},
		} {
			if a := b.Do(r.Method, filled(r), nil, header...); a.StatusCode != http.StatusForbidden {
				t.Errorf("%s %s with %v: status %d, want 403", r.Method, r.Path, header, a.StatusCode)
			}
		}
		if !strings.HasPrefix(r.Path, "/api/") {
			if a := b.Do(r.Method, filled(r), nil, "Sec-Fetch-Site", "cross-site", "Authorization", "Bearer x"); a.StatusCode != http.StatusForbidden {
				t.Errorf("%s %s with a token: status %d, want 403", r.Method, r.Path, a.StatusCode)
			}
		}
	}
	b.Get("/settings").Is(t, http.StatusOK) // Nothing of it happened, sign-out among it.
}

func TestEveryRouteAsksForItsRole(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	s.Member(t, "bob", members.RoleMember)
	visitor, other := s.Browser(t), s.SignedIn(t, "bob")
	for _, r := range s.Routes() {
		if r.Streams {
			continue
		}
		status := visitor.Do(r.Method, filled(r), nil).StatusCode
		switch {
		case slices.Contains([]web.Role{web.Public, web.Door, web.Anyone, web.Feed}, r.Role):
			if status == http.StatusUnauthorized || status == http.StatusForbidden {
				t.Errorf("%s %s: status %d for a visitor", r.Method, r.Path, status)
			}
		case r.Method == "GET" && r.Role != web.Local && !strings.HasPrefix(r.Path, "/api/"):
			if status != http.StatusSeeOther {
				t.Errorf("%s %s: status %d for a visitor, want to be led to the sign-in", r.Method, r.Path, status)
			}
		case status != http.StatusUnauthorized && r.Path != "/metrics":
			t.Errorf("%s %s: status %d for a visitor, want 401", r.Method, r.Path, status)
		}
		if r.Role == web.Admin || r.Role == web.Support || r.Role == web.Local {
			if status := other.Do(r.Method, filled(r), nil).StatusCode; status != http.StatusForbidden {
				t.Errorf("%s %s: status %d for a member, want 403", r.Method, r.Path, status)
			}
		}
	}
	if _, err := members.ByName(t.Context(), s.DB.DB, "ann"); err != nil {
		t.Error(err)
	}
}

// forSupport is all that support may use beyond what a member may.
var forSupport = []string{
	"GET /admin/support", "GET /admin/awards/:slug/members", "GET /admin/awards/:slug/members/:name", "POST /admin/awards/:slug/members/:name/by-hand",
	"GET /admin/events", "GET /api/v1/admin/members/:name/awards/:slug/explain", "POST /api/v1/admin/members/:name/awards/:slug/grant",
	"POST /api/v1/admin/members/:name/awards/:slug/revoke", "GET /api/v1/admin/sources", "GET /api/v1/admin/events/dead",
}

// Support walks all addresses that are not for everybody: only those of the list answer.
func TestSupportReachesOnlyWhatItMay(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	sue := s.Member(t, "sue", members.RoleSupport)
	people, program := s.SignedIn(t, "sue"), s.Program(t, sue)
	var reached []string
	for _, r := range s.Routes() {
		if r.Role != web.Admin && r.Role != web.Support && r.Role != web.Local && !strings.Contains(r.Path, "/admin/") {
			continue
		}
		path, api := strings.CutPrefix(filled(r), "/api/v1")
		var status int
		if api {
			status = program.Call(r.Method, path, "{}").StatusCode
		} else {
			status = people.Do(r.Method, path, nil).StatusCode
		}
		if status != http.StatusForbidden {
			reached = append(reached, r.Method+" "+r.Path)
		}
		if status >= 500 {
			t.Errorf("%s %s: status %d", r.Method, r.Path, status)
		}
	}
	want := slices.Clone(forSupport)
	slices.Sort(want)
	slices.Sort(reached)
	if !slices.Equal(reached, want) {
		t.Errorf("support reaches\n%s\nwant\n%s", strings.Join(reached, "\n"), strings.Join(want, "\n"))
	}
}

// aboutOthers are the routes of members that are about somebody else by what they are.
var aboutOthers = regexp.MustCompile(`^(/u/:name/(follow|unfollow|block|unblock)|/following/requests/:name/(allow|decline))$`)

// Every other route with a member's name that asks for a member is about one's own.
func TestAMemberChangesNobodyElse(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ann := s.Member(t, "ann", members.RoleMember)
	s.Member(t, "bob", members.RoleMember)
	star := members.Member{Name: "star", Custom: true}
	if err := accounts.Add(t.Context(), s.DB.DB, s.BuiltIn, accounts.New{Member: &star, Handles: map[string]string{"uva": "star"}, By: &ann}, s.Time); err != nil {
		t.Fatal(err)
	}
	bob := s.SignedIn(t, "bob")
	for _, r := range s.Routes() {
		if r.Role != web.Member || !strings.Contains(r.Path, ":name") || strings.HasPrefix(r.Path, "/api/") || aboutOthers.MatchString(r.Path) {
			continue
		}
		for _, name := range []string{"ann", "star"} {
			path := strings.Replace(filled(r), "/ann", "/"+name, 1)
			if a := bob.Do(r.Method, path, nil); a.StatusCode != http.StatusForbidden {
				t.Errorf("bob asks %s %s: status %d, want 403", r.Method, path, a.StatusCode)
			}
		}
	}
}

func TestMetricsAreForThisMachineAndAdmins(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ann := s.Member(t, "ann", members.RoleAdmin)
	here := s.Browser(t)
	here.From = "127.0.0.1:4711"
	here.Get("/metrics").Is(t, http.StatusOK, "laurel_up")
	if status := here.Get("/metrics", "X-Forwarded-For", "203.0.113.7").StatusCode; status == http.StatusOK {
		t.Error("a proxy on this machine opens the metrics to everybody")
	}
	for _, asAdmin := range []bool{true, false} {
		token, err := members.CreateToken(t.Context(), s.DB.DB, ann.ID, "metrics", asAdmin, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[asAdmin]
		s.Browser(t).Get("/metrics", "Authorization", "Bearer "+token).Is(t, want)
		if status := s.Browser(t).Get("/settings", "Authorization", "Bearer "+token).StatusCode; status != http.StatusSeeOther {
			t.Errorf("a token opens a page: status %d", status)
		}
	}
	s.Browser(t).Get("/metrics", "Authorization", "Bearer laurel_x").Is(t, http.StatusUnauthorized)
}

func TestErrors(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	cause := error(nil)
	fail := func(echo.Context) error { return cause }
	s.Echo = echo.New()
	s.Base.Register(s.Echo, []web.Route{
		web.Get("/fail", web.Public, fail), web.Get("/api/v1/fail", web.Public, fail), web.Get("/panic", web.Public, func(echo.Context) error { panic("at the disco") }),
	})
	for _, tt := range []struct {
		name   string
		err    error
		status int
		page   string
		json   string
	}{
		{"input", &pg.InputError{Field: "time_zone", Message: "no such zone"}, 422, "No such zone.", `{"error":{"code":"invalid","field":"time_zone","message":"No such zone."}}`},
		{"not found", pg.ErrNotFound, 404, "mistyped", `"code":"not_found"`},
		{"limit", &pg.Error{Code: pg.CodeLimited, Message: "too many knocks", After: 90e9}, 429, "Too many knocks. Try again in 2 minutes.", `"code":"limited"`},
		{"conflict", fmt.Errorf("shard a: %w", archive.ErrDeclared), 409, "choose another name", `"code":"conflict","field":""`},
		{"too large", &http.MaxBytesError{Limit: 1}, 413, "at most 1 MB", `"code":"request_entity_too_large"`},
		{"ours", echo.NewHTTPError(http.StatusConflict, "it was changed meanwhile"), 409, "It was changed meanwhile.", `"code":"conflict"`},
		{"slow", context.DeadlineExceeded, 503, "took too long", `"code":"service_unavailable"`},
		{"broken", errors.New("secret: pg down"), 500, "went wrong on our side", `"code":"internal"`},
	} {
		cause = tt.err
		a := s.Browser(t).Get("/fail").Is(t, tt.status, tt.page, "</html>")
		s.Browser(t).Get("/api/v1/fail").Is(t, tt.status, tt.json)
		if strings.Contains(a.Text, "secret") {
			t.Errorf("%s: the page tells the cause", tt.name)
		}
		if (tt.status == 429) != (a.Header.Get("Retry-After") != "") && tt.status != 503 {
			t.Errorf("%s: Retry-After %q", tt.name, a.Header.Get("Retry-After"))
		}
	}
	if !strings.Contains(s.Logged.String(), "secret: pg down") || strings.Contains(s.Logged.String(), "knocks") {
		t.Errorf("the log holds what is broken and nothing else, got:\n%s", s.Logged)
	}
	s.Browser(t).Get("/panic").Is(t, 500, "went wrong on our side")
	if !strings.Contains(s.Logged.String(), "at the disco") {
		t.Error("a panic leaves no line in the log")
	}
}

func TestNobodyReadsTheAnswerToAClientThatLeft(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ctx, cancel := context.WithCancel(t.Context())
	s.Echo = echo.New()
	s.Base.Register(s.Echo, []web.Route{web.Get("/slow", web.Public, func(c echo.Context) error { cancel(); return c.Request().Context().Err() })})
	w := httptest.NewRecorder()
	s.Echo.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/slow", nil))
	if w.Code != 499 || s.Logged.Len() > 0 {
		t.Errorf("status %d, log %q; want 499 and silence", w.Code, s.Logged)
	}
}

func TestBrokenForms(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	b := s.Browser(t)
	const form = "application/x-www-form-urlencoded"
	b.Do(http.MethodPost, "/sign-in", strings.NewReader("name=%zz"), "Content-Type", form).Is(t, http.StatusBadRequest, "could not be read")
	b.Do(http.MethodPost, "/sign-in", strings.NewReader("name="+strings.Repeat("x", web.MaxBody)), "Content-Type", form).Is(t, http.StatusRequestEntityTooLarge, "1 MB")
	b.Do(http.MethodPost, "/sign-in", strings.NewReader("{}"), "Content-Type", "application/json").Is(t, http.StatusUnprocessableEntity)
}
