package posts_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/posts"
	"laurel/handlers/web"
	"laurel/models/members"
	"laurel/models/posts"
)

func TestAPICredentials(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	s.Time = time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC)
	const token = "AAAA%2Bsecret-token"
	first := handlerstest.Read[handlers.APICredential](t, s.boss.Call("POST", "/admin/credentials", `{"network":"x","token":"`+token+`"}`), http.StatusCreated)
	if first.Name != "default" || !first.Token || first.Quota != 300 || first.WindowSeconds != 900 || first.Remaining != 300 || first.State != "active" || first.ResetAt != nil || first.MonthlyPosts != nil {
		t.Errorf("%+v", first)
	}
	second := handlerstest.Read[handlers.APICredential](t, s.boss.Call("POST", "/admin/credentials", `{"network":"mastodon","host":"Social.Example","name":" mine ","token":"b","quota":100,"window_seconds":60,"monthly_posts":5000}`), http.StatusCreated)
	if second.Host != "social.example" || second.Name != "mine" || second.Quota != 100 || second.WindowSeconds != 60 || *second.MonthlyPosts != 5000 {
		t.Errorf("%+v", second)
	}
	pool := posts.Pool{Network: "mastodon", Host: "quiet.example"}
	if err := posts.AskAsAnybody(t.Context(), s.DB.DB, pool, 300, time.Minute, s.Time); err != nil {
		t.Fatal(err)
	}
	if _, got, err := posts.ReserveRequests(t.Context(), s.DB.DB, posts.Pool{Network: "x"}, 7, 100, s.Time); err != nil || got != 7 {
		t.Fatal(got, err)
	}
	for day, n := range map[string]int{"2026-11-21": 100, "2026-11-01": 300, "2026-10-31": 5000} {
		if err := s.DB.Exec(`INSERT INTO credential_days (credential_id, day, requests, posts, charged) VALUES (?, CAST(? AS date), ?, ?, ?)`, first.ID, day, n, 2*n, n).Error; err != nil {
			t.Fatal(err)
		}
	}
	list := s.boss.Call("GET", "/admin/credentials", "")
	got := handlerstest.Read[web.List[handlers.APICredential]](t, list, http.StatusOK).Items
	if len(got) != 3 || got[0].Token || got[0].Host != "quiet.example" || strings.Contains(list.Text, "secret") || strings.Contains(list.Text, "AAAA") {
		t.Fatalf("%s", list.Text)
	}
	if x := got[2]; x.Remaining != 293 || x.ResetAt == nil || x.UsedAt == nil || x.Month != (handlers.APIUse{400, 800, 400, 2}) || x.Today != (handlers.APIUse{100, 200, 100, 0.5}) {
		t.Errorf("%+v", x)
	}
	s.Time = s.Time.Add(15 * time.Minute)
	if x := handlerstest.Read[web.List[handlers.APICredential]](t, s.boss.Call("GET", "/admin/credentials", ""), http.StatusOK).Items[2]; x.Remaining != 300 || x.ResetAt != nil {
		t.Errorf("after the window: %+v", x)
	}

	at := fmt.Sprint("/admin/credentials/", first.ID)
	if x := handlerstest.Read[handlers.APICredential](t, s.boss.Call("PATCH", at, `{"state":"paused"}`), http.StatusOK); x.State != "paused" || x.Reason == "" {
		t.Errorf("%+v", x)
	}
	if x := handlerstest.Read[handlers.APICredential](t, s.boss.Call("PATCH", at, `{"state":"active"}`), http.StatusOK); x.State != "active" || x.Reason != "" {
		t.Errorf("%+v", x)
	}
	if x := handlerstest.Read[handlers.APICredential](t, s.boss.Call("POST", "/admin/credentials", `{"network":"x","token":"new","legacy":true,"fields":"post.fields"}`), http.StatusOK); x.ID != first.ID || !x.Legacy || x.Fields != "post.fields" {
		t.Errorf("replaced: %+v", x)
	}
	s.boss.Call("DELETE", at, "").Is(t, http.StatusNoContent)
	s.boss.Call("DELETE", at, "").Refused(t, 404, "")
	s.boss.Call("PATCH", at, `{"state":"active"}`).Refused(t, 404, "")
	for _, id := range []string{"0", "-1", "x", "99999999999999999999"} {
		s.boss.Call("DELETE", "/admin/credentials/"+id, "").Refused(t, 404, "")
	}
	for body, field := range map[string]string{
		`{"token":"a"}`:                                                         "network",
		`{"network":"y","token":"a"}`:                                           "network",
		`{"network":"x"}`:                                                       "token",
		`{"network":"x","token":"a b"}`:                                         "token",
		`{"network":"x","token":"é"}`:                                           "token",
		`{"network":"x","token":7}`:                                             "token",
		`{"network":"x","token":"a","host":"x.com"}`:                            "host",
		`{"network":"mastodon","token":"a"}`:                                    "host",
		`{"network":"mastodon","token":"a","host":"a/b"}`:                       "host",
		`{"network":"x","token":"a","quota":0}`:                                 "quota",
		`{"network":"x","token":"a","quota":3000000000}`:                        "quota",
		`{"network":"x","token":"a","quota":1.5}`:                               "quota",
		`{"network":"x","token":"a","window_seconds":0}`:                        "window_seconds",
		`{"network":"x","token":"a","window_seconds":9999999999}`:               "window_seconds",
		`{"network":"x","token":"a","monthly_posts":0}`:                         "monthly_posts",
		`{"network":"x","token":"a","monthly_posts":99}`:                        "monthly_posts",
		`{"network":"x","token":"a","fields":"a&b"}`:                            "fields",
		`{"network":"bluesky","token":"a","fields":"tweet.fields"}`:             "fields",
		`{"network":"bluesky","token":"a","legacy":true}`:                       "legacy",
		`{"network":"x","token":"a","state":"active"}`:                          "state",
		`{"network":"x","token":"a","name":"` + strings.Repeat("n", 101) + `"}`: "name",
	} {
		a := s.boss.Call("POST", "/admin/credentials", body)
		a.Refused(t, 422, field)
	}
	for body, field := range map[string]string{`{}`: "state", `{"state":"disabled"}`: "state", `{"state":1}`: "state"} {
		s.boss.Call("PATCH", fmt.Sprint("/admin/credentials/", second.ID), body).Refused(t, 422, field)
	}
	s.ada.Call("GET", "/admin/credentials", "").Refused(t, 403, "")
}

func TestAPIPostAccounts(t *testing.T) {
	t.Parallel()
	s := newPostSite(t)
	for _, tt := range []struct{ body, want string }{
		{`{"network":"x","handle":"@ada_l"}`, "x  ada_l"},
		{`{"network":"mastodon","handle":"@ada@Social.Example"}`, "mastodon social.example ada"},
		{`{"network":"mastodon","handle":"ada","host":"other.example:3000"}`, "mastodon other.example:3000 ada"},
		{`{"network":"mastodon","handle":"bob@a.example","host":"A.example"}`, "mastodon a.example bob"},
		{`{"network":"bluesky","handle":"ada.example"}`, "bluesky  ada.example"},
		{`{"network":"bluesky","handle":"did:plc:abc123"}`, "bluesky  did:plc:abc123"},
	} {
		got := handlerstest.Read[handlers.APIPostAccount](t, s.ada.Call("POST", "/members/ada/post-accounts", tt.body), http.StatusCreated)
		if is := fmt.Sprint(got.Network, " ", got.Host, " ", got.Handle); is != tt.want || got.State != "active" || got.NextUpdateAt == nil {
			t.Errorf("%s: %+v", tt.body, got)
		}
		if again := handlerstest.Read[handlers.APIPostAccount](t, s.boss.Call("POST", "/members/ADA/post-accounts", tt.body), http.StatusOK); again.ID != got.ID {
			t.Errorf("again: %+v", again)
		}
	}
	for body, field := range map[string]string{
		`{}`: "network", `{"network":"y","handle":"a"}`: "network", `{"network":"x"}`: "handle", `{"network":"x","handle":"a b"}`: "handle", `{"network":"x","handle":"a@b"}`: "handle",
		`{"network":"x","handle":"https://x.com/a"}`: "handle", `{"network":"x","handle":"a\u0000"}`: "handle", `{"network":"x","handle":"` + strings.Repeat("a", 300) + `"}`: "handle",
		`{"network":"mastodon","handle":"ada"}`: "host", `{"network":"mastodon","handle":"ada@b","host":"c"}`: "host", `{"network":"mastodon","handle":"a@b@c"}`: "host",
		`{"network":"x","handle":"a","host":"b"}`: "host", `{"network":"x","handle":"a","id":7}`: "id",
	} {
		s.ada.Call("POST", "/members/ada/post-accounts", body).Refused(t, 422, field)
	}
	list := handlerstest.Read[web.List[handlers.APIPostAccount]](t, handlerstest.Program{T: t, Site: s.Site, Token: ""}.Call("GET", "/members/ada/post-accounts", ""), http.StatusOK).Items
	if len(list) != 6 {
		t.Fatalf("%+v", list)
	}
	bob := s.Program(t, s.Member(t, "bob", members.RoleMember))
	at := fmt.Sprint("/post-accounts/", list[0].ID)
	bob.Call("POST", "/members/ada/post-accounts", `{"network":"x","handle":"bob"}`).Refused(t, 403, "")
	bob.Call("DELETE", "/members/ada"+at, "").Refused(t, 403, "")
	bob.Call("DELETE", "/members/bob"+at, "").Refused(t, 404, "")
	s.ada.Call("DELETE", "/members/ada"+at, "").Is(t, http.StatusNoContent)
	s.ada.Call("DELETE", "/members/ada"+at, "").Refused(t, 404, "")
	s.ada.Call("DELETE", "/members/ada/post-accounts/x", "").Refused(t, 404, "")
	s.ada.Call("GET", "/members/nobody/post-accounts", "").Refused(t, 404, "")
}
