package networks

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

func xFetch(t *testing.T, get *fake, c Credential, ids ...string) (Fetched, error) {
	t.Helper()
	f, err := x{}.Fetch(t.Context(), get, c, ids)
	if err == nil {
		wantParted(t, ids, f)
		for _, p := range f.Posts {
			wantSound(t, p)
		}
	}
	return f, err
}

// The numbers are what the record's own manifest says a right reader gets out.
func TestXRecorded(t *testing.T) {
	for _, tt := range []struct {
		file      string
		ids       []string
		remaining int
		reset     int64
	}{
		{"x/v2_tweets_ids_default_fields", []string{"1293593516040269825", "1293595870563381249"}, 298, 1665183228},
		{"x/v2_tweets_ids_default_fields_raw_comma", []string{"1293593516040269825", "1293595870563381249"}, 299, 1665184961},
		{"x/v2_tweet_single", []string{"1293593516040269825"}, 298, 1665183228},
	} {
		f, err := xFetch(t, recordedAnswer(t, tt.file), Credential{}, tt.ids...)
		if err != nil || len(f.Posts) != len(tt.ids) {
			t.Fatalf("%s: %d posts, error %v", tt.file, len(f.Posts), err)
		}
		if want := (Quota{true, 300, tt.remaining, time.Unix(tt.reset, 0).UTC()}); f.Quota != want {
			t.Errorf("%s: quota %+v, want %+v", tt.file, f.Quota, want)
		}
		for id, p := range f.Posts {
			if got := counts(p); got != "- - - - - -" || p.ID != id {
				t.Errorf("%s: post %s has %s, want none", tt.file, p.ID, got)
			}
			if want, _ := snowflakeTime(id); !p.CreatedAt.Equal(want) {
				t.Errorf("%s: post %s at %s, want %s", tt.file, id, p.CreatedAt, want)
			}
		}
		if text := f.Posts[tt.ids[0]].Text; !strings.HasPrefix(text, "It’s finally here! 🥁") {
			t.Errorf("%s: text %q", tt.file, text)
		}
	}
}

func TestXRecordedBodies(t *testing.T) {
	for file, want := range map[string]map[string]string{
		"x/dart_v2_lookup_by_id.json":                      {"1067094924124872705": "- - - - - -"},
		"x/dart_v2_lookup_by_ids.json":                     {"1261326399320715264": "- - - - - -", "1278347468690915330": "- - - - - -"},
		"x/t4j_v2_GetTweetsTest_2.json":                    {"656974073491156992": "- - - - - -"},
		"x/dart_v2_lookup_tweets.json":                     {"1338971066773905408": "- - - - - -"},
		"x/dart_v2_search_recent_with_various_fields.json": {"1372627771717869568": "39 8 2 1 - -", "1373001119480344583": "- - - - - -"},
	} {
		var ids []string
		for id := range want {
			ids = append(ids, id)
		}
		f, err := xFetch(t, always(t, 200, recorded(t, file)), Credential{}, ids...)
		for id, numbers := range want {
			if p, ok := f.Posts[id]; err != nil || !ok || counts(p) != numbers {
				t.Errorf("%s: post %s %t with %s, error %v, want %s", file, id, ok, counts(p), err, numbers)
			}
		}
	}
	if _, err := xFetch(t, always(t, 200, recorded(t, "x/dart_v2_no_data.json")), Credential{}, "20"); refused(t, err).Kind != Format {
		t.Errorf("no data: %v, want %s", err, Format)
	}
	if _, err := xFetch(t, always(t, 200, recorded(t, "x/v11_public_timeline_error.json")), Credential{Legacy: true}, "20"); refused(t,
		err).Kind != Format {
		t.Errorf("an error of v1: %v, want %s", err, Format)
	}
}

// Every entry of the recorded errors, with what notes 1c does on it.
func TestXRecordedErrors(t *testing.T) {
	var entries []struct {
		Name string
		HTTP int
		Body json.RawMessage
	}
	if err := json.Unmarshal([]byte(recorded(t, "x/error_bodies.json")), &entries); err != nil {
		t.Fatal(err)
	}
	refusals := map[string]string{
		"v2_rate_limited": RateLimited, "v2_usage_capped": Capped, "v2_credits_depleted": Capped, "v2_credits_depleted_older": Capped,
		"v11_rate_limited": RateLimited, "bluesky_invalid_request": BadRequest,
	}
	missing := map[string]string{"v2_partial_not_found": "456", "v2_partial_not_found_ids_parameter": "1276230436478386177",
		"v2_all_missing": "1"}
	for _, e := range entries {
		if strings.HasPrefix(e.Name, "bluesky") {
			_, err := bluesky{}.Fetch(t.Context(), always(t, e.HTTP, string(e.Body)), Credential{}, []string{samples[2]})
			if r := refused(t, err); r.Kind != refusals[e.Name] {
				t.Errorf("%s: %v", e.Name, r)
			}
			continue
		}
		get := always(t, e.HTTP, string(e.Body), "x-rate-limit-limit", "300", "x-rate-limit-remaining", "0", "x-rate-limit-reset",
			"1665183228")
		f, err := xFetch(t, get, Credential{}, slices.DeleteFunc([]string{missing[e.Name], "123", "20"}, func(id string) bool {
			return id == "" || e.Name == "v2_all_missing" && id != "1"
		})...)
		if want := refusals[e.Name]; want != "" {
			r := refused(t, err)
			if until := time.Unix(1665183228, 0); r.Kind != want || r.Until.Equal(until) != (want == RateLimited) ||
				r.Quota.Remaining != 0 || !r.Quota.Known {
				t.Errorf("%s: %+v, want %s", e.Name, r, want)
			}
		} else if err != nil || f.Missing[missing[e.Name]] != NotFound {
			t.Errorf("%s: %+v, error %v, want %s missing", e.Name, f, err, missing[e.Name])
		}
	}
}

func TestXAsks(t *testing.T) {
	for _, tt := range []struct {
		c    Credential
		want string
	}{
		{Credential{}, "https://api.x.com/2/tweets?ids=20,21&tweet.fields=created_at,public_metrics,author_id,referenced_tweets"},
		{Credential{Fields: "post.fields", Host: "x.example"},
			"https://x.example/2/tweets?ids=20,21&post.fields=created_at,public_metrics"},
		{Credential{Legacy: true},
			"https://api.x.com/1.1/statuses/lookup.json?id=20,21&map=true&tweet_mode=extended&include_entities=false"},
	} {
		get := always(t, 500, "")
		_, _ = xFetch(t, get, tt.c, "20", "x", "21", "20")
		if len(get.asked) != 1 || get.asked[0] != tt.want {
			t.Errorf("asked %q, want %q", get.asked, tt.want)
		}
	}
}

// testdata/x_v2.json has both vocabularies, every kind of problem, and numbers
// that are none.
func TestXOddRows(t *testing.T) {
	ids := []string{"1895500000000000001", "1895500000000000002", "1895500000000000003", "1895500000000000004", "1895500000000000005",
		"1895500000000000011", "1895500000000000012", "1895500000000000013", "1895500000000000014", "1895500000000000015",
		"1895500000000000016", "1895500000000000099"}
	f, err := xFetch(t, always(t, 200, fakesite.Testdata(t, "x_v2.json")), Credential{}, ids...)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		ids[0]: "100 10 5 2 3 1500", ids[1]: "7 11 - - - -", ids[2]: "0 211 0 0 0 0", ids[3]: "- - - - - -", ids[4]: "1 - - - - -",
	} {
		if got := counts(f.Posts[id]); got != want {
			t.Errorf("post %s has %s, want %s", id, got, want)
		}
	}
	for id, want := range map[string]string{
		ids[5]: NotFound, ids[6]: Protected, ids[7]: Suspended, ids[8]: Withheld, ids[9]: Unsaid, ids[10]: Absent, ids[11]: Absent,
	} {
		if got := f.Missing[id]; got != want {
			t.Errorf("post %s is missing as %q, want %q", id, got, want)
		}
	}
	p := f.Posts[ids[0]]
	if p.Author != "ada" || p.AuthorKey != "12" || p.URL != "https://x.com/ada/status/"+p.ID || p.Text != "a < b && c" ||
		!p.CreatedAt.Equal(fakesite.UTC("2025-02-28T15:31:12.345Z")) {
		t.Errorf("post %+v", p)
	}
	for _, id := range []string{ids[1], ids[2]} {
		rt := f.Posts[id]
		if rt.RepostOf != "266367358078169089" || rt.Original == nil || counts(*rt.Original) != "144 211 - - - -" {
			t.Errorf("post %s repeats %q: %+v", id, rt.RepostOf, rt.Original)
		}
	}
	if p := f.Posts[ids[4]]; p.ID != "1895500000000000055" {
		t.Errorf("an edited post has id %s, want that of its last edit", p.ID)
	}
}

func TestXBadRequests(t *testing.T) {
	for _, tt := range []struct {
		body, want string
		batch      int
	}{
		{"{\"errors\":[{\"parameters\":{\"ids\":[\"1,2\"]},\"message\":\"The number of values in the `ids` query parameter list [101] " +
			"is not between 1 and 50\"}],\"title\":\"Invalid Request\",\"type\":\"https://api.x.com/2/problems/invalid-request\"}", TooMany,
			50},
		{`{"errors":[{"parameters":{"ids":["9x"]},"message":"The ids query parameter value [9x] is not valid"}],"type":"https://api.x.com/2/problems/invalid-request"}`, BadRequest, 0},
		{`{"errors":[{"parameters":{"post.fields":["x"]},"message":"The query parameter [post.fields] is not one of [ids,tweet.fields]"}],"type":"https://api.x.com/2/problems/invalid-request"}`, Format, 0},
		{`{"title":"Invalid Request","type":"https://api.x.com/2/problems/invalid-request"}`, BadRequest, 0},
		{`{"errors":[{"code":215,"message":"Bad Authentication data."}]}`, Unauthorized, 0},
		{`{"errors":[{"code":18,"message":"Too many terms specified in query."}]}`, TooMany, 0},
	} {
		_, err := xFetch(t, always(t, 400, tt.body), Credential{}, "20", "21")
		if r := refused(t, err); r.Kind != tt.want || r.Batch != tt.batch {
			t.Errorf("%s: %+v, want %s with batch %d", tt.body, r, tt.want, tt.batch)
		}
	}
}

func TestXRestsForTheDay(t *testing.T) {
	get := always(t, 429, `{"title":"Too Many Requests","type":"about:blank"}`, "x-rate-limit-limit", "15", "x-rate-limit-remaining", "14",
		"x-rate-limit-reset", "1665183228", "x-app-limit-24hour-remaining", "0", "x-app-limit-24hour-reset", "1665260000")
	_, err := xFetch(t, get, Credential{}, "20")
	if r := refused(t, err); !r.Until.Equal(time.Unix(1665260000, 0)) {
		t.Errorf("until %s, want the end of the day's quota", r.Until)
	}
}

func TestSnowflakeTime(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(recorded(t, "x/tweets_id_created_at.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	flakes := 0
	for _, row := range rows[1:] {
		at, ok := snowflakeTime(row[0])
		if ok != (row[2] != "") {
			t.Errorf("id %s has a time: %t", row[0], ok)
		}
		if !ok {
			continue
		}
		flakes++
		if d := at.Sub(fakesite.UTC(row[1])); d.Abs() > 1500*time.Millisecond {
			t.Errorf("id %s: %s, want %s", row[0], at, row[1])
		}
	}
	if flakes != 86 {
		t.Errorf("%d ids with a time, want 86", flakes)
	}
}

func TestSnowflakeTimeEdges(t *testing.T) {
	for id, want := range map[string]bool{"29700859247": false, "29700859248": true, "20": false, "": false, "x": false, "-5": false,
		"9223372036854775807": true, "9223372036854775808": false} {
		if at, ok := snowflakeTime(id); ok != want || ok == at.IsZero() {
			t.Errorf("%q: %s %t, want %t", id, at, ok, want)
		}
	}
}
