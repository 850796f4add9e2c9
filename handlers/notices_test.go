package handlers

import (
	"net/http"
	"testing"
	"time"

	"laurel/models"
	"laurel/models/awards/rules"
	"laurel/models/members"
)

const firstPhoto = `{"slug":"first","title":"First <photo>","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
	"strategy":{"objective_id":"o","goal":1}}`

// tell lets a member earn an award, and hear of it two minutes later.
func (s *site) tell(t *testing.T, member string) {
	t.Helper()
	doc, mistakes := rules.Parse([]byte(firstPhoto))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	scheme := new(models.Scheme)
	for _, err := range []error{
		second(models.SaveAward(t.Context(), s.DB.DB, doc, "root", "", -1, s.now)),
		models.ActivateAward(t.Context(), s.DB.DB, doc.Slug, 0, s.now),
		models.GrantByHand(t.Context(), s.DB.DB, models.ByHand{Member: member, Award: doc.Slug, Note: "for the test", Author: "root"}, s.now),
		second(models.GrantAwards(t.Context(), s.DB.DB, scheme, 100, s.now)),
		second(models.SettleNotices(t.Context(), s.DB.DB, models.Ways{Mail: true, Webhook: true}, 100, s.now.Add(2*time.Minute))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.now = s.now.Add(3 * time.Minute)
}

func second[T any](_ T, err error) error { return err }

func TestNoticesAreReadByAButton(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	s.member(t, "bob", members.RoleMember)
	ann, bob := s.signedIn(t, "ann"), s.signedIn(t, "bob")
	ann.get("/notices").is(t, http.StatusOK, "No notifications yet")
	s.tell(t, "ann")
	ann.get("/notices").is(t, http.StatusOK, "1 unread", "You earned First &lt;photo&gt;.", "/awards/first")
	ann.get("/notices").is(t, http.StatusOK, "1 unread", "<strong>New:</strong>")
	ann.post("/notices/read", "until", s.now.Add(-time.Hour).Format(time.RFC3339))
	ann.get("/notices").is(t, http.StatusOK, "1 unread")
	ann.post("/notices/read", "until", s.now.Format(time.RFC3339))
	ann.get("/notices").is(t, http.StatusOK, "All read", "You earned")
	bob.get("/notices").is(t, http.StatusOK, "No notifications yet")
}
