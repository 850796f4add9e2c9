package handlers

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

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/views/parts"
)

// A site is a whole Laurel on a database of its own, without a network.
type site struct {
	*Handlers
	echo *echo.Echo
	log  *strings.Builder
	now  time.Time
}

const good = "correct horse battery"

func newSite(t *testing.T, address string) *site {
	t.Helper()
	s := &site{echo: echo.New(), log: &strings.Builder{}, now: time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)} // Pages tell hours of today otherwise than those of yesterday.
	db := modelstest.Open(t)
	secret, err := pg.NewSecret(strings.Repeat("secret", 10))
	if err != nil {
		t.Fatal(err)
	}
	base := &Base{
		DB: db, Now: func() time.Time { return s.now }, Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelError})), URL: address, // A slow machine is not a mistake.
		Sites: []members.Site{
			{Name: "codeforces", Title: "Codeforces", Handle: regexp.MustCompile(`^[A-Za-z0-9._-]{3,24}$`), Hint: "3 to 24 letters, digits, . _ -",
				Profile: func(h string) string { return "https://codeforces.com/profile/" + h }},
			{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[A-Za-z0-9._-]{1,40}$`), Hint: "1 to 40 letters and digits",
				Profile: func(h string) string { return "https://uhunt.onlinejudge.org/u/" + h }},
		},
		Sessions: NewSessions(db, address), Assets: parts.Assets{Styles: "/static/app.css"},
	}
	s.Handlers = &Handlers{
		Base: base, Progress: NewProgress(), CoolDown: time.Minute, Secret: secret, ForumKinds: []string{"hyperkitty", "pipermail"},
		Ready:   func(*http.Request) error { return nil },
		Static:  http.NotFoundHandler(),
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "laurel_up 1\n") }),
	}
	s.Register(s.echo)
	return s
}

// restart lets the pages know what was changed of what the program gives them.
func (s *site) restart() {
	s.echo = echo.New()
	s.Register(s.echo)
}

// member makes a registered member with the password good.
func (s *site) member(t *testing.T, name, role string) members.Member {
	t.Helper()
	hash, err := members.HashPassword(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	m := members.Member{Name: name, Role: role, PasswordHash: hash}
	if err := members.Create(t.Context(), s.DB.DB, &m, s.now); err != nil {
		t.Fatal(err)
	}
	return m
}

// A browser keeps cookies. Its requests say where they come from, as those of a
// real one do.
type browser struct {
	t       *testing.T
	site    *site
	from    string // The address it has.
	cookies map[string]string
}

func (s *site) browser(t *testing.T) *browser {
	return &browser{t, s, "203.0.113.7:4711", map[string]string{}}
}

// An answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

func (b *browser) get(path string, header ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

// post sends a form: name, value, ...
func (b *browser) post(path string, fields ...string) answer {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.do(http.MethodPost, path, strings.NewReader(form.Encode()), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
}

func (b *browser) do(method, path string, body io.Reader, header ...string) answer {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, b.site.URL+path, body)
	r.RemoteAddr = b.from
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.site.echo.ServeHTTP(w, r)
	res := w.Result()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return answer{res, w.Body.String()}
}

// is fails the test unless the answer has the status and its page says the words.
func (a answer) is(t *testing.T, status int, words ...string) answer {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("%s: status %d, want %d:\n%s", a.to(), a.StatusCode, status, a.body)
	}
	for _, w := range words {
		if !strings.Contains(a.body, w) {
			t.Errorf("the page does not say %q:\n%s", w, a.body)
		}
	}
	return a
}

// leads fails the test unless the answer sends the browser to an address.
func (a answer) leads(t *testing.T, address string) {
	t.Helper()
	a.is(t, http.StatusSeeOther)
	if got := a.to(); got != address {
		t.Fatalf("leads to %q, want %q", got, address)
	}
}

func (a answer) to() string { return a.Header.Get("Location") }

// signedIn is a browser of a member who signed in.
func (s *site) signedIn(t *testing.T, name string) *browser {
	t.Helper()
	b := s.browser(t)
	b.post("/sign-in", "name", name, "password", good).leads(t, "/u/"+name)
	return b
}

// newLink is the path of the link that an admin's page shows.
func newLink(t *testing.T, a answer) string {
	t.Helper()
	_, rest, found := strings.Cut(a.is(t, http.StatusOK).body, `id="new-link" readonly value="http://laurel.test`)
	if !found {
		t.Fatalf("the page shows no new link:\n%s", a.body)
	}
	link, _, _ := strings.Cut(rest, `"`)
	return link
}
