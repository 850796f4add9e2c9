package posts_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

func TestABatchIsFullOrHasWaited(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.add("bluesky", "", 40, time.Hour) // Bluesky takes 25 a request.
	w.look()
	if n := len(w.posts("fetches = 1")); n != 25 {
		t.Errorf("%d posts were looked at at once, want one full batch", n)
	}
	w.now = w.now.Add(9 * time.Second)
	w.look()
	if n := len(w.posts("fetches = 1")); n != 25 {
		t.Errorf("%d posts were looked at before the others had waited", n)
	}
	w.now = w.now.Add(time.Second)
	w.look()
	if n := len(w.posts("fetches = 1")); n != 40 {
		t.Errorf("%d of 40 posts were looked at when they had waited", n)
	}
}

func TestABadIDIsFoundByHalves(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	w.add("x", "", 63, time.Hour)
	w.follow("x", "", "99999999999999999999999") // Longer than an id can be.
	w.now = w.now.Add(time.Minute)
	w.look()
	if n := len(w.posts("fetches = 1 AND state = 'active'")); n < 60 {
		t.Errorf("%d of 63 good posts were looked at", n)
	}
	bad := w.posts("external_id = '99999999999999999999999'")[0]
	if bad.State != posts.PostInvalid || bad.NextUpdateAt != nil {
		t.Errorf("the bad one is %s, next at %v", bad.State, bad.NextUpdateAt)
	}
}

// A handle in a batch that is split is resolved once, and its post gets its true name.
func TestAHandleBesideABadID(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	resolved := 0
	n := &invented{batch: 4, resolve: func(id string) (string, error) {
		if id != "1000001" {
			return id, nil
		}
		resolved++
		return "2000001", nil
	}}
	n.fetch = func(ids []string) error {
		if slices.Contains(ids, "1000003") {
			return &networks.Refusal{Kind: networks.BadRequest, Message: "no such id"}
		}
		return nil
	}
	w.invent(4)
	w.ok(w.Poll(t.Context(), n))
	if names := w.posts("external_id = '2000001' AND leased_until IS NULL"); len(names) != 1 || resolved != 1 {
		t.Errorf("%d posts have the true name, which was asked for %d times", len(names), resolved)
	}
	if good, bad := len(w.posts("fetches = 1 AND state = 'active'")), len(w.posts("state = 'invalid'")); good != 2 || bad != 1 {
		t.Errorf("%d posts were looked at, and %d are bad", good, bad)
	}
}

func TestAnOlderServerTakesOneAtATime(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1, OldMastodon: true})
	w.add("mastodon", "social.sample.invalid", 6, time.Hour)
	for range 8 {
		w.now = w.now.Add(time.Minute)
		w.look()
	}
	if n := len(w.posts("fetches > 0 AND metrics_at IS NOT NULL")); n != 6 {
		t.Errorf("%d of 6 posts were looked at", n)
	}
}

// A member's account gives its new posts, whose first check and numbers follow.
func TestNewPostsOfAMembersAccountsAreFound(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	p := w.out.People()[0]
	m := modelstest.Member(t, w.DB.DB, "ada", nil, w.now)
	for network, handle := range p.Networks {
		host := ""
		if network == "mastodon" {
			handle, host, _ = strings.Cut(strings.TrimPrefix(handle, "@"), "@")
			if host == "" {
				host = "social.sample.invalid"
			}
		}
		w.ok(posts.AddAccount(t.Context(), w.DB.DB, posts.Account{MemberID: m.ID, Network: network, Host: host, Handle: handle}, w.now))
	}
	w.ok(w.FindNew(t.Context()))
	found := map[string]int{}
	for _, post := range w.posts("member_id IS NOT NULL") {
		found[post.Network]++
	}
	for network := range p.Networks {
		if found[network] == 0 {
			t.Errorf("no posts were found on %s: %v", network, w.accounts(m.ID))
		}
	}
	before := len(w.posts("true"))
	for range 40 {
		w.now = w.now.Add(time.Hour)
		w.ok(w.FindNew(t.Context()))
	}
	after := w.posts("true")
	if len(after) <= before {
		t.Errorf("in 40 hours nothing was found beyond %d posts: %v", before, w.accounts(m.ID))
	}
	for network := range p.Networks {
		for _, truth := range w.out.Posts(network, 0, w.now.Add(-7*time.Hour)) {
			if truth.At.Before(modelstest.Noon) || truth.State != "shown" {
				continue
			}
			if n := len(w.posts("network = '" + network + "' AND external_id = '" + truth.ID + "'")); n != 1 {
				t.Errorf("%s of %s, written %s, was not found", truth.ID, network, truth.At)
			}
		}
	}
}

func (w *postWorld) accounts(member int64) (told []string) {
	all, err := posts.AccountsOf(w.t.Context(), w.DB.DB, member)
	w.ok(err)
	for _, a := range all {
		told = append(told, a.Network+" "+a.State+": "+a.LastError)
	}
	return told
}

func TestAnAccountThatIsNotThereIsInvalid(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	m := modelstest.Member(t, w.DB.DB, "ada", nil, w.now)
	w.ok(posts.AddAccount(t.Context(), w.DB.DB, posts.Account{MemberID: m.ID, Network: "bluesky", Handle: "nobody.sample.invalid"}, w.now))
	w.ok(w.FindNew(t.Context()))
	if told := w.accounts(m.ID); len(told) != 1 || !strings.HasPrefix(told[0], "bluesky invalid") {
		t.Errorf("the account is %v", told)
	}
}

// A link that names the author by handle is kept by the true address.
func TestAHandleBecomesATrueAddress(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	p := w.out.People()[0]
	all := w.out.Posts("bluesky", 0, w.now)
	truth := all[len(all)-1]
	rkey := truth.ID[strings.LastIndex(truth.ID, "/")+1:]
	w.follow("bluesky", "", "at://"+p.Networks["bluesky"]+"/app.bsky.feed.post/"+rkey)
	for range 3 {
		w.now = w.now.Add(time.Minute)
		w.look()
	}
	posts := w.posts("true")
	if len(posts) != 1 || posts[0].ExternalID != truth.ID || posts[0].Likes == nil {
		t.Errorf("the post is %+v, want %s", posts, truth.ID)
	}
}

// However often a member's post is checked, it is one item for awards.
func TestAPostIsOneItemForAwards(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	modelstest.CountAll(t, w.DB.DB)
	m := modelstest.Member(t, w.DB.DB, "ada", nil, w.now)
	id := standin.PostID("x", w.now.Add(-time.Minute), 7)
	created := w.now.Add(-time.Minute)
	_, err := posts.Add(t.Context(), w.DB.DB, []posts.New{{Key: posts.Key{Network: "x", ExternalID: id}, MemberID: &m.ID, CreatedAt: &created}}, w.now)
	w.ok(err)
	w.live(20 * 24 * time.Hour)
	var events, distinct int
	w.ok(w.DB.Raw(`SELECT count(*), count(DISTINCT split_part(event_id, '#', 1)) FROM events WHERE source = 'posts'`).Row().Scan(&events, &distinct))
	if events < 2 || distinct != 1 {
		t.Errorf("%d events about %d items", events, distinct)
	}
	var items, likes int
	w.ok(w.DB.Raw(`SELECT count(*), max(CAST(facts ->> 'likes' AS bigint)) FROM own_items WHERE source = 'posts'`).Row().Scan(&items, &likes))
	if items != 1 || likes == 0 {
		t.Errorf("%d items of one post, with %d likes", items, likes)
	}
}

// With the switch a repost is followed as its original, once.
func TestARepostIsItsOriginalByASwitch(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	var repost standin.Post
	for i := 0; repost.RetweetOf == "" && i < 5000; i++ {
		repost, _ = w.out.PostAt("x", standin.PostID("x", w.now.Add(-time.Hour), i), w.now)
	}
	if repost.RetweetOf == "" {
		t.Fatal("the stand-in reposts nothing")
	}
	w.follow("x", "", repost.ID)
	w.now = w.now.Add(time.Minute)
	w.look()
	p := w.posts("true")[0]
	if p.ExternalID != repost.ID || p.RepostOf == nil || *p.RepostOf != repost.RetweetOf || p.Likes == nil || *p.Likes != 0 {
		t.Errorf("without the switch it is %s with %v likes, of %v", p.ExternalID, p.Likes, p.RepostOf)
	}
	w.Originals = true
	w.live(90 * time.Minute)
	p = w.posts("true")[0]
	truth := w.out.Metrics("x", repost.RetweetOf, *p.MetricsAt)
	if p.ExternalID != repost.RetweetOf || *p.Likes != truth["likes"] {
		t.Errorf("with the switch it is %s with %d likes, want %s with %d", p.ExternalID, *p.Likes, repost.RetweetOf, truth["likes"])
	}
}
