package awards_test

import (
	"net/http"
	"strings"
	"testing"

	handlers "laurel/handlers/awards"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/members"
)

const onePhoto = `{"title":"One","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":1}}`

type awardRead struct {
	Slug, Title, State       string
	Version, Running, Latest int
	Secret                   bool
	Holders                  int
	Objectives               []any
	Permanence               string
}

func TestAPIAwardVersions(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	made := s.Boss.With("PUT", "/admin/awards/one?note=the+first", onePhoto, "If-None-Match", "*")
	got := handlerstest.Read[awardRead](t, made, http.StatusCreated)
	if got.Slug != "one" || got.State != "draft" || got.Version != 1 || got.Running != 0 || got.Latest != 1 || got.Permanence != "confirmed_after:7d" || made.Header.Get("ETag") != `"1"` || made.To() != "/api/v1/admin/awards/one" {
		t.Errorf("%+v, %v", got, made.Header)
	}
	s.Boss.With("PUT", "/admin/awards/one", onePhoto, "If-None-Match", "*").Refused(t, 409, "")
	if same := handlerstest.Read[awardRead](t, s.Boss.With("PUT", "/admin/awards/one", made.Text, "If-Match", `"1"`), http.StatusOK); same.Latest != 1 {
		t.Errorf("what was shown, sent back: %+v", same)
	}
	two := strings.Replace(onePhoto, "One", "Two", 1)
	if got := handlerstest.Read[awardRead](t, s.Boss.With("PUT", "/admin/awards/one?note=better", two, "If-Match", `W/"1"`), http.StatusOK); got.Version != 2 || got.Title != "Two" {
		t.Errorf("%+v", got)
	}
	for _, tag := range []string{`"1"`, `"3"`, `x`, `"0"`, `""`} {
		s.Boss.With("PUT", "/admin/awards/one", onePhoto, "If-Match", tag).Refused(t, 409, "")
	}
	s.Boss.With("PUT", "/admin/awards/other", onePhoto, "If-Match", `*`).Refused(t, 409, "")
	s.Boss.Call("GET", "/admin/awards/other", "").Refused(t, 404, "")
	handlerstest.Read[awardRead](t, s.Boss.With("PUT", "/admin/awards/one", strings.Replace(two, "Two", "Three", 1), "If-Match", `"7", "2"`), http.StatusOK)

	list := handlerstest.All[handlers.APIVersion](t, s.Boss, "/admin/awards/one/versions", "2")
	if len(list) != 3 || list[0].Version != 3 || list[1].Note != "better" || list[2].Note != "the first" || list[2].Author != "boss" || list[0].Document != nil {
		t.Errorf("%+v", list)
	}
	if list := handlerstest.All[handlers.APIVersion](t, s.Boss, "/admin/awards/one/versions?version=2", "2"); len(list) != 1 || !strings.Contains(string(*list[0].Document), "Two") {
		t.Errorf("%+v", list)
	}
	if got := handlerstest.Read[awardRead](t, s.Boss.Call("GET", "/admin/awards/one?version=2", ""), http.StatusOK); got.Title != "Two" || got.Version != 2 || got.Latest != 3 {
		t.Errorf("%+v", got)
	}
	for _, n := range []string{"0", "4", "x", "99999999999999999999"} {
		s.Boss.Call("GET", "/admin/awards/one?version="+n, "").Refused(t, 422, "version")
		s.Boss.Call("GET", "/admin/awards/one/versions?version="+n, "").Refused(t, 422, "version")
	}
	s.Program(t, s.Member(t, "bob", members.RoleMember)).Call("GET", "/admin/awards/one", "").Refused(t, 403, "")
}

func TestAPIAwardStates(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	visitor := handlerstest.Program{T: t, Site: s.Site}
	handlerstest.Read[awardRead](t, s.Boss.Call("PUT", "/admin/awards/one", onePhoto), http.StatusCreated)
	state := func(verb, body, want string, shown bool) {
		t.Helper()
		if got := handlerstest.Read[awardRead](t, s.Boss.Call("POST", "/admin/awards/one/"+verb, body), http.StatusOK); got.State != want {
			t.Errorf("%s: %+v, want %s", verb, got, want)
		}
		s.Work(t)
		if list := handlerstest.All[apiCataloguedRead](t, visitor, "/awards", "5"); (len(list) == 1) != shown {
			t.Errorf("%s: the catalogue has %+v", want, list)
		}
	}
	s.Boss.Call("POST", "/admin/awards/one/pause", "").Refused(t, 422, "state")
	for _, body := range []string{`{"version":0}`, `{"version":2}`, `{"version":-1}`} {
		s.Boss.Call("POST", "/admin/awards/one/activate", body).Refused(t, 422, "version")
	}
	s.Boss.Call("POST", "/admin/awards/one/activate", `{"version":"1"}`).Refused(t, 422, "version")
	s.Boss.Call("POST", "/admin/awards/one/activate", `{"number":1}`).Refused(t, 422, "number")
	s.Boss.Call("POST", "/admin/awards/one/activate", `[]`).Refused(t, 422, "")
	state("activate", "", "active", true)
	state("pause", "", "paused", true)
	s.Send(t, photoLine("a", ""))
	s.Want(t, "ada", "one", "in_progress 1 of 1")
	state("activate", `{"version":1}`, "active", true)
	s.Want(t, "ada", "one", "granted 1 of 1")
	s.Boss.Call("DELETE", "/admin/awards/one", "").Refused(t, 422, "state")
	state("retire", "", "retired", true)
	s.Want(t, "ada", "one", "granted 1 of 1")
	state("hide", "{}", "hidden", false)
	s.Want(t, "ada", "one", "  of ")
	state("retire", "", "retired", true)
	state("activate", "{}", "active", true)

	handlerstest.Read[awardRead](t, s.Boss.Call("PUT", "/admin/awards/two", onePhoto), http.StatusCreated)
	s.Boss.Call("DELETE", "/admin/awards/two", "").Is(t, http.StatusNoContent)
	for _, call := range [][2]string{{http.MethodDelete, ""}, {http.MethodGet, ""}, {http.MethodPatch, ""}, {http.MethodPost, "/activate"}, {http.MethodPost, "/pause"}, {http.MethodPost, "/retire"}, {http.MethodPost, "/hide"}, {http.MethodPost, "/dry-run"}, {http.MethodGet, "/versions"}} {
		for _, slug := range []string{"two", "a%00b", "%ff"} {
			body := `{}`
			if call[0] == http.MethodPatch {
				body = `{"secret":true}`
			}
			s.Boss.Call(call[0], "/admin/awards/"+slug+call[1], body).Refused(t, 404, "")
		}
	}
}

type apiCataloguedRead struct {
	Slug, Title, State string
	Holders            int
	Rarity             float64
	Secret             bool
}

func TestAPIAwardsCatalogue(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada", "bob", "cy")
	ada, err := members.ByName(t.Context(), s.DB.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	visitor, holder := handlerstest.Program{T: t, Site: s.Site}, s.Program(t, ada)
	s.Activate(t, "one", onePhoto)
	s.Activate(t, "two", onePhoto)
	s.Send(t, photoLine("a", ""))
	handlerstest.Read[awardRead](t, s.Boss.Call("PATCH", "/admin/awards/two", `{"secret":true}`), http.StatusOK)
	slugs := func(p handlerstest.Program, path string) string {
		var names []string
		for _, one := range handlerstest.All[apiCataloguedRead](t, p, path, "1") {
			names = append(names, one.Slug)
		}
		return strings.Join(names, " ")
	}
	for _, tt := range []struct {
		p          handlerstest.Program
		path, want string
	}{
		{visitor, "/awards", "one"}, {holder, "/awards", "one two"}, {s.Boss, "/awards", "one two"},
		{visitor, "/members/ada/awards", "one"}, {holder, "/members/ada/awards", "one two"}, {s.Boss, "/members/bob/awards", "one two"}, {visitor, "/members/boss/awards", "one"},
	} {
		if got := slugs(tt.p, tt.path); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
	one := handlerstest.Read[web.List[apiCataloguedRead]](t, visitor.Call("GET", "/awards", ""), http.StatusOK).Items[0]
	if one.Holders != 1 || one.Rarity != 0.25 || one.State != "active" {
		t.Errorf("%+v, want 1 of 4 members", one)
	}
	s.Boss.Call("POST", "/admin/members/ADA/ban", `{"note":"a robot"}`).Is(t, http.StatusOK, `"name":"ada"`)
	one = handlerstest.Read[web.List[apiCataloguedRead]](t, visitor.Call("GET", "/awards", ""), http.StatusOK).Items[0]
	if one.Holders != 0 || one.Rarity != 0 {
		t.Errorf("with the holder banned: %+v", one)
	}
	if got := slugs(visitor, "/members/ada/awards") + slugs(holder, "/members/ada/awards") + slugs(s.Boss, "/members/ada/awards"); got != "one twoone two" {
		t.Errorf("a banned member's awards: %q", got)
	}
	s.Boss.Call("POST", "/admin/members/ada/unban", `{"note":"no robot"}`).Is(t, http.StatusOK, `"banned_at":null`)
	if got := slugs(visitor, "/members/ada/awards"); got != "one" {
		t.Errorf("let back: %q", got)
	}
	for _, body := range []string{``, `{}`, `{"note":" "}`} {
		s.Boss.Call("POST", "/admin/members/ada/ban", body).Refused(t, 422, "note")
	}
	s.Boss.Call("POST", "/admin/members/nobody/ban", `{"note":"n"}`).Refused(t, 404, "")
	visitor.Call("GET", "/awards?cursor=x", "").Refused(t, 422, "cursor")
	visitor.Call("GET", "/members/ada/awards?limit=0", "").Refused(t, 422, "limit")
	visitor.Call("GET", "/members/nobody/awards", "").Refused(t, 404, "")
}

func TestAPIAwardsBetweenEnvironments(t *testing.T) {
	t.Parallel()
	from, to := handlerstest.NewAwardSite(t), handlerstest.NewAwardSite(t)
	from.Activate(t, "one", onePhoto)
	handlerstest.Read[awardRead](t, from.Boss.Call("PUT", "/admin/awards/one", strings.Replace(onePhoto, "One", "Not yet", 1)), http.StatusOK)
	from.Activate(t, "seed", seedAward(seedStrategy))
	handlerstest.Read[awardRead](t, from.Boss.Call("PATCH", "/admin/awards/seed", `{"secret":true}`), http.StatusOK)
	file := from.Boss.Call("GET", "/admin/awards/export", "").Is(t, http.StatusOK).Text

	results := func(body string) string {
		t.Helper()
		var words []string
		for _, one := range handlerstest.Read[web.List[handlers.APIImported]](t, to.Boss.Call("POST", "/admin/awards/import?note=from+test", body), http.StatusOK).Items {
			words = append(words, one.Slug+" "+one.Result)
			for _, m := range one.Mistakes {
				words = append(words, m.Path)
			}
		}
		return strings.Join(words, ", ")
	}
	if got := results(file); got != "one imported, seed imported" {
		t.Errorf("%s\n%s", got, file)
	}
	if got := results(file); got != "one unchanged, seed unchanged" {
		t.Errorf("again: %s", got)
	}
	if got := to.Boss.Call("GET", "/admin/awards/export", "").Text; got != file {
		t.Errorf("exported again:\n%s\nwant\n%s", got, file)
	}
	list := handlerstest.All[awardRead](t, to.Boss, "/admin/awards", "1")
	if len(list) != 2 || list[0].Title != "One" || list[0].State != "draft" || list[0].Latest != 1 || !list[1].Secret {
		t.Errorf("%+v", list)
	}
	bad := strings.Replace(strings.Replace(file, `"goal": 15`, `"goal": 99`, 1), `"title": "One"`, `"title": "Uno"`, 1)
	if got := results(bad); got != "one imported, seed refused, awards[1].document.strategy.goal" {
		t.Errorf("with a mistake: %s", got)
	}
	if got := results(`{"awards":[{"document":7},{"document":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}]}`); !strings.HasPrefix(got, " refused, awards[0].document,  refused, awards[1].document") {
		t.Errorf("rubbish: %s", got)
	}
	for _, body := range []string{`{}`, `{"awards":[]}`, `{"awards":7}`} {
		to.Boss.Call("POST", "/admin/awards/import", body).Refused(t, 422, "awards")
	}
	to.Boss.Call("POST", "/admin/awards/import", ``).Refused(t, 400, "")
	to.Boss.Call("POST", "/admin/awards/import", `{"awards":[`+strings.Repeat(`{"document":{}},`, handlers.MaxImported)+`{"document":{}}]}`).Refused(t, 413, "")
}
