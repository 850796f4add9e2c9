package members_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// A member hides, is told who sees the page, and nobody else finds it until the choice is undone.
func TestVisibilityInTheSettings(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	visitor := s.Browser(t)
	lacks := func(a handlerstest.Answer, words string) {
		t.Helper()
		if strings.Contains(a.Text, words) {
			t.Errorf("the page says %q", words)
		}
	}
	bob.Get("/settings/profile").Is(t, http.StatusOK, "Who can see me", "Only you and admins", "Leave me out of rankings")
	bob.Post("/settings/visibility", "seen_by", "friends").Is(t, http.StatusUnprocessableEntity, "Choose who can see you")
	bob.Post("/settings/visibility", "seen_by", "self").LeadsTo(t, "/settings/profile?done=visibility#visibility")
	bob.Get("/u/bob").Is(t, http.StatusOK, "Only you and admins see this page.")
	ann.Get("/u/bob").Is(t, http.StatusOK, "Only this member and admins see this page.")
	visitor.Get("/u/bob").Is(t, http.StatusNotFound)
	bob.Post("/settings/visibility", "seen_by", "members", "off_boards", "yes").LeadsTo(t, "/settings/profile?done=visibility#visibility")
	bob.Get("/u/bob").Is(t, http.StatusOK, "Only people who are signed in see this page.")
	visitor.Get("/u/bob").Is(t, http.StatusNotFound)
	m, err := members.ByName(t.Context(), s.DB.DB, "bob")
	if err != nil || !m.OffBoards || m.SeenBy != members.SeenByMembers {
		t.Errorf("%+v, %v", m, err)
	}
	bob.Post("/settings/visibility", "seen_by", "everyone").LeadsTo(t, "/settings/profile?done=visibility#visibility")
	lacks(bob.Get("/u/bob").Is(t, http.StatusOK), "see this page")
	visitor.Get("/u/bob").Is(t, http.StatusOK)
}

func TestFeedTokenInTheSettings(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	a := bob.Post("/settings/tokens/feed").Is(t, http.StatusOK, "?token=feed_", "feeds only")
	_, rest, _ := strings.Cut(a.Text, `value="?token=`)
	token, _, _ := strings.Cut(rest, `"`)
	bob.Post("/settings/visibility", "seen_by", "self").LeadsTo(t, "/settings/profile?done=visibility#visibility")
	visitor := s.Browser(t)
	visitor.Get("/u/bob/messages.atom").Is(t, http.StatusNotFound)
	visitor.Get("/u/bob/messages.atom?token="+token).Is(t, http.StatusOK)
	bob.Post("/settings/tokens/1/revoke").LeadsTo(t, "/settings/data?done=revoked")
	visitor.Get("/u/bob/messages.atom?token="+token).Is(t, http.StatusUnauthorized)
}

// An admin closes the community, and opens it again.
func TestACommunityForMembersOnly(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	visitor := s.Browser(t)
	visitor.Get("/u/bob").Is(t, http.StatusOK)
	bob.Post("/admin/audience", "audience", "members").Is(t, http.StatusForbidden)
	ann.Post("/admin/audience", "audience", "friends").Is(t, http.StatusUnprocessableEntity, "Choose who can see this community")
	ann.Post("/admin/audience", "audience", "members").LeadsTo(t, "/admin/access?done=saved")
	visitor.Get("/u/bob").LeadsTo(t, "/sign-in?next=%2Fu%2Fbob")
	visitor.Post("/sign-in?", "name", "bob", "password", handlerstest.Password, "next", "/u/ann").LeadsTo(t, "/u/ann")
	s.Browser(t).Get("/api/v1/members").Is(t, http.StatusUnauthorized)
	bob.Get("/settings/profile").Is(t, http.StatusOK, "Everyone here")
	ann.Post("/admin/audience", "audience", "everyone").LeadsTo(t, "/admin/access?done=saved")
	s.Browser(t).Get("/u/bob").Is(t, http.StatusOK)
}
