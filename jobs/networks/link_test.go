package networks

import (
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
	const did = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"
	for text, want := range map[string]Ref{
		"https://x.com/jack/status/20":                                {"x", "", "20"},
		"http://twitter.com/jack/statuses/20/":                        {"x", "", "20"},
		"https://www.x.com/jack/status/20?s=20&t=abc#frag":            {"x", "", "20"},
		"https://mobile.twitter.com/i/web/status/9223372036854775807": {"x", "", "9223372036854775807"},
		"https://x.com/i/status/20/photo/1":                           {"x", "", "20"},
		"HTTPS://X.COM/Jack/status/20":                                {"x", "", "20"},
		"https://twitter.com/#!/jack/status/20":                       {"x", "", "20"},
		"https://api.x.com/2/tweets/20?tweet.fields=created_at":       {"x", "", "20"},
		"<https://x.com/jack/status/20>.":                             {"x", "", "20"},
		"https://bsky.app/profile/Bsky.App/post/3kftldxbvq22p": {"bluesky", "",
			"at://bsky.app/app.bsky.feed.post/3kftldxbvq22p"},
		"https://bsky.app/profile/" + did + "/post/3kftldxbvq22p": {"bluesky", "",
			"at://" + did + "/app.bsky.feed.post/3kftldxbvq22p"},
		"https://bsky.app/profile/did%3Aplc%3Aabc/post/3kftldxbvq22p?x=1": {"bluesky", "",
			"at://did:plc:abc/app.bsky.feed.post/3kftldxbvq22p"},
		"at://" + did + "/app.bsky.feed.post/3kftldxbvq22p": {"bluesky", "",
			"at://" + did + "/app.bsky.feed.post/3kftldxbvq22p"},
		"https://mastodon.social/@Gargron/110446183735368325":           {"mastodon", "mastodon.social", "110446183735368325"},
		"https://Mastodon.Social/@halcy@icosahedron.website/123":        {"mastodon", "mastodon.social", "123"},
		"https://icosahedron.website/users/halcy/statuses/123":          {"mastodon", "icosahedron.website", "123"},
		"https://icosahedron.website/users/halcy/statuses/123/activity": {"mastodon", "icosahedron.website", "123"},
		"http://localhost:3000/ap/users/117/statuses/118":               {"mastodon", "localhost:3000", "118"},
		"https://h.example:443/web/statuses/123":                        {"mastodon", "h.example", "123"},
		"https://h.example/deck/@a/123":                                 {"mastodon", "h.example", "123"},
		"https://h.example/api/v1/statuses/123":                         {"mastodon", "h.example", "123"},
		"https://h.example/@a/123/embed":                                {"mastodon", "h.example", "123"},
		"20":                                                            {},
		"":                                                              {},
		"https://":                                                      {},
		"https://x.com/jack":                                            {},
		"https://x.com/jack/status/":                                    {},
		"https://x.com/jack/status/020":                                 {},
		"https://x.com/jack/status/20a":                                 {},
		"https://x.com/jack/status/99999999999999999999":                {},
		"https://x.com/@jack/20":                                        {},
		"https://notx.com/jack/status/20":                               {},
		"https://x.com.evil.example/jack/status/20":                     {},
		"https://evil.example/x.com/jack/status/20":                     {},
		"https://u:p@x.com/jack/status/20":                              {},
		"ftp://x.com/jack/status/20":                                    {},
		"https://x.com/a/b/c/status/20":                                 {},
		"https://bsky.app/profile/a/post/3k":                            {},
		"https://bsky.app/profile/a.example/feed/3k":                    {},
		"https://bsky.app/profile/a.example/post/..":                    {},
		// What is behind does not count.
		"https://bsky.app/profile/a.example/post/a%2Fb":         {"bluesky", "", "at://a.example/app.bsky.feed.post/a"},
		"at://" + did + "/app.bsky.feed.like/3k":                {},
		"https://medium.com/@ada/123":                           {},
		"https://www.youtube.com/@ada/123":                      {},
		"https://h.example/@a/abc":                              {},
		"https://h.example/statuses/123":                        {},
		"https://h.example/@a b/123":                            {},
		"https://nodot/@a/123":                                  {},
		"https://h.example/@a/123" + strings.Repeat("/x", 2000): {},
		"https://mastödon.example/@a/123":                       {},
		"https://[::1]/@a/123":                                  {},
	} {
		got, ok := Recognise(text)
		if !ok {
			got = Ref{}
		}
		if got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

// In a form people leave things out; each network is asked by name there.
func TestParseOfAForm(t *testing.T) {
	for _, tt := range []struct {
		network, text string
		want          Ref
	}{
		{"x", " 20 ", Ref{"x", "", "20"}},
		{"x", "x.com/jack/status/20", Ref{"x", "", "20"}},
		{"x", "https://mastodon.social/@a/20", Ref{}},
		{"x", "-20", Ref{}},
		{"mastodon", "110446183735368325", Ref{"mastodon", "", "110446183735368325"}},
		{"mastodon", "mastodon.social/@a/20", Ref{"mastodon", "mastodon.social", "20"}},
		{"mastodon", "https://x.com/jack/status/20", Ref{}},
		{"bluesky", "bsky.app/profile/@ada.example/post/3k", Ref{"bluesky", "", "at://ada.example/app.bsky.feed.post/3k"}},
		{"bluesky", "3k", Ref{}},
	} {
		n, _ := ByName(tt.network)
		got, ok := n.Parse(tt.text)
		if !ok {
			got = Ref{}
		}
		if got != tt.want {
			t.Errorf("%s: %q is %+v, want %+v", tt.network, tt.text, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for content, want := range map[string]string{
		"":                    "",
		"<p>a</p>":            "a",
		"<p>a</p><p>b</p>":    "a\n\nb",
		"a<br>b<br />c<BR/>d": "a\nb\nc\nd",
		`<a href="https://x/?a>b" class='>'>link</a> &lt;b&gt; &amp;amp;`: "link <b> &amp;",
		"1 < 2 <3 a <":      "1 < 2 <3 a <",
		"a<b":               "a<b",
		"<p>a\x00\xffb</p>": "ab",
		"&#0;&#x110000;":    "\ufffd\ufffd",
		"<>a":               "<>a",
		"</>a":              "a",
	} {
		if got := plain(content); got != want {
			t.Errorf("%q reads %q, want %q", content, got, want)
		}
	}
}

func TestBounded(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "äöü": "äöü", "abcd": "ab…", "a cd": "a…"} {
		if got := bounded(text, 3); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	const now = "Fri, 07 Oct 2022 22:43:17 GMT"
	for _, tt := range []struct{ after, date, want string }{
		{"30", "", "30s"}, {"0", "", "0s"}, {"-5", "", "0s"}, {"99999999999", "", "24h0m0s"}, {"9999999", "", "24h0m0s"},
		{"soon", "", "0s"},
		{"Fri, 07 Oct 2022 22:44:17 GMT", now, "1m0s"}, {"Fri, 07 Oct 2022 22:44:17 GMT", "", "0s"},
		{"Fri, 07 Oct 2022 22:00:00 GMT", now, "0s"},
	} {
		if got := retryAfter(answer(429, "", "Retry-After", tt.after, "Date", tt.date)).String(); got != tt.want {
			t.Errorf("%q at %q is %s, want %s", tt.after, tt.date, got, tt.want)
		}
	}
}

func TestQuota(t *testing.T) {
	for _, tt := range []struct {
		prefix, limit, remaining, reset string
		known                           bool
	}{
		{"x-rate-limit-", "900", "0", "1562984885", true},
		{"ratelimit-", "3000", "2999", "1738940400", true},
		{"X-RateLimit-", "300", "294", "2026-04-11T23:15:00.996774Z", true},
		{"x-rate-limit-", "900", "", "1562984885", false},
		{"x-rate-limit-", "900", "5", "", false},
		{"x-rate-limit-", "900", "5", "60", false},
		{"x-rate-limit-", "900", "-1", "1562984885", false},
		{"x-rate-limit-", "many", "5", "1562984885", false},
		{"x-rate-limit-", "900", "5", "99999999999999", false},
	} {
		q := quota(answer(200, "", tt.prefix+"limit", tt.limit, tt.prefix+"remaining", tt.remaining, tt.prefix+"reset", tt.reset))
		if q.Known != tt.known || !q.Known && q != (Quota{}) || q.Known && q.Reset.IsZero() {
			t.Errorf("%+v: %+v", tt, q)
		}
	}
	if q := quota(Answer{Status: 200}); q.Known {
		t.Errorf("without headers: %+v", q)
	}
}
