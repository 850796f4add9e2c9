package networks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Recorded answers that are of posts' networks and show none of the posts that are asked for.
func TestRecordedWithoutPosts(t *testing.T) {
	for _, tt := range []struct {
		file   string
		status int
		want   string
	}{
		{"x/dart_v2_rate_limit_exceeded_error.json", 429, RateLimited},
		{"x/dart_v2_connect_sample_stream_with_error.json", 200, Format},
		{"x/v11_rate_limit_status.json", 200, Format},
		{"x/v11_ratelimit.json", 200, Format},
	} {
		for _, c := range []Credential{{}, {Legacy: true}} {
			if _, err := xFetch(t, always(t, tt.status, recorded(t, tt.file)), c, "20", "21"); refused(t, err).Kind != tt.want {
				t.Errorf("%s, as v1.1 %t: %v, want %s", tt.file, c.Legacy, err, tt.want)
			}
		}
	}
}

// A hundred and one ids are two requests, and the second one's answer was recorded.
func TestRecordedIDs(t *testing.T) {
	ids := strings.Fields(recorded(t, "x/v11_get_statuses_ids.txt"))
	requests := slices.Collect(slices.Chunk(ids, x{}.Info().Batch))
	if len(ids) != 101 || len(requests) != 2 {
		t.Fatalf("%d ids in %d requests", len(ids), len(requests))
	}
	f, err := v11Fetch(t, always(t, 200, recorded(t, "x/v11_get_statuses_2.json")), requests[1]...)
	if err != nil || len(f.Posts) != 1 || len(f.Missing) != 0 {
		t.Errorf("%+v, error %v", f, err)
	}
}

// What Bluesky's own description says of a post is what is read: so many in a request, and
// counts that are unknown where they are left out.
func TestBlueskyRecordedLexicons(t *testing.T) {
	var query struct {
		Defs struct {
			Main struct {
				Parameters struct {
					Properties struct{ URIs struct{ MaxLength int } }
				}
			}
		}
	}
	var defs struct {
		Defs struct {
			PostView struct {
				Required   []string
				Properties map[string]struct{ Type string }
			}
		}
	}
	for file, into := range map[string]any{"bluesky/lexicon_getPosts.json": &query, "bluesky/lexicon_feed_defs.json": &defs} {
		if err := json.Unmarshal([]byte(recorded(t, file)), into); err != nil {
			t.Fatal(err)
		}
	}
	if n := query.Defs.Main.Parameters.Properties.URIs.MaxLength; n != (bluesky{}).Info().Batch {
		t.Errorf("%d ids are asked for, at most %d may be", bluesky{}.Info().Batch, n)
	}
	view := map[string]any{"uri": theferrarilab, "cid": "c",
		"author": map[string]any{"did": "did:plc:niay7ajcptgklwrhknvnhk44", "handle": "theferrarilab.bsky.social"},
		"record": map[string]any{"text": "a", "createdAt": "2025-02-06T17:50:33.851Z"}, "indexedAt": "2025-02-06T17:50:34.148Z"}
	for _, name := range defs.Defs.PostView.Required {
		if view[name] == nil {
			t.Errorf("%s is required, and not thought of here", name)
		}
	}
	look := func(want string) {
		t.Helper()
		body, err := json.Marshal(map[string]any{"posts": []any{view}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := blueskyFetch(t, always(t, 200, string(body)), theferrarilab)
		if got := counts(f.Posts[theferrarilab]); err != nil || got != want {
			t.Errorf("%s: %s, error %v, want %s", body, got, err, want)
		}
	}
	look("- - - - - -")
	for i, name := range []string{"likeCount", "repostCount", "replyCount", "quoteCount", "bookmarkCount"} {
		if defs.Defs.PostView.Properties[name].Type != "integer" {
			t.Errorf("%s is %+v", name, defs.Defs.PostView.Properties[name])
		}
		view[name] = i + 1
	}
	look("1 2 3 4 5 -")
}
