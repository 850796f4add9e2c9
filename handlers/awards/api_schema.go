package awards

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
)

// APISchema is the JSON schema of documents, for this editor and others.
func (h *Handlers) APISchema(c echo.Context) error {
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, rules.Schema())
}

// knownNames are what a document may name.
type knownNames struct {
	Sources []knownSource `json:"sources"`
	Sites   []string      `json:"sites"`
}

type knownSource struct {
	Source string      `json:"source"`
	Own    bool        `json:"own"`
	Types  []string    `json:"types"`
	Facts  []knownFact `json:"facts"`
}

type knownFact struct {
	Name string `json:"name"`
	Of   string `json:"of"`
}

// APINames are the sources, types and facts that were seen lately, and the judge sites.
func (h *Handlers) APINames(c echo.Context) error {
	out, err := h.knownNames(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (h *Handlers) knownNames(c echo.Context) (knownNames, error) {
	list, err := events.Names(c.Request().Context(), h.DB.DB, h.Now())
	if err != nil {
		return knownNames{}, err
	}
	out := knownNames{Sites: h.siteNames(c), Sources: make([]knownSource, len(list))}
	for i, s := range list {
		out.Sources[i] = knownSource{s.Source, s.Own, append([]string{}, s.Types...), make([]knownFact, len(s.Facts))}
		for j, f := range s.Facts {
			out.Sources[i].Facts[j] = knownFact(f)
		}
	}
	return out, nil
}

// suggested are the names by what is named, as the fields of the form suggest them.
func suggested(known knownNames) map[string][]string {
	names := map[string][]string{"site": known.Sites}
	for _, s := range known.Sources {
		names["source"] = append(names["source"], s.Source)
		names["type"] = append(names["type"], s.Types...)
		for _, f := range s.Facts {
			names["fact"] = append(names["fact"], f.Name)
		}
	}
	for what := range names {
		slices.Sort(names[what])
		names[what] = slices.Compact(names[what])
	}
	return names
}

func (h *Handlers) siteNames(c echo.Context) []string {
	names := []string{}
	for _, s := range h.Sites(c) {
		names = append(names, s.Name)
	}
	return names
}

// warnings are the places of a document without mistakes that name what nobody sends.
func (h *Handlers) warnings(c echo.Context, doc *rules.Award, mistakes rules.Mistakes) (rules.Mistakes, error) {
	if len(mistakes) > 0 {
		return nil, nil
	}
	return awards.Warnings(c.Request().Context(), h.DB.DB, doc, h.siteNames(c), h.Now())
}

// APILint says what is wrong with a document and what may be, without storing anything.
func (h *Handlers) APILint(c echo.Context) error {
	text, err := bodyText(c)
	if err != nil {
		return bodyUnread(err)
	}
	doc, mistakes := rules.Parse([]byte(text))
	warnings, err := h.warnings(c, &doc, mistakes)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]rules.Mistakes{"mistakes": append(rules.Mistakes{}, mistakes...),
		"warnings": append(rules.Mistakes{}, warnings...)})
}
