package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// The page says what counted to everybody who may see the member, and what did not, and why, to the member and support.
func TestWhyPageLeadsWithWhatCounted(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	s.Member(t, "ada", members.RoleMember)
	s.Member(t, "eve", members.RoleMember)
	s.Activate(t, "two", `{"title":"Two photos","text":"Two photos.","permanence":"permanent","objectives":[{"id":"photos","filters":[
		{"name":"SourceFilter","config":{"sources":["photo"]}},{"name":"StatusFilter","config":{"statuses":["active"]}}],
		"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"photos","goal":2}}`)
	place := func(id, object, status string) string {
		return strings.Replace(photoLine(id, `,"object":"`+object+`"`), `"status":"active"`, `"status":"`+status+`"`, 1)
	}
	s.Send(t, place("a", "museum", "active"), place("b", "bridge", "active"), place("c", "sewer", "blocked"))
	const path = "/u/ada/awards/two"
	for name, all := range map[string]bool{"": false, "eve": false, "ada": true, "boss": true} {
		b := s.Browser(t)
		if name != "" {
			b = s.SignedIn(t, name)
		}
		page := b.Get(path).Is(t, http.StatusOK, "What counted", "museum", "bridge", "Two photos").Text
		if got := strings.Contains(page, "What did not count"); got != all || strings.Contains(page, "sewer") != all {
			t.Errorf("%q sees what did not count: %v", name, got)
		}
		if all && (strings.Index(page, "museum") > strings.Index(page, "sewer") || !strings.Contains(page, "It counts only if the status is &#34;active&#34;.")) {
			t.Errorf("%q is not told why:\n%s", name, page)
		}
	}
	s.Browser(t).Get("/u/nobody/awards/two").Is(t, http.StatusNotFound)
	s.Browser(t).Get("/u/ada/awards/none").Is(t, http.StatusNotFound)
	s.SignedIn(t, "ada").Get("/u/ada/awards?show=earned").Is(t, http.StatusOK, path)
}
