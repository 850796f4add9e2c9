package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// askAs asks with a token and returns the headers, too.
func askAs(t testing.TB, s *Server, token, method, address string) *httptest.ResponseRecorder {
	t.Helper()
	target, body, _ := strings.Cut(address, " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func readAs[T any](t testing.TB, s *Server, address string) T {
	t.Helper()
	var v T
	w := askAs(t, s, "t", http.MethodGet, address)
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != 200 {
		t.Fatalf("%.200s: status %d, %v: %.200s", address, w.Code, err, w.Body)
	}
	return v
}

type xPage struct {
	Data []struct {
		ID        string                `json:"id"`
		Text      string                `json:"text"`
		CreatedAt string                `json:"created_at"`
		Public    map[string]int64      `json:"public_metrics"`
		Refs      []struct{ ID string } `json:"referenced_tweets"`
	}
	Errors []struct {
		Value, Type string
		ResourceID  string `json:"resource_id"`
	}
	Meta struct {
		Count int    `json:"result_count"`
		Next  string `json:"next_token"`
	}
}

// ids makes a list of posts that were made at an instant.
func ids(network string, made time.Time, n int) []string {
	var all []string
	for i := range n {
		all = append(all, PostID(network, made, i))
	}
	return all
}

// exemplar is the first post of an instant that a test of the truth picks.
func exemplar(t testing.TB, s *Server, network string, made time.Time, fits func(Post) bool) Post {
	t.Helper()
	for n := range 100000 {
		if p, ok := s.PostAt(network, PostID(network, made, n), made.AddDate(0, 3, 0)); ok && fits(p) {
			return p
		}
	}
	t.Fatal("no such post")
	return Post{}
}

func isRetweet(p Post) bool { return p.RetweetOf != "" }
func isHidden(p Post) bool  { return !p.Back.IsZero() }
func isGone(p Post) bool    { return p.State == "deleted" }

// Numbers come only when asked for, and are the truth.
func TestXLookup(t *testing.T) {
	s := at(start, Options{})
	all := ids("x", start.Add(-50*time.Hour), 100)
	for _, p := range readAs[xPage](t, s, "/2/tweets?ids="+strings.Join(all, "%2C")).Data {
		if p.Public != nil || p.CreatedAt != "" || p.Text == "" {
			t.Fatalf("not asked for: %+v", p)
		}
	}
	page := readAs[xPage](t, s, "/2/tweets?tweet.fields=created_at,public_metrics,referenced_tweets&ids="+strings.Join(all, ","))
	if len(page.Data)+len(page.Errors) != 100 {
		t.Fatalf("%d posts and %d errors, want 100", len(page.Data), len(page.Errors))
	}
	for _, p := range page.Data {
		m := s.Metrics("x", p.ID, start)
		if len(p.Public) != 6 || p.Public["like_count"] != m["likes"] || p.Public["retweet_count"] != m["reposts"] ||
			p.Public["impression_count"] != m["views"] {
			t.Errorf("%s: %v, want %v", p.ID, p.Public, m)
		}
		if made, err := time.Parse(time.RFC3339, p.CreatedAt); err != nil || made.Sub(start.Add(-50*time.Hour)) > time.Millisecond {
			t.Errorf("%s: made at %s", p.ID, p.CreatedAt)
		}
	}
	renamed := readAs[xPage](t, s, "/2/tweets?post.fields=public_metrics&ids="+page.Data[0].ID).Data[0].Public
	if _, old := renamed["retweet_count"]; old || renamed["repost_count"] != page.Data[0].Public["retweet_count"] {
		t.Errorf("by the new name: %v", renamed)
	}
}

// What is missing says why; a retweet has the original's number and no likes.
func TestXSpecial(t *testing.T) {
	made := start.AddDate(0, -2, 0)
	s := at(start, Options{})
	gone, repeat := exemplar(t, s, "x", made, isGone), exemplar(t, s, "x", made, isRetweet)
	hidden := exemplar(t, s, "x", made, isHidden)
	s = at(hidden.Hidden.Add(time.Minute), Options{})
	page := readAs[xPage](t, s, "/2/tweets?tweet.fields=public_metrics,referenced_tweets&ids="+
		strings.Join([]string{repeat.ID, hidden.ID, "20"}, ","))
	if len(page.Data) != 1 || len(page.Errors) != 2 || !strings.HasSuffix(page.Errors[0].Type, "/not-authorized-for-resource") ||
		page.Errors[0].Value != hidden.ID ||
		!strings.HasSuffix(page.Errors[1].Type, "/resource-not-found") || page.Errors[1].ResourceID != "20" {
		t.Fatalf("%+v", page)
	}
	rt := page.Data[0]
	if o := s.Metrics("x", repeat.RetweetOf, s.o.Now()); rt.Public["like_count"] != 0 || rt.Public["retweet_count"] != o["reposts"] ||
		rt.Refs[0].ID != repeat.RetweetOf || !strings.HasPrefix(rt.Text, "RT @sample_") {
		t.Errorf("retweet %+v of %v", rt, o)
	}
	_, body := ask(t, at(start, Options{}), "/2/tweets")
	none := askAs(t, at(start, Options{}), "t", "GET", "/2/tweets?ids="+gone.ID).Body.String()
	if strings.Contains(none, `"data"`) || !strings.Contains(none, "Could not find tweet with ids: ["+gone.ID+"]") ||
		!strings.Contains(body, "Unauthorized") {
		t.Errorf("all missing: %s", none)
	}
}

func TestXRefusals(t *testing.T) {
	s := at(start, Options{})
	id := PostID("x", start, 1)
	for _, tt := range []struct {
		token, address string
		status         int
		words          string
	}{
		{"", "/2/tweets?ids=" + id, 401, `"type":"about:blank","status":401`},
		{"revoked-1", "/2/tweets?ids=" + id, 401, `"title":"Unauthorized"`},
		{"capped-1", "/2/tweets?ids=" + id, 429, "/usage-capped"},
		{"forbidden-1", "/2/tweets?ids=" + id, 403, "/client-forbidden"},
		{"credits-1", "/2/tweets?ids=" + id, 402, "/credits-depleted"},
		{"t", "/2/tweets?ids=" + strings.Join(ids("x", start, 101), ","), 400, "list [101] is not between 1 and 100"},
		{"t", "/2/tweets", 400, "/invalid-request"},
		{"t", "/2/tweets?ids=" + id + ",foo", 400, "[foo] does not match ^[0-9]{1,19}$"},
		{"t", "/2/tweets?tweet.fields=metrics&ids=" + id, 400, "[metrics] is not one of"},
		{"t", "/2/users/by/username/nobody", 200, "Could not find user with username: [nobody]."},
		{"revoked-1", "/1.1/statuses/lookup.json?id=" + id, 401, `"code":89`},
		{"t", "/1.1/statuses/lookup.json", 403, `"code":25`},
		{"t", "/1.1/statuses/lookup.json?id=" + strings.Join(ids("x", start, 101), ","), 403, `"code":18`},
		{"t", "/2/nothing", 404, "Not Found"},
	} {
		w := askAs(t, s, tt.token, "GET", tt.address)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.words) || w.Header().Get("Retry-After") != "" {
			t.Errorf("%s %.60s: %d %s, want %d with %s", tt.token, tt.address, w.Code, w.Body, tt.status, tt.words)
		}
	}
}

// Pages of a member's posts join to what was written, and nothing older than the last seen comes again.
func TestXTimeline(t *testing.T) {
	s := at(start, Options{})
	user := readAs[struct{ Data struct{ ID, Username string } }](t, s, "/2/users/by/username/SAMPLE_00003").Data
	var got []string
	for token := ""; ; {
		page := readAs[xPage](t, s, "/2/users/"+user.ID+"/tweets?max_results=50&pagination_token="+token)
		for _, p := range page.Data {
			got = append(got, p.ID)
		}
		if token = page.Meta.Next; token == "" {
			break
		}
	}
	slices.Reverse(got)
	want := s.Posts("x", 3, start)
	if !slices.Equal(got, idsOf(want)) || user.Username != "sample_00003" {
		t.Fatalf("%d posts of %s, want %d", len(got), user.Username, len(want))
	}
	since := readAs[xPage](t, s, fmt.Sprintf("/2/users/%s/tweets?since_id=%s", user.ID, want[len(want)-4].ID))
	if since.Meta.Count != 3 || since.Data[0].ID != want[len(want)-1].ID {
		t.Errorf("since the last but three: %+v", since)
	}
	if none := readAs[xPage](t, s, "/2/users/"+user.ID+"/tweets?since_id="+want[len(want)-1].ID); none.Data != nil || none.Meta.Count != 0 {
		t.Errorf("since the last: %+v", none)
	}
}

func idsOf(posts []Post) []string {
	var all []string
	for _, p := range posts {
		all = append(all, p.ID)
	}
	return all
}

// Version 1.1 answers in no order, or as a map with null for what is missing.
func TestXOld(t *testing.T) {
	s := at(start, Options{})
	made := start.AddDate(0, -2, 0)
	asked := append(ids("x", made, 60), exemplar(t, s, "x", made, isGone).ID, exemplar(t, s, "x", made, isRetweet).ID)
	form := "id=" + strings.Join(asked, "%2C")
	type tweet struct {
		ID        json.Number
		IDStr     string `json:"id_str"`
		Retweets  int64  `json:"retweet_count"`
		Favorites int64  `json:"favorite_count"`
		Of        *tweet `json:"retweeted_status"`
	}
	list := readAs[[]tweet](t, s, "/1.1/statuses/lookup.json?"+form)
	var got []string
	for _, x := range list {
		got = append(got, x.IDStr)
		if m := s.Metrics("x", x.IDStr, start); x.Favorites != m["likes"] || x.Retweets != m["reposts"] || x.ID.String() != x.IDStr {
			t.Errorf("%+v, want %v", x, m)
		}
		if x.Of != nil && (x.Favorites != 0 || x.Of.Retweets != x.Retweets) {
			t.Errorf("retweet %+v of %+v", x, x.Of)
		}
	}
	var byID struct{ ID map[string]*tweet }
	w := askAs(t, s, "t", http.MethodPost, "/1.1/statuses/lookup.json "+form+"&map=true&trim_user=true")
	if err := json.Unmarshal(w.Body.Bytes(), &byID); err != nil || len(byID.ID) != len(asked) || byID.ID[asked[60]] != nil {
		t.Fatalf("map: %v %d %.200s", err, w.Code, w.Body)
	}
	found := slices.DeleteFunc(slices.Clone(asked), func(id string) bool { return byID.ID[id] == nil })
	if slices.Equal(got, found) || len(got) != len(found) {
		t.Errorf("%d in the order asked, want %d in another", len(got), len(found))
	}
}
