package members_test

import (
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/members"
	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
	"laurel/models/retrieval"
)

// A member whose handle was renamed reads so on the profile, in the API and in a notice.
func TestARenamedHandleIsNotified(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ada := s.Member(t, "ada", members.RoleMember)
	if err := accounts.SetHandles(t.Context(), s.DB.DB, s.BuiltIn, ada.ID, map[string]string{"codeforces": "old_one"}, s.Time); err != nil {
		t.Fatal(err)
	}
	p := s.Program(t, ada)
	if a := handlerstest.Read[handlers.APIMember](t, p.Call("GET", "/members/ada", ""), 200).Accounts[0]; a.FormerHandle != "" || a.RenamedAt != nil {
		t.Errorf("before: %+v", a)
	}
	due, err := retrieval.ClaimDue(t.Context(), s.DB.DB, "codeforces", pg.Lease{ID: "test", For: time.Minute}, 1, s.Time)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	if err := accounts.Rename(t.Context(), s.DB.DB, &due[0].Account, "Codeforces", "new.one", s.Time); err != nil {
		t.Fatal(err)
	}
	if a := handlerstest.Read[handlers.APIMember](t, p.Call("GET", "/members/ada", ""), 200).Accounts[0]; a.Handle != "new.one" || a.FormerHandle != "old_one" || a.RenamedAt == nil || !a.RenamedAt.Equal(s.Time) {
		t.Errorf("after: %+v", a)
	}
	s.Browser(t).Get("/u/ada").Is(t, 200, "formerly old_one, renamed "+s.Time.Format("2 Jan"))
	s.Time = s.Time.Add(time.Hour)
	if _, err := notices.Release(t.Context(), s.DB.DB, notices.Ways{}, 100, s.Time); err != nil {
		t.Fatal(err)
	}
	if got := handlerstest.Read[web.List[handlerstest.Notice]](t, p.Call("GET", "/members/ada/notices", ""), 200).Items; len(got) != 1 || got[0].Kind != "renamed" || len(got[0].Awards) != 0 {
		t.Errorf("notices %+v", got)
	}
	s.SignedIn(t, "ada").Get("/notices").Is(t, 200, "Codeforces has renamed old_one to new.one.", `href="/u/ada"`)
}
