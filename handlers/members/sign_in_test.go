package members_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/members"
	"laurel/models/members"
)

func TestFirstRun(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	token, err := members.SetupToken(t.Context(), s.DB.DB)
	if err != nil {
		t.Fatal(err)
	}
	b := s.Browser(t)
	b.Get("/setup").Is(t, http.StatusGone, "has expired")
	b.Get("/setup?token=x").Is(t, http.StatusGone)
	b.Get("/setup?token="+token).Is(t, http.StatusOK, "Who may sign up?", token)
	b.Post("/setup", "token", token, "name", "a b", "password", "short", "time_zone", "Atlantis", "sign_up", "perhaps").
		Is(t, http.StatusUnprocessableEntity, "A name has 1 to 32 letters", `value="a b"`, `aria-invalid="true"`,
			"Use at least 8 characters", "No time zone has this name", "Choose who may sign up")
	b.Post("/setup", "token", token, "name", "ada", "password", handlerstest.Password, "time_zone", "Asia/Kolkata", "sign_up", "open").LeadsTo(t, "/settings?done=welcome")
	b.Get("/settings?done=welcome").Is(t, http.StatusOK, "Welcome!", "Address of your profile there")
	b.Get("/settings/profile").Is(t, http.StatusOK, "Asia/Kolkata")
	b.Get("/admin").Is(t, http.StatusOK)
	late := s.Browser(t)
	late.Get("/setup?token="+token).Is(t, http.StatusGone)
	late.Post("/setup", "token", token, "name", "eve", "password", handlerstest.Password, "time_zone", "UTC", "sign_up", "open").Is(t, http.StatusGone, "Sign in")
	late.Get("/sign-up").Is(t, http.StatusOK, `name="time_zone"`) // As was chosen.
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.Browser(t)
	b.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	b.Get("/sign-in?next=/settings").Is(t, http.StatusOK, `name="next" value="/settings"`)
	b.Post("/sign-in", "name", "ann", "password", "wrong horse", "next", "/settings").
		Is(t, http.StatusUnprocessableEntity, "Wrong name or password", `value="ann"`, `name="next" value="/settings"`)
	if a := b.Post("/sign-in", "name", "nobody", "password", "wrong horse"); strings.Contains(a.Text, "wrong horse") {
		t.Error("a page repeats a password")
	} else {
		a.Is(t, http.StatusUnprocessableEntity, "Wrong name or password")
	}
	b.Post("/sign-in", "name", "Ann", "password", handlerstest.Password, "next", "/settings").LeadsTo(t, "/settings")
	if a := b.Get("/settings").Is(t, http.StatusOK); a.Header.Get("Cache-Control") != "no-store" || len(a.Cookies()) > 0 {
		t.Errorf("a page for a member: Cache-Control %q, cookies %v", a.Header.Get("Cache-Control"), a.Cookies())
	}
	b.Get("/sign-in").LeadsTo(t, "/u/ann")
	stolen := s.Browser(t)
	stolen.Cookies["laurel"] = b.Cookies["laurel"]
	b.Post("/sign-out").LeadsTo(t, "/")
	if len(b.Cookies) > 0 {
		t.Errorf("after signing out the browser keeps %v", b.Cookies)
	}
	stolen.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
}

func TestWhereSigningInLeads(t *testing.T) {
	m := &members.Member{Name: "ann"}
	for next, want := range map[string]string{
		"/u/bob?x=1#y": "/u/bob?x=1#y", "": "/u/ann", "u/bob": "/u/ann", "//evil.test": "/u/ann", "https://evil.test/": "/u/ann",
		`/\evil.test`: "/u/ann", "/\t/evil.test": "/u/ann", "javascript:alert(1)": "/u/ann", "/\n/evil.test": "/u/ann", "///evil.test": "/u/ann",
	} {
		if got := handlers.After(next, m); got != want {
			t.Errorf("next %q leads to %q, want %q", next, got, want)
		}
	}
}

func TestSessionCookie(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url, name string
		secure    bool
	}{{"http://laurel.test", "laurel", false}, {"https://laurel.test", "__Host-laurel", true}} {
		s := handlerstest.New(t, tt.url)
		s.Member(t, "ann", members.RoleMember)
		a := s.Browser(t).Post("/sign-in", "name", "ann", "password", handlerstest.Password)
		cookies := a.Cookies()
		if len(cookies) != 1 {
			t.Fatalf("%s: cookies %v, want one", tt.url, cookies)
		}
		c := cookies[0]
		if c.Name != tt.name || c.Secure != tt.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || len(c.Value) < 43 {
			t.Errorf("%s: cookie %+v", tt.url, c)
		}
		if days := time.Duration(c.MaxAge) * time.Second / (24 * time.Hour); days < 29 || days > 30 {
			t.Errorf("%s: the cookie lives for %d days, want 30", tt.url, days)
		}
		if hsts := a.Header.Get("Strict-Transport-Security"); (hsts != "") != tt.secure {
			t.Errorf("%s: Strict-Transport-Security %q", tt.url, hsts)
		}
		var dump string
		if err := s.DB.Raw("SELECT string_agg(token || encode(data, 'escape'), ' ') FROM sessions").Scan(&dump).Error; err != nil || strings.Contains(dump, c.Value) {
			t.Errorf("%s: the database holds the cookie itself (error %v)", tt.url, err)
		}
	}
}

// A token that somebody else put into the browser before sign-in is not the
// session afterwards, and one of an earlier session is over.
func TestSessionFixation(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.Browser(t)
	b.Cookies["laurel"] = "planted"
	b.Post("/sign-in", "name", "ann", "password", handlerstest.Password).LeadsTo(t, "/u/ann")
	first := b.Cookies["laurel"]
	b.Post("/sign-in", "name", "ann", "password", handlerstest.Password).LeadsTo(t, "/u/ann")
	if first == "planted" || b.Cookies["laurel"] == first {
		t.Error("signing in keeps the token")
	}
	for _, old := range []string{"planted", first} {
		thief := s.Browser(t)
		thief.Cookies["laurel"] = old
		thief.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	}
	b.Get("/settings").Is(t, http.StatusOK)
}

func TestChangingThePasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	here, there := s.SignedIn(t, "ann"), s.SignedIn(t, "ann")
	here.Post("/settings/password", "current_password", "wrong horse", "password", handlerstest.Password+"2").Is(t, http.StatusUnprocessableEntity, "not your password")
	here.Post("/settings/password", "current_password", handlerstest.Password, "password", "short").Is(t, http.StatusUnprocessableEntity, "at least 8 characters")
	there.Get("/settings").Is(t, http.StatusOK)
	here.Post("/settings/password", "current_password", handlerstest.Password, "password", handlerstest.Password+"2").LeadsTo(t, "/settings/security?done=password")
	here.Get("/settings/security?done=password").Is(t, http.StatusOK, "signed out everywhere else")
	there.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	s.Browser(t).Post("/sign-in", "name", "ann", "password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity)
	s.Browser(t).Post("/sign-in", "name", "ann", "password", handlerstest.Password+"2").LeadsTo(t, "/u/ann")
}

func TestSignInLimit(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.Browser(t)
	for i := range 30 { // Names that cannot be cost no hash.
		b.Post("/sign-in", "name", "no name", "password", "x").Is(t, http.StatusUnprocessableEntity)
		b.From = fmt.Sprintf("203.0.113.7:%d", 5000+i)
	}
	a := b.Do(http.MethodPost, "/sign-in", strings.NewReader("name=ann&password=x"), "Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For", "198.51.100.1", "X-Real-IP", "198.51.100.1")
	if a.Is(t, http.StatusTooManyRequests, "Too many attempts to sign in from your network. Try again in 30 seconds."); a.Header.Get("Retry-After") != "30" {
		t.Errorf("Retry-After %q, want 30", a.Header.Get("Retry-After"))
	}
	s.Time = s.Time.Add(30 * time.Second)
	b.Post("/sign-in", "name", "ann", "password", handlerstest.Password).LeadsTo(t, "/u/ann")
}

func TestSignUpByEachMode(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ada", members.RoleAdmin)
	ada := s.SignedIn(t, "ada")

	s.Browser(t).Get("/sign-up").Is(t, http.StatusOK, "by invitation") // The default.
	s.Browser(t).Post("/sign-up", "name", "eve", "password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity, "by invitation")
	s.Browser(t).Get("/sign-in").Is(t, http.StatusOK, "Ask an admin for an invitation")
	link := newLink(t, ada.Post("/admin/invitations"))
	guest := s.Browser(t)
	guest.Get(link).Is(t, http.StatusOK, "Sign up", `name="display_name"`)
	code := strings.TrimPrefix(link, "/sign-up?code=")
	guest.Post("/sign-up", "code", code, "name", "ann", "password", "short").Is(t, http.StatusUnprocessableEntity, "at least 8 characters", `value="ann"`)
	guest.Post("/sign-up", "code", code, "name", "ADA", "password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity, "is taken; choose another")
	guest.Post("/sign-up", "code", code, "name", "ann", "password", handlerstest.Password, "display_name", "<b>Ann</b>").LeadsTo(t, "/settings?done=welcome")
	guest.Get("/settings/profile").Is(t, http.StatusOK, "&lt;b&gt;Ann&lt;/b&gt;")
	s.Browser(t).Get(link).Is(t, http.StatusOK, "was used")
	s.Browser(t).Post("/sign-up", "code", code, "name", "eve", "password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity, "was used")
	ada.Get("/admin/invitations").Is(t, http.StatusOK, "used ", "by ann")

	ada.Post("/admin/sign-up", "sign_up", "closed").LeadsTo(t, "/admin/access?done=saved")
	s.Browser(t).Get("/sign-up").Is(t, http.StatusOK, "Sign-up is closed")
	open := newLink(t, ada.Post("/admin/invitations"))
	s.Browser(t).Get(open).Is(t, http.StatusOK, "Sign-up is closed")
	s.Browser(t).Post("/sign-up", "code", strings.TrimPrefix(open, "/sign-up?code="), "name", "eve", "password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity, "Sign-up is closed")

	ada.Post("/admin/sign-up", "sign_up", "open").LeadsTo(t, "/admin/access?done=saved")
	s.Browser(t).Get("/sign-in").Is(t, http.StatusOK, `href="/sign-up"`)
	s.Browser(t).Post("/sign-up", "name", "eve", "password", handlerstest.Password, "time_zone", "Mars/Base").Is(t, http.StatusUnprocessableEntity, "No time zone has this name", "Europe/Riga")
	s.Browser(t).Post("/sign-up", "name", "eve", "password", handlerstest.Password).LeadsTo(t, "/settings?done=welcome")
}

// newLink is the path of the link that an admin's page shows.
func newLink(t *testing.T, a handlerstest.Answer) string {
	t.Helper()
	_, rest, found := strings.Cut(a.Is(t, http.StatusOK).Text, `id="new-link" readonly value="http://laurel.test`)
	if !found {
		t.Fatalf("the page shows no new link:\n%s", a.Text)
	}
	link, _, _ := strings.Cut(rest, `"`)
	return link
}
