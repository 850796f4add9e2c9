package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/models/members"
)

func TestFirstRun(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	token, err := members.SetupToken(t.Context(), s.DB.DB)
	if err != nil {
		t.Fatal(err)
	}
	b := s.browser(t)
	b.get("/setup").is(t, http.StatusGone, "has expired")
	b.get("/setup?token=x").is(t, http.StatusGone)
	b.get("/setup?token="+token).is(t, http.StatusOK, "Who may sign up?", token)
	b.post("/setup", "token", token, "name", "a b", "password", good, "time_zone", "UTC", "sign_up", "open").
		is(t, http.StatusUnprocessableEntity, "A name has 1 to 32 letters", `value="a b"`, `aria-invalid="true"`)
	b.post("/setup", "token", token, "name", "ada", "password", good, "time_zone", "Asia/Kolkata", "sign_up", "open").leads(t, "/settings?done=welcome")
	b.get("/settings?done=welcome").is(t, http.StatusOK, "Welcome!", "Asia/Kolkata")
	b.get("/admin").is(t, http.StatusOK)
	late := s.browser(t)
	late.get("/setup?token="+token).is(t, http.StatusGone)
	late.post("/setup", "token", token, "name", "eve", "password", good, "time_zone", "UTC", "sign_up", "open").is(t, http.StatusGone, "Sign in")
	late.get("/sign-up").is(t, http.StatusOK, `name="time_zone"`) // As was chosen.
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.browser(t)
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	b.get("/sign-in?next=/settings").is(t, http.StatusOK, `name="next" value="/settings"`)
	b.post("/sign-in", "name", "ann", "password", "wrong horse", "next", "/settings").
		is(t, http.StatusUnprocessableEntity, "Name or password is wrong", `value="ann"`, `name="next" value="/settings"`)
	if a := b.post("/sign-in", "name", "nobody", "password", "wrong horse"); strings.Contains(a.body, "wrong horse") {
		t.Error("a page repeats a password")
	} else {
		a.is(t, http.StatusUnprocessableEntity, "Name or password is wrong")
	}
	b.post("/sign-in", "name", "Ann", "password", good, "next", "/settings").leads(t, "/settings")
	if a := b.get("/settings").is(t, http.StatusOK); a.Header.Get("Cache-Control") != "no-store" || len(a.Cookies()) > 0 {
		t.Errorf("a page for a member: Cache-Control %q, cookies %v", a.Header.Get("Cache-Control"), a.Cookies())
	}
	b.get("/sign-in").leads(t, "/u/ann")
	stolen := s.browser(t)
	stolen.cookies["laurel"] = b.cookies["laurel"]
	b.post("/sign-out").leads(t, "/")
	if len(b.cookies) > 0 {
		t.Errorf("after signing out the browser keeps %v", b.cookies)
	}
	stolen.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
}

func TestWhereSigningInLeads(t *testing.T) {
	m := &members.Member{Name: "ann"}
	for next, want := range map[string]string{
		"/u/bob?x=1#y": "/u/bob?x=1#y", "": "/u/ann", "u/bob": "/u/ann", "//evil.test": "/u/ann", "https://evil.test/": "/u/ann",
		`/\evil.test`: "/u/ann", "/\t/evil.test": "/u/ann", "javascript:alert(1)": "/u/ann", "/\n/evil.test": "/u/ann", "///evil.test": "/u/ann",
	} {
		if got := after(next, m); got != want {
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
		s := newSite(t, tt.url)
		s.member(t, "ann", members.RoleMember)
		a := s.browser(t).post("/sign-in", "name", "ann", "password", good)
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
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.browser(t)
	b.cookies["laurel"] = "planted"
	b.post("/sign-in", "name", "ann", "password", good).leads(t, "/u/ann")
	first := b.cookies["laurel"]
	b.post("/sign-in", "name", "ann", "password", good).leads(t, "/u/ann")
	if first == "planted" || b.cookies["laurel"] == first {
		t.Error("signing in keeps the token")
	}
	for _, old := range []string{"planted", first} {
		thief := s.browser(t)
		thief.cookies["laurel"] = old
		thief.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	}
	b.get("/settings").is(t, http.StatusOK)
}

func TestChangingThePasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	here, there := s.signedIn(t, "ann"), s.signedIn(t, "ann")
	here.post("/settings/password", "current_password", "wrong horse", "password", good+"2").is(t, http.StatusUnprocessableEntity, "not your password")
	here.post("/settings/password", "current_password", good, "password", "short").is(t, http.StatusUnprocessableEntity, "at least 8 characters")
	there.get("/settings").is(t, http.StatusOK)
	here.post("/settings/password", "current_password", good, "password", good+"2").leads(t, "/settings?done=password")
	here.get("/settings?done=password").is(t, http.StatusOK, "signed out everywhere else")
	there.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	s.browser(t).post("/sign-in", "name", "ann", "password", good).is(t, http.StatusUnprocessableEntity)
	s.browser(t).post("/sign-in", "name", "ann", "password", good+"2").leads(t, "/u/ann")
}

func TestSignInLimit(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.browser(t)
	for i := range 30 { // Names that cannot be cost no hash.
		b.post("/sign-in", "name", "no name", "password", "x").is(t, http.StatusUnprocessableEntity)
		b.from = fmt.Sprintf("203.0.113.7:%d", 5000+i)
	}
	a := b.do(http.MethodPost, "/sign-in", strings.NewReader("name=ann&password=x"), "Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For", "198.51.100.1", "X-Real-IP", "198.51.100.1")
	if a.is(t, http.StatusTooManyRequests, "Too many attempts to sign in from your network. Try again in 30 seconds."); a.Header.Get("Retry-After") != "30" {
		t.Errorf("Retry-After %q, want 30", a.Header.Get("Retry-After"))
	}
	s.now = s.now.Add(30 * time.Second)
	b.post("/sign-in", "name", "ann", "password", good).leads(t, "/u/ann")
}

func TestSignUpByEachMode(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ada", members.RoleAdmin)
	ada := s.signedIn(t, "ada")

	s.browser(t).get("/sign-up").is(t, http.StatusOK, "by invitation") // The default.
	s.browser(t).post("/sign-up", "name", "eve", "password", good).is(t, http.StatusUnprocessableEntity, "by invitation")
	s.browser(t).get("/sign-in").is(t, http.StatusOK, "Ask an admin for an invitation")
	link := newLink(t, ada.post("/admin/invitations"))
	guest := s.browser(t)
	guest.get(link).is(t, http.StatusOK, "Sign up", `name="display_name"`)
	code := strings.TrimPrefix(link, "/sign-up?code=")
	guest.post("/sign-up", "code", code, "name", "ann", "password", "short").is(t, http.StatusUnprocessableEntity, "at least 8 characters", `value="ann"`)
	guest.post("/sign-up", "code", code, "name", "ADA", "password", good).is(t, http.StatusUnprocessableEntity, "is taken; choose another")
	guest.post("/sign-up", "code", code, "name", "ann", "password", good, "display_name", "<b>Ann</b>").leads(t, "/settings?done=welcome")
	guest.get("/settings").is(t, http.StatusOK, "&lt;b&gt;Ann&lt;/b&gt;")
	s.browser(t).get(link).is(t, http.StatusOK, "used already")
	s.browser(t).post("/sign-up", "code", code, "name", "eve", "password", good).is(t, http.StatusUnprocessableEntity, "used already")
	ada.get("/admin").is(t, http.StatusOK, "used ", "by ann")

	ada.post("/admin/sign-up", "sign_up", "closed").leads(t, "/admin?done=saved")
	s.browser(t).get("/sign-up").is(t, http.StatusOK, "Sign-up is closed")
	open := newLink(t, ada.post("/admin/invitations"))
	s.browser(t).get(open).is(t, http.StatusOK, "Sign-up is closed")
	s.browser(t).post("/sign-up", "code", strings.TrimPrefix(open, "/sign-up?code="), "name", "eve", "password", good).is(t, http.StatusUnprocessableEntity, "Sign-up is closed")

	ada.post("/admin/sign-up", "sign_up", "open").leads(t, "/admin?done=saved")
	s.browser(t).get("/sign-in").is(t, http.StatusOK, `href="/sign-up"`)
	s.browser(t).post("/sign-up", "name", "eve", "password", good, "time_zone", "Mars/Base").is(t, http.StatusUnprocessableEntity, "No time zone is named", "Europe/Riga")
	s.browser(t).post("/sign-up", "name", "eve", "password", good).leads(t, "/settings?done=welcome")
}
