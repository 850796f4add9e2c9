package handlers

import (
	"net/http"
	"testing"

	"laurel/models/members"
)

func TestAPINotices(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	ann := s.member(t, "ann", members.RoleMember)
	bob := s.member(t, "bob", members.RoleMember)
	boss := s.member(t, "boss", members.RoleAdmin)
	s.tell(t, "ann")
	for _, who := range []members.Member{ann, boss} {
		got := read[List[apiNotice]](t, s.program(t, who).call("GET", "/members/ann/notices", ""), http.StatusOK)
		if len(got.Items) != 1 || got.Next != "" || got.Items[0].Kind != "granted" || got.Items[0].Text != "You earned First <photo>." || !got.Items[0].Unread || got.Items[0].Awards[0].Slug != "first" {
			t.Errorf("%s reads %+v", who.Name, got)
		}
	}
	s.program(t, bob).call("GET", "/members/ann/notices", "").refused(t, http.StatusForbidden, "")
	s.program(t, ann).call("GET", "/members/ann/notices?limit=0", "").refused(t, http.StatusUnprocessableEntity, "limit")
	s.program(t, ann).call("GET", "/members/ann/notices?cursor=x", "").refused(t, http.StatusUnprocessableEntity, "cursor")
}
