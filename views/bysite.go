package views

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// SitesSums is the table of sums by site, and of how the submissions ended.
// Like the rows of submissions it is written by hand, without the end tags that
// HTML does not need.
func SitesSums(c AccountsCard) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		had := statusesOf(c.Accounts)
		b := append(make([]byte, 0, 3<<10), `<table class=nums><thead><tr><th scope=col>Site<th scope=col>Solved<th scope=col>Submissions<th scope=col>Accepted<th scope=col><span class=visually-hidden>Picture</span>`...)
		for _, s := range had {
			b = append(b, `<th scope=col><abbr title="`...)
			b = append(b, s.word...)
			b = append(b, `">`...)
			b = append(b, s.status...)
			b = append(b, `</abbr>`...)
		}
		b = append(b, `<tbody>`...)
		for _, a := range c.Accounts {
			b = appendSums(b, submissionsPath(c.Name), a, had)
		}
		_, err := w.Write(append(b, `</table>`...))
		return err
	})
}

// appendSums writes the row of a site.
func appendSums(b []byte, path string, a Account, had []status) []byte {
	b = append(b, `<tr><th scope=row>`...)
	b = appendLink(b, path+"?site="+a.Site, a.Title)
	b = appendFigures(b, a)
	b = append(b, `<td>`...)
	b = appendStatusBar(b, a.Statuses)
	for _, s := range had {
		b = append(b, `<td>`...)
		b = append(b, number(countOf(a.Statuses, s.status))...)
	}
	return b
}
