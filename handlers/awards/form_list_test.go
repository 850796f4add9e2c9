package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

// A list has a field for each value and an empty one, or a tick for each choice; none of them needs a comma.
func TestListsAreFieldsAndTicks(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	const days, tags = "objectives[0].filters[1].config.days", "objectives[0].filters[2].config.tags"
	page := ann.Get("/admin/awards/new").Is(t, http.StatusOK, `list="names-source"`, `<option value="submissions">`)
	page = form(t, page, ann).press("add-filter 0", "add-0", "DayOfWeekFilter")
	page = form(t, page, ann).press("add-filter 0", "add-0", "TagFilter").Is(t, http.StatusOK, "Saturday")
	for _, tt := range []struct{ days, tags, want string }{
		{"sat" + nextValue + "sun", "dp", `["sat", "sun"] ["dp"]`},
		{"sat", "dp" + nextValue + "a, b" + nextValue + " ", `["sat"] ["dp", "a, b"]`},
		{"", nextValue + "graphs", `[] ["graphs"]`}, // Unticked, and the first one emptied.
	} {
		page = form(t, page, ann).press("apply", days, nextValue+tt.days, tags, tt.tags)
		text := form(t, page, ann).fields["document"]
		_, after, _ := strings.Cut(text, `"days": `)
		gotDays, after, _ := strings.Cut(after, "}")
		_, gotTags, _ := strings.Cut(after, `"tags": `)
		gotTags, _, _ = strings.Cut(gotTags, "}")
		if got := gotDays + " " + gotTags; got != tt.want {
			t.Errorf("days %q and tags %q make %s, want %s", tt.days, tt.tags, got, tt.want)
		}
	}
	page.Is(t, http.StatusOK, "must not be empty", "Show in the form")
}

// What is wrong with a part that has no field of its own stands beside the part, too.
func TestMistakesStandInTheForm(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	f := form(t, ann.Get("/admin/awards/new"), ann)
	page := f.press("check", "document", strings.Replace(f.fields["document"], "SourceFilter", "SauceFilter", 1))
	fields, list, _ := strings.Cut(page.Text, `id="mistakes"`)
	for where, text := range map[string]string{"form": fields, "list": list} {
		if !strings.Contains(text, `no filter is named &#34;SauceFilter&#34;`) {
			t.Errorf("the %s does not say that there is no SauceFilter", where)
		}
	}
}
