package rules

import "slices"

func init() { register(filters, "SiteFilter", func() Filter { return new(siteFilter) }) }

// siteFilter takes what was done on these judge sites.
type siteFilter struct {
	Sites []string `json:"sites" names:"site" help:"Judge sites, for example codeforces."`
}

func (f *siteFilter) Pass(e *Event) bool { return slices.Contains(f.Sites, e.Facts.text("site")) }

func (f *siteFilter) Wants() Phrase { return oneOf("the site", f.Sites) }
