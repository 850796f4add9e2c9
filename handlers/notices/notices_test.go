package notices_test

import (
	"net/http"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

func TestNoticesAreReadByAButton(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	s.Member(t, "bob", members.RoleMember)
	ann, bob := s.SignedIn(t, "ann"), s.SignedIn(t, "bob")
	ann.Get("/notices").Is(t, http.StatusOK, "No notifications yet")
	s.EarnAward(t, "ann")
	ann.Get("/notices").Is(t, http.StatusOK, "1 unread", "You earned First &lt;photo&gt;.", "/awards/first")
	ann.Get("/notices").Is(t, http.StatusOK, "1 unread", "<strong>New:</strong>")
	ann.Post("/notices/read", "until", s.Time.Add(-time.Hour).Format(time.RFC3339))
	ann.Get("/notices").Is(t, http.StatusOK, "1 unread")
	ann.Post("/notices/read", "until", s.Time.Format(time.RFC3339))
	ann.Get("/notices").Is(t, http.StatusOK, "All read", "You earned")
	bob.Get("/notices").Is(t, http.StatusOK, "No notifications yet")
}
