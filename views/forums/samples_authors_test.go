package forums

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

func sampleTrack() Track {
	t := Track{Messages: 57, More: 8, All: "/u/ada/messages"}
	for i := range 12 {
		t.Discussions = append(t.Discussions, Discussion{Serial: int64(1200 - i), Forum: "reality", Subject: []string{"Re: How to count inversions in n log n", "", "<b>\u202eevil\u202c"}[i%3], Author: []string{"Ada L.", "", "Bob"}[i%3],
			Messages: 1 << (i % 7), At: viewstest.Now.Add(-time.Duration(i*i*i) * time.Hour)})
	}
	t.Discussions[11].At = time.Time{}
	return t
}

func TestTrackSays(t *testing.T) {
	html := viewstest.Rendered(t, TrackCard(sampleTrack(), viewstest.Now))
	for _, want := range []string{"57 messages in 20 discussions, the last just now", "Re: How to count inversions in n log n: Ada L., just now", "(no subject): somebody and others, 2 messages", "8 older discussions", "&lt;b&gt;"} {
		if !strings.Contains(html, want) {
			t.Errorf("the card does not say %q", want)
		}
	}
}

// authorPages are the pages of authors in every state.
func authorPages() map[string]templ.Component {
	f, forums := viewstest.ForumsFrame, []parts.Choice{{Value: "reality", Text: "reality"}, {Value: "talk", Text: "Talk"}}
	authors := []Author{{1, "ada", "", "ada@example.org", "", "said", "ada", viewstest.Now, ""}, {2, "ada", "Ada Byron", "list@example.org", "reality", "asked", "ada", viewstest.Now.AddDate(0, 0, -3), ""}, {3, "ada", "ada", "", "talk", "dismissed", "ada", viewstest.Now, "root"}, {4, "", "", "bot@example.org", "", "said", "", viewstest.Now, ""}}
	admin := AuthorsAdmin{Frame: f("Authors", "/admin/authors", "ada"), Now: viewstest.Now, Said: authors[:1], Nobody: authors[3:], Forums: forums, Older: "/admin/authors?before=1", Suggestions: []SuggestedAuthor{
		{"2", authors[1], []string{"Ada says so"}, 0, true},
		{"x", Author{Member: "bob", Name: `"><script>`, Address: "bob@example.org"}, []string{"The address is the one at which bob gets e-mails", "The name is bob's, and the address contains one of their handles"}, 12, false}}}
	return map[string]templ.Component{
		"names":        OwnNamesPage(OwnNames{Frame: f("Names", "/settings/names", "ada"), Now: viewstest.Now, Name: "ada", Authors: authors[:3], Forums: forums}),
		"names-none":   OwnNamesPage(OwnNames{Frame: f("Names", "/settings/names", "ada"), Now: viewstest.Now, Name: "ada", Forums: forums, Form: parts.Form{Values: map[string]string{"name": "Ada"}, Errors: map[string]string{"forum": "One forum only", "address": "Must be given"}}}),
		"authors":      AuthorsAdminPage(admin),
		"authors-none": AuthorsAdminPage(AuthorsAdmin{Frame: admin.Frame, Now: viewstest.Now, Wrong: "This is bob already"}),
	}
}

func TestAuthorPages(t *testing.T) { viewstest.CheckPages(t, authorPages()) }
