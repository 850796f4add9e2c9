package networks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

func v11Fetch(t *testing.T, get *fake, ids ...string) (Fetched, error) {
	t.Helper()
	return xFetch(t, get, Credential{Legacy: true}, ids...)
}

func TestV11Recorded(t *testing.T) {
	for _, tt := range []struct{ file, id, counts, author, at string }{
		{"x/v11_statuses_show.json", "266367358078169089", "144 211 - - - -", "Twitter", "2012-11-08T02:31:41Z"},
		{"x/v11_get_status.json", "397", "167 153 - - - -", "jack", "2006-03-26T19:17:08Z"},
		{"x/v11_get_statuses_2.json", "20", "76282 103721 - - - -", "jack", "2006-03-21T20:50:14Z"},
		{"x/v11_get_statuses_map_2.json", "20", "76284 103722 - - - -", "jack", "2006-03-21T20:50:14Z"},
	} {
		f, err := v11Fetch(t, always(t, 200, recorded(t, tt.file)), tt.id, "2")
		p := f.Posts[tt.id]
		if err != nil || counts(p) != tt.counts || p.Author != tt.author || !p.CreatedAt.Equal(fakesite.UTC(tt.at)) || p.RepostOf != "" ||
			f.Missing["2"] != Absent {
			t.Errorf("%s: %s %+v, error %v", tt.file, counts(p), p, err)
		}
	}
	f, err := v11Fetch(t, recordedAnswer(t, "x/v11_statuses_show"), "266367358078169089")
	if err != nil || f.Quota.Limit != 900 || f.Quota.Remaining != 895 || f.Quota.Reset.Unix() != 1562984891 {
		t.Errorf("quota %+v, error %v", f.Quota, err)
	}
}

// The lists of other addresses are of the same posts. Asked for backwards, every
// post must be found, by the id that the file has.
func TestV11RecordedLists(t *testing.T) {
	for _, file := range []string{"x/v11_statuses_retweets.json", "x/v11_user_timeline.json", "x/v11_home_timeline.json",
		"x/v11_search_tweets.json"} {
		var rows []struct {
			IDStr string `json:"id_str"`
		}
		body := recorded(t, file)
		if err := json.Unmarshal([]byte(body), &rows); err != nil {
			var search struct{ Statuses json.RawMessage }
			_ = json.Unmarshal([]byte(body), &search)
			_ = json.Unmarshal(search.Statuses, &rows)
		}
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.IDStr)
		}
		slices.Reverse(ids)
		f, err := v11Fetch(t, always(t, 200, body), ids...)
		if err != nil || len(f.Posts) != len(ids) || len(ids) < 15 {
			t.Errorf("%s: %d of %d posts, error %v", file, len(f.Posts), len(ids), err)
		}
		for id, p := range f.Posts {
			if p.ID != id || p.Likes == nil || p.Reposts == nil {
				t.Errorf("%s: post %s is %+v", file, id, p)
			}
			if file == "x/v11_statuses_retweets.json" &&
				(p.RepostOf != "266367358078169089" || *p.Likes != 0 || *p.Reposts != 211 || counts(*p.Original) != "144 211 - - - -") {
				t.Errorf("%s: retweet %s of %q: %s", file, id, p.RepostOf, counts(p))
			}
		}
	}
}

func TestV11Forms(t *testing.T) {
	const a, b, c = "9007199254740993", "9223372036854775807", "30"
	for _, tt := range []struct {
		name, body  string
		status      int
		found, gone string
		want        string // The kind of a refusal.
	}{
		{"a list in no order", `[{"id":9223372036854775807},{"id_str":"9007199254740993","id":9007199254740992}]`, 200, a + " " + b, Absent,
			""},
		{"an empty list", `[]`, 200, "", Absent, ""},
		{"a map", `{"id":{"9007199254740993":{"id_str":"9007199254740993"},"9223372036854775807":{"id":9223372036854775807},"30":null}}`,
			200, a + " " + b, NotFound, ""},
		{"a map of nothing", `{"id":{"9007199254740993":null,"9223372036854775807":null,"30":null}}`, 200, "", NotFound, ""},
		{"an empty map", `{"id":{}}`, 200, "", "", Format},
		{"a map of strange things", `{"id":{"30":7}}`, 200, "", "", Format},
		{"none of them", `{"errors":[{"code":17,"message":"No status matches for specified terms."}]}`, 404, "", Absent, ""},
		{"no such address", `{"errors":[{"code":34,"message":"Sorry, that page does not exist."}]}`, 404, "", "", Format},
		{"rate limited", `{"errors":[{"code":88,"message":"Rate limit exceeded"}]}`, 429, "", "", RateLimited},
		{"rate limited with 200", `{"errors":[{"code":88,"message":"Rate limit exceeded"}]}`, 200, "", "", RateLimited},
		{"a bad token", `{"errors":[{"code":89,"message":"Invalid or expired token."}]}`, 401, "", "", Unauthorized},
		{"suspended ourselves", `{"errors":[{"code":64,"message":"Your account is suspended."}]}`, 403, "", "", Forbidden},
		{"over capacity", `{"errors":[{"code":130,"message":"Over capacity"}]}`, 503, "", "", ServerError},
		{"ids as floats", `[{"id":9.007199254740993e15}]`, 200, "", "", Format},
	} {
		f, err := v11Fetch(t, always(t, tt.status, tt.body), a, b, c)
		if tt.want != "" {
			if r := refused(t, err); r.Kind != tt.want {
				t.Errorf("%s: %v, want %s", tt.name, r, tt.want)
			}
			continue
		}
		for _, id := range strings.Fields(tt.found) {
			if f.Posts[id].ID != id {
				t.Errorf("%s: %s is not found", tt.name, id)
			}
		}
		if err != nil || f.Missing[c] != tt.gone || len(f.Posts) != len(strings.Fields(tt.found)) {
			t.Errorf("%s: %+v, error %v, want %s missing as %s", tt.name, f, err, c, tt.gone)
		}
	}
}

func TestV11Newer(t *testing.T) {
	get := inTurn(t, `[{"id":30},{"id":29}]`, `[{"id":29},{"id":28}]`, `[{"id":28}]`)
	posts, err := x{}.Newer(t.Context(), get, Credential{Legacy: true}, "43", "9")
	if err != nil || len(posts) != 3 || posts[2].ID != "28" || !strings.Contains(get.asked[1], "max_id=29") {
		t.Errorf("%+v, error %v, asked %q", posts, err, get.asked)
	}
}
