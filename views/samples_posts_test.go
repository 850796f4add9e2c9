package views

import (
	"testing"
	"time"

	"github.com/a-h/templ"
)

// Samples of the pages of posts.

func samplePost(state string) Post {
	n := func(n int64) *int64 { return &n }
	return Post{Network: "bluesky", Title: "Bluesky", ID: "at://did:plc:x/app.bsky.feed.post/3k", URL: "https://bsky.app/profile/ada/post/3k", Author: "ada.bsky.social", Text: "Solved <b>it</b> at last.\nIt took all day.",
		Member: "ada", MemberName: "Ada Lovelace", Created: now.Add(-10 * time.Minute), Added: now.Add(-9 * time.Minute), Seen: now.Add(-3 * time.Minute), Looked: now.Add(-3 * time.Minute), Next: now.Add(time.Minute),
		State: state, Looks: 3, MissingSince: now.Add(-30 * time.Hour), Numbers: PostNumbers{Likes: n(1204), Reposts: n(1), Replies: n(0), Quotes: nil},
		Tier: PostTier{18 * time.Minute, 3 * time.Minute}, Line: []SparkPoint{{now.Add(-9 * time.Minute), n(0)}, {now.Add(-6 * time.Minute), nil}, {now.Add(-3 * time.Minute), n(1204)}}}
}

func samplePostPage(p Post) PostPage {
	page := PostPage{Frame: postsFrame("Post by Ada Lovelace", postPath(p)), Now: now, Post: p, Button: true, Curve: PostCurve{Title: p.Title, Created: p.Created}}
	page.Frame.Curve = true
	for i := range int64(6) {
		n := PostNumbers{Likes: new(i * i * 30), Reposts: new(i), Views: new(i * 900)}
		if i == 2 {
			n.Likes = nil
		}
		at := p.Created.Add(time.Duration(i+1) * time.Minute)
		page.Curve.Looks = append(page.Curve.Looks, PostLook{At: at, Numbers: n, Gap: i == 4})
		page.Spans = append(page.Spans, PostSpan{at, at, 1, n})
	}
	page.Changes = 70
	return page
}

func postsFrame(title, path string) Frame {
	f := frame(title, path, "ada")
	f.Posts = true
	return f
}

func postPages() map[string]templ.Component {
	all := map[string]templ.Component{}
	var posts []Post
	for _, state := range []string{"active", "finished", "gone", "protected", "invalid", "paused"} {
		p := samplePost(state)
		posts = append(posts, p)
		all["post-"+state] = OnePostPage(samplePostPage(p))
	}
	fresh := samplePost("active")
	fresh.Seen, fresh.Looked, fresh.Text, fresh.Numbers, fresh.Due, fresh.Line = time.Time{}, time.Time{}, "", PostNumbers{}, true, nil
	page := samplePostPage(fresh)
	page.Curve.Looks, page.Spans, page.Nobody, page.Fix = nil, nil, true, true
	all["post-fresh"] = OnePostPage(page)
	member := MemberPosts{Frame: postsFrame("Posts of Ada", "/u/ada/posts"), Now: now, Name: "ada", DisplayName: "Ada Lovelace", Own: true, Manage: true, Posts: posts, Older: "?after=x", Networks: []Choice{{"x", "X"}},
		Accounts: []PostAccount{{ID: 1, Title: "X", Handle: "ada", State: "active", Looked: now, Next: now.Add(time.Hour), Posts: 3}, {ID: 2, Title: "Mastodon", Host: "a.example", Handle: "ada", State: "invalid"}}}
	all["posts-of"] = MemberPostsPage(member)
	member.Posts, member.Accounts, member.Failed, member.Form = nil, nil, "post", Form{Errors: map[string]string{"link": "No link."}}
	all["posts-of-none"] = MemberPostsPage(member)
	all["posts"] = BestPostsPage(BestPosts{Frame: postsFrame("Posts", "/posts"), Now: now, Scope: "week", By: "likes", Posts: posts, Newest: posts[:2]})
	all["posts-none"] = BestPostsPage(BestPosts{Frame: postsFrame("Posts", "/posts"), Now: now, Scope: "all", By: "views"})
	budget := int64(1000)
	all["posts-admin"] = AdminPostsPage(AdminPosts{Frame: postsFrame("Post tracking", "/admin/posts"), Now: now, Networks: member.Networks,
		Pools: []PostPool{{Network: "x", Title: "X", Due: 3, Oldest: now.Add(-time.Minute), Requests: 4, Asked: 390, Batch: 100, Stretch: 1.5, Demand: 30, Supply: 20, Measured: now, Tiers: []TierCount{{PostTier{18 * time.Minute, 3 * time.Minute}, 5}}},
			{Network: "mastodon", Title: "Mastodon", Host: "a.example", Failed: 2, Closed: true}},
		Failures:    []PostFailure{{Pool: "X", Outcome: "blocked", Message: "Forbidden", N: 2, Last: now}},
		Credentials: []PostCredential{{ID: 1, Title: "X", Name: "our app", State: "active", Quota: 3500, Remaining: 12, Window: 15 * time.Minute, Reset: now.Add(time.Minute), Budget: &budget, Charged: 10, Paid: true}, {ID: 2, Title: "X", Name: "old", State: "disabled", Reason: "unknown"}},
		Polls:       []PostPoll{{ID: 1, Pool: "X", Credential: "our app", At: now, Asked: 100, Found: 99, Missing: 1, Outcome: "ok"}}})
	return all
}

func TestPostPages(t *testing.T) { checkPages(t, postPages()) }
