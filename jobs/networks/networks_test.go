package networks

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// These tests hold for every network there is and ever will be.

// samples are ids as a network has them: what Parse takes of these texts.
var samples = []string{"1293593516040269825", "110446223051565765",
	"at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3kftldxbvq22p"}

// sample returns n ids of a network.
func sample(t testing.TB, n Network, count int) []string {
	t.Helper()
	for _, text := range samples {
		ref, ok := n.Parse(text)
		if !ok {
			continue
		}
		ids := []string{ref.ID}
		for i := 1; i < count; i++ {
			ids = append(ids, fmt.Sprintf("%s%02d", ref.ID[:len(ref.ID)-3], i))
		}
		return ids
	}
	t.Fatalf("%s: no sample is an id: add one", n.Info().Name)
	return nil
}

func TestEveryNetworkDescribesItself(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+$`)
	for _, n := range All() {
		i := n.Info()
		if !name.MatchString(i.Name) || i.Title == "" || i.Batch < 1 || i.Gap <= 0 || i.Requests < 1 || i.Window <= 0 {
			t.Errorf("incomplete: %+v", i)
		}
		if u, err := url.Parse(i.Home); err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%s: home %q", i.Name, i.Home)
		}
		if same, ok := ByName(i.Name); !ok || same != n {
			t.Errorf("%s is not found by its name", i.Name)
		}
		if _, err := n.Fetch(t.Context(), always(t, 200, ""), Credential{Host: "a/b?c"}, sample(t, n, 1)); err == nil {
			t.Errorf("%s asks any host", i.Name)
		}
	}
}

func TestNoNetworkAsksForWhatIsNoID(t *testing.T) {
	hostile := []string{"", "0", "00020", "-1", "+20", "1.5", "1e3", "9223372036854775808", "99999999999999999999", "20,21", "20&x=1",
		"20\n", " 20", "../20", "20/..", "20?a", "20#a",
		"2\x000", "\xff", "at://", "at://a/b/c", "at://did:plc:x/app.bsky.feed.post/", "at://did:plc:x/app.bsky.feed.post/..",
		"at://did:plc:x/app.bsky.feed.like/3k",
		"at://did:plc:x/app.bsky.feed.post/3k/4", "at://Ada.bsky.social/app.bsky.feed.post/3k", "https://x.com/a/status/20",
		strings.Repeat("1", 300)}
	for _, n := range All() {
		get := always(t, 200, "[]")
		f, err := n.Fetch(t.Context(), get, Credential{Host: "h.example"}, hostile)
		if err != nil || len(get.asked) > 0 {
			t.Errorf("%s: error %v, asked %q", n.Info().Name, err, get.asked)
		}
		wantParted(t, hostile, f)
		for id, reason := range f.Missing {
			if reason != Invalid {
				t.Errorf("%s: %q is %s, want %s", n.Info().Name, id, reason, Invalid)
			}
		}
		if a, ok := n.(Author); ok {
			for _, h := range []string{"", "a b", "a/b", "a?b=c", "a&b", "a#b", "..", "a\x00", "\xff", "ada\n/x", "@"} {
				if _, err := a.Account(t.Context(), get, Credential{Host: "h.example"}, h); err == nil || errors.Is(err, ErrNoAccount) {
					t.Errorf("%s: account %q: %v, want an error that is no proof of absence", n.Info().Name, h, err)
				}
				if _, err := a.Newer(t.Context(), get, Credential{Host: "h.example"}, h, ""); err == nil {
					t.Errorf("%s: newer of %q", n.Info().Name, h)
				}
			}
			if len(get.asked) > 0 {
				t.Errorf("%s asked %q", n.Info().Name, get.asked)
			}
		}
	}
}

// An answer of something else (a login wall, an outage, an error) must never say
// that a post is missing.
func TestNoNetworkTakesAStrangeAnswerForAPost(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		want   string // Of a batch of two.
	}{
		{200, ``, Format},
		{200, `null`, Format},
		{200, `true`, Format},
		{200, `"maintenance"`, Format},
		{200, `{}`, Format},
		{200, `[{}]`, Format},
		{200, `[null]`, Format},
		{200, `[1,"a"]`, Format},
		{200, `{"data":[{}]}`, Format},
		{200, `{"data":[null]}`, Format},
		{200, `{"data":"x"}`, Format},
		{200, `{"data":null}`, Format},
		{200, `{"posts":[{}]}`, Format},
		{200, `{"posts":null}`, Format},
		{200, `{"errors":[]}`, Format},
		{200, `{"error":"test error"}`, Format},
		{200, `{"message":"please log in"}`, Format},
		{200, `<html><title>Just a moment...</title></html>`, Format},
		{200, `{"data":[{"id":"1293593516040269825"`, Format},
		{204, ``, Format},
		{301, ``, Format},
		{0, ``, Format},
		{400, `<html>Bad Request</html>`, BadRequest},
		{401, `{"error":"The access token is invalid"}`, Unauthorized},
		{401, ``, Unauthorized},
		{402, ``, Capped},
		{403, `{"title":"Forbidden","type":"https://api.x.com/2/problems/client-forbidden","error":"Forbidden"}`, Forbidden},
		{413, ``, TooMany},
		{414, ``, TooMany},
		{429, `<html>slow down</html>`, RateLimited},
		{429, `{"error":"Too many requests"}`, RateLimited},
		{408, ``, ServerError},
		{500, `{"error":"InternalServerError","message":"Internal Server Error"}`, ServerError},
		{502, `<html>Bad Gateway</html>`, ServerError},
		{503, `{"title":"Service Unavailable","type":"about:blank","status":503}`, ServerError},
		{599, ``, ServerError},
	} {
		for _, n := range All() {
			for _, legacy := range []bool{false, true} {
				get := always(t, tt.status, tt.body, "Retry-After", "30")
				c := Credential{Host: "h.example", Legacy: legacy, Token: "t"}
				_, err := n.Fetch(t.Context(), get, c, sample(t, n, 2))
				if r := refused(t, err); r.Kind != tt.want || r.Message == "" {
					t.Errorf("%s %d %q: %s %q, want %s", n.Info().Name, tt.status, tt.body, r.Kind, r.Message, tt.want)
				} else if (tt.want == RateLimited || tt.want == ServerError) && r.After.Seconds() != 30 {
					t.Errorf("%s %d: after %s, want 30s", n.Info().Name, tt.status, r.After)
				}
				if len(get.asked) != 1 || get.token != "t" {
					t.Errorf("%s asked %q with %q, want one request with the token", n.Info().Name, get.asked, get.token)
				}
				if a, ok := n.(Author); ok && tt.status != 0 {
					if key, err := a.Account(t.Context(), always(t, tt.status, tt.body), c, "ada.example.com"); err == nil ||
						errors.Is(err, ErrNoAccount) {
						t.Errorf("%s %d %q: account %q, error %v", n.Info().Name, tt.status, tt.body, key, err)
					}
				}
			}
		}
	}
}

func TestNoNetworkTakesAnothersAnswer(t *testing.T) {
	for _, n := range All() {
		ids := sample(t, n, 2)
		for _, body := range []string{`[{"id":"77"}]`, `{"data":[{"id":"77"}]}`,
			`{"posts":[{"uri":"at://did:plc:a/app.bsky.feed.post/3k"}]}`} {
			_, err := n.Fetch(t.Context(), always(t, 200, body), Credential{Host: "h.example"}, ids)
			if r := refused(t, err); r.Kind != Format {
				t.Errorf("%s %s: %v, want %s", n.Info().Name, body, r, Format)
			}
		}
	}
}

func TestNoNetworkAsksForMoreThanABatch(t *testing.T) {
	for _, n := range All() {
		get := always(t, 200, "[]")
		batch := n.Info().Batch
		_, err := n.Fetch(t.Context(), get, Credential{Host: "h.example"}, sample(t, n, batch+1))
		if r := refused(t, err); r.Kind != TooMany || r.Batch != batch || len(get.asked) > 0 {
			t.Errorf("%s: %+v after %d requests", n.Info().Name, r, len(get.asked))
		}
		twice := sample(t, n, batch)
		if _, err := n.Fetch(t.Context(), get, Credential{Host: "h.example"}, append(twice, twice...)); refusedAs(err, TooMany) {
			t.Errorf("%s counts an id twice", n.Info().Name)
		}
	}
}

func refusedAs(err error, kind string) bool {
	r, ok := errors.AsType[*Refusal](err)
	return ok && r.Kind == kind
}

func TestTheGettersErrorComesBack(t *testing.T) {
	for _, n := range All() {
		if _, err := n.Fetch(t.Context(), silent{}, Credential{Host: "h.example"}, sample(t, n, 2)); !errors.Is(err, errSilent) {
			t.Errorf("%s: %v, want %v", n.Info().Name, err, errSilent)
		}
	}
}
