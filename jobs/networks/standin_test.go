package networks_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
)

// through sends every address to one server, whatever its host.
type through struct{ server string }

func (g through) Get(ctx context.Context, address, token string) (networks.Answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return networks.Answer{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.server+u.RequestURI(), nil)
	if err != nil {
		return networks.Answer{}, err
	}
	r.Host = u.Host
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return networks.Answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return networks.Answer{Status: resp.StatusCode, Header: resp.Header.Get, Body: body}, err
}

// A full batch of posts of many ages comes back with the numbers the stand-in
// knows to be true, and none is missing that it shows.
func TestAgainstTheStandIn(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	world := standin.New(standin.Options{Seed: 7, Now: func() time.Time { return now }})
	server := httptest.NewServer(world)
	defer server.Close()
	get := through{server.URL}
	for _, n := range networks.All() {
		for _, c := range []networks.Credential{{Token: "t", Host: home[n.Info().Name]},
			{Token: "t", Host: home[n.Info().Name], Legacy: true}, {Token: "t", Host: home[n.Info().Name], Fields: "post.fields"}} {
			var ids []string
			for i := range n.Info().Batch {
				ids = append(ids, standin.PostID(n.Info().Name, now.Add(-time.Duration(i*i)*5*time.Minute-time.Second), i))
			}
			f, err := n.Fetch(t.Context(), get, c, ids)
			if err != nil || !f.Quota.Known {
				t.Fatalf("%s: %v, quota %+v", n.Info().Name, err, f.Quota)
			}
			for _, id := range ids {
				truth := world.Metrics(n.Info().Name, id, now)
				p, found := f.Posts[id]
				if found != (truth != nil) || found == (f.Missing[id] != "") {
					t.Errorf("%s: %s found %t, missing %q, truth %v", n.Info().Name, id, found, f.Missing[id], truth)
				}
				if found && (p.Likes == nil || *p.Likes != truth["likes"] || p.Reposts == nil || *p.Reposts != truth["reposts"] ||
					p.CreatedAt.After(now) || p.Text == "" || p.ID != id) {
					t.Errorf("%s: %s is %+v, truth %v", n.Info().Name, id, p, truth)
				}
			}
		}
	}
}

var home = map[string]string{"mastodon": "social.sample.invalid"}

func TestTheStandInRefuses(t *testing.T) {
	server := httptest.NewServer(standin.New(standin.Options{}))
	defer server.Close()
	id := standin.PostID("x", time.Now().Add(-time.Hour), 1)
	x, _ := networks.ByName("x")
	for token, want := range map[string]string{"revoked-1": networks.Unauthorized, "forbidden-1": networks.Forbidden,
		"capped-1": networks.Capped, "credits-1": networks.Capped, "": networks.Unauthorized} {
		_, err := x.Fetch(t.Context(), through{server.URL}, networks.Credential{Token: token}, []string{id})
		if r, ok := errors.AsType[*networks.Refusal](err); !ok || r.Kind != want {
			t.Errorf("token %q: %v, want %s", token, err, want)
		}
	}
}
