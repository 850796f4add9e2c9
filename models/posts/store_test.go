package posts_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

func newPosts(n int, member *int64) (list []posts.New) {
	for i := range n {
		list = append(list, posts.New{Key: posts.Key{Network: "invented", ExternalID: fmt.Sprint(1_000_000 + i)}, MemberID: member})
	}
	return list
}

// Several store small rounds of one pool at the same time: the archive holds what the
// posts do, and its page has one check after the other.
func TestRoundsOfAPoolAreStoredSideBySide(t *testing.T) {
	t.Parallel()
	db, begun := modelstest.Open(t), time.Now()
	clock := func() time.Time { return modelstest.Noon.Add(time.Since(begun) * 600).Truncate(time.Microsecond) }
	member := modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	tiers, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := posts.Add(t.Context(), db.DB, newPosts(40, &member.ID), modelstest.Noon.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	var likes, stored atomic.Int64
	round := func(id int64, batch int) error {
		now, pool := clock(), posts.Pool{Network: "invented"}
		lease := posts.Lease{ID: id, From: now, Until: now.Add(20 * time.Hour)}
		got, err := posts.Claim(t.Context(), db.DB, pool, posts.Want{Batch: batch, Requests: 1}, lease, now)
		if err != nil || len(got) == 0 {
			return err
		}
		n, poll := likes.Add(1)/3, posts.Poll{Outcome: pg.OutcomeOK, Asked: len(got)}
		for j := range got {
			poll.Results = append(poll.Results, posts.Result{Post: &got[j], What: posts.ResultFound, Seen: &posts.Seen{Numbers: posts.Numbers{Likes: &n}}})
		}
		done, err := posts.Store(t.Context(), db.DB, posts.Fetch{Pool: pool, Lease: lease, Polls: []posts.Poll{poll}, Rule: posts.Rule{Tiers: tiers}, Clock: clock})
		stored.Add(int64(done))
		return err
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 30 {
				if err := round(int64(1000*worker+i), 1+i%4); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	findings, err := archive.Check(t.Context(), db.DB)
	if err != nil || findings.Total > 0 {
		t.Errorf("the archive: %v, %+v", err, findings)
	}
	for _, c := range []struct {
		what, count string
		want        int64
	}{
		{"looks", `SELECT sum(fetches) FROM posts`, stored.Load()},
		{"posts whose numbers are the archive's", `SELECT count(*) FROM posts p JOIN shard_post_metrics x ON x.post = p.external_id AND x.likes IS NOT DISTINCT FROM p.likes`, 40},
		{"looks of the page before the one before", `SELECT count(*) FROM (SELECT at <= lag(at) OVER (PARTITION BY page_id ORDER BY id) AS back FROM archive_retrievals) r WHERE back`, 0},
	} {
		var n int64
		if err := db.Raw(c.count).Row().Scan(&n); err != nil || n != c.want {
			t.Errorf("%s: %d (%v), want %d", c.what, n, err, c.want)
		}
	}
}

// Posts that are followed already are given again without waiting for anybody who is
// at them, in whatever order he is.
func TestPostsThatAreFollowedAreNotLocked(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	member := modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	if n, err := posts.Add(t.Context(), db.DB, newPosts(3, &member.ID), modelstest.Noon); n != 3 || err != nil {
		t.Fatalf("%d posts were added: %v", n, err)
	}
	other := db.Begin()
	defer other.Rollback()
	if err := other.Exec(`SELECT FROM posts FOR UPDATE`).Error; err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if n, err := posts.Add(ctx, db.DB, newPosts(4, &member.ID), modelstest.Noon); n != 1 || err != nil {
		t.Errorf("%d posts were added, want the new one: %v", n, err)
	}
}

// A post that somebody else has claimed meanwhile is left to him, and the archive does not
// hold what was seen of it.
func TestALostPostIsNotStored(t *testing.T) {
	t.Parallel()
	db, now, pool := modelstest.Open(t), modelstest.Noon, posts.Pool{Network: "invented"}
	tiers, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := posts.Add(t.Context(), db.DB, newPosts(3, nil), now.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	lease, likes := posts.Lease{ID: 1, From: now, Until: now.Add(time.Minute)}, int64(5)
	got, err := posts.Claim(t.Context(), db.DB, pool, posts.Want{Batch: 3, Requests: 1}, lease, now)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d posts are claimed: %v", len(got), err)
	}
	if err := db.Exec(`UPDATE posts SET lease_id = 2 WHERE id = @id`, map[string]any{"id": got[1].ID}).Error; err != nil {
		t.Fatal(err)
	}
	poll := posts.Poll{Outcome: pg.OutcomeOK, Asked: 3}
	for i := range got {
		poll.Results = append(poll.Results, posts.Result{Post: &got[i], What: posts.ResultFound, Seen: &posts.Seen{Numbers: posts.Numbers{Likes: &likes}}})
	}
	stored, err := posts.Store(t.Context(), db.DB, posts.Fetch{Pool: pool, Lease: lease, Polls: []posts.Poll{poll}, Rule: posts.Rule{Tiers: tiers}, Clock: func() time.Time { return now }})
	if err != nil || stored != 2 {
		t.Errorf("%d posts were stored: %v", stored, err)
	}
	var archived []string
	if err := db.Raw(`SELECT post FROM shard_post_metrics ORDER BY post`).Scan(&archived).Error; err != nil {
		t.Fatal(err)
	}
	if len(archived) != 2 || slices.Contains(archived, got[1].ExternalID) {
		t.Errorf("the archive holds %v, and not what was lost: %s", archived, got[1].ExternalID)
	}
}
