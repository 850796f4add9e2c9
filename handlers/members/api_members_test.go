package members_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/members"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestAPICreateMember(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Member(t, "boss", members.RoleAdmin)
	p := s.Program(t, boss)

	a := p.Call("POST", "/members", `{"name":"ada","display_name":"Ada L","time_zone":"Asia/Kolkata","accounts":{"codeforces":"ada_l","uva":""}}`)
	got := handlerstest.Read[handlers.APIMember](t, a, http.StatusCreated)
	if a.To() != "/api/v1/members/ada" || got.Name != "ada" || got.DisplayName != "Ada L" || got.TimeZone != "Asia/Kolkata" || got.Custom || len(got.Accounts) != 1 {
		t.Errorf("created %+v at %q", got, a.To())
	}
	if acc := got.Accounts[0]; acc.Handle != "ada_l" || acc.State != "new" || acc.Outcome != "" || acc.LastRetrievedAt != nil || acc.NextDueAt == nil || !acc.NextDueAt.Equal(s.Time) {
		t.Errorf("account %+v", acc)
	}
	if m, err := members.ByName(t.Context(), s.DB.DB, "ada"); err != nil || m.PasswordHash != "" || m.OwnerID != nil {
		t.Errorf("stored %+v, %v", m, err)
	}
	handlerstest.Read[handlers.APIMember](t, p.Call("POST", "/members", `{"name":"star","custom":true,"accounts":{"uva":"star"}}`), http.StatusCreated)
	if m, err := members.ByName(t.Context(), s.DB.DB, "star"); err != nil || !m.Custom || m.OwnerID == nil || *m.OwnerID != boss.ID {
		t.Errorf("stored %+v, %v", m, err)
	}
}

func TestAPICreateMemberRefuses(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	p := s.Program(t, s.Member(t, "boss", members.RoleAdmin))
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
			p.Call("POST", "/members", tt.body).Refused(t, tt.status, tt.field)
			if _, err := members.ByName(t.Context(), s.DB.DB, "ada"); !errors.Is(err, pg.ErrNotFound) {
				t.Errorf("something was stored: %v", err)
			}
		})
	}
}

func TestAPIEditMember(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	p := s.Program(t, s.Member(t, "ada", members.RoleMember))
	other := s.Program(t, s.Member(t, "bob", members.RoleMember))

	got := handlerstest.Read[handlers.APIMember](t, p.Call("PATCH", "/members/ADA", `{"display_name":"Ada","accounts":{"uva":"ada","codeforces":"ada_l"}}`), http.StatusOK)
	if got.DisplayName != "Ada" || got.TimeZone != "UTC" || len(got.Accounts) != 2 {
		t.Errorf("edited to %+v", got)
	}
	got = handlerstest.Read[handlers.APIMember](t, p.Call("PATCH", "/members/ada", `{"time_zone":"Europe/Riga","accounts":{"uva":null}}`), http.StatusOK)
	if got.DisplayName != "Ada" || got.TimeZone != "Europe/Riga" || len(got.Accounts) != 1 || got.Accounts[0].Site != "codeforces" {
		t.Errorf("edited to %+v", got)
	}
	p.Call("PATCH", "/members/ada", `{"display_name":"Other","accounts":{"codeforces":"!"}}`).Refused(t, 422, "accounts.codeforces")
	p.Call("PATCH", "/members/ada", `{"name":"eve"}`).Refused(t, 422, "name")
	p.Call("PATCH", "/members/nobody", `{}`).Refused(t, 404, "")
	other.Call("PATCH", "/members/ada", `{"display_name":"Other"}`).Refused(t, 403, "")
	if got = handlerstest.Read[handlers.APIMember](t, other.Call("GET", "/members/ada", ""), http.StatusOK); got.DisplayName != "Ada" {
		t.Errorf("now %+v", got)
	}
}

func TestAPIDeleteMember(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Program(t, s.Member(t, "boss", members.RoleAdmin))
	ada := s.Program(t, s.Member(t, "ada", members.RoleMember))
	ada.Call("DELETE", "/members/ada", "").Refused(t, 403, "")
	boss.Call("DELETE", "/members/boss", "").Refused(t, 422, "role")
	if a := boss.Call("DELETE", "/members/ada", ""); a.StatusCode != http.StatusNoContent || a.Text != "" {
		t.Errorf("answer %d %q", a.StatusCode, a.Text)
	}
	boss.Call("DELETE", "/members/ada", "").Refused(t, 404, "")
	boss.Call("GET", "/members/ada", "").Refused(t, 404, "")
	ada.Call("PATCH", "/members/boss", "{}").Refused(t, 401, "") // The token went, too.
}

func TestAPIMembersInParts(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	p := handlerstest.Program{T: t, Site: s}
	if a := p.Call("GET", "/members", ""); a.Text != `{"items":[],"next":""}`+"\n" {
		t.Errorf("without members: %s", a.Text)
	}
	for _, name := range []string{"cy", "Bob", "ada", "eve", "Dan"} {
		modelstest.Member(t, s.DB.DB, name, map[string]string{"uva": "x", "codeforces": "y"}, s.Time)
	}
	for _, limit := range []string{"1", "2", "5", "500"} {
		var names []string
		for _, m := range handlerstest.All[handlers.APIMember](t, p, "/members", limit) {
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
		p.Call("GET", "/members?"+query, "").Refused(t, 422, field)
	}
}

func TestAPIUnknownAddressesAndMethods(t *testing.T) {
	t.Parallel()
	b := handlerstest.New(t, "http://laurel.test").Browser(t)
	b.Get("/api/v1/nothing").Refused(t, 404, "")
	a := b.Do(http.MethodPut, "/api/v1/members/ada", nil)
	a.Refused(t, 405, "")
	if got := a.Header.Get("Allow"); got != "GET, PATCH, DELETE" {
		t.Errorf("Allow: %q", got)
	}
}

// Nobody follows a custom member that a file brought: it is the admins'.
func TestTheAdminsKeepAnImportedCustomMember(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	if _, err := accounts.Import(t.Context(), s.DB.DB, s.BuiltIn, strings.NewReader("name,custom,uva\nstar,true,star\n"), s.Time); err != nil {
		t.Fatal(err)
	}
	b := s.SignedIn(t, "boss")
	b.Get("/u/star").Is(t, http.StatusOK)
	b.Get("/custom/star").Is(t, http.StatusOK, "Followed by the admins")
}

// Whatever is sent, the answer is the sender's mistake or a member.
func FuzzCreateMember(f *testing.F) {
	for _, body := range []string{`{"name":"ada","accounts":{"uva":"ada"}}`, `{"name":"a","custom":true,"time_zone":"UTC"}`,
		"{\"name\":\"a\\u0000b\",\"display_name\":\"\xff\"}", `{"accounts":{"":"x","a~1/b":"\u0000"},"name":"b"}`, `[[[[`, `{"name":"a","time_zone":"\u0000"}`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, token := handlerstest.NewForFuzzing(t)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/members", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.Echo.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Fatalf("%q: status %d\n%s", body, w.Code, s.Logged)
		}
		handlerstest.CheckAnswer(t, r, w.Code, w.Result().Header, w.Body.String())
		var members int
		if err := s.DB.Raw(`SELECT count(*) FROM members`).Scan(&members).Error; err != nil || (members == 2) != (w.Code == http.StatusCreated) {
			t.Errorf("%q: status %d and %d members, %v", body, w.Code, members, err)
		}
	})
}
