package posts_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// FuzzPosts sends anything to the addresses of posts, accounts and credentials: it may
// be refused, and never fails.
func FuzzPosts(f *testing.F) {
	for _, tt := range [][2]string{
		{"/posts", `{"network":"x","id":"1839212345678901234","url":"https://x.com/ada/status/1839212345678901234","member":"boss"}`},
		{"/posts", `[{"network":"mastodon","id":"a.example/7"},{"id":20,"network":"x"},{"id":1e400,"network":"x"},7,{"url":"https://bsky.app/profile/a.b/post/3k"},{"id":"\u0000","host":"a","network":"mastodon"}]`},
		{"/posts", `[{"network":"x","id":"\ud800","member":"\u0000\ud83d"},{"a":{"id":1,"id":2}},` + "\xff]"},
		{"/posts/x/20/refresh", ` `},
		{"/posts/bluesky/at://did:plc:a/app.bsky.feed.post/3k/refresh", ` `},
		{"/posts/mastodon/7/metrics?host=a.example&limit=3&cursor=WyJoIix7fV0", ""},
		{"/posts/mastodon/%zz/metrics", ""},
		{"/posts?network=x&member=boss&state=gone&cursor=MS4x", ""},
		{"/members/boss/post-accounts", `{"network":"mastodon","handle":"@a@b.example:1","host":""}`},
		{"/members/boss/posts?network=x", ""},
		{"/admin/credentials", `{"network":"x","token":"a","name":"\u0001","quota":1,"window_seconds":1,"monthly_posts":9223372036854775807,"fields":"a.b","legacy":true}`},
		{"/admin/posts", ""},
	} {
		f.Add(tt[0], tt[1])
	}
	tiers, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		f.Fatal(err)
	}
	secret, err := pg.NewSecret("a secret of this test alone")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		s, token := handlerstest.NewForFuzzing(t)
		s.Networks, s.Posts.Tiers, s.Secret = postNetworks, tiers, secret
		s.Restart()
		for range 2 { // Again: what is there already is another way.
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", strings.NewReader(body))
			if body != "" {
				r.Method = http.MethodPost
			}
			r.URL.Path, r.URL.RawQuery, _ = strings.Cut("/api/v1"+path, "?")
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			s.Echo.ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Fatalf("%s %q: status %d\n%s", path, body, w.Code, s.Logged)
			}
		}
	})
}
