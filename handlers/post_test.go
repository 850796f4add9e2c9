package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/models/members"
	"laurel/models/posts"
)

// posting lets a site know networks, as web does.
func posting(t *testing.T, s *site) {
	t.Helper()
	link := func(network, host, prefix string) func(string) (posts.Key, *time.Time, bool) {
		return func(text string) (posts.Key, *time.Time, bool) {
			id, ok := strings.CutPrefix(text, prefix)
			return posts.Key{Network: network, Host: host, ExternalID: id}, nil, ok
		}
	}
	s.Networks = []posts.Network{
		{Name: "bluesky", Title: "Bluesky", Requests: 10, Window: time.Minute, Batch: 25, Parse: func(text string) (posts.Key, *time.Time, bool) {
			return posts.Key{Network: "bluesky", ExternalID: text}, nil, strings.HasPrefix(text, "at://")
		}},
		{Name: "mastodon", Title: "Mastodon", Hosts: true, Requests: 10, Window: time.Minute, Batch: 20, Parse: link("mastodon", "a.example", "https://a.example/@ann/")},
		{Name: "x", Title: "X", NeedsToken: true, Charged: true, Requests: 10, Window: time.Minute, Batch: 100, Parse: link("x", "", "https://x.com/ann/status/")},
	}
	var err error
	if s.Posts.Tiers, err = posts.ParseTiers(posts.DefaultTiers); err != nil {
		t.Fatal(err)
	}
	s.Posts.CoolDown = 5 * time.Minute
	s.restart()
}

func TestPostsAreFollowedByTheirLink(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	posting(t, s)
	s.member(t, "ann", members.RoleMember)
	s.member(t, "bob", members.RoleMember)
	b := s.signedIn(t, "ann")
	const name = "at://did:plc:ann/app.bsky.feed.post/3k"
	for link, path := range map[string]string{
		name:                            "/posts/bluesky/" + url.PathEscape(name),
		"https://a.example/@ann/17":     "/posts/mastodon/17?host=a.example",
		" https://x.com/ann/status/5\n": "/posts/x/5",
	} {
		b.post("/u/ann/posts", "link", link).leads(t, path)
		b.get(path).is(t, http.StatusOK, "Post by ann", "The first check is starting")
	}
	b.get("/posts/bluesky/at:/did:plc:ann/app.bsky.feed.post/3k").is(t, http.StatusOK, "Post by ann") // As a proxy may write it.
	b.get("/posts/bluesky/"+name).is(t, http.StatusOK)
	b.get("/posts/x/5").is(t, http.StatusOK, "There is no credential", "An admin can add one")
	b.get("/posts/x/6").is(t, http.StatusNotFound)
	b.post("/u/ann/posts", "link", "12345").is(t, http.StatusUnprocessableEntity, "This is not the link of a post", `value="12345"`)
	other := s.signedIn(t, "bob")
	other.post("/u/ann/posts/forget", "network", "x", "id", "5").is(t, http.StatusForbidden)
	other.post("/u/bob/posts/forget", "network", "x", "id", "5").is(t, http.StatusNotFound)
	b.post("/u/ann/posts/forget", "network", "x", "id", "5").leads(t, "/u/ann/posts?done=forgotten")
	b.get("/posts/x/5").is(t, http.StatusNotFound)
	other.post("/u/ann/posts", "link", name).is(t, http.StatusForbidden)
	other.post("/u/ann/posts/accounts", "network", "x", "handle", "ann").is(t, http.StatusForbidden)
	if page := other.get("/u/ann/posts").is(t, http.StatusOK, "Posts of ann"); strings.Contains(page.body, "Follow a post") {
		t.Error("a stranger is offered to follow posts as ann")
	}
}

func TestAccountsAreLinkedAndRemoved(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	posting(t, s)
	s.member(t, "ann", members.RoleMember)
	b := s.signedIn(t, "ann")
	for _, wrong := range [][]string{{"network", "myspace", "handle", "ann"}, {"network", "mastodon", "handle", "ann"}, {"network", "mastodon", "handle", "ann@localhost/x"}, {"network", "x", "handle", ""}, {"network", "x", "handle", "a b"}} {
		b.post("/u/ann/posts/accounts", wrong...).is(t, http.StatusUnprocessableEntity)
	}
	b.post("/u/ann/posts/accounts", "network", "mastodon", "handle", "@Ann@A.example").leads(t, "/u/ann/posts?done=linked")
	b.get("/u/ann/posts").is(t, http.StatusOK, "@Ann@a.example", "first check starting")
	accounts, err := posts.AccountsOf(t.Context(), s.DB.DB, 1)
	if err != nil || len(accounts) != 1 {
		t.Fatal(accounts, err)
	}
	b.post("/u/ann/posts/accounts/999/remove").is(t, http.StatusNotFound)
	b.post("/u/ann/posts/accounts/1/remove").leads(t, "/u/ann/posts?done=unlinked")
}

func TestRefreshCoolsDown(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	posting(t, s)
	s.member(t, "ann", members.RoleMember)
	b := s.signedIn(t, "ann")
	const page = "/posts/mastodon/17?host=a.example"
	b.post("/u/ann/posts", "link", "https://a.example/@ann/17")
	looked := func() {
		err := s.DB.Exec(`UPDATE posts SET looks = looks + 1, looked_at = @now, metrics_at = @now, likes = 3, url = 'javascript:alert(1)', text = '<i>hi</i>', next_update_at = CAST(@now AS timestamptz) + interval '1 hour'`,
			map[string]any{"now": s.now}).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	looked()
	first := b.get(page).is(t, http.StatusOK, "&lt;i&gt;hi&lt;/i&gt;", "1 check", `<button id="refresh">`)
	if strings.Contains(first.body, "javascript:") {
		t.Error("the page links to a script")
	}
	b.post(page).leads(t, page)
	b.get(page).is(t, http.StatusOK, "within seconds", `aria-disabled="true"`, `hx-trigger="every 1s"`)
	looked()
	b.get(page).is(t, http.StatusOK, "again from", `aria-disabled="true"`)
	if a := b.get(page, "HX-Request", "true").is(t, http.StatusOK); a.Header.Get("HX-Retarget") != "#post" {
		t.Error("who waited does not get all of the page")
	}
	b.post(page).leads(t, page)
	b.get(page).is(t, http.StatusOK, "2 checks", "next check") // Not asked again.
	s.browser(t).post(page).is(t, http.StatusUnauthorized)
}

func TestTokensAreNeverShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	posting(t, s)
	s.member(t, "root", members.RoleAdmin)
	b := s.signedIn(t, "root")
	const token = "AAAA-secret"
	if page := b.post("/admin/posts/credentials", "network", "x", "name", "app", "token", token, "monthly_posts", "many").is(t, http.StatusUnprocessableEntity, "Write a whole number"); strings.Contains(page.body, token) {
		t.Error("a refused form shows the token")
	}
	b.post("/admin/posts/credentials", "network", "mastodon", "token", token, "host", "no host").is(t, http.StatusUnprocessableEntity, "This is not the name of a server")
	b.post("/admin/posts/credentials", "network", "x", "name", "app", "token", token, "monthly_posts", "50").is(t, http.StatusUnprocessableEntity, "Must be at least 100, which one request may bring")
	b.post("/admin/posts/credentials", "network", "x", "name", "app", "token", token, "monthly_posts", "1,000", "legacy", "yes").leads(t, "/admin/posts?done=sealed")
	if page := b.get("/admin/posts").is(t, http.StatusOK, "X app", "0 % of 1,000 posts a month", "in use"); strings.Contains(page.body, token) {
		t.Error("the page shows the token")
	}
	b.post("/admin/posts/credentials/1/pause").leads(t, "/admin/posts?done=rests")
	b.get("/admin/posts").is(t, http.StatusOK, "paused by an admin")
	b.post("/admin/posts/credentials/1/resume").leads(t, "/admin/posts?done=works")
	b.post("/admin/posts/credentials/1/delete").leads(t, "/admin/posts?done=no-more")
	b.post("/admin/posts/credentials/1/delete").is(t, http.StatusNotFound)
	b.get("/admin/posts").is(t, http.StatusOK, "None yet.")
	s.member(t, "ann", members.RoleMember)
	s.signedIn(t, "ann").get("/admin/posts").is(t, http.StatusForbidden)
}
