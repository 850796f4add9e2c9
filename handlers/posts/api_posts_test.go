package posts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/posts"
	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/posts"
)

// postNetworks are networks as pages know them: one of numbers, one of URIs, and
// one of many servers.
var postNetworks = []posts.Network{
	{Name: "bluesky", Title: "Bluesky", Batch: 25, Requests: 3000, Window: 5 * time.Minute, Parse: postParser("bluesky", `^at://([a-z0-9.:]+)/app\.bsky\.feed\.post/([a-z0-9]+)$|^https://bsky\.app/profile/([a-z0-9.:]+)/post/([a-z0-9]+)$`,
		func(m []string) (string, string) {
			return "", "at://" + m[1] + m[3] + "/app.bsky.feed.post/" + m[2] + m[4]
		})},
	{Name: "mastodon", Title: "Mastodon", Hosts: true, HomeServer: "mastodon.social", Batch: 20, Requests: 300, Window: 5 * time.Minute, Parse: postParser("mastodon", `^([1-9][0-9]{0,18})$|^https://([a-z0-9.:-]+)/@[a-z]+/([1-9][0-9]{0,18})$`,
		func(m []string) (string, string) {
			if m[1] != "" {
				return "home.example", m[1]
			}
			return m[2], m[3]
		})},
	{Name: "x", Title: "X", NeedsToken: true, OldAPI: "API v1.1", FieldsParameter: "tweet.fields", Price: 5, Batch: 100, Requests: 300, Window: 15 * time.Minute, Parse: postParser("x", `^([1-9][0-9]{0,18})$|^(?:https://)?x\.com/[a-z]+/status/([1-9][0-9]{0,18})(?:\?s=20)?$`,
		func(m []string) (string, string) { return "", m[1] + m[2] })},
}

func postParser(network, pattern string, read func([]string) (host, id string)) func(string) (posts.Key, *time.Time, bool) {
	re := regexp.MustCompile(pattern)
	return func(text string) (key posts.Key, created *time.Time, ok bool) {
		m := re.FindStringSubmatch(text)
		if m == nil {
			return key, nil, false
		}
		key.Network = network
		key.Host, key.ExternalID = read(m)
		if n, err := strconv.ParseInt(key.ExternalID, 10, 64); network == "x" && err == nil && n > 1<<40 {
			created = new(time.UnixMilli(n>>22 + 1288834974657))
		}
		return key, created, true
	}
}

// A postSite is a site that follows posts, with a program of an admin and one of ada.
type postSite struct {
	*handlerstest.Site
	boss, ada handlerstest.Program
	of        members.Member // Ada.
}

func newPostSite(t *testing.T) *postSite {
	t.Helper()
	s := handlerstest.New(t, "http://laurel.test")
	tiers, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	s.Networks, s.Posts = postNetworks, handlers.Pages{Tiers: tiers, BufferTTL: 10 * time.Second, CoolDown: 5 * time.Minute}
	s.Restart()
	ada := s.Member(t, "Ada", members.RoleMember)
	return &postSite{s, s.Program(t, s.Member(t, "boss", members.RoleAdmin)), s.Program(t, ada), ada}
}

// snowflake is an id of X of that age.
func (s *postSite) snowflake(age time.Duration) string {
	return strconv.FormatInt((s.Time.Add(-age).UnixMilli()-1288834974657)<<22|5, 10)
}

func adds(t *testing.T, p handlerstest.Program, body string) handlers.APIPost {
	t.Helper()
	got := handlerstest.Read[handlers.APIAdded](t, p.Call("POST", "/posts", body), http.StatusCreated)
	if got.Accepted != 1 || got.Duplicate != 0 || len(got.Rejected) != 0 || len(got.Items) != 1 {
		t.Fatalf("%s: %+v", body, got)
	}
	return got.Items[0]
}

func TestAPIAddPost(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	star := members.Member{Name: "star", Custom: true}
	if err := accounts.Add(t.Context(), s.DB.DB, s.BuiltIn, accounts.New{Member: &star, Handles: nil, By: &s.of}, s.Time); err != nil {
		t.Fatal(err)
	}
	young := s.snowflake(10 * time.Minute)
	for _, tt := range []struct {
		name, body string
		want       string // network host id url member tier
	}{
		{"an id", `{"network":"x","id":"` + young + `"}`, "x  " + young + "  Ada 18m"},
		{"a number", `{"network":"x","id":20}`, "x  20  Ada 18m"},
		{"the last exact number", `{"network":"x","id":9007199254740992}`, "x  9007199254740992  Ada "},
		{"a link", `{"url":"https://x.com/ada/status/` + s.snowflake(40*time.Hour) + `?s=20","member":"ada"}`, "x  " + s.snowflake(40*time.Hour) + " https://x.com/ada/status/" + s.snowflake(40*time.Hour) + "?s=20 Ada 7d"},
		{"a link without a scheme", `{"url":" x.com/ada/status/21 ","network":"x","member":null}`, "x  21  Ada 18m"},
		{"both", `{"url":"https://x.com/ada/status/22","network":"x","id":" 22 ","member":""}`, "x  22 https://x.com/ada/status/22 Ada 18m"},
		{"a link as id", `{"id":"https://bsky.app/profile/ada.example/post/3k","member":"STAR"}`, "bluesky  at://ada.example/app.bsky.feed.post/3k https://bsky.app/profile/ada.example/post/3k star 18m"},
		{"a URI", `{"id":"at://did:plc:a/app.bsky.feed.post/3k"}`, "bluesky  at://did:plc:a/app.bsky.feed.post/3k  Ada 18m"},
		{"a link by a handle and the id by its key", `{"id":"at://did:plc:b/app.bsky.feed.post/3m","url":"https://bsky.app/profile/ada.example/post/3m"}`,
			"bluesky  at://did:plc:b/app.bsky.feed.post/3m https://bsky.app/profile/ada.example/post/3m Ada 18m"},
		{"a number of the known server", `{"network":"mastodon","id":"7"}`, "mastodon home.example 7  Ada 18m"},
		{"a number of another", `{"network":"mastodon","id":"7","host":"Other.Example"}`, "mastodon other.example 7  Ada 18m"},
		{"with its server", `{"network":"mastodon","id":"third.example/7"}`, "mastodon third.example 7  Ada 18m"},
		{"a link to a server", `{"url":"https://other.example/@ada/8"}`, "mastodon other.example 8 https://other.example/@ada/8 Ada 18m"},
		{"a link and its number", `{"network":"mastodon","id":"9","url":"https://other.example/@ada/9"}`, "mastodon other.example 9 https://other.example/@ada/9 Ada 18m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := adds(t, s.ada, tt.body)
			if got := strings.Join([]string{p.Network, p.Host, p.ID, p.URL, *p.Member, p.Tier}, " "); got != tt.want || p.State != "active" || p.Fetches != 0 || p.MetricsAt != nil || p.NextUpdateAt == nil {
				t.Errorf("%+v\nis %s\nwant %s", p, got, tt.want)
			}
			again := s.boss.Call("POST", "/posts", tt.body)
			if got := handlerstest.Read[handlers.APIAdded](t, again, http.StatusOK); got.Duplicate != 1 || got.Accepted != 0 || len(got.Items) != 1 || *got.Items[0].Member != *p.Member {
				t.Errorf("again: %s", again.Text)
			}
			if got := handlerstest.Read[handlers.APIPost](t, s.ada.Call("GET", strings.TrimPrefix(again.Header.Get("Location"), "/api/v1"), ""), http.StatusOK); got.ID != p.ID || got.Host != p.Host {
				t.Errorf("%s leads to %+v", again.Header.Get("Location"), got)
			}
		})
	}
	if p := adds(t, s.boss, `{"network":"x","id":"30"}`); p.Member != nil {
		t.Errorf("an admin's is %s's", *p.Member)
	}
	if got := handlerstest.Read[handlers.APIAdded](t, s.ada.Call("POST", "/posts", `{"network":"x","id":"30"}`), http.StatusOK); *got.Items[0].Member != "Ada" {
		t.Error("a post of nobody does not become the one's who adds it")
	}
}

func TestAPIAddPostRefuses(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	for _, tt := range []struct {
		body   string
		status int
		field  string
	}{
		{"", 400, ""},
		{"   ", 400, ""},
		{"{", 400, ""},
		{"[", 400, ""},
		{`[{"network":"x","id":"1"}`, 400, ""},
		{`{"network":"x","id":"1"} {}`, 400, ""},
		{`[] 1`, 400, ""},
		{`x`, 400, ""},
		{`7`, 422, ""},
		{`null`, 422, ""},
		{`"https://x.com/ada/status/1"`, 422, ""},
		{`{}`, 422, "id"},
		{`{"id":null,"url":""}`, 422, "id"},
		{`{"id":"20"}`, 422, "network"},
		{`{"id":"","network":"x"}`, 422, "id"},
		{`{"id":20}`, 422, "network"},
		{`{"network":"myspace","id":"20"}`, 422, "network"},
		{`{"network":7,"id":"20"}`, 422, "network"},
		{`{"network":"x","id":9007199254740993}`, 422, "id"},
		{`{"network":"x","id":1839212345678901248}`, 422, "id"},
		{`{"network":"x","id":1e3}`, 422, "id"},
		{`{"network":"x","id":20.5}`, 422, "id"},
		{`{"network":"x","id":99999999999999999999999}`, 422, "id"},
		{`{"network":"x","id":-20}`, 422, "id"},
		{`{"network":"x","id":0}`, 422, "id"},
		{`{"network":"x","id":true}`, 422, "id"},
		{`{"network":"x","id":{"a":1}}`, 422, "id"},
		{`{"network":"x","id":"20\u0000"}`, 422, "id"},
		{`{"network":"x","id":"9223372036854775000"}`, 422, "id"}, // Far in the future.
		{`{"network":"x","id":"twenty"}`, 422, "id"},
		{`{"network":"x","id":"20","host":"x.com"}`, 422, "host"},
		{`{"network":"mastodon","id":"20","host":"a b"}`, 422, "host"},
		{`{"network":"mastodon","id":"a..b/20"}`, 422, "id"},
		{`{"network":"mastodon","id":"20","host":"a.example","url":"https://b.example/@ada/20"}`, 422, "host"},
		{`{"network":"x","url":"https://bsky.app/profile/ada.example/post/3k"}`, 422, "url"},
		{`{"network":"x","url":"20"}`, 422, "url"},
		{`{"url":"https://example.com/"}`, 422, "url"},
		{`{"url":"javascript:alert(1)//x.com/ada/status/1"}`, 422, "url"},
		{`{"network":"x","id":"20","url":"https://x.com/ada/status/21"}`, 422, "url"},
		{`{"network":"x","id":"20","likes":7}`, 422, "likes"},
		{`{"network":"x","id":"20","id":"21"}`, 422, "id"},
		{`{"network":"x","id":"20","member":"nobody"}`, 422, "member"},
		{`{"network":"x","id":"20","member":"\u0000"}`, 422, "member"},
		{`{"network":"x","id":"20","member":7}`, 422, "member"},
		{`{"network":"x","id":"20","member":"boss"}`, 403, ""},
	} {
		s.ada.Call("POST", "/posts", tt.body).Refused(t, tt.status, tt.field)
	}
	s.ada.Call("POST", "/posts", `{"network":"x","id":"`+s.snowflake(-6*time.Minute)+`"}`).Refused(t, 422, "id")
	s.ada.Call("POST", "/posts", `[`+strings.Repeat(`1,`, handlers.MaxNewPosts)+`1]`).Refused(t, 413, "")
	s.ada.Call("POST", "/posts", `[{"url":"`+strings.Repeat("x", handlers.MaxPosts)+`"}]`).Refused(t, 413, "")
	if got := handlerstest.All[handlers.APIPost](t, s.ada, "/posts", "5"); len(got) != 0 {
		t.Errorf("followed: %+v", got)
	}
}

func TestAPIAddPostsListed(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	got := handlerstest.Read[handlers.APIAdded](t, s.ada.Call("POST", "/posts", `[{"network":"x","id":"1"}, 7, {"network":"x","id":"1"}, {"network":"x","id":"\ud800"}, {"network":"x","id":2,"member":"boss"},
		{"network":"x","id":"3","member":"ADA"}, {"id":"3"}, {"network":"x","id":"1e5"}, {"network":"x","a":1}, {"network":"x","id":"`+s.snowflake(-time.Hour)+`"}, [], {"url":"https://bsky.app/profile/a.b/post/3k"}]`), http.StatusOK)
	var lines []string
	for _, r := range got.Rejected {
		lines = append(lines, fmt.Sprint(r.Index, " ", r.Error))
	}
	want := []string{"1 a post is an object", "3 ", "4 member: only boss", "6 network: ", `7 id: "1e5" is not the id`, "8 a: unknown field", "9 id: the id says", "10 a post is an object"}
	if got.Accepted != 3 || got.Duplicate != 1 || got.Items != nil || len(lines) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("%q, want %q", lines[i], want[i])
		}
	}
	if got := handlerstest.Read[handlers.APIAdded](t, s.ada.Call("POST", "/posts", `[]`), http.StatusOK); got.Accepted != 0 || got.Rejected == nil {
		t.Errorf("nothing: %+v", got)
	}
}

// A burst is one request, takes a few seconds and little memory; the soak has 50,000 in it.
func TestAPIAddManyPosts(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	many := 10_000
	if os.Getenv("LAUREL_SOAK") != "" {
		many = 50_000
	}
	var body strings.Builder
	for i := range many {
		fmt.Fprintf(&body, `%c{"network":"x","id":"%d","member":"ada","url":"https://x.com/ada/status/%d"}`, "[,"[min(i, 1)], i+1, i+1)
		if i%1000 == 999 {
			body.WriteString(`,{"network":"x"}`)
		}
	}
	body.WriteString("]")
	var before, after runtime.MemStats
	for _, accepted := range []int{many, 0} {
		runtime.ReadMemStats(&before)
		start := time.Now()
		got := handlerstest.Read[handlers.APIAdded](t, s.boss.Call("POST", "/posts", body.String()), http.StatusOK)
		runtime.ReadMemStats(&after)
		t.Logf("%d bytes in %s, %d MB allocated", body.Len(), time.Since(start), (after.TotalAlloc-before.TotalAlloc)>>20)
		if got.Accepted != accepted || got.Accepted+got.Duplicate != many || len(got.Rejected) != many/1000 || got.Rejected[1].Index != 2001 {
			t.Fatalf("%d, %d, %+v", got.Accepted, got.Duplicate, got.Rejected)
		}
	}
}

func TestAPIPostLists(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	for i := range 6 {
		adds(t, s.ada, fmt.Sprintf(`{"network":"x","id":"%s"}`, s.snowflake(time.Duration(i)*time.Hour)))
	}
	adds(t, s.boss, `{"network":"x","id":"1"}`)
	adds(t, s.boss, `{"id":"at://did:plc:a/app.bsky.feed.post/3k"}`)
	if err := s.DB.Exec(`UPDATE posts SET state = 'gone' WHERE external_id IN ('1', ?)`, s.snowflake(2*time.Hour)).Error; err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/posts": 8, "/posts?network=x": 7, "/posts?member=ada": 6, "/members/ADA/posts": 6, "/posts?state=gone": 2, "/posts?state=gone&member=ada": 1, "/members/ada/posts?network=bluesky": 0, "/posts?network=bluesky&state=active": 1, "/members/boss/posts": 0} {
		var first []handlers.APIPost
		for _, limit := range []string{"1", "2", "500"} {
			got := handlerstest.All[handlers.APIPost](t, s.ada, path, limit)
			if first == nil {
				first = got
			}
			if len(got) != want || handlerstest.JSON(got) != handlerstest.JSON(first) {
				t.Errorf("%s in parts of %s: %d posts, want %d", path, limit, len(got), want)
			}
		}
	}
	if got := handlerstest.All[handlers.APIPost](t, handlerstest.Program{T: t, Site: s.Site, Token: ""}, "/posts", "3"); got[0].Network != "bluesky" || got[7].ID != s.snowflake(0) {
		t.Errorf("not the newest added first: %+v", got)
	}
	for path, field := range map[string]string{"/posts?network=a": "network", "/posts?state=a": "state", "/posts?member=a%00": "member", "/posts?limit=0": "limit", "/posts?cursor=x": "cursor", "/posts?cursor=" + pg.Cursor{ID: -5, At: s.Time}.String() + "&limit=x": "limit"} {
		s.ada.Call("GET", path, "").Refused(t, 422, field)
	}
	for _, id := range []int64{-5, 1 << 62} {
		handlerstest.Read[web.List[handlers.APIPost]](t, s.ada.Call("GET", "/posts?cursor="+pg.Cursor{ID: id, At: s.Time}.String(), ""), http.StatusOK)
	}
	s.ada.Call("GET", "/members/nobody/posts", "").Refused(t, 404, "")
}

// raw calls an address as it is, and holds the answer against no description: it
// knows an id with slashes only as one part.
func raw(p handlerstest.Program, method, address string) handlerstest.Answer {
	r := httptest.NewRequestWithContext(p.T.Context(), method, p.Site.URL+"/api/v1"+address, nil)
	r.Header.Set("Authorization", "Bearer "+p.Token)
	w := httptest.NewRecorder()
	p.Site.Echo.ServeHTTP(w, r)
	return handlerstest.Answer{Response: w.Result(), Text: w.Body.String()}
}

func TestAPIPostByAnyName(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	for _, body := range []string{`{"id":"at://did:plc:a/app.bsky.feed.post/3k"}`, `{"network":"mastodon","id":"7","host":"a.example:9000"}`, `{"network":"mastodon","id":"7","host":"b.example"}`, `{"network":"mastodon","id":"8","host":"b.example"}`, `{"network":"x","id":"20"}`} {
		adds(t, s.ada, body)
	}
	for _, tt := range []struct{ path, want string }{
		{"/x/20", "x//20"},
		{"/x/https%3A%2F%2Fx.com%2Fada%2Fstatus%2F20", "x//20"},
		{"/x/https://x.com/ada/status/20", "x//20"},
		{"/bluesky/at%3A%2F%2Fdid:plc:a%2Fapp.bsky.feed.post%2F3k", "bluesky//at://did:plc:a/app.bsky.feed.post/3k"},
		{"/bluesky/at%3a%2f%2fdid%3aplc%3aa%2fapp.bsky.feed.post%2f3k", "bluesky//at://did:plc:a/app.bsky.feed.post/3k"},
		{"/bluesky/at://did:plc:a/app.bsky.feed.post/3k", "bluesky//at://did:plc:a/app.bsky.feed.post/3k"},
		{"/bluesky/at:/did:plc:a/app.bsky.feed.post/3k", "bluesky//at://did:plc:a/app.bsky.feed.post/3k"},
		{"/mastodon/8", "mastodon/b.example/8"},
		{"/mastodon/7?host=B.example", "mastodon/b.example/7"},
		{"/mastodon/a.example:9000/7", "mastodon/a.example:9000/7"},
		{"/mastodon/a.example%3A9000%2F7", "mastodon/a.example:9000/7"},
		{"/mastodon/https%3A%2F%2Fb.example%2F@ada%2F7", "mastodon/b.example/7"},
		{"/mastodon/7", "422 host"},
		{"/mastodon/7?host=c.example", "404 "},
		{"/mastodon/a.example:9000/7?host=b.example", "404 "},
		{"/mastodon/7?host=%20", "422 host"},
		{"/x/20?host=x.com", "422 host"},
		{"/x/21", "404 "},
		{"/x/20%00", "404 "},
		{"/x/%2520", "404 "},
		{"/x/metrics", "404 "},
		{"/y/20", "404 "},
		{"/bluesky/at://did:plc:a", "404 "},
		{"/bluesky/at://did:plc:a/app.bsky.feed.post/3k/", "404 "},
	} {
		for _, end := range []string{"", "/metrics"} {
			path, query, _ := strings.Cut("/posts"+tt.path, "?")
			a := raw(s.ada, "GET", path+end+"?"+query)
			var got struct {
				Network, Host, ID string
				Items             []any
				Error             struct{ Field string }
			}
			if err := json.Unmarshal([]byte(a.Text), &got); err != nil {
				t.Fatalf("%s: %s", tt.path, a.Text)
			}
			is := fmt.Sprintf("%s/%s/%s", got.Network, got.Host, got.ID)
			if a.StatusCode != http.StatusOK {
				is = fmt.Sprint(a.StatusCode, " ", got.Error.Field)
			} else if end != "" && got.Items != nil {
				is = tt.want
			}
			if is != tt.want {
				t.Errorf("%s%s: %s, want %s", tt.path, end, is, tt.want)
			}
		}
	}
	s.ada.Call("GET", "/posts/bluesky/at%3A%2F%2Fdid:plc:a%2Fapp.bsky.feed.post%2F3k", "").Is(t, http.StatusOK, `"id":"at://did:plc:a/app.bsky.feed.post/3k"`)
	if a := raw(s.ada, "POST", "/posts/bluesky/at://did:plc:a/app.bsky.feed.post/3k/refresh"); a.StatusCode != http.StatusAccepted {
		t.Errorf("refresh: %d %s", a.StatusCode, a.Text)
	}
	if a := raw(s.ada, "DELETE", "/posts/bluesky/at://did:plc:a/app.bsky.feed.post/3k"); a.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %d %s", a.StatusCode, a.Text)
	}
}

func TestAPIRefreshAndForget(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	adds(t, s.ada, `{"network":"x","id":"20"}`)
	adds(t, s.boss, `{"network":"x","id":"21"}`)
	bob := s.Program(t, s.Member(t, "bob", members.RoleMember))
	got := handlerstest.Read[map[string]time.Time](t, bob.Call("POST", "/posts/x/20/refresh", ""), http.StatusAccepted)
	if !got["requested_at"].Equal(s.Time) {
		t.Errorf("%v", got)
	}
	s.Time = s.Time.Add(time.Minute)
	a := s.ada.Call("POST", "/posts/x/20/refresh", "")
	a.Refused(t, 429, "")
	if a.Header.Get("Retry-After") != "240" {
		t.Errorf("Retry-After: %s", a.Header.Get("Retry-After"))
	}
	s.Time = s.Time.Add(4 * time.Minute)
	s.ada.Call("POST", "/posts/x/20/refresh", "").Is(t, http.StatusAccepted)
	if err := s.DB.Exec(`UPDATE posts SET state = 'invalid' WHERE external_id = '21'`).Error; err != nil {
		t.Fatal(err)
	}
	s.ada.Call("POST", "/posts/x/21/refresh", "").Refused(t, 409, "")
	s.ada.Call("POST", "/posts/x/22/refresh", "").Refused(t, 404, "")

	bob.Call("DELETE", "/posts/x/20", "").Refused(t, 403, "")
	s.ada.Call("DELETE", "/posts/x/21", "").Refused(t, 403, "")
	s.ada.Call("DELETE", "/posts/x/20", "").Is(t, http.StatusNoContent)
	s.boss.Call("DELETE", "/posts/x/21", "").Is(t, http.StatusNoContent)
	s.boss.Call("DELETE", "/posts/x/21", "").Refused(t, 404, "")
}
