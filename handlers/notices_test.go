package handlers

import (
	"net/http"
	"testing"
	"time"

	"laurel/models/members"
)

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
