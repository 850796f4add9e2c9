package viewstest

import (
	"testing"

	"github.com/a-h/templ"

	"laurel/views/parts"
)

func TestErrorPage(t *testing.T) {
	CheckPages(t, map[string]templ.Component{
		"error": parts.ErrorView(parts.ErrorPage{Frame: Frame("Page not found", "/x", ""), Status: 404, Title: "Page not found", Wrong: "The address may be mistyped, or the page was removed."}),
	})
}
