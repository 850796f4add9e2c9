package awards

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
)

// An apiAwardRow is an award in the admins' list.
type apiAwardRow struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	apiAwardState
}

// APIListAll lists all awards for admins, by slug.
func (h *Handlers) APIListAll(c echo.Context) error {
	list, err := awards.All(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	list, next, err := awardsPart(c, "all awards", bySlug(list))
	if err != nil {
		return err
	}
	recounts, err := awards.OpenRecounts(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	return web.SendList(c, list, next, func(a awards.Shown) apiAwardRow {
		number := a.Version
		if number == 0 {
			number = a.Latest
		}
		row := apiAwardRow{a.Slug, a.Doc.Title, awardNow(&a, number, recounts)}
		row.Mistakes = append([]rules.Mistake{}, a.Mistakes...)
		return row
	})
}

type apiVersion struct {
	Version   int              `json:"version"`
	Author    string           `json:"author"`
	Note      string           `json:"note"`
	CreatedAt time.Time        `json:"created_at"`
	Digest    string           `json:"digest"`
	Running   bool             `json:"running"`
	Document  *json.RawMessage `json:"document,omitempty"`
}

// APIVersions lists the versions of an award, newest first; with its
// document the one that is asked for.
func (h *Handlers) APIVersions(c echo.Context) error {
	a, number, err := h.versionAsked(c, c.QueryParam("version"))
	if err != nil {
		return err
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	var before int
	if err := web.DecodeCursor(c.QueryParam("cursor"), "versions", &before); err != nil {
		return err
	}
	all, err := awards.Versions(c.Request().Context(), h.DB.DB, a.ID)
	if err != nil {
		return err
	}
	list, next := []awards.Version{}, ""
	for _, v := range all {
		if number != 0 && v.Number != number || before != 0 && v.Number >= before {
			continue
		}
		if len(list) == limit {
			next = web.EncodeCursor("versions", list[limit-1].Number)
			break
		}
		list = append(list, v)
	}
	return web.SendList(c, list, next, func(v awards.Version) apiVersion {
		out := apiVersion{Version: v.Number, Author: v.Author, Note: v.Note, CreatedAt: v.CreatedAt.UTC(), Digest: v.Digest,
			Running: v.Number == a.Version}
		if number != 0 {
			out.Document = new(documentOf(&v))
		}
		return out
	})
}

// documentOf is the document of a version in its canonical form, or as it is
// where this program cannot read it.
func documentOf(v *awards.Version) json.RawMessage {
	if doc, mistakes := v.Parsed(); len(mistakes) == 0 {
		return doc.Canonical()
	}
	return json.RawMessage(v.Document)
}

// optional reads a JSON body that may be left out.
func optional(c echo.Context, into any) error {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return bodyUnread(err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	c.Request().Body = io.NopCloser(bytes.NewReader(body))
	return web.Decode(c, into)
}

// numberAsked is the version that a body names; 0 is the newest.
func (h *Handlers) numberAsked(c echo.Context) (awards.Award, int, error) {
	var in struct {
		Version *int `json:"version"`
	}
	if err := optional(c, &in); err != nil {
		return awards.Award{}, 0, err
	}
	if in.Version == nil {
		return h.versionAsked(c, "")
	}
	return h.versionAsked(c, strconv.Itoa(*in.Version))
}

// APIActivate lets a version of an award run.
func (h *Handlers) APIActivate(c echo.Context) error {
	_, number, err := h.numberAsked(c)
	if err != nil {
		return err
	}
	if err := awards.Activate(c.Request().Context(), h.DB.DB, c.Param("slug"), number, h.Now()); err != nil {
		return err
	}
	return h.sendAward(c, http.StatusOK, c.Param("slug"), number)
}

// apiSetState pauses, retires or hides an award.
func (h *Handlers) apiSetState(to rules.State) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := awards.SetState(c.Request().Context(), h.DB.DB, c.Param("slug"), to, h.Now()); err != nil {
			return err
		}
		return h.sendAward(c, http.StatusOK, c.Param("slug"), 0)
	}
}

// APIDryRun says what a version of an award would do if it were activated now.
func (h *Handlers) APIDryRun(c echo.Context) error {
	a, number, err := h.numberAsked(c)
	if err != nil {
		return err
	}
	r, err := awards.DryRun(c.Request().Context(), h.DB.DB, &a, number, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, r)
}
