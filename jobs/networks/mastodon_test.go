package networks

import (
	"errors"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

func mastodonFetch(t *testing.T, get *fake, host string, ids ...string) (Fetched, error) {
	t.Helper()
	f, err := mastodon{}.Fetch(t.Context(), get, Credential{Host: host}, ids)
	if err == nil {
		wantParted(t, ids, f)
		for _, p := range f.Posts {
			wantSound(t, p)
		}
	}
	return f, err
}

func TestMastodonRecorded(t *testing.T) {
	for _, tt := range []struct {
		file, host, id, counts, at string
		home                       Ref
		author, text               string
	}{
		{"status_real_mastodon_social_1", "mastodon.social", "110446223051565765", "1 0 0 0 - -", "2023-05-28T12:06:50Z",
			Ref{"mastodon", "icosahedron.website", "110446222386355655"}, "halcy@icosahedron.website",
			"test post for mastodon.py stuff\n\n@halcy you're a doo-doo head\n\nedit: editing this to have the maximum amount of " +
				"fields filled :trans_heart: #ThisIsAHashtag"},
		{"status_real_mastodon_social_2", "mastodon.social", "110446183735368325", "0 0 0 0 - -", "2023-05-28T11:57:00.378Z",
			Ref{"mastodon", "mastodon.social", "110446183735368325"}, "halcy@mastodon.social", "test?"},
		{"status_with_poll", "mastodon.social", "110446383900387196", "0 1 2 0 - -", "",
			Ref{"mastodon", "icosahedron.website", "110446382983698223"}, "", ""},
		{"status_with_media", "mastodon.social", "110447012773105565", "0 0 0 0 - -", "",
			Ref{"mastodon", "icosahedron.website", "110447012380248325"}, "", ""},
		{"status_with_card_author", "mastodon.social", "113481707975926080", "0 0 1 0 - -", "2024-11-14T14:10:36Z",
			Ref{"mastodon", "icosahedron.website", "113481707459076270"}, "",
			"okay lets see what happens when I post https://halcy.itch.io/cat-game"},
		{"status_with_quote", "mastodon.social", "115044073088181107", "0 0 0 0 - -", "2025-08-17T12:20:44.088Z",
			Ref{"mastodon", "mastodon.social", "115044073088181107"}, "h4lcy.bsky.social@bsky.brid.gy", ""},
		{"status_dev_instance", "localhost:3000", "117020583223442465", "0 0 0 0 - -", "2026-08-01T13:53:15.378Z",
			Ref{"mastodon", "localhost:3000", "117020583223442465"}, "mastodonpy_test@localhost:3000", "Toot!"},
	} {
		get := recordedAnswer(t, "mastodon/"+tt.file)
		f, err := mastodonFetch(t, get, tt.host, tt.id)
		if err != nil {
			t.Fatalf("%s: %v", tt.file, err)
		}
		p := f.Posts[tt.id]
		if got := (Ref{"mastodon", p.Host, p.ID}); got != tt.home || counts(p) != tt.counts || p.URL == "" {
			t.Errorf("%s: %+v has %s, want %+v and %s", tt.file, got, counts(p), tt.home, tt.counts)
		}
		if tt.at != "" && !p.CreatedAt.Equal(fakesite.UTC(tt.at)) || tt.author != "" && p.Author != tt.author || tt.text != "" &&
			p.Text != tt.text {
			t.Errorf("%s: by %s at %s: %q", tt.file, p.Author, p.CreatedAt, p.Text)
		}
		if !f.Quota.Known || f.Quota.Limit != 300 || f.Quota.Reset.Year() != 2026 {
			t.Errorf("%s: quota %+v", tt.file, f.Quota)
		}
		if want := "https://" + tt.host + "/api/v1/statuses/" + tt.id; len(get.asked) != 1 || get.asked[0] != want {
			t.Errorf("%s: asked %q, want %s", tt.file, get.asked, want)
		}
	}
}

func TestMastodonRecordedReset(t *testing.T) {
	f, err := mastodonFetch(t, recordedAnswer(t, "mastodon/status_real_mastodon_social_1"), "mastodon.social", "110446223051565765")
	if want := (Quota{true, 300, 294, fakesite.UTC("2026-04-11T23:15:00.996774Z")}); err != nil || f.Quota != want {
		t.Errorf("quota %+v, error %v, want %+v", f.Quota, err, want)
	}
}

func TestMastodonRecordedErrors(t *testing.T) {
	f, err := mastodonFetch(t, recordedAnswer(t, "mastodon/status_404"), "localhost:3000", "7")
	if err != nil || f.Missing["7"] != NotFound || f.Quota.Remaining != 299 {
		t.Errorf("404: %+v, error %v, want it not found", f, err)
	}
	_, err = mastodonFetch(t, recordedAnswer(t, "mastodon/error_401"), "localhost:3000", "7")
	if r := refused(t, err); r.Kind != Unauthorized || r.Message != "The access token is invalid" || !r.Quota.Known {
		t.Errorf("401: %+v", r)
	}
	_, err = mastodonFetch(t, recordedAnswer(t, "mastodon/error_422"), "localhost:3000", "7", "8")
	if r := refused(t, err); r.Kind != TooMany {
		t.Errorf("422 of a list: %+v", r)
	}
}

// A list is an array of single posts, in no promised order; what is missing is left out.
func TestMastodonList(t *testing.T) {
	one, two := recorded(t, "mastodon/status_real_mastodon_social_1.json"), recorded(t, "mastodon/status_real_mastodon_social_2.json")
	get := always(t, 200, "["+two+","+one+"]")
	f, err := mastodonFetch(t, get, "Mastodon.Social", "110446223051565765", "1", "110446183735368325")
	if err != nil || len(f.Posts) != 2 || f.Missing["1"] != Absent {
		t.Errorf("%d posts, missing %v, error %v", len(f.Posts), f.Missing, err)
	}
	if want := "https://mastodon.social/api/v1/statuses?id%5B%5D=110446223051565765&id%5B%5D=1&id%5B%5D=110446183735368325"; get.asked[0] != want {
		t.Errorf("asked %q, want %q", get.asked[0], want)
	}
	if f, err := mastodonFetch(t, always(t, 200, "[]"), "h.example", "1", "2"); err != nil || len(f.Missing) != 2 {
		t.Errorf("an empty list: %+v, error %v, want both absent", f, err)
	}
}

func TestMastodonSaysNo(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		status     int
		ids        []string
		want       string // "" for missing.
		batch      int
	}{
		{"deleted", `{"error":"Record not found"}`, 404, []string{"1"}, "", 0},
		{"gone", `{"error":"Gone"}`, 410, []string{"1"}, "", 0},
		{"a 404 of a proxy", `<html>404</html>`, 404, []string{"1"}, Format, 0},
		{"a 404 without a word", `{}`, 404, []string{"1"}, Format, 0},
		{"an older server", `{"error":"Not Found"}`, 404, []string{"1", "2"}, TooMany, 1},
		{"an older server, said otherwise", ``, 405, []string{"1", "2"}, TooMany, 1},
		{"more than it takes", `{"error":"Too many ids"}`, 422, []string{"1", "2"}, TooMany, 0},
		{"one it does not take", `{"error":"Validation failed"}`, 422, []string{"1"}, BadRequest, 0},
		{"members only", `{"error":"This method requires an authenticated user"}`, 401, []string{"1"}, Unauthorized, 0},
		{"another post", `{"id":"9"}`, 200, []string{"1"}, Format, 0},
		{"a list for one", `[{"id":"1"}]`, 200, []string{"1"}, Format, 0},
	} {
		f, err := mastodonFetch(t, always(t, tt.status, tt.body), "h.example", tt.ids...)
		if tt.want == "" {
			if err != nil || f.Missing["1"] != NotFound {
				t.Errorf("%s: %+v, error %v, want it not found", tt.name, f, err)
			}
		} else if r := refused(t, err); r.Kind != tt.want || r.Batch != tt.batch {
			t.Errorf("%s: %+v, want %s with batch %d", tt.name, r, tt.want, tt.batch)
		}
	}
	if _, err := mastodonFetch(t, always(t, 200, "{}"), "", "1"); err == nil {
		t.Error("no instance named: no error")
	}
}

func TestMastodonOddRows(t *testing.T) {
	f, err := mastodonFetch(t, always(t, 200, fakesite.Testdata(t, "mastodon_list.json")), "h.example", "11", "12", "13")
	if err != nil {
		t.Fatal(err)
	}
	boost := f.Posts["11"]
	if boost.RepostOf != "5" || boost.Original == nil || boost.Original.ID != "105" || boost.Original.Host != "far.example" ||
		counts(*boost.Original) != "8 9 - - - -" || counts(boost) != "0 0 0 - - -" || boost.ID != "11" {
		t.Errorf("boost %+v", boost)
	}
	if p := f.Posts["12"]; counts(p) != "- - - - - -" || p.URL != "" || !p.CreatedAt.IsZero() || p.Host != "h.example" {
		t.Errorf("post 12 %s %+v", counts(p), p)
	}
	if p := f.Posts["13"]; p.ID != "13" || p.Host != "h.example" || p.Text != "1 < 2 & 3\n\n• one\ntwo" {
		t.Errorf("post 13 %+v", p)
	}
}

func TestMastodonAccount(t *testing.T) {
	for _, tt := range []struct {
		handle, body string
		status       int
		asked, want  string
		proof        bool
	}{
		{"@ada@h.example", `{"id":"43"}`, 200, "ada", "43", false},
		{"ada@other.example", `{"id":43}`, 200, "ada%40other.example", "43", false},
		{"nobody", `{"error":"Record not found"}`, 404, "nobody", "", true},
		{"ada", `<html>404</html>`, 404, "ada", "", false},
		{"ada", `{"name":"ada"}`, 200, "ada", "", false},
	} {
		get := always(t, tt.status, tt.body)
		got, err := mastodon{}.Account(t.Context(), get, Credential{Host: "h.example"}, tt.handle)
		if got != tt.want || (err == nil) != (tt.want != "") || errors.Is(err, ErrNoAccount) != tt.proof {
			t.Errorf("%s: %q, error %v", tt.handle, got, err)
		}
		if want := "https://h.example/api/v1/accounts/lookup?acct=" + tt.asked; len(get.asked) != 1 || get.asked[0] != want {
			t.Errorf("asked %q, want %s", get.asked, want)
		}
	}
}

func TestMastodonNewer(t *testing.T) {
	get := inTurn(t, `[{"id":"30"},{"id":"29"}]`, `[{"id":"28"}]`, `[]`)
	posts, err := mastodon{}.Newer(t.Context(), get, Credential{Host: "h.example"}, "43", "9")
	if err != nil || len(posts) != 3 || posts[0].ID != "30" || posts[2].ID != "28" {
		t.Errorf("%+v, error %v", posts, err)
	}
	if len(get.asked) != 3 || !strings.Contains(get.asked[0], "since_id=9") || !strings.Contains(get.asked[1], "max_id=29") ||
		!strings.Contains(get.asked[2], "max_id=28") {
		t.Errorf("asked %q", get.asked)
	}
}
