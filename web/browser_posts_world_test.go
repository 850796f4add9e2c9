package main

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/posts"
	postviews "laurel/views/posts"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// post makes posts in every state, accounts on networks and credentials.
func (l *laurel) post(t *testing.T) {
	t.Helper()
	ctx, db, now := t.Context(), l.db.DB, l.clock.now()
	ada, err := members.ByName(ctx, db, "ada")
	if err != nil {
		t.Fatal(err)
	}
	budget := int64(5000)
	for _, c := range []posts.NewCredential{
		{Network: "x", Name: "our app", Token: "one", Quota: 3500, Window: 15 * time.Minute, MonthlyPosts: &budget},
		{Network: "x", Name: "revoked", Token: "revoked", Quota: 3500, Window: 15 * time.Minute},
		{Network: "mastodon", Host: mastodonHere, Name: "the club's account with a name that is rather long", Token: "one", Quota: 300, Window: 5 * time.Minute},
	} {
		if _, err := posts.SaveCredential(ctx, db, c, l.secret(), now); err != nil {
			t.Fatal(err)
		}
	}
	person := l.out.People()[0]
	for network, handle := range person.Networks {
		a := posts.Account{MemberID: ada.ID, Network: network, Handle: handle}
		if network == "mastodon" {
			a.Host = mastodonHere
		}
		if err := posts.AddAccount(ctx, db, a, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := posts.AddAccount(ctx, db, posts.Account{MemberID: ada.ID, Network: "bluesky", Handle: "nobody.at.all"}, now); err != nil {
		t.Fatal(err)
	}
	l.livePosts(t, ada.ID)
	for i, state := range []string{"finished", "gone", "protected", "invalid", "paused"} {
		l.exec(t, `UPDATE posts SET state = @state, missing_since = CAST(@now AS timestamptz) - interval '2 days', next_update_at = NULL
			WHERE id = (SELECT id FROM posts WHERE network = 'x' AND metrics_at IS NOT NULL ORDER BY created_at DESC LIMIT 1 OFFSET @i)`, "state", state, "i", i+1)
	}
	for _, stmt := range []string{
		`UPDATE posts SET attempts = 2, last_error = 'x.com has a server error (503)' WHERE id = (SELECT id FROM posts WHERE network = 'bluesky' ORDER BY created_at DESC LIMIT 1)`,
		`UPDATE posts SET text = repeat('A long text with <b>letters</b> and averyverylongwordwithoutanyspaceinit. ', 8) WHERE id = (SELECT id FROM posts WHERE network = 'mastodon' ORDER BY created_at DESC LIMIT 1)`,
		`UPDATE credentials SET state = 'disabled', reason = 'the network does not accept the token (any more): Unauthorized' WHERE name = 'revoked'`,
		`UPDATE post_pools SET slowdown = 1.37, demand = 19200, supply = 14000 WHERE network = 'x'`,
		`UPDATE post_pools SET every_days = 2.5 WHERE network = 'mastodon'`,
	} {
		if err := l.db.Exec(stmt).Error; err != nil {
			t.Fatal(err)
		}
	}
	l.exec(t, `INSERT INTO post_polls (network, host, at, asked, found, missing, outcome, message, took_ms) VALUES ('bluesky', '', @now, 25, 0, 0, 'server_error', 'public.api.bsky.app has a server error (503)', 1200)`)
}

// samplePost is a post whose name tests know, of yesterday.
var samplePost = sync.OnceValue(func() string { return standin.PostID("x", time.Now().Add(-26*time.Hour), 7) })

// livePosts looks at posts over some hours, as on a clock that runs.
func (l *laurel) livePosts(t *testing.T, member int64) {
	t.Helper()
	then := *l.base
	then.clock.back = 6 * time.Hour
	if _, err := posts.Add(t.Context(), l.db.DB, []posts.New{{Key: posts.Key{Network: "x", ExternalID: samplePost()}, MemberID: &member}}, then.clock.now()); err != nil {
		t.Fatal(err)
	}
	for back := 6 * time.Hour; back >= 0; back -= 15 * time.Minute {
		then.clock.back = back
		r := &then.runner().Posts
		r.BufferTTL = 0
		errs := []error{r.FindNew(t.Context())}
		for _, n := range r.Networks {
			errs = append(errs, r.Poll(t.Context(), n))
		}
		if err := errors.Join(append(errs, r.Measure(t.Context()))...); err != nil {
			t.Fatal(err)
		}
	}
}

// postStates are the pages of posts beside those that an address alone shows.
func (l *laurel) postStates(t *testing.T) []state {
	t.Helper()
	one := "/posts/x/" + samplePost()
	all := []state{
		{name: "posts-visitor", path: "/posts?scope=all&by=views", status: 200},
		{name: "posts-mistake", path: "/posts?by=smell", status: 422},
		{name: "posts-of-visitor", path: "/u/ada/posts", status: 200},
		{name: "posts-of-nobody", path: "/u/grace/posts", viewer: "grace", status: 200},
		{name: "posts-of-nobody-visitor", path: "/u/grace/posts", status: 200},
		{name: "posts-refused", path: "/u/grace/posts", viewer: "grace", status: 422, button: "Add", form: map[string]string{"link": "nothing"}},
		{name: "posts-account-refused", path: "/u/grace/posts", viewer: "grace", status: 422, button: "Link account", form: map[string]string{"handle": "a b"}},
		{name: "post", path: one, viewer: "ada", status: 200},
		{name: "post-visitor", path: one, status: 200},
		{name: "post-unknown", path: "/posts/x/1", status: 404},
		{name: "credential-refused", path: "/admin/posts", viewer: "ada", status: 422, button: "Save credential", form: map[string]string{"token": ""}},
	}
	var list []posts.Post
	if err := l.db.Raw(`SELECT DISTINCT ON (state, network) state, network, host, external_id FROM posts ORDER BY state, network, created_at DESC`).Scan(&list).Error; err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		all = append(all, state{name: "post-" + p.State + "-" + p.Network, path: postviews.Path(p.Network, p.Host, p.ExternalID), viewer: "ada", status: 200})
	}
	return all
}
