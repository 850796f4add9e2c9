// Package handlerstest is a whole Laurel for the tests of its pages, with browsers
// and programs that ask it.
package handlerstest

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers"
	"laurel/handlers/profiles"
	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/views/parts"
)

// A Site is a whole Laurel on a database of its own, without a network.
type Site struct {
	*handlers.Handlers
	Echo   *echo.Echo
	Logged *strings.Builder
	Time   time.Time
}

const Password = "correct horse battery"

// New makes a Laurel that people reach at an address.
func New(t *testing.T, address string) *Site {
	t.Helper()
	// Pages tell hours of today otherwise than those of yesterday.
	s := &Site{Echo: echo.New(), Logged: &strings.Builder{}, Time: time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)}
	db := modelstest.Open(t)
	secret, err := pg.NewSecret(strings.Repeat("secret", 10))
	if err != nil {
		t.Fatal(err)
	}
	base := &web.Base{
		// A slow machine is not a mistake.
		DB: db, Now: func() time.Time { return s.Time },
		Log: slog.New(slog.NewTextHandler(s.Logged, &slog.HandlerOptions{Level: slog.LevelError})), URL: address,
		BuiltIn: []members.Site{
			{Name: "codeforces", Title: "Codeforces", Handle: regexp.MustCompile(`^[A-Za-z0-9._-]{3,24}$`),
				Hint: "3 to 24 letters, digits, . _ -", KeyInName: true,
				Profile: func(h string) string { return "https://codeforces.com/profile/" + h }},
			{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[A-Za-z0-9._-]{1,40}$`), Hint: "1 to 40 letters and digits",
				Streams: true,
				Profile: func(h string) string { return "https://uhunt.onlinejudge.org/u/" + h }},
		},
		Kinds: []members.Kind{{Name: "dmoj", Title: "DMOJ", Home: "https://dmoj.ca", Site: func(name, title, home string) members.Site {
			return members.Site{Name: name, Title: title, Home: home, Handle: regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`),
				Hint: "letters, digits, _", Profile: func(h string) string { return home + "/user/" + h }}
		}}},
		Sessions: web.NewSessions(db, address), Assets: parts.Assets{Styles: "/static/app.css"},
	}
	s.Handlers = &handlers.Handlers{
		Base: base, Progress: profiles.NewProgress(), CoolDown: time.Minute, Secret: secret,
		ForumKinds: []string{"hyperkitty", "pipermail"}, Ready: func(*http.Request) error { return nil },
		Static:  http.NotFoundHandler(),
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "laurel_up 1\n") }),
	}
	s.Register(s.Echo)
	return s
}

// Restart lets the pages know what was changed of what the program gives them.
func (s *Site) Restart() {
	s.Echo = echo.New()
	s.Register(s.Echo)
}

// Member makes a registered member with the password good.
func (s *Site) Member(t *testing.T, name, role string) members.Member {
	t.Helper()
	hash, err := members.HashPassword(t.Context(), Password)
	if err != nil {
		t.Fatal(err)
	}
	m := members.Member{Name: name, Role: role, PasswordHash: hash}
	if err := members.Create(t.Context(), s.DB.DB, &m, s.Time); err != nil {
		t.Fatal(err)
	}
	return m
}

// A Browser keeps cookies. Its requests say where they come from, as those of a
// real one do.
type Browser struct {
	T       *testing.T
	site    *Site
	From    string // The address it has.
	Cookies map[string]string
}

// Browser returns a browser without cookies.
func (s *Site) Browser(t *testing.T) *Browser {
	return &Browser{t, s, "203.0.113.7:4711", map[string]string{}}
}

// An Answer is a response with its body read.
type Answer struct {
	*http.Response
	Text string
}

// Get asks for a page.
func (b *Browser) Get(path string, header ...string) Answer {
	b.T.Helper()
	return b.Do(http.MethodGet, path, nil, header...)
}

// Post sends a form: name, value, ...
func (b *Browser) Post(path string, fields ...string) Answer {
	b.T.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.Do(http.MethodPost, path, strings.NewReader(form.Encode()), "Content-Type", "application/x-www-form-urlencoded",
		"Sec-Fetch-Site", "same-origin")
}

// Do sends a request, with cookies.
func (b *Browser) Do(method, path string, body io.Reader, header ...string) Answer {
	b.T.Helper()
	r := httptest.NewRequestWithContext(b.T.Context(), method, b.site.URL+path, body)
	r.RemoteAddr = b.From
	for name, value := range b.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.site.Echo.ServeHTTP(w, r)
	res := w.Result()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(b.Cookies, c.Name)
		} else {
			b.Cookies[c.Name] = c.Value
		}
	}
	return Answer{res, w.Body.String()}
}

// Is fails the test unless the answer has the status and its page says the words.
func (a Answer) Is(t *testing.T, status int, words ...string) Answer {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("%s: status %d, want %d:\n%s", a.To(), a.StatusCode, status, a.Text)
	}
	for _, w := range words {
		if !strings.Contains(a.Text, w) {
			t.Errorf("the page does not say %q:\n%s", w, a.Text)
		}
	}
	return a
}

// LeadsTo fails the test unless the answer sends the browser to an address.
func (a Answer) LeadsTo(t *testing.T, address string) {
	t.Helper()
	a.Is(t, http.StatusSeeOther)
	if got := a.To(); got != address {
		t.Fatalf("leads to %q, want %q", got, address)
	}
}

// To is where an answer leads.
func (a Answer) To() string { return a.Header.Get("Location") }

// SignedIn is a browser of a member who signed in.
func (s *Site) SignedIn(t *testing.T, name string) *Browser {
	t.Helper()
	b := s.Browser(t)
	b.Post("/sign-in", "name", name, "password", Password).LeadsTo(t, "/u/"+name)
	return b
}
