package posts_test

import (
	"context"
	"fmt"
	"time"

	"laurel/jobs/networks"
	"laurel/models/posts"
)

// invented is a network that does what a test says.
type invented struct {
	batch   int
	fetch   func(ids []string) error
	resolve func(id string) (string, error)
}

func (n *invented) Info() networks.Info {
	return networks.Info{Name: "invented", Title: "Invented", Batch: n.batch, Requests: 1000, Window: 24 * time.Hour}
}

func (*invented) Parse(string) (networks.Ref, bool) { return networks.Ref{}, false }

// Fetch implements networks.Network: every post has one like.
func (n *invented) Fetch(_ context.Context, _ networks.Getter, _ networks.Credential, ids []string) (networks.Fetched, error) {
	if err := n.fetch(ids); err != nil {
		return networks.Fetched{}, err
	}
	got, likes := networks.Fetched{Posts: map[string]networks.Post{}}, int64(1)
	for _, id := range ids {
		got.Posts[id] = networks.Post{ID: id, Likes: &likes}
	}
	return got, nil
}

// Resolve implements networks.Resolver.
func (n *invented) Resolve(_ context.Context, _ networks.Getter, _ networks.Credential, id string) (string, error) {
	if n.resolve == nil {
		return id, nil
	}
	return n.resolve(id)
}

// invent follows posts of an invented network, which have waited for a minute.
func (w *postWorld) invent(rows int) {
	w.t.Helper()
	var list []posts.New
	for i := range rows {
		list = append(list, posts.New{Key: posts.Key{Network: "invented", ExternalID: fmt.Sprint(1_000_000 + i)}})
	}
	_, err := posts.Add(w.t.Context(), w.DB.DB, list, w.now.Add(-time.Minute))
	w.ok(err)
}
