package members

import (
	"fmt"
	"regexp"
	"strings"

	pg "laurel/models/db"
)

// A Site is what pages and forms must know of a judge site; package web fills
// it from the readers, DeclaredSite.Site from what an admin declared.
type Site struct {
	Name, Title, Home string
	Handle            *regexp.Regexp // Anchored.
	Hint              string
	Profile           func(handle string) string // Nil: it has no pages of members.
	Problem           func(key string) string    // Nil: as it stands in rows.
	Kind              string                     // Of which kind its host is; "" for the others.
	Outside           bool                       // Laurel does not read it: its rows are pushed.
	KeyInName         bool                       // A problem is called by its key and its name.
	Streams           bool                       // It lists what everybody submits.
	Proof             string                     // The field of a profile that proves a handle; "": none does.
	HandleIn          func(text string) string   // Of the address of a profile; other text as it is. Nil: none is read.
}

// SiteNamed returns a site, or an InputError about field.
func SiteNamed(sites []Site, name, field string) (Site, error) {
	var names []string
	for _, s := range sites {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Site{}, &pg.InputError{Field: pg.CleanText(field),
		Message: fmt.Sprintf("no site is named %q; known are %s", pg.CleanText(name), strings.Join(names, ", "))}
}

// CheckHandle returns an InputError unless the handle fits its site's pattern:
// only such a handle may ever be in an address.
func CheckHandle(sites []Site, site, handle string) error {
	s, err := SiteNamed(sites, site, "accounts."+site)
	if err != nil {
		return err
	}
	if !s.Handle.MatchString(handle) {
		return &pg.InputError{Field: "accounts." + site,
			Message: fmt.Sprintf("%q cannot be a handle on %s (%s)", pg.CleanText(handle), s.Title, s.Hint)}
	}
	return nil
}

// HandleIn is what is meant by a text in the field of a site: a handle, or the
// address of its page.
func HandleIn(sites []Site, site, text string) string {
	text = pg.CleanText(text)
	for _, s := range sites {
		if s.Name == site && s.HandleIn != nil {
			return pg.CleanText(s.HandleIn(text))
		}
	}
	return text
}
