package handlers

import (
	"net/http"
	"strings"
	"testing"

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
	s := newAwardSite(t, "ada")
	made := s.boss.with("PUT", "/admin/awards/one?note=the+first", onePhoto, "If-None-Match", "*")
	got := read[awardRead](t, made, http.StatusCreated)
	if got.Slug != "one" || got.State != "draft" || got.Version != 1 || got.Running != 0 || got.Latest != 1 || got.Permanence != "confirmed_after:7d" || made.Header.Get("ETag") != `"1"` || made.to() != "/api/v1/admin/awards/one" {
		t.Errorf("%+v, %v", got, made.Header)
	}
	s.boss.with("PUT", "/admin/awards/one", onePhoto, "If-None-Match", "*").refused(t, 409, "")
	if same := read[awardRead](t, s.boss.with("PUT", "/admin/awards/one", made.body, "If-Match", `"1"`), http.StatusOK); same.Latest != 1 {
		t.Errorf("what was shown, sent back: %+v", same)
	}
	two := strings.Replace(onePhoto, "One", "Two", 1)
	if got := read[awardRead](t, s.boss.with("PUT", "/admin/awards/one?note=better", two, "If-Match", `W/"1"`), http.StatusOK); got.Version != 2 || got.Title != "Two" {
		t.Errorf("%+v", got)
	}
	for _, tag := range []string{`"1"`, `"3"`, `x`, `"0"`, `""`} {
		s.boss.with("PUT", "/admin/awards/one", onePhoto, "If-Match", tag).refused(t, 409, "")
	}
	s.boss.with("PUT", "/admin/awards/other", onePhoto, "If-Match", `*`).refused(t, 409, "")
	s.boss.call("GET", "/admin/awards/other", "").refused(t, 404, "")
	read[awardRead](t, s.boss.with("PUT", "/admin/awards/one", strings.Replace(two, "Two", "Three", 1), "If-Match", `"7", "2"`), http.StatusOK)

	list := all[apiVersion](t, s.boss, "/admin/awards/one/versions", "2")
	if len(list) != 3 || list[0].Version != 3 || list[1].Note != "better" || list[2].Note != "the first" || list[2].Author != "boss" || list[0].Document != nil {
		t.Errorf("%+v", list)
	}
	if list := all[apiVersion](t, s.boss, "/admin/awards/one/versions?version=2", "2"); len(list) != 1 || !strings.Contains(string(*list[0].Document), "Two") {
		t.Errorf("%+v", list)
	}
	if got := read[awardRead](t, s.boss.call("GET", "/admin/awards/one?version=2", ""), http.StatusOK); got.Title != "Two" || got.Version != 2 || got.Latest != 3 {
		t.Errorf("%+v", got)
	}
	for _, n := range []string{"0", "4", "x", "99999999999999999999"} {
		s.boss.call("GET", "/admin/awards/one?version="+n, "").refused(t, 422, "version")
		s.boss.call("GET", "/admin/awards/one/versions?version="+n, "").refused(t, 422, "version")
	}
	s.program(t, s.member(t, "bob", members.RoleMember)).call("GET", "/admin/awards/one", "").refused(t, 403, "")
}

func TestAPIAwardStates(t *testing.T) {
	t.Parallel()
	s := newAwardSite(t, "ada")
	visitor := program{t: t, site: s.site}
	read[awardRead](t, s.boss.call("PUT", "/admin/awards/one", onePhoto), http.StatusCreated)
	state := func(verb, body, want string, shown bool) {
		t.Helper()
		if got := read[awardRead](t, s.boss.call("POST", "/admin/awards/one/"+verb, body), http.StatusOK); got.State != want {
			t.Errorf("%s: %+v, want %s", verb, got, want)
		}
		s.works(t)
		if list := all[apiCataloguedRead](t, visitor, "/awards", "5"); (len(list) == 1) != shown {
			t.Errorf("%s: the catalogue has %+v", want, list)
		}
	}
	s.boss.call("POST", "/admin/awards/one/pause", "").refused(t, 422, "state")
	for _, body := range []string{`{"version":0}`, `{"version":2}`, `{"version":-1}`} {
		s.boss.call("POST", "/admin/awards/one/activate", body).refused(t, 422, "version")
	}
	s.boss.call("POST", "/admin/awards/one/activate", `{"version":"1"}`).refused(t, 422, "version")
	s.boss.call("POST", "/admin/awards/one/activate", `{"number":1}`).refused(t, 422, "number")
	s.boss.call("POST", "/admin/awards/one/activate", `[]`).refused(t, 422, "")
	state("activate", "", "active", true)
	state("pause", "", "paused", true)
	s.sends(t, photoLine("a", ""))
	s.wants(t, "ada", "one", "in_progress 1 of 1")
	state("activate", `{"version":1}`, "active", true)
	s.wants(t, "ada", "one", "granted 1 of 1")
	s.boss.call("DELETE", "/admin/awards/one", "").refused(t, 422, "state")
	state("retire", "", "retired", true)
	s.wants(t, "ada", "one", "granted 1 of 1")
	state("hide", "{}", "hidden", false)
	s.wants(t, "ada", "one", "  of ")
	state("retire", "", "retired", true)
	state("activate", "{}", "active", true)

	read[awardRead](t, s.boss.call("PUT", "/admin/awards/two", onePhoto), http.StatusCreated)
	s.boss.call("DELETE", "/admin/awards/two", "").is(t, http.StatusNoContent)
	for _, call := range [][2]string{{http.MethodDelete, ""}, {http.MethodGet, ""}, {http.MethodPatch, ""}, {http.MethodPost, "/activate"}, {http.MethodPost, "/pause"}, {http.MethodPost, "/retire"}, {http.MethodPost, "/hide"}, {http.MethodPost, "/dry-run"}, {http.MethodGet, "/versions"}} {
		for _, slug := range []string{"two", "a%00b", "%ff"} {
			body := `{}`
			if call[0] == http.MethodPatch {
				body = `{"secret":true}`
			}
			s.boss.call(call[0], "/admin/awards/"+slug+call[1], body).refused(t, 404, "")
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
	s := newAwardSite(t, "ada", "bob", "cy")
	ada, err := members.ByName(t.Context(), s.DB.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	visitor, holder := program{t: t, site: s.site}, s.program(t, ada)
	s.runs(t, "one", onePhoto)
	s.runs(t, "two", onePhoto)
	s.sends(t, photoLine("a", ""))
	read[awardRead](t, s.boss.call("PATCH", "/admin/awards/two", `{"secret":true}`), http.StatusOK)
	slugs := func(p program, path string) string {
		var names []string
		for _, one := range all[apiCataloguedRead](t, p, path, "1") {
			names = append(names, one.Slug)
		}
		return strings.Join(names, " ")
	}
	for _, tt := range []struct {
		p          program
		path, want string
	}{
		{visitor, "/awards", "one"}, {holder, "/awards", "one two"}, {s.boss, "/awards", "one two"},
		{visitor, "/members/ada/awards", "one"}, {holder, "/members/ada/awards", "one two"}, {s.boss, "/members/bob/awards", "one two"}, {visitor, "/members/boss/awards", "one"},
	} {
		if got := slugs(tt.p, tt.path); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
	one := read[List[apiCataloguedRead]](t, visitor.call("GET", "/awards", ""), http.StatusOK).Items[0]
	if one.Holders != 1 || one.Rarity != 0.25 || one.State != "active" {
		t.Errorf("%+v, want 1 of 4 members", one)
	}
	s.boss.call("POST", "/admin/members/ADA/ban", `{"note":"a robot"}`).is(t, http.StatusOK, `"name":"ada"`)
	one = read[List[apiCataloguedRead]](t, visitor.call("GET", "/awards", ""), http.StatusOK).Items[0]
	if one.Holders != 0 || one.Rarity != 0 {
		t.Errorf("with the holder banned: %+v", one)
	}
	if got := slugs(visitor, "/members/ada/awards") + slugs(holder, "/members/ada/awards") + slugs(s.boss, "/members/ada/awards"); got != "one twoone two" {
		t.Errorf("a banned member's awards: %q", got)
	}
	s.boss.call("POST", "/admin/members/ada/unban", `{"note":"no robot"}`).is(t, http.StatusOK, `"banned_at":null`)
	if got := slugs(visitor, "/members/ada/awards"); got != "one" {
		t.Errorf("let back: %q", got)
	}
	for _, body := range []string{``, `{}`, `{"note":" "}`} {
		s.boss.call("POST", "/admin/members/ada/ban", body).refused(t, 422, "note")
	}
	s.boss.call("POST", "/admin/members/nobody/ban", `{"note":"n"}`).refused(t, 404, "")
	visitor.call("GET", "/awards?cursor=x", "").refused(t, 422, "cursor")
	visitor.call("GET", "/members/ada/awards?limit=0", "").refused(t, 422, "limit")
	visitor.call("GET", "/members/nobody/awards", "").refused(t, 404, "")
}

func TestAPIAwardsBetweenEnvironments(t *testing.T) {
	t.Parallel()
	from, to := newAwardSite(t), newAwardSite(t)
	from.runs(t, "one", onePhoto)
	read[awardRead](t, from.boss.call("PUT", "/admin/awards/one", strings.Replace(onePhoto, "One", "Not yet", 1)), http.StatusOK)
	from.runs(t, "seed", seedAward(seedStrategy))
	read[awardRead](t, from.boss.call("PATCH", "/admin/awards/seed", `{"secret":true}`), http.StatusOK)
	file := from.boss.call("GET", "/admin/awards/export", "").is(t, http.StatusOK).body

	results := func(body string) string {
		t.Helper()
		var words []string
		for _, one := range read[List[apiImported]](t, to.boss.call("POST", "/admin/awards/import?note=from+test", body), http.StatusOK).Items {
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
	if got := to.boss.call("GET", "/admin/awards/export", "").body; got != file {
		t.Errorf("exported again:\n%s\nwant\n%s", got, file)
	}
	list := all[awardRead](t, to.boss, "/admin/awards", "1")
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
		to.boss.call("POST", "/admin/awards/import", body).refused(t, 422, "awards")
	}
	to.boss.call("POST", "/admin/awards/import", ``).refused(t, 400, "")
	to.boss.call("POST", "/admin/awards/import", `{"awards":[`+strings.Repeat(`{"document":{}},`, maxImported)+`{"document":{}}]}`).refused(t, 413, "")
}
