package networks

import (
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

const (
	theferrarilab = "at://did:plc:niay7ajcptgklwrhknvnhk44/app.bsky.feed.post/3lhjnkjle5s2o"
	createwith    = "at://did:plc:a2xro4bckdu24pdxtevo7mmr/app.bsky.feed.post/3lhlr5a4shz2u"
)

func blueskyFetch(t *testing.T, get *fake, ids ...string) (Fetched, error) {
	t.Helper()
	f, err := bluesky{}.Fetch(t.Context(), get, Credential{}, ids)
	if err == nil {
		wantParted(t, ids, f)
		for _, p := range f.Posts {
			wantSound(t, p)
		}
	}
	return f, err
}

func TestBlueskyRecorded(t *testing.T) {
	const gone = "at://did:plc:niay7ajcptgklwrhknvnhk44/app.bsky.feed.post/3lhjnkjle5s2z"
	byHandle := "at://mackuba.eu/app.bsky.feed.post/3lhlu3l65522g"
	get := always(t, 200, recorded(t, "bluesky/getPosts_wrapped_real_postviews.json"), "ratelimit-limit", "3000", "ratelimit-remaining",
		"2999", "ratelimit-reset", "1738940400", "ratelimit-policy", "3000;w=300")
	f, err := blueskyFetch(t, get, createwith, gone, theferrarilab, byHandle)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Quota{true, 3000, 2999, time.Unix(1738940400, 0).UTC()}); f.Quota != want {
		t.Errorf("quota %+v, want %+v", f.Quota, want)
	}
	if f.Missing[gone] != Absent || len(f.Missing) != 1 {
		t.Errorf("missing %v, want one absent", f.Missing)
	}
	p := f.Posts[theferrarilab]
	if counts(p) != "9 7 1 0 - -" || !p.CreatedAt.Equal(fakesite.UTC("2025-02-06T17:50:33.851Z")) ||
		!p.IndexedAt.Equal(fakesite.UTC("2025-02-06T17:50:34.148Z")) ||
		p.Author != "theferrarilab.bsky.social" || p.AuthorKey != "did:plc:niay7ajcptgklwrhknvnhk44" || p.ID != theferrarilab ||
		p.URL != "https://bsky.app/profile/did:plc:niay7ajcptgklwrhknvnhk44/post/3lhjnkjle5s2o" || p.Text == "" {
		t.Errorf("post %s %+v", counts(p), p)
	}
	if got := counts(f.Posts[byHandle]); got != "3 0 1 0 - -" {
		t.Errorf("asked for by its handle: %s, want 3 0 1 0", got)
	}
	if len(get.asked) != 1 || strings.Count(get.asked[0], "uris=at%3A%2F%2F") != 4 ||
		!strings.HasPrefix(get.asked[0], "https://public.api.bsky.app/xrpc/app.bsky.feed.getPosts?uris=") {
		t.Errorf("asked %q", get.asked)
	}
}

// The record of a thread has the same view of a post as a list has.
func TestBlueskyRecordedThread(t *testing.T) {
	body := recorded(t, "bluesky/getPostThread_embed_media.json")
	var thread struct{ Thread struct{ Post postView } }
	if !decode([]byte(body), &thread) {
		t.Fatal("not read")
	}
	if p := thread.Thread.Post.post(); counts(p) != "0 0 0 - - -" || !p.CreatedAt.Equal(fakesite.UTC("2023-09-28T12:49:36.735Z")) ||
		p.Text != "" {
		t.Errorf("post %s %+v", counts(p), p)
	}
}

// Records of an account have addresses and dates and no numbers.
func TestBlueskyRecordedCaptures(t *testing.T) {
	for file, want := range map[string]int{"bluesky/capture_atprotocom.json": 20, "bluesky/capture_hackerdarkweb.json": 20} {
		var capture struct {
			PostRecords []struct {
				URI   string
				Value struct{ CreatedAt, Text string }
			}
		}
		if !decode([]byte(recorded(t, file)), &capture) || len(capture.PostRecords) < 1 || len(capture.PostRecords) > want {
			t.Fatalf("%s: %d records", file, len(capture.PostRecords))
		}
		for _, r := range capture.PostRecords {
			ref, ok := Recognise(r.URI)
			if at, dated := when(r.Value.CreatedAt); !ok || ref.ID != r.URI || ref.Network != "bluesky" || !dated || at.IsZero() {
				t.Errorf("%s: %s is %+v at %s", file, r.URI, ref, at)
			}
		}
	}
}

func TestBorn(t *testing.T) {
	seen := fakesite.UTC("2025-02-06T12:00:00Z")
	for _, tt := range []struct {
		name          string
		created, want time.Time
	}{
		{"a moment before it was seen", seen.Add(-2 * time.Second), seen.Add(-2 * time.Second)},
		{"in the future", seen.Add(time.Hour), seen},
		{"moved in from years ago", seen.AddDate(-9, 0, 0), seen.Add(-24 * time.Hour)},
		{"a day ago", seen.Add(-24 * time.Hour), seen.Add(-24 * time.Hour)},
		{"not told", time.Time{}, seen},
	} {
		got := Born(tt.created, seen)
		if !got.Equal(tt.want) || !Born(got, seen).Equal(got) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := Born(seen, time.Time{}); !got.Equal(seen) {
		t.Errorf("never seen: %s, want what the author says", got)
	}
}

func TestBlueskyOddRows(t *testing.T) {
	const a, b, c = "at://did:plc:a/app.bsky.feed.post/3lhjnkjle5s2a", "at://did:plc:a/app.bsky.feed.post/3lhjnkjle5s2b",
		"at://did:web:b.example/app.bsky.feed.post/self"
	f, err := blueskyFetch(t, always(t, 200, fakesite.Testdata(t, "bluesky_posts.json")), a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	if p := f.Posts[a]; counts(p) != "- - - - - -" || p.Author != "" || p.Text != "tabs" ||
		!p.CreatedAt.Equal(fakesite.UTC("2025-02-06T10:00:00Z")) {
		t.Errorf("post a %s %+v", counts(p), p)
	}
	if p := f.Posts[b]; counts(p) != "9007199254 1 0 - 2 -" || len([]rune(p.Text)) != 500 ||
		!p.CreatedAt.Equal(fakesite.UTC("2025-02-05T10:00:00Z")) {
		t.Errorf("post b %s %+v", counts(p), p)
	}
	if p := f.Posts[c]; !p.IndexedAt.IsZero() || !p.CreatedAt.Equal(fakesite.UTC("2024-01-01T00:00:00Z")) {
		t.Errorf("post c %+v", p)
	}
}

func TestBlueskyRefusals(t *testing.T) {
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{400, `{"error":"InvalidRequest","message":"Error: uris must not have more than 25 elements"}`, TooMany},
		{400, `{"error":"InvalidRequest","message":"Error: uris/0 must be a valid at-uri"}`, BadRequest},
		{400, `{"error":"ExpiredToken","message":"Token has expired"}`, Unauthorized},
		{400, `{"error":"AccountTakedown","message":"Account has been taken down"}`, Forbidden},
		{400, `{"error":"UpstreamFailure","message":"x"}`, ServerError},
		{401, `{"error":"AuthMissing","message":"Authentication Required"}`, Unauthorized},
		{404, `{"error":"XRPCNotSupported","message":"XRPCNotSupported"}`, Format},
		{429, `{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}`, RateLimited},
		{501, `{"error":"MethodNotImplemented","message":"Method Not Implemented"}`, ServerError},
	} {
		_, err := blueskyFetch(t, always(t, tt.status, tt.body), createwith)
		if r := refused(t, err); r.Kind != tt.want {
			t.Errorf("%d %s: %v, want %s", tt.status, tt.body, r, tt.want)
		}
	}
}

func TestBlueskyEmptyListIsAnAnswer(t *testing.T) {
	f, err := blueskyFetch(t, always(t, 200, `{"posts":[]}`), createwith, theferrarilab)
	if err != nil || len(f.Missing) != 2 || f.Missing[createwith] != Absent || f.Quota.Known {
		t.Errorf("%+v, error %v, want both absent", f, err)
	}
}

func TestBlueskyResolve(t *testing.T) {
	const did = `{"did":"did:plc:niay7ajcptgklwrhknvnhk44"}`
	for _, tt := range []struct {
		name, id, body string
		status         int
		want           string
		requests       int
		proof          bool
	}{
		{"a handle", "at://theferrarilab.bsky.social/app.bsky.feed.post/3lhjnkjle5s2o", did, 200, theferrarilab, 1, false},
		{"a DID is not asked for", theferrarilab, "", 500, theferrarilab, 0, false},
		{"nobody", "at://no.bsky.social/app.bsky.feed.post/3k", `{"error":"InvalidRequest","message":"Unable to resolve handle"}`, 400, "",
			1, true},
		{"another mistake", "at://no.bsky.social/app.bsky.feed.post/3k",
			`{"error":"InvalidRequest","message":"Error: handle must be a valid handle"}`, 400, "", 1, false},
		{"no DID", "at://no.bsky.social/app.bsky.feed.post/3k", `{"did":"x"}`, 200, "", 1, false},
		{"no post", "at://no.bsky.social/app.bsky.feed.like/3k", did, 200, "", 0, false},
	} {
		get := always(t, tt.status, tt.body)
		got, err := bluesky{}.Resolve(t.Context(), get, Credential{}, tt.id)
		if got != tt.want || (err == nil) != (tt.want != "") || errors.Is(err, ErrNoAccount) != tt.proof || len(get.asked) != tt.requests {
			t.Errorf("%s: %q, error %v after %d requests", tt.name, got, err, len(get.asked))
		}
	}
}

func TestBlueskyNewer(t *testing.T) {
	const key = "did:plc:a"
	page := func(cursor string, uris ...string) string {
		var rows []string
		for _, u := range uris {
			rows = append(rows, `{"post":{"uri":"at://`+u+`"}}`)
		}
		return `{"cursor":"` + cursor + `","feed":[` + strings.Join(rows, ",") + `]}`
	}
	const of, by = key + "/app.bsky.feed.post/", "did:plc:b/app.bsky.feed.post/"
	get := inTurn(t, page("c", of+"3lhjnkjle5s2d", by+"3lhjnkjle5s2c"), page("d", of+"3lhjnkjle5s2b", of+"3lhjnkjle5s22"))
	posts, err := bluesky{}.Newer(t.Context(), get, Credential{}, key, "at://"+of+"3lhjnkjle5s2a")
	if err != nil || len(posts) != 2 || posts[0].ID != "at://"+of+"3lhjnkjle5s2d" || posts[1].ID != "at://"+of+"3lhjnkjle5s2b" {
		t.Errorf("%+v, error %v", posts, err)
	}
	if want := "cursor=c"; len(get.asked) != 2 || !strings.Contains(get.asked[1], want) {
		t.Errorf("asked %q, want %s", get.asked, want)
	}
}
