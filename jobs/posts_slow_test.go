package jobs_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// slow is a network whose answers take 15 seconds each.
type slow struct {
	w     *postWorld
	clock atomic.Int64 // Seconds after noon.
	asked atomic.Int64
}

const slowBatch = 10

func (*slow) Info() networks.Info {
	return networks.Info{Name: "slow", Title: "Slow", Batch: slowBatch, Requests: 1000, Window: 24 * time.Hour}
}

func (*slow) Parse(string) (networks.Ref, bool) { return networks.Ref{}, false }

// Fetch implements networks.Network. No answer comes before what was seen six requests
// earlier is stored.
func (n *slow) Fetch(ctx context.Context, _ networks.Getter, _ networks.Credential, ids []string) (networks.Fetched, error) {
	asked := n.asked.Add(int64(len(ids)))
	for stored := int64(-1); stored < asked-6*slowBatch; {
		err := n.w.DB.WithContext(ctx).Raw(`SELECT count(*) FROM posts WHERE looks = 1`).Row().Scan(&stored)
		if err != nil {
			return networks.Fetched{}, err
		}
	}
	n.clock.Add(15)
	got := networks.Fetched{Posts: map[string]networks.Post{}}
	for _, id := range ids {
		likes := int64(1)
		got.Posts[id] = networks.Post{ID: id, Likes: &likes}
	}
	return got, nil
}

// Where requests take long, what was seen is stored before ten of them were made, and
// what nobody was asked for is claimed once more: long before the lease ends.
func TestASlowNetworksPostsAreStoredEarly(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	n := &slow{w: w}
	w.Networks = []networks.Network{n}
	w.Now = func() time.Time { return modelstest.Noon.Add(time.Duration(n.clock.Load()) * time.Second) }
	var posts []models.NewPost
	for i := range 10 * slowBatch {
		posts = append(posts, models.NewPost{PostKey: models.PostKey{Network: "slow", ExternalID: fmt.Sprint(1_000_000 + i)}})
	}
	_, err := models.AddPosts(t.Context(), w.DB.DB, posts, w.Now().Add(-time.Minute))
	w.ok(err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w.ok(w.LookAtPosts(ctx, n))
	if looked := len(w.posts("looks = 1 AND leased_until IS NULL")); looked != len(posts) || n.asked.Load() != int64(len(posts)) {
		t.Errorf("%d of %d posts were looked at once, %d were asked for", looked, len(posts), n.asked.Load())
	}
}
