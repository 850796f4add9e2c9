package handlers

import (
	"testing"
	"time"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
	"laurel/models/retrieval"
)

// A member whose handle was renamed reads so on the profile, in the API and in a notice.
func TestARenamedHandleIsTold(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	ada := s.member(t, "ada", members.RoleMember)
	if err := accounts.SetHandles(t.Context(), s.DB.DB, s.Sites, ada.ID, map[string]string{"codeforces": "old_one"}, s.now); err != nil {
		t.Fatal(err)
	}
	p := s.program(t, ada)
	if a := read[apiMember](t, p.call("GET", "/members/ada", ""), 200).Accounts[0]; a.FormerHandle != "" || a.RenamedAt != nil {
		t.Errorf("before: %+v", a)
	}
	due, err := retrieval.ClaimDue(t.Context(), s.DB.DB, "codeforces", pg.Lease{ID: "test", For: time.Minute}, 1, s.now)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	if err := accounts.Rename(t.Context(), s.DB.DB, &due[0].Account, "Codeforces", "new.one", s.now); err != nil {
		t.Fatal(err)
	}
	if a := read[apiMember](t, p.call("GET", "/members/ada", ""), 200).Accounts[0]; a.Handle != "new.one" || a.FormerHandle != "old_one" || a.RenamedAt == nil || !a.RenamedAt.Equal(s.now) {
		t.Errorf("after: %+v", a)
	}
	s.browser(t).get("/u/ada").is(t, 200, "formerly old_one, renamed "+s.now.Format("2 Jan"))
	s.now = s.now.Add(time.Hour)
	if _, err := notices.Settle(t.Context(), s.DB.DB, notices.Ways{}, 100, s.now); err != nil {
		t.Fatal(err)
	}
	if got := read[List[notice]](t, p.call("GET", "/members/ada/notices", ""), 200).Items; len(got) != 1 || got[0].Kind != "renamed" || len(got[0].Awards) != 0 {
		t.Errorf("notices %+v", got)
	}
	s.signedIn(t, "ada").get("/notices").is(t, 200, "Codeforces has renamed old_one to new.one.", `href="/u/ada"`)
}
