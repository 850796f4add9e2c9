package archive_test

import (
	"strings"
	"testing"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
)

const arenaChanged = `{"name":"chess","title":"Chess","key":[{"name":"player","type":"text"}],"renames":{"rank":"place"},
	"data":[{"name":"place","type":"integer"},{"name":"score","type":"number"},{"name":"club","type":"text"}],"unique":[["place"]],"note":"clubs"}`

// A declared shard is changed by the API: rows from before lack the new field, and the old name goes on.
func TestAPIEvolve(t *testing.T) {
	t.Parallel()
	s, p := arena(t)
	a := p.Call("PUT", "/archive/arena", arenaChanged)
	shard := handlerstest.Read[handlers.APIShard](t, a, 200)
	if shard.Name != "chess" || len(shard.Since) != 1 || strings.Join(shard.Formerly, " ") != "arena" {
		t.Errorf("%+v", shard)
	}
	now := s.Now().UTC().Format("2006-01-02T15:04:05Z")
	pushes(t, p, "arena", `{"retrieved_at":"`+now+`","player":"ada","place":2,"score":1000,"club":null}`, `{"retrieved_at":"`+minute(30)+`","player":"ada","place":2,"score":1000}`)
	p.Call("POST", "/archive/arena", `[{"retrieved_at":"`+now+`","player":"bob","place":1,"score":1}]`).Refused(t, 422, "0.club")
	text := p.Call("GET", "/archive/arena/history?player=ada", "").Text
	if strings.Count(text, `"club":null`) != 1 || strings.Count(text, `"place":`) != 3 {
		t.Error(text)
	}
	csv := p.Call("GET", "/archive/chess/history?player=ada&format=csv", "").Text
	if !strings.HasPrefix(csv, "player,place,score,club,not_asked,valid_from") || strings.Count(csv, ",club,") != 3 {
		t.Error(csv)
	}
	declares(t, p, "copied", "player text", "place integer, score number, club text")
	p.With("POST", "/archive/copied", csv, "Content-Type", "text/csv").Refused(t, 422, "not_asked")
	p.With("POST", "/archive/chess", csv, "Content-Type", "text/csv").Is(t, 200)
	versions := handlerstest.Read[web.List[handlers.APIVersion]](t, p.Call("GET", "/archive/arena/versions", ""), 200).Items
	if len(versions) != 2 || versions[0].Note != "clubs" || versions[0].By == "" || versions[1].Declaration.Name != "arena" {
		t.Errorf("%+v", versions)
	}
	for body, status := range map[string]int{
		strings.Replace(arenaChanged, `"note"`, `"version":1,"note"`, 1):                                  409,
		strings.NewReplacer(`"rank"`, `"place"`, `"number"`, `"text"`).Replace(arenaChanged):              422,
		strings.NewReplacer(`"rank"`, `"place"`, `"chess"`, `"declare"`).Replace(arenaChanged):            422,
		strings.NewReplacer(`"rank":"place"`, ``, `"note":`, `"retired":1,"note":`).Replace(arenaChanged): 422,
	} {
		if a := p.Call("PUT", "/archive/chess", body); a.StatusCode != status {
			t.Errorf("%s: %d %s, want %d", body, a.StatusCode, a.Text, status)
		}
	}
	p.Call("PUT", "/archive/ladder", arenaChanged).Refused(t, 409, "")
	p.Call("PUT", "/archive/chess", strings.NewReplacer(`"rank":"place"`, ``, `"note":`, `"retired":true,"note":`).Replace(arenaChanged)).Is(t, 200)
	p.Call("POST", "/archive/chess", `[{"retrieved_at":"`+now+`","player":"bob","place":1,"score":1,"club":"x"}]`).Refused(t, 410, "")
	sound(t, s)
}

// The pages of a shard that was changed: redirects from the old name, what was not asked, versions, and the forms.
func TestEvolvePages(t *testing.T) {
	t.Parallel()
	s, p := arena(t)
	visitor, admin := s.Browser(t), s.SignedIn(t, "boss")
	admin.Get("/archive/arena/declaration").Is(t, 200, "Change a shard", `&#34;name&#34;: &#34;arena&#34;`, "Retire this shard")
	admin.Get("/archive/ladder/declaration").Is(t, 409)
	a := admin.Post("/archive/arena/declaration", "declaration", arenaChanged, "note", "not this one")
	if to := a.Header.Get("Location"); a.StatusCode != 303 || to != "/archive/chess#versions" {
		t.Fatalf("%d to %q: %s", a.StatusCode, to, a.Text)
	}
	admin.Post("/archive/chess/declaration", "declaration", strings.NewReplacer(`"rank":"place"`, ``, `"number"`, `"text"`).Replace(arenaChanged)).
		Is(t, 422, "cannot become text in place")
	for path, to := range map[string]string{"/archive/arena?player=ada": "/archive/chess?player=ada", "/archive/arena/history?player=ada": "/archive/chess/history?player=ada", "/archive/arena/diff": "/archive/chess/diff"} {
		if a := visitor.Get(path); a.StatusCode != 301 || a.Header.Get("Location") != to {
			t.Errorf("%s: %d to %q", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
	visitor.Get("/archive/chess").Is(t, 200, "not asked before ", "Version 2, ", "renamed from arena, another title, field rank renamed to place, field club added", "(clubs)")
	admin.Post("/archive/chess/retired", "retired", "true", "note", "closed")
	visitor.Get("/archive/chess").Is(t, 200, "This shard was retired on", "(closed)")
	visitor.Get("/archive").Is(t, 200, "· retired")
	admin.Post("/archive/chess/retired", "retired", "false")
	pushes(t, p, "chess", `{"retrieved_at":"`+minute(31)+`","player":"ada","place":2,"score":1000}`)
}
