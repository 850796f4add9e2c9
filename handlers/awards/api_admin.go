package awards

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// An apiAwardState is what is shown of an award beside its document.
type apiAwardState struct {
	State       rules.State     `json:"state"`
	Version     int             `json:"version"` // Of the document that is shown.
	Running     int             `json:"running"` // The version that runs; 0 before the first.
	Latest      int             `json:"latest"`
	Secret      bool            `json:"secret"`
	Holders     int64           `json:"holders"`
	CreatedAt   time.Time       `json:"created_at"`
	ActivatedAt *time.Time      `json:"activated_at"`
	Recounted   *int64          `json:"recounted"` // Items gone through so far, while the award is recounted.
	Mistakes    []rules.Mistake `json:"mistakes"`  // Of a document that was written for other filters than there are.
}

// besideDocument are the keys of apiAwardState: what is shown can be sent back.
var besideDocument = []string{"state", "version", "running", "latest", "secret", "holders", "created_at", "activated_at", "recounted",
	"mistakes"}

// beside joins a document and what is shown beside it into one object.
func beside(document []byte, state apiAwardState) (json.RawMessage, error) {
	if state.Mistakes == nil {
		state.Mistakes = []rules.Mistake{}
	}
	more, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	open := strings.TrimSuffix(strings.TrimSpace(string(document)), "}")
	return json.RawMessage(open + "," + string(more[1:])), nil
}

// awardNow is the state of an award.
func awardNow(a *awards.Shown, number int, recounts map[int64]awards.Recount) apiAwardState {
	s := apiAwardState{State: a.State, Version: number, Running: a.Version, Latest: a.Latest, Secret: a.Secret, Holders: a.Holders,
		CreatedAt: a.CreatedAt.UTC(), ActivatedAt: web.UTC(a.ActivatedAt)}
	if r, ok := recounts[a.ID]; ok {
		s.Recounted = &r.Items
	}
	return s
}

// sendAward sends a version of an award with its state; the newest where number is 0.
func (h *Handlers) sendAward(c echo.Context, status int, slug string, number int) error {
	ctx := c.Request().Context()
	a, err := awards.ShownNamed(ctx, h.DB.DB, slug, h.Viewer(c))
	if err != nil {
		return err
	}
	v, err := awards.VersionOf(ctx, h.DB.DB, &a.Award, number)
	if err != nil {
		return err
	}
	recounts, err := awards.OpenRecounts(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	document, state := []byte(v.Document), awardNow(&a, v.Number, recounts)
	doc, mistakes := v.Parsed()
	if state.Mistakes = mistakes; len(mistakes) == 0 {
		document = doc.Canonical()
	}
	body, err := beside(document, state)
	if err != nil {
		return fmt.Errorf("show award %q: %w", slug, err)
	}
	c.Response().Header().Set("ETag", versionTag(a.Latest))
	return c.JSON(status, body)
}

func versionTag(latest int) string { return strconv.Quote(strconv.Itoa(latest)) }

// APIShow is an award as admins write it.
func (h *Handlers) APIShow(c echo.Context) error {
	_, number, err := h.versionAsked(c, c.QueryParam("version"))
	if err != nil {
		return err
	}
	return h.sendAward(c, http.StatusOK, c.Param("slug"), number)
}

// versionAsked returns the award of the address and which of its versions is meant;
// 0, the newest, where nothing is given.
func (h *Handlers) versionAsked(c echo.Context, text string) (awards.Award, int, error) {
	a, err := awards.Named(c.Request().Context(), h.DB.DB, c.Param("slug"))
	if err != nil || text == "" {
		return a, 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > a.Latest {
		return a, 0, &pg.InputError{Field: "version", Message: fmt.Sprintf("this award has versions 1 to %d", a.Latest)}
	}
	return a, n, nil
}

// APISave writes a new version of an award, which does not run yet.
func (h *Handlers) APISave(c echo.Context) error {
	ctx, slug := c.Request().Context(), c.Param("slug")
	body, err := io.ReadAll(c.Request().Body)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return rules.Mistakes{{Text: "is larger than 1 MB, and at most 64 KB are read"}}
	}
	if err != nil {
		return bodyUnread(err)
	}
	doc, mistakes := rules.ParseAs(slug, body, besideDocument...)
	if len(mistakes) > 0 {
		return mistakes
	}
	note, err := noteAsked(c)
	if err != nil {
		return err
	}
	a, err := awards.Named(ctx, h.DB.DB, slug)
	fresh := errors.Is(err, pg.ErrNotFound)
	if err != nil && !fresh {
		return err
	}
	basis, err := basisOf(c.Request().Header, a.Latest)
	if err != nil {
		return err
	}
	if _, err := awards.Save(ctx, h.DB.DB, doc, awards.Edit{Author: h.Viewer(c).Name, Note: note, Basis: basis}, h.Now()); err != nil {
		return err
	}
	if !fresh {
		return h.sendAward(c, http.StatusOK, slug, 0)
	}
	c.Response().Header().Set(echo.HeaderLocation, "/api/v1/admin/awards/"+slug)
	return h.sendAward(c, http.StatusCreated, slug, 0)
}

func bodyUnread(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return err
	}
	return web.BadBody("the body was cut off", err)
}

// noteAsked is what the author says about a version.
func noteAsked(c echo.Context) (string, error) {
	note := c.QueryParam("note")
	if len(note) > 1000 {
		return "", &pg.InputError{Field: "note", Message: "a note has at most 1000 bytes"}
	}
	return note, nil
}

// basisOf is the version that must be the newest one for a new one to be written;
// below 0 it does not matter. latest is 0 where there is no award.
func basisOf(header http.Header, latest int) (int, error) {
	if header.Get("If-None-Match") == "*" {
		if latest > 0 {
			return 0, echo.NewHTTPError(http.StatusConflict,
				"an award has this name already; choose another, or send If-Match with its version to write the next one")
		}
		return 0, nil
	}
	given := header.Get("If-Match")
	switch {
	case given == "":
		return -1, nil
	case latest > 0 && web.MatchesETag(given, versionTag(latest)):
		return latest, nil
	}
	return 0, awards.ErrStale
}

// APIUpdate changes what is not in the document.
func (h *Handlers) APIUpdate(c echo.Context) error {
	var in struct {
		Secret *bool `json:"secret"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	a, err := awards.Named(c.Request().Context(), h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	if in.Secret != nil {
		if err := awards.SetSecret(c.Request().Context(), h.DB.DB, a.Slug, *in.Secret); err != nil {
			return err
		}
	}
	return h.sendAward(c, http.StatusOK, a.Slug, 0)
}

// APIDelete deletes an award that nobody ever had.
func (h *Handlers) APIDelete(c echo.Context) error {
	if err := awards.Delete(c.Request().Context(), h.DB.DB, c.Param("slug")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
