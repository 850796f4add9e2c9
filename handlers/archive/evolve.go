package archive

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	views "laurel/views/archive"
	"laurel/views/parts"
)

// An apiVersion is a declaration that a shard had.
type apiVersion struct {
	Version     int       `json:"version"`
	At          time.Time `json:"at"`
	By          string    `json:"by"` // "" where nobody is known.
	Note        string    `json:"note"`
	Declaration apiShard  `json:"declaration"`
}

// APIVersions lists the declarations of a shard, the newest first.
func (h *Handlers) APIVersions(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	if _, err := queryOf(c, nil); err != nil {
		return err
	}
	list, err := archive.Versions(c.Request().Context(), h.DB.DB, s)
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", func(v archive.Version) apiVersion {
		return apiVersion{v.Number, v.At, v.By, v.Note, showDeclaration(&v.Declaration)}
	})
}

// APIEvolve changes the declaration of a shard in place.
func (h *Handlers) APIEvolve(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	body, err := document(c)
	if err != nil {
		return err
	}
	if s, err = h.evolve(c, s, body, ""); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, showShard(s))
}

// evolve changes a shard as a document says. A note of a form is beside it.
func (h *Handlers) evolve(c echo.Context, s *archive.Shard, body any, note string) (*archive.Shard, error) {
	e, err := evolutionOf(body)
	if err != nil {
		return nil, err
	}
	if e.Note == "" {
		e.Note = note
	}
	if len(e.Note) > maxNote {
		return nil, &pg.InputError{Field: "note", Message: "this is longer than 2000 bytes"}
	}
	e.By = h.Viewer(c).ID
	return archive.Evolve(c.Request().Context(), h.DB.DB, s.Name, *e, h.Now())
}

// evolutionOf reads what a shard shall be. What answers say of a shard besides may stand in it.
func evolutionOf(body any) (*archive.Evolution, error) {
	m, err := object(body, "", "name", "title", "key", "data", "unique", "scope", "renames", "retired", "version", "note",
		"built_in", "since", "formerly")
	if err != nil {
		return nil, err
	}
	d, err := declarationIn(m)
	if err != nil {
		return nil, err
	}
	e := &archive.Evolution{Change: shards.Change{Declaration: *d, Renames: map[string]string{}}}
	if m["renames"] != nil {
		names, err := object(m["renames"], "renames")
		if err != nil {
			return nil, err
		}
		for old := range names {
			if e.Renames[old], err = text(names[old], in("renames", old)); err != nil {
				return nil, err
			}
		}
	}
	switch v := m["retired"].(type) {
	case bool:
		e.Retire = &v
	case nil, string: // As it is.
	default:
		return nil, mustBe("retired", "true or false")
	}
	version, err := responseID(m["version"], "version")
	if err != nil {
		return nil, mustBe("version", "the number of the version that was changed")
	}
	e.Version = int(version)
	e.Note, err = text(m["note"], "note")
	return e, err
}

const maxNote = 2000

// EvolveForm is the form with which an admin changes a declared shard.
func (h *Handlers) EvolveForm(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	return h.showEvolve(c, http.StatusOK, s, parts.Form{})
}

func (h *Handlers) showEvolve(c echo.Context, status int, s *archive.Shard, f parts.Form) error {
	versions, err := archive.Versions(c.Request().Context(), h.DB.DB, s)
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		return &pg.Error{Code: pg.CodeConflict, Message: "This shard is built in: Laurel itself declares it."}
	}
	given := showDeclaration(new(s.Given()))
	return web.Render(c, status, views.EvolveShardPage(views.EvolveShard{Frame: h.Frame(c, "Change "+shardTitle(s)), Shard: shardBase(s),
		Title: shardTitle(s), Declaration: declarationText(&given, versions[0].Number), Retired: web.Deref(s.Retired),
		Now: h.Now().In(h.ViewerZone(c)), Form: f}))
}

// declarationText is a declaration as people change it: a line for each part.
func declarationText(d *apiShard, version int) string {
	var lines []string
	for _, part := range []struct {
		name  string
		value any
	}{
		{"version", version}, {"name", d.Name}, {"title", d.Title}, {"key", d.Key}, {"data", d.Data}, {"unique", d.Unique},
		{"scope", d.Scope}, {"renames", struct{}{}},
	} {
		text, _ := json.Marshal(part.value) // Names and numbers never fail.
		value := strings.NewReplacer(`},{`, "},\n           {", `":"`, `": "`, `","`, `", "`).Replace(string(text))
		lines = append(lines, `  "`+part.name+`": `+value)
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

// Evolve changes a shard as the API does, and shows mistakes beside the form.
func (h *Handlers) Evolve(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	if err := web.ParseForm(c); err != nil {
		return err
	}
	body, err := formDocument(c)
	var changed *archive.Shard
	if err == nil {
		changed, err = h.evolve(c, s, body, c.FormValue("note"))
	}
	if wrong := declarationErrors(c.Request().Context(), err); wrong != nil {
		return h.showEvolve(c, http.StatusUnprocessableEntity, s, web.FormAgain(c, wrong))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, shardBase(changed)+"#versions")
}

// Retire retires a shard, or takes that back.
func (h *Handlers) Retire(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	if err := web.ParseForm(c); err != nil {
		return err
	}
	e := archive.Evolution{Change: shards.Change{Declaration: s.Given(), Retire: new(c.FormValue("retired") == "true")},
		Note: strings.ToValidUTF8(c.FormValue("note"), ""), By: h.Viewer(c).ID}
	if len(e.Note) > maxNote {
		e.Note = strings.ToValidUTF8(e.Note[:maxNote], "")
	}
	if s, err = archive.Evolve(c.Request().Context(), h.DB.DB, s.Name, e, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, shardBase(s)+"#versions")
}
