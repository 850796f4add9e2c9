package views

import (
	"testing"

	"github.com/a-h/templ"
)

func TestErrorPage(t *testing.T) {
	checkPages(t, map[string]templ.Component{
		"error": ErrorView(ErrorPage{Frame: frame("Page not found", "/x", ""), Status: 404, Title: "Page not found", Wrong: "The address may be mistyped, or the page was removed."}),
	})
}
