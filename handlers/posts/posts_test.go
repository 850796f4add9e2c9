package posts_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
	"laurel/models/posts"
)

// posting lets a site know networks, as web does.
func posting(t *testing.T, s *handlerstest.Site) {
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
		{Name: "mastodon", Title: "Mastodon", Hosts: true, HomeServer: "mastodon.social", Requests: 10, Window: time.Minute, Batch: 20, Parse: link("mastodon", "a.example", "https://a.example/@ann/")},
		{Name: "x", Title: "X", NeedsToken: true, OldAPI: "API v1.1", FieldsParameter: "tweet.fields", Price: 5, Requests: 10, Window: time.Minute, Batch: 100, Parse: link("x", "", "https://x.com/ann/status/")},
	}
	var err error
	if s.Posts.Tiers, err = posts.ParseTiers(posts.DefaultTiers); err != nil {
		t.Fatal(err)
	}
	s.Posts.CoolDown = 5 * time.Minute
	s.Restart()
}

func TestPostsAreFollowedByTheirLink(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	posting(t, s)
	s.Member(t, "ann", members.RoleMember)
	s.Member(t, "bob", members.RoleMember)
	b := s.SignedIn(t, "ann")
	const name = "at://did:plc:ann/app.bsky.feed.post/3k"
	for link, path := range map[string]string{
		name:                            "/posts/bluesky/" + url.PathEscape(name),
		"https://a.example/@ann/17":     "/posts/mastodon/17?host=a.example",
		" https://x.com/ann/status/5\n": "/posts/x/5",
	} {
		b.Post("/u/ann/posts", "link", link).LeadsTo(t, path)
		b.Get(path).Is(t, http.StatusOK, "Post by ann", "The first check is starting")
	}
	b.Get("/posts/bluesky/at:/did:plc:ann/app.bsky.feed.post/3k").Is(t, http.StatusOK, "Post by ann") // As a proxy may write it.
	b.Get("/posts/bluesky/"+name).Is(t, http.StatusOK)
	b.Get("/posts/x/5").Is(t, http.StatusOK, "Laurel has no access to X", "An admin can set it up")
	b.Get("/posts/x/6").Is(t, http.StatusNotFound)
	b.Post("/u/ann/posts", "link", "12345").Is(t, http.StatusUnprocessableEntity, "This is not the link of a post", `value="12345"`)
	other := s.SignedIn(t, "bob")
	other.Post("/u/ann/posts/forget", "network", "x", "id", "5").Is(t, http.StatusForbidden)
	other.Post("/u/bob/posts/forget", "network", "x", "id", "5").Is(t, http.StatusNotFound)
	b.Post("/u/ann/posts/forget", "network", "x", "id", "5").LeadsTo(t, "/u/ann/posts?done=forgotten")
	b.Get("/posts/x/5").Is(t, http.StatusNotFound)
	other.Post("/u/ann/posts", "link", name).Is(t, http.StatusForbidden)
	other.Post("/u/ann/posts/accounts", "network", "x", "handle", "ann").Is(t, http.StatusForbidden)
	if page := other.Get("/u/ann/posts").Is(t, http.StatusOK, "Posts by ann"); strings.Contains(page.Text, "Follow a post") {
		t.Error("a stranger is offered to follow posts as ann")
	}
}

func TestAccountsAreLinkedAndRemoved(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	posting(t, s)
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	for _, wrong := range [][]string{{"network", "myspace", "handle", "ann"}, {"network", "mastodon", "handle", "ann"}, {"network", "mastodon", "handle", "ann@localhost/x"}, {"network", "x", "handle", ""}, {"network", "x", "handle", "a b"}} {
		b.Post("/u/ann/posts/accounts", wrong...).Is(t, http.StatusUnprocessableEntity)
	}
	b.Post("/u/ann/posts/accounts", "network", "mastodon", "handle", "@Ann@A.example").LeadsTo(t, "/u/ann/posts?done=linked")
	b.Get("/u/ann/posts").Is(t, http.StatusOK, "@Ann@a.example", "first check starting")
	accounts, err := posts.AccountsOf(t.Context(), s.DB.DB, 1)
	if err != nil || len(accounts) != 1 {
		t.Fatal(accounts, err)
	}
	b.Post("/u/ann/posts/accounts/999/remove").Is(t, http.StatusNotFound)
	b.Post("/u/ann/posts/accounts/1/remove").LeadsTo(t, "/u/ann/posts?done=unlinked")
}

func TestRefreshCoolsDown(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	posting(t, s)
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	const page = "/posts/mastodon/17?host=a.example"
	b.Post("/u/ann/posts", "link", "https://a.example/@ann/17")
	looked := func() {
		err := s.DB.Exec(`UPDATE posts SET fetches = fetches + 1, fetched_at = @now, metrics_at = @now, likes = 3, url = 'javascript:alert(1)', text = '<i>hi</i>', next_update_at = CAST(@now AS timestamptz) + interval '1 hour'`,
			map[string]any{"now": s.Time}).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	looked()
	first := b.Get(page).Is(t, http.StatusOK, "&lt;i&gt;hi&lt;/i&gt;", "1 check", `<button id="refresh">`)
	if strings.Contains(first.Text, "javascript:") {
		t.Error("the page links to a script")
	}
	b.Post(page).LeadsTo(t, page)
	b.Get(page).Is(t, http.StatusOK, "within seconds", `aria-disabled="true"`, `hx-trigger="every 1s"`)
	looked()
	b.Get(page).Is(t, http.StatusOK, "again from", `aria-disabled="true"`)
	if a := b.Get(page, "HX-Request", "true").Is(t, http.StatusOK); a.Header.Get("HX-Retarget") != "#post" {
		t.Error("who waited does not get all of the page")
	}
	b.Post(page).LeadsTo(t, page)
	b.Get(page).Is(t, http.StatusOK, "2 checks", "next check") // Not asked again.
	s.Browser(t).Post(page).Is(t, http.StatusUnauthorized)
}

func TestTokensAreNeverShown(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	posting(t, s)
	s.Member(t, "root", members.RoleAdmin)
	b := s.SignedIn(t, "root")
	const token = "AAAA-secret"
	if page := b.Post("/admin/posts/credentials", "network", "x", "name", "app", "token", token, "monthly_posts", "many").Is(t, http.StatusUnprocessableEntity, "Write a whole number"); strings.Contains(page.Text, token) {
		t.Error("a refused form shows the token")
	}
	b.Post("/admin/posts/credentials", "network", "mastodon", "token", token, "host", "no host").Is(t, http.StatusUnprocessableEntity, "This is not the name of a server")
	b.Post("/admin/posts/credentials", "network", "x", "name", "app", "token", token, "monthly_posts", "50").Is(t, http.StatusUnprocessableEntity, "Must be at least 100, the size of one request")
	b.Post("/admin/posts/credentials", "network", "x", "name", "app", "token", token, "monthly_posts", "1,000", "legacy", "yes").LeadsTo(t, "/admin/posts?done=sealed")
	if page := b.Get("/admin/posts").Is(t, http.StatusOK, "X app", "0 % of 1,000 posts a month", "in use"); strings.Contains(page.Text, token) {
		t.Error("the page shows the token")
	}
	b.Post("/admin/posts/credentials/1/pause").LeadsTo(t, "/admin/posts?done=rests")
	b.Get("/admin/posts").Is(t, http.StatusOK, "paused by an admin")
	b.Post("/admin/posts/credentials/1/resume").LeadsTo(t, "/admin/posts?done=works")
	b.Post("/admin/posts/credentials/1/delete").LeadsTo(t, "/admin/posts?done=no-more")
	b.Post("/admin/posts/credentials/1/delete").Is(t, http.StatusNotFound)
	b.Get("/admin/posts").Is(t, http.StatusOK, "None yet.")
	s.Member(t, "ann", members.RoleMember)
	s.SignedIn(t, "ann").Get("/admin/posts").Is(t, http.StatusForbidden)
}
