package posts

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"time"

	"laurel/jobs/networks"
	"laurel/models/posts"
	"laurel/models/responses"
)

// asked is the question of a request for posts: what a reader must know to read its answer again.
type asked struct {
	Host   string   `json:"host,omitempty"`
	Legacy bool     `json:"legacy,omitempty"`
	Fields string   `json:"fields,omitempty"`
	IDs    []string `json:"ids"`
}

// question is a request for posts as its raw answer keeps it.
func (a *client) question(ids []string) string {
	c := a.credentials()
	text, err := json.Marshal(asked{a.pool.Host, c.Legacy, c.Fields, slices.Sorted(slices.Values(ids))})
	if err != nil {
		panic(err) // Never: these are texts.
	}
	return string(text)
}

// A RereadOrder says which raw answers are read again.
type RereadOrder struct {
	Network string    // "": all.
	Since   time.Time // Of answers that came since.
	DryRun  bool
}

// Reread reads the raw answers of networks again with today's readers, and reports each network of which
// something changed. It asks nobody.
func (j *Jobs) Reread(ctx context.Context, o RereadOrder, report func(network string, c posts.Reread) error) error {
	for _, n := range j.Networks {
		name := n.Info().Name
		if o.Network != "" && o.Network != name {
			continue
		}
		c, err := posts.RereadPosts(ctx, j.DB.DB, j.rereadings(ctx, n, o.Since), o.DryRun, j.Now())
		if err == nil && c != (posts.Reread{}) {
			err = report(name, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answersAtOnce bounds how many answers are in memory.
const answersAtOnce = 50

// rereadings reads the answers of a network again, oldest first.
func (j *Jobs) rereadings(ctx context.Context, n networks.Network, since time.Time) iter.Seq2[posts.Rereading, error] {
	return func(yield func(posts.Rereading, error) bool) {
		for after := int64(0); ; {
			answers, err := responses.OfKind(ctx, j.DB.DB,
				responses.Slice{Source: n.Info().Name, Kind: responses.Poll, Since: since, After: after, Limit: answersAtOnce})
			if err != nil {
				yield(posts.Rereading{}, err)
				return
			}
			if len(answers) == 0 {
				return
			}
			for i := range answers {
				a := &answers[i]
				if after = a.ID; a.Question == "" { // It looked up a name.
					continue
				}
				r, err := j.readAgain(ctx, n, a)
				if err != nil { // It is no worse than it was.
					j.Log.WarnContext(ctx, "a raw answer cannot be read", "network", a.Source, "at", a.RetrievedAt, "why", err)
					continue
				}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// readAgain is what today's reader finds in an answer. A post that turns out to live elsewhere is left out:
// it is asked for there.
func (j *Jobs) readAgain(ctx context.Context, n networks.Network, a *responses.Answer) (r posts.Rereading, err error) {
	var q asked
	if err := json.Unmarshal([]byte(a.Question), &q); err != nil {
		return r, err
	}
	got, err := n.Fetch(ctx, oneAnswer{a}, networks.Credential{Host: q.Host, Legacy: q.Legacy, Fields: q.Fields}, q.IDs)
	if err != nil {
		return r, err
	}
	r = posts.Rereading{Answer: a.ID, At: a.RetrievedAt, Readable: a.Readable, Pool: posts.Pool{Network: n.Info().Name, Host: q.Host}}
	b := &batch{poller: &poller{Jobs: j, network: n, pool: posts.ReadyPool{Pool: r.Pool}}}
	for _, id := range q.IDs {
		post, ok := got.Posts[id]
		if !ok {
			continue
		}
		found := posts.Result{Post: &posts.Post{Key: posts.Key{Network: r.Pool.Network, Host: q.Host, ExternalID: id}}}
		if b.recordFound(&found, id, &post); len(b.moves) > 0 {
			b.moves = nil
			continue
		}
		r.Found = append(r.Found, posts.SeenPost{ID: id, Seen: *found.Seen})
	}
	return r, nil
}

// oneAnswer answers with one answer, whatever is asked for: a request for posts is one.
type oneAnswer struct{ *responses.Answer }

// Get implements networks.Getter.
func (a oneAnswer) Get(context.Context, string, string) (networks.Answer, error) {
	return networks.Answer{Status: a.Status, Header: http.Header(a.Header).Get, Body: a.Body}, nil
}
