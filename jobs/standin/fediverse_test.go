package standin

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

type bsView struct {
	URI       string
	Author    struct{ DID, Handle string }
	LikeCount *int64
	Record    struct{ CreatedAt time.Time }
	IndexedAt time.Time
}

func uris(ids []string) string {
	return "/xrpc/app.bsky.feed.getPosts?uris=" + strings.Join(ids, "&uris=")
}

// Posts come once each and in the order asked for; what is missing is left out.
func TestBlueskyPosts(t *testing.T) {
	s := at(start, Options{})
	made := start.AddDate(0, -2, 0)
	gone := exemplar(t, s, "bluesky", made, isGone).ID
	asked := append(ids("bluesky", made.Add(time.Hour), 20), gone, PostID("bluesky", start.Add(time.Minute), 1))
	asked = append(asked, asked[3], "at://did:plc:oio4hkxaop4ao4wz2pp3f4cr/app.bsky.feed.post/3lhlu3l65522g")
	var got []string
	for _, p := range read[struct{ Posts []bsView }](t, s, uris(asked)).Posts {
		got = append(got, p.URI)
		if m := s.Metrics("bluesky", p.URI, start); *p.LikeCount != m["likes"] || !strings.HasPrefix(p.URI, "at://"+p.Author.DID+"/") ||
			!p.IndexedAt.After(p.Record.CreatedAt) {
			t.Errorf("%+v, want %v", p, m)
		}
	}
	want := slices.DeleteFunc(asked[:20], func(id string) bool { return s.Metrics("bluesky", id, start) == nil })
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for address, words := range map[string]string{
		uris(ids("bluesky", made, 26)):                                                         "Error: uris must not have more than 25 elements",
		"/xrpc/app.bsky.feed.getPosts":                                                         `Params must have the property \"uris\"`,
		uris([]string{"https://bsky.app/x"}):                                                   "must be a valid at-uri",
		"/xrpc/com.atproto.identity.resolveHandle?handle=nobody.bsky.social":                   "Unable to resolve handle",
		"/xrpc/app.bsky.feed.getAuthorFeed?actor=nobody.bsky.social":                           "Profile not found",
		"/xrpc/app.bsky.feed.getAuthorFeed?actor=sample-amber-fox.bsky.social&limit=101":       "limit can not be greater than 100",
		"/xrpc/app.bsky.feed.getAuthorFeed?actor=sample-amber-fox.bsky.social&filter=posts":    "filter must be one of",
		"/xrpc/app.bsky.feed.getAuthorFeed?actor=sample-amber-fox.bsky.social&cursor=tomorrow": "Malformed cursor",
	} {
		if status, body := ask(t, s, address); status != 400 || !strings.Contains(body, words) ||
			!strings.Contains(body, `"error":"InvalidRequest"`) {
			t.Errorf("%.90s: %d %s, want 400 with %s", address, status, body, words)
		}
	}
}

func TestBlueskyFeed(t *testing.T) {
	s := at(start, Options{})
	handle := s.People()[2].Networks["bluesky"]
	who := read[struct{ DID string }](t, s, "/xrpc/com.atproto.identity.resolveHandle?handle="+handle).DID
	for _, actor := range []string{handle, who} {
		var got []string
		for cursor := ""; ; {
			page := read[struct {
				Feed   []struct{ Post bsView }
				Cursor string
			}](t, s, "/xrpc/app.bsky.feed.getAuthorFeed?filter=posts_no_replies&limit=40&actor="+actor+"&cursor="+url.QueryEscape(cursor))
			for _, p := range page.Feed {
				got = append(got, p.Post.URI)
				if p.Post.Author.DID != who || p.Post.Author.Handle != handle {
					t.Fatalf("%+v, want %s of %s", p, who, handle)
				}
			}
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		slices.Reverse(got)
		if want := idsOf(s.Posts("bluesky", 2, start)); !slices.Equal(got, want) {
			t.Errorf("%s: %d posts, want %d", actor, len(got), len(want))
		}
	}
}

type maView struct {
	ID         string
	CreatedAt  time.Time `json:"created_at"`
	Favourites int64     `json:"favourites_count"`
	Reblogs    int64     `json:"reblogs_count"`
	Reblog     *maView
	Account    struct{ ID, Acct string }
}

func TestMastodonStatuses(t *testing.T) {
	s := at(start, Options{})
	made := start.AddDate(0, -2, 0)
	gone, boost := exemplar(t, s, "mastodon", made, isGone).ID, exemplar(t, s, "mastodon", made, isRetweet)
	asked := append([]string{boost.ID, gone}, ids("mastodon", made.Add(time.Minute), 18)...)
	list := read[[]maView](t, s, "/api/v1/statuses?id[]="+strings.Join(asked, "&id%5B%5D="))
	missing := 0
	for _, id := range asked {
		m, at := s.Metrics("mastodon", id, start), slices.IndexFunc(list, func(x maView) bool { return x.ID == id })
		if at < 0 && m == nil {
			missing++
			continue
		}
		if x := list[at]; x.Favourites != m["likes"] || x.Reblogs != m["reposts"] || (x.Reblog != nil) != (id == boost.ID) || x.Reblog != nil &&
			x.Reblog.ID != boost.RetweetOf {
			t.Errorf("%+v, want %v", x, m)
		}
	}
	if missing == 0 || len(list)+missing != 20 {
		t.Errorf("%d statuses and %d missing, want 20", len(list), missing)
	}
	if one := read[maView](t, s, "/api/v1/statuses/"+asked[2]); one.ID != asked[2] || !one.CreatedAt.Equal(made.Add(time.Minute)) {
		t.Errorf("one: %+v", one)
	}
	for address, want := range map[string]string{
		"/api/v1/statuses/" + gone: `404 {"error":"Record not found"}`,
		"/api/v1/statuses?id[]=" + strings.Join(ids("mastodon", made, 21), "&id[]="): `422 {"error":"Mastodon::ValidationError"}`,
		"/api/v1/accounts/lookup?acct=nobody":                                        `404 {"error":"Record not found"}`,
		"/api/v1/timelines/home":                                                     `404 {"error":"Not Found"}`,
	} {
		if status, body := ask(t, s, address); fmt.Sprint(status, " ", body) != want {
			t.Errorf("%.60s: %d %s, want %s", address, status, body, want)
		}
	}
	if status, body := ask(t, at(start, Options{OldMastodon: true}), "/api/v1/statuses?id[]="+asked[2]); status != 404 ||
		body != `{"error":"Not Found"}` {
		t.Errorf("an older server: %d %s", status, body)
	}
}

// Upwards by min_id and downwards by max_id, every post comes once.
func TestMastodonTimeline(t *testing.T) {
	s := at(start, Options{})
	want := idsOf(s.Posts("mastodon", 1, start))
	account := read[struct{ ID, Acct string }](t, s, "/api/v1/accounts/lookup?acct=@sample_brisk_owl@social.sample.invalid")
	statuses := func(query string) []string {
		var got []string
		for _, x := range read[[]maView](t, s, "/api/v1/accounts/"+account.ID+"/statuses?"+query) {
			got = append(got, x.ID)
			if x.Account != account {
				t.Errorf("%+v is not of %+v", x, account)
			}
		}
		slices.Reverse(got)
		return got
	}
	n := len(want)
	for query, expected := range map[string][]string{
		"":                                want[n-20:],
		"limit=100":                       want[n-40:],
		"since_id=" + want[n-3]:           want[n-2:],
		"since_id=" + want[n-1]:           nil,
		"since_id=0&limit=5":              want[n-5:],
		"min_id=" + want[10] + "&limit=7": want[11:18],
		"max_id=" + want[10] + "&limit=7": want[3:10],
	} {
		if got := statuses(query); !slices.Equal(got, expected) {
			t.Errorf("%s: %q, want %q", query, got, expected)
		}
	}
	link := askAs(t, s, "", "GET", "/api/v1/accounts/"+account.ID+"/statuses?limit=5").Header().Get("Link")
	if !strings.Contains(link, "max_id="+want[n-5]+`>; rel="next"`) || !strings.Contains(link, "min_id="+want[n-1]+`>; rel="prev"`) {
		t.Errorf("links %s", link)
	}
}
