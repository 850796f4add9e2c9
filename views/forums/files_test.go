package forums

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// A forum of files says nothing of addresses, requests and buttons that it has not.
func TestForumsOfFiles(t *testing.T) {
	files := Forum{Slug: "old", Name: "Old mails", Kind: "mbox", URL: "mbox:old", State: "open"}
	for name, page := range map[string]templ.Component{
		"forum":   ForumPage(OneForum{Forum: files}),
		"admin":   AdminForumPage(AdminForum{Forum: files}),
		"message": MessagePage(OneMessage{URL: "mbox:9510ea"}),
	} {
		var b strings.Builder
		if err := page.Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		for _, never := range []string{"mbox:", "robots.txt", "requests", "Look now", "Burst"} {
			if strings.Contains(b.String(), never) {
				t.Errorf("%s: says %q", name, never)
			}
		}
	}
}
