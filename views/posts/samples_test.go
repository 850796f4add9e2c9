package posts

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/viewstest"
)

// Samples of the pages of posts.

func samplePost(state string) Post {
	n := func(n int64) *int64 { return &n }
	return Post{Network: "bluesky", Title: "Bluesky", ID: "at://did:plc:x/app.bsky.feed.post/3k", URL: "https://bsky.app/profile/ada/post/3k", Author: "ada.bsky.social", Text: "Solved <b>it</b> at last.\nIt took all day.",
		Member: "ada", MemberName: "Ada Lovelace", Created: viewstest.Now.Add(-10 * time.Minute), Added: viewstest.Now.Add(-9 * time.Minute), Seen: viewstest.Now.Add(-3 * time.Minute), Fetched: viewstest.Now.Add(-3 * time.Minute), Next: viewstest.Now.Add(time.Minute),
		State: state, Fetches: 3, MissingSince: viewstest.Now.Add(-30 * time.Hour), Numbers: Numbers{Likes: n(1204), Reposts: n(1), Replies: n(0), Quotes: nil},
		Tier: Tier{18 * time.Minute, 3 * time.Minute}, Line: []charts.SparkPoint{{At: viewstest.Now.Add(-9 * time.Minute), N: n(0)}, {At: viewstest.Now.Add(-6 * time.Minute), N: nil}, {At: viewstest.Now.Add(-3 * time.Minute), N: n(1204)}}}
}

func samplePostPage(p Post) One {
	page := One{Frame: postsFrame("Post by Ada Lovelace", pathOf(p)), Now: viewstest.Now, Post: p, Button: true, Curve: Curve{Title: p.Title, Created: p.Created}}
	page.Frame.Curve = true
	for i := range int64(6) {
		n := Numbers{Likes: new(i * i * 30), Reposts: new(i), Views: new(i * 900)}
		if i == 2 {
			n.Likes = nil
		}
		at := p.Created.Add(time.Duration(i+1) * time.Minute)
		page.Curve.Checks = append(page.Curve.Checks, Check{At: at, Numbers: n, Gap: i == 4})
		page.Spans = append(page.Spans, Span{at, at, 1, n})
	}
	page.Changes = 70
	return page
}

func postsFrame(title, path string) parts.Frame {
	f := viewstest.Frame(title, path, "ada")
	f.Posts = true
	return f
}

func postPages() map[string]templ.Component {
	all := map[string]templ.Component{}
	var posts []Post
	for _, state := range []string{"active", "finished", "gone", "protected", "invalid", "paused"} {
		p := samplePost(state)
		posts = append(posts, p)
		all["post-"+state] = Page(samplePostPage(p))
	}
	fresh := samplePost("active")
	fresh.Seen, fresh.Fetched, fresh.Text, fresh.Numbers, fresh.Due, fresh.Line = time.Time{}, time.Time{}, "", Numbers{}, true, nil
	page := samplePostPage(fresh)
	page.Curve.Checks, page.Spans, page.Nobody, page.Fix = nil, nil, true, true
	all["post-fresh"] = Page(page)
	member := Member{Frame: postsFrame("Posts of Ada", "/u/ada/posts"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada Lovelace", Own: true, Manage: true, Posts: posts, Older: "?after=x", Networks: []parts.Choice{{Value: "x", Text: "X"}},
		Accounts: []Account{{ID: 1, Title: "X", Handle: "ada", State: "active", Fetched: viewstest.Now, Next: viewstest.Now.Add(time.Hour), Posts: 3}, {ID: 2, Title: "Mastodon", Host: "a.example", Handle: "ada", State: "invalid"}}}
	all["posts-of"] = MemberPage(member)
	member.Posts, member.Accounts, member.Failed, member.Form = nil, nil, "post", parts.Form{Errors: map[string]string{"link": "No link."}}
	all["posts-of-none"] = MemberPage(member)
	all["posts"] = BestPage(Best{Frame: postsFrame("Posts", "/posts"), Now: viewstest.Now, Scope: "week", By: "likes", Posts: posts, Newest: posts[:2]})
	all["posts-none"] = BestPage(Best{Frame: postsFrame("Posts", "/posts"), Now: viewstest.Now, Scope: "all", By: "views"})
	budget := int64(1000)
	all["posts-admin"] = AdminPage(Admin{Frame: postsFrame("Post tracking", "/admin/posts"), Now: viewstest.Now, Networks: []Network{{Name: "x", Title: "X", NeedsToken: true, TokenHint: "a bearer token", OldAPI: "API v1.1", Price: 5}, {Name: "mastodon", Title: "Mastodon", HomeServer: "mastodon.social"}},
		Pools: []Pool{{Network: "x", Title: "X", Due: 3, Oldest: viewstest.Now.Add(-time.Minute), Requests: 4, Asked: 390, Batch: 100, Slowdown: 1.5, Demand: 30, Supply: 20, Measured: viewstest.Now, Tiers: []TierCount{{Tier{18 * time.Minute, 3 * time.Minute}, 5}}},
			{Network: "mastodon", Title: "Mastodon", Host: "a.example", Failed: 2, Closed: true}},
		Failures:    []Failure{{Pool: "X", Outcome: "blocked", Message: "Forbidden", N: 2, Last: viewstest.Now}},
		Credentials: []Credential{{ID: 1, Title: "X", Name: "our app", State: "active", Quota: 3500, Remaining: 12, Window: 15 * time.Minute, Reset: viewstest.Now.Add(time.Minute), Budget: &budget, Charged: 10, Price: 5}, {ID: 2, Title: "X", Name: "old", State: "disabled", Reason: "unknown"}},
		Polls:       []Poll{{ID: 1, Pool: "X", Credential: "our app", At: viewstest.Now, Asked: 100, Found: 99, Missing: 1, Outcome: "ok"}}})
	return all
}

func TestPostPages(t *testing.T) { viewstest.CheckPages(t, postPages()) }
