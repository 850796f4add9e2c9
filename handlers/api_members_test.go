package handlers

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestAPICreateMember(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	boss := s.member(t, "boss", members.RoleAdmin)
	p := s.program(t, boss)

	a := p.call("POST", "/members", `{"name":"ada","display_name":"Ada L","time_zone":"Asia/Kolkata","accounts":{"codeforces":"ada_l","uva":""}}`)
	got := read[apiMember](t, a, http.StatusCreated)
	if a.to() != "/api/v1/members/ada" || got.Name != "ada" || got.DisplayName != "Ada L" || got.TimeZone != "Asia/Kolkata" || got.Custom || len(got.Accounts) != 1 {
		t.Errorf("created %+v at %q", got, a.to())
	}
	if acc := got.Accounts[0]; acc.Handle != "ada_l" || acc.State != "new" || acc.Outcome != "" || acc.LastRetrievedAt != nil || acc.NextDueAt == nil || !acc.NextDueAt.Equal(s.now) {
		t.Errorf("account %+v", acc)
	}
	if m, err := members.ByName(t.Context(), s.DB.DB, "ada"); err != nil || m.PasswordHash != "" || m.OwnerID != nil {
		t.Errorf("stored %+v, %v", m, err)
	}
	read[apiMember](t, p.call("POST", "/members", `{"name":"star","custom":true,"accounts":{"uva":"star"}}`), http.StatusCreated)
	if m, err := members.ByName(t.Context(), s.DB.DB, "star"); err != nil || !m.Custom || m.OwnerID == nil || *m.OwnerID != boss.ID {
		t.Errorf("stored %+v, %v", m, err)
	}
}

func TestAPICreateMemberRefuses(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	p := s.program(t, s.member(t, "boss", members.RoleAdmin))
	for _, tt := range []struct {
		name, body string
		status     int
		field      string
	}{
		{"a bad handle", `{"name":"ada","accounts":{"uva":"ok","codeforces":"a/../b"}}`, 422, "accounts.codeforces"},
		{"an unknown site", `{"name":"ada","accounts":{"arena":"ada"}}`, 422, "accounts.arena"},
		{"an unknown site without a handle", `{"name":"ada","accounts":{"arena":""}}`, 422, "accounts.arena"},
		{"a taken name", `{"name":"BOSS"}`, 422, "name"},
		{"no name", `{"display_name":"Ada"}`, 422, "name"},
		{"a bad name", `{"name":"a/b"}`, 422, "name"},
		{"a long display name", `{"name":"ada","display_name":"` + strings.Repeat("x", 201) + `"}`, 422, "display_name"},
		{"an unknown zone", `{"name":"ada","time_zone":"Mars/Olympus"}`, 422, "time_zone"},
		{"an unknown field", `{"name":"ada","role":"admin"}`, 422, "role"},
		{"a field of another case", `{"Name":"ada"}`, 422, "Name"},
		{"a wrong type", `{"name":7}`, 422, "name"},
		{"a wrong type below", `{"name":"ada","accounts":{"uva":[]}}`, 422, "accounts.uva"},
		{"a wrong type above", `{"name":"ada","accounts":"uva"}`, 422, "accounts"},
		{"a field twice", `{"name":"ada","name":"bob"}`, 422, "name"},
		{"a site twice", `{"name":"ada","accounts":{"uva":"a","uva":"b"}}`, 422, "accounts.uva"},
		{"a list", `[]`, 422, ""},
		{"nothing", ``, 400, ""},
		{"no JSON", `name=ada`, 400, ""},
		{"half of it", `{"name":"ada"`, 400, ""},
		{"more behind it", `{"name":"ada"}{}`, 400, ""},
		{"too much", `{"name":"ada","display_name":"` + strings.Repeat("x", 1<<20) + `"}`, 413, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p.call("POST", "/members", tt.body).refused(t, tt.status, tt.field)
			if _, err := members.ByName(t.Context(), s.DB.DB, "ada"); !errors.Is(err, pg.ErrNotFound) {
				t.Errorf("something was stored: %v", err)
			}
		})
	}
}

func TestAPIEditMember(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	p := s.program(t, s.member(t, "ada", members.RoleMember))
	other := s.program(t, s.member(t, "bob", members.RoleMember))

	got := read[apiMember](t, p.call("PATCH", "/members/ADA", `{"display_name":"Ada","accounts":{"uva":"ada","codeforces":"ada_l"}}`), http.StatusOK)
	if got.DisplayName != "Ada" || got.TimeZone != "UTC" || len(got.Accounts) != 2 {
		t.Errorf("edited to %+v", got)
	}
	got = read[apiMember](t, p.call("PATCH", "/members/ada", `{"time_zone":"Europe/Riga","accounts":{"uva":null}}`), http.StatusOK)
	if got.DisplayName != "Ada" || got.TimeZone != "Europe/Riga" || len(got.Accounts) != 1 || got.Accounts[0].Site != "codeforces" {
		t.Errorf("edited to %+v", got)
	}
	p.call("PATCH", "/members/ada", `{"display_name":"Other","accounts":{"codeforces":"!"}}`).refused(t, 422, "accounts.codeforces")
	p.call("PATCH", "/members/ada", `{"name":"eve"}`).refused(t, 422, "name")
	p.call("PATCH", "/members/nobody", `{}`).refused(t, 404, "")
	other.call("PATCH", "/members/ada", `{"display_name":"Other"}`).refused(t, 403, "")
	if got = read[apiMember](t, other.call("GET", "/members/ada", ""), http.StatusOK); got.DisplayName != "Ada" {
		t.Errorf("now %+v", got)
	}
}

func TestAPIDeleteMember(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	boss := s.program(t, s.member(t, "boss", members.RoleAdmin))
	ada := s.program(t, s.member(t, "ada", members.RoleMember))
	ada.call("DELETE", "/members/ada", "").refused(t, 403, "")
	boss.call("DELETE", "/members/boss", "").refused(t, 422, "role")
	if a := boss.call("DELETE", "/members/ada", ""); a.StatusCode != http.StatusNoContent || a.body != "" {
		t.Errorf("answer %d %q", a.StatusCode, a.body)
	}
	boss.call("DELETE", "/members/ada", "").refused(t, 404, "")
	boss.call("GET", "/members/ada", "").refused(t, 404, "")
	ada.call("PATCH", "/members/boss", "{}").refused(t, 401, "") // The token went, too.
}

func TestAPIMembersInParts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	p := program{t: t, site: s}
	if a := p.call("GET", "/members", ""); a.body != `{"items":[],"next":""}`+"\n" {
		t.Errorf("without members: %s", a.body)
	}
	for _, name := range []string{"cy", "Bob", "ada", "eve", "Dan"} {
		modelstest.Member(t, s.DB.DB, name, map[string]string{"uva": "x", "codeforces": "y"}, s.now)
	}
	for _, limit := range []string{"1", "2", "5", "500"} {
		var names []string
		for _, m := range all[apiMember](t, p, "/members", limit) {
			names = append(names, m.Name)
			if len(m.Accounts) != 2 || m.Accounts[0].Site != "codeforces" {
				t.Errorf("%s has %+v", m.Name, m.Accounts)
			}
		}
		if want := []string{"ada", "Bob", "cy", "Dan", "eve"}; !slices.Equal(names, want) {
			t.Errorf("with limit %s: %v, want %v", limit, names, want)
		}
	}
	for query, field := range map[string]string{"limit=0": "limit", "limit=501": "limit", "limit=x": "limit", "cursor=x": "cursor", "cursor=WyJhIiwiYiJd": "cursor"} {
		p.call("GET", "/members?"+query, "").refused(t, 422, field)
	}
}

func TestAPIUnknownAddressesAndMethods(t *testing.T) {
	t.Parallel()
	b := newSite(t, "http://laurel.test").browser(t)
	b.get("/api/v1/nothing").refused(t, 404, "")
	a := b.do(http.MethodPut, "/api/v1/members/ada", nil)
	a.refused(t, 405, "")
	if got := a.Header.Get("Allow"); got != "GET, PATCH, DELETE" {
		t.Errorf("Allow: %q", got)
	}
}

// Nobody follows a custom member that a file brought: it is the admins'.
func TestTheAdminsKeepAnImportedCustomMember(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "boss", members.RoleAdmin)
	if _, err := accounts.Import(t.Context(), s.DB.DB, s.Sites, strings.NewReader("name,custom,uva\nstar,true,star\n"), s.now); err != nil {
		t.Fatal(err)
	}
	b := s.signedIn(t, "boss")
	b.get("/u/star").is(t, http.StatusOK)
	b.get("/custom/star").is(t, http.StatusOK, "Followed by the admins")
}

// Whatever is sent, the answer is the sender's mistake or a member.
func FuzzCreateMember(f *testing.F) {
	for _, body := range []string{`{"name":"ada","accounts":{"uva":"ada"}}`, `{"name":"a","custom":true,"time_zone":"UTC"}`,
		"{\"name\":\"a\\u0000b\",\"display_name\":\"\xff\"}", `{"accounts":{"":"x","a~1/b":"\u0000"},"name":"b"}`, `[[[[`, `{"name":"a","time_zone":"\u0000"}`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, token := fuzzed(t)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/members", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.echo.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Fatalf("%q: status %d\n%s", body, w.Code, s.log)
		}
		checkAnswer(t, r, w.Code, w.Result().Header, w.Body.String())
		var members int
		if err := s.DB.Raw(`SELECT count(*) FROM members`).Scan(&members).Error; err != nil || (members == 2) != (w.Code == http.StatusCreated) {
			t.Errorf("%q: status %d and %d members, %v", body, w.Code, members, err)
		}
	})
}
