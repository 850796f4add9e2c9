package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/awards/rules"
)

// Each sample of the gallery is one click away from the editor, where it can be saved as it is.
func TestTheGalleryStartsAwards(t *testing.T) {
	t.Parallel()
	_, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/admin/awards/gallery").Is(t, http.StatusForbidden)
	ann.Get("/admin/awards").Is(t, http.StatusOK, `href="/admin/awards/gallery"`)
	page := ann.Get("/admin/awards/gallery").Is(t, http.StatusOK, "Four ways to combine tasks", "Cookbook", "Other systems must send photo, reviews, navi", "Levels: Ten, Fifty, Hundred")
	for _, s := range rules.Gallery() {
		if !strings.Contains(page.Text, `href="/admin/awards/new?from=`+s.Award.Slug+`"`) {
			t.Errorf("the gallery has no link to %s", s.Award.Slug)
		}
	}
	ann.Get("/admin/awards/gallery/five-languages/picture.svg").Is(t, http.StatusOK, "<svg")
	ann.Get("/admin/awards/gallery/nothing/picture.svg").Is(t, http.StatusNotFound)
	ann.Get("/admin/awards/new?from=nothing").Is(t, http.StatusNotFound)
	for _, slug := range []string{"city-explorer", "city-explorer-2", "city-explorer-3"} {
		page := ann.Get("/admin/awards/new?from=city-explorer").Is(t, http.StatusOK, "City explorer", "How it adds up")
		form(t, page, ann).press("save", "note", "from the gallery").LeadsTo(t, "/admin/awards/"+slug+"?done=award")
	}
}
