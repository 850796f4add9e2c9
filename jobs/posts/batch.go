package posts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"laurel/jobs/networks"
	"laurel/models/posts"
)

// A batch is some requests for posts that are claimed together and stored together.
type batch struct {
	*poller
	client *client
	lease  posts.Lease

	polls  []posts.Poll
	moves  []posts.Move
	names  map[int64]string // The ids of posts that were resolved.
	unseen []posts.Post     // Not asked for: their claims are returned.
	stop   error            // Why no more is asked for now.
	failed error            // What went wrong with us.
}

// poll asks for posts, one request after the other. It returns how many were left
// because it was late.
func (w *batch) poll(ctx context.Context, list []posts.Post) (late int) {
	slices.SortFunc(list, func(a, b posts.Post) int { return a.NextUpdateAt.Compare(*b.NextUpdateAt) })
	for chunk := range slices.Chunk(list, w.batchSize()) {
		switch {
		case w.stop != nil || ctx.Err() != nil:
			w.unseen = append(w.unseen, chunk...)
		case w.late(6) && len(w.polls) > 0:
			w.unseen = append(w.unseen, chunk...)
			late += len(chunk)
		default:
			w.fetch(ctx, chunk)
		}
	}
	return late
}

// late says that a part of the lease is over, so that what was seen is better stored first.
func (w *batch) late(part time.Duration) bool {
	return w.Now().Sub(w.lease.From) > w.lease.Until.Sub(w.lease.From)/part
}

// fetch asks for one batch.
func (w *batch) fetch(ctx context.Context, list []posts.Post) {
	names := w.resolve(ctx, list)
	if w.stop != nil {
		w.putBack(names, w.stop)
	}
	if len(names) == 0 || w.stop != nil {
		return
	}
	ids := make([]string, 0, len(names))
	for id := range names {
		ids = append(ids, id)
	}
	began := time.Now()
	asking, done := graceful(ctx)
	w.client.asking = w.client.question(ids)
	got, err := w.network.Fetch(asking, w.client, w.client.credentials(), ids)
	done()
	w.client.asking = ""
	took := time.Since(began)
	if errors.Is(err, errNoQuota) || err != nil && ctx.Err() != nil {
		w.putBack(names, cmp.Or(ctx.Err(), errNoQuota))
		return
	}
	outcome, why, failed := w.client.report(context.WithoutCancel(ctx), got.Quota, err)
	w.failed = errors.Join(w.failed, failed)
	poll := posts.Poll{CredentialID: w.client.credential.ID, Outcome: outcome, Message: why, Took: took, Asked: len(ids)}
	if err != nil {
		w.handleRefusal(ctx, names, poll, err)
		return
	}
	w.record(names, got, poll)
}

// putBack leaves posts as they were, and ends the batch.
func (w *batch) putBack(names map[string]*posts.Post, why error) {
	for _, p := range names {
		w.unseen = append(w.unseen, *p)
	}
	w.stop = why
}

// handleRefusal handles an answer that shows no posts.
func (w *batch) handleRefusal(ctx context.Context, names map[string]*posts.Post, poll posts.Poll, err error) {
	refusal, _ := errors.AsType[*networks.Refusal](err)
	if refusal != nil && refusal.Kind == networks.Format {
		w.client.answers.Unreadable()
	}
	switch {
	case refusal != nil && refusal.Kind == networks.BadRequest:
		w.polls = append(w.polls, poll)
		w.split(ctx, names, refusal)
		return
	case refusal != nil && refusal.Kind == networks.TooMany && len(names) > 1:
		batch := refusal.Batch
		if batch <= 0 || batch >= len(names) {
			batch = len(names) / 2
		}
		w.failed = errors.Join(w.failed, posts.LearnBatch(context.WithoutCancel(ctx), w.DB.DB, w.pool.Pool, batch))
		w.putBack(names, err)
	case refusal.OfUs():
		w.putBack(names, err)
	default: // It failed: tried again later, each by its own count of failures.
		for _, p := range names {
			poll.Results = append(poll.Results, posts.Result{Post: p, What: posts.ResultUnknown, Why: poll.Message})
		}
		w.stop = err
	}
	w.polls = append(w.polls, poll)
}

// split asks for each half of a batch in which the network does not like an id,
// until the bad one is alone.
func (w *batch) split(ctx context.Context, names map[string]*posts.Post, refusal *networks.Refusal) {
	list := make([]posts.Post, 0, len(names))
	for _, p := range names {
		list = append(list, *p)
	}
	if len(list) == 1 {
		w.polls[len(w.polls)-1].Results = []posts.Result{{Post: &list[0], What: posts.ResultInvalid, Why: refusal.Message}}
		return
	}
	for _, half := range [][]posts.Post{list[:len(list)/2], list[len(list)/2:]} {
		if w.stop != nil || w.late(2) {
			w.unseen = append(w.unseen, half...)
			continue
		}
		w.fetch(ctx, half)
	}
}

// absences are the network's reasons for what is missing.
var absences = map[string]string{
	networks.Absent: posts.ResultAbsent, networks.NotFound: posts.ResultGone, networks.Withheld: posts.ResultProtected,
	networks.Protected: posts.ResultProtected, networks.Suspended: posts.ResultProtected, networks.Invalid: posts.ResultInvalid,
	networks.Unsaid: posts.ResultUnknown,
}

// record takes in what an answer showed. An answer that leaves out all of several
// posts without a word shows nothing: nobody is missing for it.
func (w *batch) record(names map[string]*posts.Post, got networks.Fetched, poll posts.Poll) {
	silent := len(names) > 1 && len(got.Posts) == 0
	for id, p := range names {
		result := posts.Result{Post: p}
		if post, ok := got.Posts[id]; ok {
			result.What = posts.ResultFound
			w.recordFound(&result, id, &post)
		} else {
			reason := got.Missing[id]
			result.What, result.Why = absences[reason], strings.ReplaceAll(reason, "_", " ")
			if result.What == "" || silent && result.What == posts.ResultAbsent {
				result.What, result.Why = posts.ResultUnknown, "the network returned none of the requested posts"
			}
		}
		poll.Results = append(poll.Results, result)
	}
	w.polls = append(w.polls, poll)
}

// recordFound takes in a post, and where its home is, if that is another place.
func (w *batch) recordFound(result *posts.Result, asked string, post *networks.Post) {
	n := post
	home := posts.Key{Network: w.pool.Network, Host: w.pool.Host, ExternalID: result.Post.ExternalID}
	if w.Originals && post.RepostOf != "" {
		home.ExternalID = post.RepostOf
		if post.Original != nil {
			n = post.Original
		}
	}
	if n.Host != "" && n.Host != w.pool.Host || n.ID != "" && n.ID != asked && n.Host == w.pool.Host && w.Originals {
		home.Host, home.ExternalID = n.Host, n.ID
	}
	if home != result.Post.Key {
		w.moves = append(w.moves, posts.Move{ID: result.Post.ID, To: home})
	}
	result.Seen = &posts.Seen{
		Numbers: posts.Numbers{Likes: n.Likes, Reposts: n.Reposts, Replies: n.Replies, Quotes: n.Quotes, Bookmarks: n.Bookmarks,
			Views: n.Views},
		Author: post.Author, Text: post.Text, URL: post.URL, RepostOf: post.RepostOf, CreatedAt: post.CreatedAt,
	}
}

// end stores what was seen, and releases what was not asked for.
func (w *batch) end(ctx context.Context) error {
	moved := map[int64]bool{} // What was seen of them is seen again, under their true names.
	for _, m := range w.moves {
		moved[m.ID] = true
	}
	for i := range w.polls {
		w.polls[i].Results = slices.DeleteFunc(w.polls[i].Results, func(l posts.Result) bool { return moved[l.Post.ID] })
	}
	var err error
	if len(w.polls) > 0 {
		var n int
		n, err = posts.Store(ctx, w.DB.DB, posts.Fetch{Pool: w.pool.Pool, Lease: w.lease, Polls: w.polls,
			Answers: w.client.answers.Take(), Clock: w.Now,
			Rule: posts.Rule{Tiers: w.Tiers, Pace: w.pool.Pace, Charged: w.network.Info().Price > 0}})
		want := 0
		for i := range w.polls {
			want += len(w.polls[i].Results)
		}
		if err == nil && n < want {
			w.Log.WarnContext(ctx, "another worker has taken over", "posts", want-n, "pool", w.pool.String())
		}
	}
	if err == nil {
		err = posts.MoveDue(ctx, w.DB.DB, w.lease, w.moves, w.Now())
	} else {
		w.client.keep() // What came is paid for all the same.
	}
	return errors.Join(w.failed, err, w.release(ctx), w.client.end(ctx))
}

// release returns the claims on what was not asked for.
func (w *batch) release(ctx context.Context) error {
	if len(w.unseen) == 0 {
		return nil
	}
	list := w.unseen
	w.unseen = nil
	ctx, cancel := withGrace(ctx)
	defer cancel()
	return posts.Release(ctx, w.DB.DB, w.lease, list)
}
