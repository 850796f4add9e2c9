package parts

import (
	"html"

	"github.com/a-h/templ"
)

// AppendLink writes a link, or only its text where there is no address.
func AppendLink(b []byte, address, text string) []byte {
	if address == "" {
		return append(b, html.EscapeString(text)...)
	}
	b = append(b, `<a href="`...)
	b = append(b, html.EscapeString(string(templ.URL(address)))...)
	b = append(b, `">`...)
	b = append(b, html.EscapeString(text)...)
	return append(b, "</a>"...)
}
