package networks

import (
	"errors"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

// Whatever a server says: no panic, every id in one place, posts that can be kept,
// and an error that says what to do.
func FuzzFetch(f *testing.F) {
	for _, file := range []string{"x_v2.json", "bluesky_posts.json", "mastodon_list.json"} {
		f.Add(200, fakesite.Testdata(f, file), "1895500000000000001,11,at://did:plc:a/app.bsky.feed.post/3lhjnkjle5s2a", "300",
			"2026-04-11T23:15:00Z")
	}
	f.Add(200, `{"id":{"20":{"id":20,"retweeted_status":{"id":5}},"21":null}}`, "20,21", "300", "1562984885")
	f.Add(404, `{"error":"Record not found"}`, "20", "", "")
	f.Add(429, `{"errors":[{"code":88,"message":"Rate limit exceeded"}]}`, "20,20,x", "15", "1562984885")
	f.Add(400, `{"errors":[{"parameters":{"ids":[]},"message":"is not between 1 and 99999999999999999999"}]}`, "1,2", "", "")
	f.Add(200, `{"data":{"id":"20","edit_history_tweet_ids":["19"]},"errors":[{"resource_id":"19","type":"/"}]}`, "19,20", "", "")
	f.Fuzz(func(t *testing.T, status int, body, asked, limit, reset string) {
		ids := strings.Split(asked, ",")
		for _, n := range All() {
			for _, legacy := range []bool{false, true} {
				get := always(t, status, body, "x-rate-limit-limit", limit, "x-rate-limit-remaining", limit, "x-rate-limit-reset", reset,
					"Retry-After", limit, "Date", reset)
				c := Credential{Host: "h.example", Legacy: legacy}
				got, err := n.Fetch(t.Context(), get, c, ids)
				if err == nil {
					wantParted(t, ids, got)
				} else if r, ok := errors.AsType[*Refusal](err); !ok || r.Kind == "" || r.Message == "" || r.After < 0 || r.Batch < 0 {
					t.Errorf("%s: %+v", n.Info().Name, err)
				}
				for id, p := range got.Posts {
					wantSound(t, p)
					if status != 200 {
						t.Errorf("%s: post %s with status %d", n.Info().Name, id, status)
					}
				}
			}
		}
	})
}

func FuzzAuthor(f *testing.F) {
	f.Add(200, `{"data":[{"id":"30"}],"meta":{"next_token":"a"}}`, "20")
	f.Add(200, `[{"id":30},{"id":"29"}]`, "")
	f.Add(200, `{"cursor":"a","feed":[{"post":{"uri":"at://did:plc:a/app.bsky.feed.post/3lhjnkjle5s2a"}}]}`,
		"at://did:plc:a/app.bsky.feed.post/self")
	f.Add(404, `{"error":"Record not found"}`, "")
	f.Add(200, `{"did":"did:plc:a","id":5,"data":{"id":"7"}}`, "")
	f.Fuzz(func(t *testing.T, status int, body, since string) {
		for _, n := range All() {
			a, ok := n.(Author)
			for _, key := range []string{"43", "did:plc:a"} {
				if !ok {
					break
				}
				get := always(t, status, body)
				for _, legacy := range []bool{false, true} {
					posts, err := a.Newer(t.Context(), get, Credential{Host: "h.example", Legacy: legacy}, key, since)
					if err != nil && len(posts) > 0 && !errors.Is(err, ErrMore) {
						t.Errorf("%s: %d posts with %v", n.Info().Name, len(posts), err)
					}
					for _, p := range posts {
						wantSound(t, p)
					}
				}
				if len(get.asked) > 2*pages {
					t.Errorf("%s: %d requests", n.Info().Name, len(get.asked))
				}
				for _, handle := range []string{"ada", "ada.example"} {
					if key, err := a.Account(t.Context(), get, Credential{Host: "h.example"}, handle); (key == "") == (err == nil) {
						t.Errorf("%s: account %q, error %v", n.Info().Name, key, err)
					}
				}
			}
		}
	})
}

// A link is of one network at most, and what it names can be asked for and is
// recognised again.
func FuzzParse(f *testing.F) {
	for _, text := range append(samples, "https://x.com/jack/status/20?s=20", "https://twitter.com/#!/jack/status/20",
		"https://bsky.app/profile/a.example/post/3k",
		"https://mastodon.social/@a@b.example/1", "http://localhost:3000/ap/users/1/statuses/2", "https://h.example/web/statuses/1",
		"x.com/i/web/status/20", "<https://x.com/a/status/1>.") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		owners := 0
		for _, n := range All() {
			ref, ok := n.Parse(text)
			if !ok {
				continue
			}
			if !isNumeral(strings.TrimSpace(text)) {
				owners++
			}
			if again, ok := n.Parse(ref.ID); !ok || again.ID != ref.ID || ref.Network != n.Info().Name {
				t.Errorf("%q is %+v, and that is %+v", text, ref, again)
			}
			host := ref.Host
			if host == "" {
				host = "h.example"
			}
			get := always(t, 500, "")
			if _, err := n.Fetch(t.Context(), get, Credential{Host: host}, []string{ref.ID}); len(get.asked) != 1 {
				t.Errorf("%q is %+v, which cannot be asked for: %v", text, ref, err)
			}
		}
		if _, ok := Recognise(text); ok && owners != 1 || owners > 1 {
			t.Errorf("%q is of %d networks", text, owners)
		}
	})
}

func FuzzPlain(f *testing.F) {
	f.Add(`<p>a<br>b &amp; <a href="x">c</a></p>`)
	f.Add(`<p title="<p>" 1 < 2`)
	f.Fuzz(func(t *testing.T, content string) {
		wantSound(t, Post{ID: "1", Text: bounded(plain(content), 500)})
	})
}
