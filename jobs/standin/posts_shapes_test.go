package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

// A shape is the paths of a document's fields with the kinds of values that are there.
type shape map[string][]string

func (s shape) add(path string, v any) {
	kind := fmt.Sprintf("%T", v)
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			s.add(path+"."+key, value)
		}
	case []any:
		for _, value := range v {
			s.add(path+"[]", value)
		}
	case nil:
		kind = "null"
	}
	if !slices.Contains(s[path], kind) {
		s[path] = append(s[path], kind)
	}
}

func shapeOf(t *testing.T, texts ...string) shape {
	t.Helper()
	s := shape{}
	for _, text := range texts {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%v: %.200s", err, text)
		}
		s.add("", v)
	}
	return s
}

// recordedTexts are the files of a pattern.
func recordedTexts(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(fakesite.RecordedPath(t, "posts"), filepath.FromSlash(pattern)))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %d files", pattern, err, len(names))
	}
	var texts []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// within reports fields of ours that were never recorded, or with other kinds.
func (s shape) within(t *testing.T, name string, real shape, besides ...string) {
	t.Helper()
	for path, kinds := range s {
		if slices.Contains(besides, path) {
			continue
		}
		for _, kind := range kinds {
			if !slices.Contains(real[path], kind) && (kind != "null" || real[path] == nil) && !slices.Equal(real[path], []string{"null"}) {
				t.Errorf("%s: %s is %s, recorded as %s", name, path, kind, real[path])
			}
		}
	}
}

// Every field of ours is one of the recorded answers', with the same kind of value.
func TestPostShapes(t *testing.T) {
	s := at(start, Options{})
	made := start.AddDate(0, -2, 0)
	repeat := exemplar(t, s, "x", made, isRetweet)
	answerTo := func(network, address string) string {
		t.Helper()
		w := askAs(t, s, "t", http.MethodGet, address)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", network, w.Code, w.Body)
		}
		return w.Body.String()
	}
	plainX := strings.Join(ids("x", made, 5), ",")
	shapeOf(t, answerTo("x", "/2/tweets?ids="+plainX)).within(t, "X by default",
		shapeOf(t, recordedTexts(t, "x/v2_tweets_ids_default*.json")...))
	shapeOf(t, answerTo("x", "/1.1/statuses/lookup.json?id="+plainX+","+repeat.ID)).within(t, "X 1.1",
		shapeOf(t, recordedTexts(t, "x/v11_statuses_retweets.json")...))
	shapeOf(t, answerTo("bluesky", uris(ids("bluesky", made, 25)))).within(t, "Bluesky",
		// In the lexicon, and newer than the recording.
		shapeOf(t, recordedTexts(t, "bluesky/getPosts_wrapped*.json")...), ".posts[].bookmarkCount")
	shapeOf(t, answerTo("mastodon", "/api/v1/statuses/"+exemplar(t, s, "mastodon", made,
		func(p Post) bool { return p.State == "shown" && p.RetweetOf == "" }).ID)).within(t, "Mastodon",
		shapeOf(t, recordedTexts(t, "mastodon/status_*[^4].json")...))
}

// Refusals are the recorded ones, field by field.
func TestRefusalShapes(t *testing.T) {
	var entries []struct {
		Name string
		HTTP int
		Body json.RawMessage
	}
	if err := json.Unmarshal([]byte(recordedTexts(t, "x/error_bodies.json")[0]), &entries); err != nil {
		t.Fatal(err)
	}
	real := map[string]string{}
	for _, e := range entries {
		real[e.Name] = string(e.Body)
	}
	s := at(start, Options{Limits: map[string]Limit{"x": {0, 1e9}}})
	free := at(start, Options{})
	gone := exemplar(t, free, "x", start.AddDate(0, -2, 0), isGone).ID
	for _, tt := range []struct {
		name, token, address string
		s                    *Server
	}{
		{"v2_all_missing", "t", "/2/tweets?ids=" + gone, free},
		{"v2_rate_limited", "t", "/2/tweets?ids=" + gone, s},
		{"v2_usage_capped", "capped-1", "/2/tweets?ids=" + gone, free},
		{"v2_credits_depleted", "credits-1", "/2/tweets?ids=" + gone, free},
		{"v11_rate_limited", "t", "/1.1/statuses/lookup.json?id=" + gone, s},
		{"bluesky_invalid_request", "t", "/xrpc/app.bsky.feed.getPosts", free},
	} {
		body := askAs(t, tt.s, tt.token, http.MethodGet, tt.address).Body.String()
		ours, theirs := shapeOf(t, body), shapeOf(t, real[tt.name])
		ours.within(t, tt.name, theirs)
		theirs.within(t, tt.name+", what is recorded", ours)
	}
	for pattern, token := range map[string]string{"mastodon/error_401.json": "revoked-1", "mastodon/error_422.json": "t"} {
		w := askAs(t, free, token, http.MethodGet, "/api/v1/statuses?id[]="+strings.Join(ids("mastodon", start, 21), "&id[]="))
		shapeOf(t, w.Body.String()).within(t, pattern, shapeOf(t, recordedTexts(t, pattern)...))
	}
}
