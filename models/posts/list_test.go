package posts_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// followed makes posts of a member, the i-th i hours old with 10 i likes.
func followed(t *testing.T, tx *gorm.DB, name string, n int) []posts.Row {
	t.Helper()
	m := modelstest.Member(t, tx, name, nil, modelstest.Noon)
	var list []posts.New
	for i := range n {
		created := modelstest.Noon.Add(-time.Duration(i) * time.Hour)
		list = append(list, posts.New{Key: posts.Key{Network: "bluesky", ExternalID: fmt.Sprintf("at://did:plc:%s/app.bsky.feed.post/%d", name, i)}, MemberID: &m.ID, CreatedAt: &created})
	}
	if _, err := posts.Add(t.Context(), tx, list, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := tx.Exec(`UPDATE posts SET likes = extract(epoch FROM CAST(@now AS timestamptz) - created_at) / 360, metrics_at = @now WHERE member_id = @id`,
		map[string]any{"now": modelstest.Noon, "id": m.ID}).Error; err != nil {
		t.Fatal(err)
	}
	rows, _, err := posts.OfMember(t.Context(), tx, m.ID, pg.Cursor{}, n)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// saw puts what a check saw of a post into the archive.
func saw(t *testing.T, tx *gorm.DB, p *posts.Row, minutes int, likes any) {
	t.Helper()
	at := modelstest.Noon.Add(time.Duration(minutes) * time.Minute)
	row := shards.Row{"network": p.Network, "host": p.Host, "post": p.ExternalID, "likes": likes, "reposts": int64(1), "replies": nil, "quotes": nil, "bookmarks": nil, "views": nil}
	if _, err := archive.Store(t.Context(), tx, archive.Response{Source: "bluesky", Address: "posts", At: at, Own: true, Shards: map[string][]shards.Row{"post_metrics": {row}}}, at); err != nil {
		t.Fatal(err)
	}
}

func TestMemberPostsAreListedInPages(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	list := followed(t, tx, "ann", 5)
	var after pg.Cursor
	for page := range 3 {
		got, next, err := posts.OfMember(ctx, tx, *list[0].MemberID, after, 2)
		if err != nil || len(got) != min(2, 5-2*page) || got[0].ID != list[2*page].ID || (next == pg.Cursor{}) != (page == 2) {
			t.Fatalf("page %d: %d posts from %d, next %v, %v", page, len(got), got[0].ID, next, err)
		}
		after = next
	}
	if list[0].Member != "ann" {
		t.Errorf("whose: %q", list[0].Member)
	}
}

func TestLinesAndHistoryOfAPost(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	list := followed(t, tx, "ann", 2)
	for i, likes := range []any{int64(3), int64(3), nil, int64(0)} {
		saw(t, tx, &list[0], i, likes)
	}
	got, _, err := posts.OfMember(ctx, tx, *list[0].MemberID, pg.Cursor{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if l := got[0].Line; len(l) != 3 || *l[0].Likes != 3 || l[1].Likes != nil || *l[2].Likes != 0 || len(got[1].Line) != 0 {
		t.Errorf("the lines are %v and %v", l, got[1].Line)
	}
	spans, err := posts.NumbersOf(ctx, tx, list[0].Key)
	if err != nil || len(spans) != 3 || len(spans[0].Fetches) != 2 || spans[0].LastSeen.Sub(spans[0].From) != time.Minute || spans[1].Likes != nil || *spans[1].Reposts != 1 || spans[1].Views != nil {
		t.Errorf("the history is %+v, %v", spans, err)
	}
}

func TestBestPosts(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	list := followed(t, tx, "ann", 400)
	for scope, best := range map[string]int{"week": 168, "month": 399, "all": 399} {
		got, err := posts.Best(ctx, tx, scope, "likes", 3, modelstest.Noon)
		if err != nil || len(got) != 3 || got[0].ID != list[best].ID || *got[0].Likes < *got[1].Likes {
			t.Errorf("%s: %v, %v, want post %d first", scope, got, err, list[best].ID)
		}
	}
	if got, err := posts.Best(ctx, tx, "all", "views", 3, modelstest.Noon); err != nil || len(got) != 0 {
		t.Errorf("posts whose views nobody told are best by views: %v, %v", got, err)
	}
	for _, wrong := range [][2]string{{"day", "likes"}, {"week", "id"}} {
		if _, err := posts.Best(ctx, tx, wrong[0], wrong[1], 3, modelstest.Noon); err == nil {
			t.Errorf("%v is no mistake", wrong)
		}
	}
}

func TestPostShown(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	list := followed(t, tx, "ann", 1)
	for id, want := range map[string]error{list[0].ExternalID: nil, "at:/did:plc:ann/app.bsky.feed.post/0": nil, "at://did:plc:ann/app.bsky.feed.post/9": pg.ErrNotFound, "a\x00b": pg.ErrNotFound} {
		if _, err := posts.ShownNamed(ctx, tx, posts.Key{Network: "bluesky", ExternalID: id}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", id, err, want)
		}
	}
}

func TestRequestsAreListed(t *testing.T) {
	t.Parallel()
	ctx, tx, now := t.Context(), modelstest.Tx(t), modelstest.Noon
	secret, err := pg.NewSecret("a secret of this test alone")
	if err != nil {
		t.Fatal(err)
	}
	id, err := posts.SaveCredential(ctx, tx, posts.NewCredential{Network: "bluesky", Name: "one", Token: "t", Quota: 100, Window: time.Minute}, secret, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		`INSERT INTO post_polls (network, host, credential_id, at, asked, found, missing, outcome, message, took_ms)
			VALUES ('bluesky', '', @id, @now, 25, 24, 1, 'ok', '', 7), ('bluesky', '', @id, @now, 5, 5, 0, 'ok', '', 7), ('bluesky', '', @id, @now, 25, 0, 0, 'blocked', 'no', 7),
				('bluesky', '', @id, CAST(@now AS timestamptz) - interval '2 hours', 1, 0, 0, 'blocked', 'long ago', 7)`,
	} {
		if err := tx.Exec(stmt, map[string]any{"now": now, "id": id}).Error; err != nil {
			t.Fatal(err)
		}
	}
	failures, err := posts.PollFailures(ctx, tx, 10, now.Add(time.Second))
	if err != nil || len(failures) != 1 || failures[0].Message != "no" {
		t.Errorf("the failures are %+v, %v", failures, err)
	}
	polls, err := posts.LastPolls(ctx, tx, 2)
	if err != nil || len(polls) != 2 || polls[0].Message != "long ago" || polls[0].Credential != "one" {
		t.Errorf("the requests are %+v, %v", polls, err)
	}
	found, err := posts.AnyCredential(ctx, tx, posts.Pool{Network: "bluesky"})
	if none, err2 := posts.AnyCredential(ctx, tx, posts.Pool{Network: "x"}); !found || none || err != nil || err2 != nil {
		t.Errorf("any: %t and %t, %v, %v", found, none, err, err2)
	}
}
