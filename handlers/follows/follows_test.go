package follows_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
)

func solve(t *testing.T, s *handlerstest.Site, name, key string, at time.Time) {
	t.Helper()
	if err := s.DB.Exec(`WITH p AS (INSERT INTO problems (site, key, name, url) VALUES ('codeforces', @key, 'Sample', '') RETURNING id)
		INSERT INTO solved (member_id, problem_id, first_at, submission_id) SELECT m.id, p.id, @at, 1 FROM p, members m WHERE m.name = @name`,
		pg.Named("key", key, "name", name, "at", at)).Error; err != nil {
		t.Fatal(err)
	}
}

func TestFollowing(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	s.Member(t, "cyd", members.RoleMember)
	bob.Get("/feed").Is(t, http.StatusOK, "Nothing here yet", "Find people")
	bob.Get("/following").Is(t, http.StatusOK, "You follow no members yet", "None yet. Add someone")
	bob.Get("/u/ann").Is(t, http.StatusOK, `action="/u/ann/follow"`, ">Follow<", `action="/u/ann/block"`)
	if text := bob.Get("/u/bob").Is(t, http.StatusOK).Text; strings.Contains(text, "/u/bob/follow") {
		t.Error("one can follow oneself")
	}
	if text := s.Browser(t).Get("/u/ann").Is(t, http.StatusOK).Text; strings.Contains(text, "/u/ann/follow") {
		t.Error("a visitor is shown the button")
	}
	s.Browser(t).Post("/u/ann/follow").Is(t, http.StatusUnauthorized)
	bob.Post("/u/ann/follow").LeadsTo(t, "/u/ann?done=following")
	bob.Post("/u/ann/follow").LeadsTo(t, "/u/ann?done=following") // Again changes nothing.
	bob.Get("/u/ann").Is(t, http.StatusOK, "Unfollow", `action="/u/ann/unfollow"`)
	bob.Get("/following").Is(t, http.StatusOK, "ann", "Unfollow ann")
	ann.Get("/following/followers").Is(t, http.StatusOK, "bob", "Block bob")

	for i := range 5 {
		solve(t, s, "ann", fmt.Sprint(i, "A"), s.Time.Add(time.Duration(-i)*time.Minute))
	}
	solve(t, s, "cyd", "9Z", s.Time) // Whom nobody follows.
	page := bob.Get("/feed").Is(t, http.StatusOK, "Today", "ann", " solved 5 problems", "0A Sample", "2A Sample", " and 2 more", "12:00")
	if strings.Contains(page.Text, "cyd") || strings.Contains(page.Text, "3A") {
		t.Errorf("the feed shows too much:\n%s", page.Text)
	}
	bob.Post("/following", "name", "bob").Is(t, http.StatusUnprocessableEntity, "This is you", `value="bob"`)
	bob.Post("/u/ann/unfollow").LeadsTo(t, "/u/ann?done=not-following")
	bob.Get("/feed").Is(t, http.StatusOK, "Nothing here yet")
}

// Who hides is asked, sees who asks, and shows nothing even to whom they allowed.
func TestRequests(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	s.Member(t, "ghost", members.RoleMember)
	ghost := s.SignedIn(t, "ghost")
	ghost.Post("/settings/visibility", "seen_by", "self").LeadsTo(t, "/settings/profile?done=visibility#visibility")
	solve(t, s, "ghost", "1A", s.Time)
	asked := bob.Post("/following", "name", "ghost")
	if nobody := bob.Post("/following", "name", "nobody"); asked.To() != nobody.To() || asked.StatusCode != nobody.StatusCode {
		t.Errorf("asking for who hides leads to %q, for nobody to %q", asked.To(), nobody.To())
	}
	bob.Post("/u/ghost/follow").Is(t, http.StatusNotFound)
	if text := bob.Get("/following").Text; strings.Contains(text, "ghost") {
		t.Errorf("who hides is listed:\n%s", text)
	}
	ghost.Get("/following/requests").Is(t, http.StatusOK, "bob", "Allow bob", "Decline bob", `<span class="n">1</span>`)
	ghost.Post("/following/requests/bob/allow").LeadsTo(t, "/following/requests?done=allowed")
	ghost.Post("/following/requests/bob/allow").Is(t, http.StatusNotFound)
	ghost.Get("/following/followers").Is(t, http.StatusOK, "bob")
	for _, path := range []string{"/following", "/feed", "/notices"} {
		if text := bob.Get(path).Is(t, http.StatusOK).Text; strings.Contains(text, "ghost") {
			t.Errorf("%s says ghost:\n%s", path, text)
		}
	}
	ghost.Post("/settings/visibility", "seen_by", "members").Is(t, http.StatusSeeOther)
	bob.Get("/following").Is(t, http.StatusOK, "ghost")
	bob.Get("/feed").Is(t, http.StatusOK, "ghost", " solved 1 problem")
	ann.Post("/u/ghost/follow").LeadsTo(t, "/u/ghost?done=following") // Who shows themselves is not asked.
}

// A block ends following both ways; who is blocked sees a request that nobody answers.
func TestBlocks(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	ann.Post("/u/bob/follow").LeadsTo(t, "/u/bob?done=following")
	bob.Post("/u/ann/follow").LeadsTo(t, "/u/ann?done=following")
	bob.Post("/u/ann/block").LeadsTo(t, "/following/blocked?done=blocked")
	bob.Get("/following/blocked").Is(t, http.StatusOK, "ann", "Unblock ann")
	bob.Get("/u/ann").Is(t, http.StatusOK, `action="/u/ann/unblock"`)
	for _, b := range []*handlerstest.Browser{ann, bob} {
		b.Get("/following").Is(t, http.StatusOK, "You follow no members yet")
		b.Get("/following/followers").Is(t, http.StatusOK, "Nobody follows you yet")
	}
	bob.Post("/u/ann/follow").Is(t, http.StatusUnprocessableEntity, "unblock them first")
	ann.Post("/u/bob/follow").LeadsTo(t, "/u/bob?done=requested")
	ann.Get("/u/bob").Is(t, http.StatusOK, "Withdraw request")
	for _, path := range []string{"/u/bob", "/following", "/notices", "/feed"} {
		if text := ann.Get(path).Text; strings.Contains(text, "lock") && strings.Contains(text, "blocked you") {
			t.Errorf("%s tells:\n%s", path, text)
		}
	}
	bob.Get("/following/requests").Is(t, http.StatusOK, "No requests")
	bob.Post("/following/requests/ann/allow").Is(t, http.StatusNotFound)
	var notices int
	if err := s.DB.Raw(`SELECT count(*) FROM notices`).Scan(&notices).Error; err != nil || notices > 0 {
		t.Errorf("%d notices, %v", notices, err)
	}
	bob.Post("/u/ann/unblock").LeadsTo(t, "/following/blocked?done=unblocked")
	ann.Post("/u/bob/follow").LeadsTo(t, "/u/bob?done=following")
}

func TestFeedAtom(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	bob.Post("/u/ann/follow").LeadsTo(t, "/u/ann?done=following")
	solve(t, s, "ann", "1A", s.Time)
	page := bob.Post("/settings/tokens/feed").Is(t, http.StatusOK)
	at := strings.Index(page.Text, "feed_")
	token := page.Text[at : at+strings.IndexAny(page.Text[at:], "<\" \n")]
	program := s.Browser(t)
	feed := program.Get("/feed.atom?token="+token).Is(t, http.StatusOK)
	var got web.AtomFeed
	if err := xml.Unmarshal([]byte(feed.Text), &got); err != nil || len(got.Entries) != 1 || got.Entries[0].Title != "ann solved 1 problem" || got.Entries[0].Summary != "1A Sample" {
		t.Errorf("the feed is %+v, %v:\n%s", got, err, feed.Text)
	}
	if strings.Contains(feed.Text, token) {
		t.Error("the feed has the token")
	}
	program.Get("/feed.atom?token="+token, "If-None-Match", feed.Header.Get("ETag")).Is(t, http.StatusNotModified)
	bob.Get("/feed.atom").Is(t, http.StatusOK, "ann solved")
	for _, path := range []string{"/feed.atom", "/feed.atom?token=feed_wrong", "/feed.atom?token="} {
		program.Get(path).Is(t, http.StatusNotFound)
	}
	bob.Post("/settings/tokens/1/revoke").Is(t, http.StatusSeeOther)
	program.Get("/feed.atom?token="+token).Is(t, http.StatusNotFound)
}

func TestAPIFollows(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	program := func(name string) handlerstest.Program { return s.Program(t, s.Member(t, name, members.RoleMember)) }
	ann, bob, ghost := program("ann"), program("bob"), program("ghost")
	type person struct{ Name, State string }
	list := func(p handlerstest.Program, path string) (names string) {
		for _, m := range handlerstest.All[person](t, p, path, "1") {
			names += m.Name + m.State + " "
		}
		return names
	}
	is := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	bob.Call("PUT", "/following/ann", "").Is(t, http.StatusOK, `"following"`)
	bob.Call("PUT", "/following/ghost", "").Is(t, http.StatusOK, `"following"`)
	is("following", list(bob, "/following"), "ghostfollowing annfollowing ")
	is("followers", list(ann, "/followers"), "bob ")
	if err := s.DB.Exec(`UPDATE members SET seen_by = 'self' WHERE name = 'ghost'`).Error; err != nil {
		t.Fatal(err)
	}
	is("following one who hides", list(bob, "/following"), "annfollowing ")
	bob.Call("DELETE", "/following/ghost", "").Is(t, http.StatusNoContent)
	bob.Call("DELETE", "/following/nobody", "").Is(t, http.StatusNoContent)
	is("followers after that", list(ghost, "/followers"), "")
	bob.Call("PUT", "/following/ghost", "").Is(t, http.StatusOK, `"requested"`)
	bob.Call("PUT", "/following/nobody", "").Is(t, http.StatusOK, `"requested"`)
	is("requests", list(ghost, "/follow-requests"), "bob ")
	ghost.Call("DELETE", "/follow-requests/bob", "").Is(t, http.StatusNoContent)
	is("requests", list(ghost, "/follow-requests"), "")
	bob.Call("PUT", "/following/ghost", "").Is(t, http.StatusOK, `"requested"`)
	is("requests asked again after a no", list(ghost, "/follow-requests"), "")
	solve(t, s, "ann", "7B", s.Time)
	days := handlerstest.All[struct {
		Member, Day string
		Solved      int
	}](t, bob, "/feed", "1")
	if len(days) != 1 || days[0].Member != "ann" || days[0].Solved != 1 || days[0].Day != s.Time.Format(time.DateOnly) {
		t.Errorf("the feed is %+v", days)
	}
	ann.Call("PUT", "/blocks/bob", "").Is(t, http.StatusNoContent)
	is("blocks", list(ann, "/blocks"), "bob ")
	is("followers of who blocked", list(ann, "/followers"), "")
	bob.Call("PUT", "/following/ann", "").Is(t, http.StatusOK, `"requested"`)
	ann.Call("DELETE", "/blocks/bob", "").Is(t, http.StatusNoContent)
	ann.Call("PUT", "/blocks/ghost", "").Is(t, http.StatusNotFound)
	for i := range 20 {
		bob.Call("PUT", fmt.Sprint("/following/nobody", i), "")
	}
	bob.Call("PUT", "/following/nobody", "").Is(t, http.StatusTooManyRequests)
}
