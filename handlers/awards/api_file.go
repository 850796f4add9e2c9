package awards

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

const maxImported = 500

type apiAwardFile struct {
	Awards []apiFiledAward `json:"awards"`
}

// An apiFiledAward is an award on its way to another Laurel. Its state stays
// behind: what runs is decided where it runs.
type apiFiledAward struct {
	Secret   bool            `json:"secret"`
	Document json.RawMessage `json:"document"`
}

// APIExport sends all awards as one file, each in the version that runs, or
// the newest where none does.
func (h *Handlers) APIExport(c echo.Context) error {
	list, err := awards.All(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	file := apiAwardFile{Awards: []apiFiledAward{}}
	for _, a := range bySlug(list) {
		document := json.RawMessage(a.Document)
		if len(a.Mistakes) == 0 {
			document = a.Doc.Canonical()
		}
		file.Awards = append(file.Awards, apiFiledAward{a.Secret, document})
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="awards.json"`)
	return c.JSONPretty(http.StatusOK, file, "  ")
}

type apiImported struct {
	Slug     string          `json:"slug"`
	Result   string          `json:"result"`
	Version  int             `json:"version"` // The newest now; 0 where it was refused.
	Mistakes []rules.Mistake `json:"mistakes"`
}

// What may become of an award in a file.
const (
	imported        = "imported"  // As a new version, which does not run yet.
	importedNothing = "unchanged" // The newest version says the same.
	importRefused   = "refused"
)

// APIImport saves the awards of a file as new versions, which do not run
// yet. One that is wrong hurts no other.
func (h *Handlers) APIImport(c echo.Context) error {
	var in struct {
		Awards []struct {
			Secret   *bool          `json:"secret"`
			Document jsontext.Value `json:"document"`
		} `json:"awards"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if len(in.Awards) == 0 {
		return &pg.InputError{Field: "awards", Message: "this is missing or empty: a list of {document, secret}"}
	}
	if len(in.Awards) > maxImported {
		return echo.NewHTTPError(http.StatusRequestEntityTooLarge,
			"one file has at most "+strconv.Itoa(maxImported)+" awards; nothing was stored, send them in parts")
	}
	note, err := noteAsked(c)
	if err != nil {
		return err
	}
	out := make([]apiImported, len(in.Awards))
	for i, a := range in.Awards {
		if out[i], err = h.importAward(c, a.Document, a.Secret, note); err != nil {
			return err
		}
		for j := range out[i].Mistakes {
			place := "awards[" + strconv.Itoa(i) + "].document"
			if path := out[i].Mistakes[j].Path; path != "" {
				place += "." + path
			}
			out[i].Mistakes[j].Path = place
		}
	}
	return web.SendList(c, out, "", func(a apiImported) apiImported { return a })
}

// importAward stores one award, wholly or not at all.
func (h *Handlers) importAward(c echo.Context, document []byte, secret *bool, note string) (apiImported, error) {
	ctx := c.Request().Context()
	doc, mistakes := rules.Parse(document)
	out := apiImported{Slug: doc.Slug, Result: importRefused, Mistakes: append([]rules.Mistake{}, mistakes...)}
	if len(mistakes) > 0 {
		return out, nil
	}
	before, err := awards.Named(ctx, h.DB.DB, doc.Slug)
	if err != nil && !errors.Is(err, pg.ErrNotFound) {
		return out, err
	}
	a, err := awards.Save(ctx, h.DB.DB, doc, awards.Edit{Author: h.Viewer(c).Name, Note: note, Basis: -1}, h.Now())
	if err != nil {
		return out, err
	}
	if secret != nil && *secret != a.Secret {
		if err := awards.SetSecret(ctx, h.DB.DB, doc.Slug, *secret); err != nil {
			return out, err
		}
	}
	out.Result, out.Version = imported, a.Latest
	if before.Latest == a.Latest {
		out.Result = importedNothing
	}
	return out, nil
}
