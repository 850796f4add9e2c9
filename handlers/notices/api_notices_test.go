package notices_test

import (
	"net/http"
	"testing"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/notices"
	"laurel/handlers/web"
	"laurel/models/members"
)

func TestAPINotices(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ann := s.Member(t, "ann", members.RoleMember)
	bob := s.Member(t, "bob", members.RoleMember)
	boss := s.Member(t, "boss", members.RoleAdmin)
	s.EarnAward(t, "ann")
	for _, who := range []members.Member{ann, boss} {
		got := handlerstest.Read[web.List[handlers.APINotice]](t, s.Program(t, who).Call("GET", "/members/ann/notices", ""), http.StatusOK)
		if len(got.Items) != 1 || got.Next != "" || got.Items[0].Kind != "granted" || got.Items[0].Text != "You earned First <photo>." || !got.Items[0].Unread || got.Items[0].Awards[0].Slug != "first" {
			t.Errorf("%s reads %+v", who.Name, got)
		}
	}
	s.Program(t, bob).Call("GET", "/members/ann/notices", "").Refused(t, http.StatusForbidden, "")
	s.Program(t, ann).Call("GET", "/members/ann/notices?limit=0", "").Refused(t, http.StatusUnprocessableEntity, "limit")
	s.Program(t, ann).Call("GET", "/members/ann/notices?cursor=x", "").Refused(t, http.StatusUnprocessableEntity, "cursor")
}
