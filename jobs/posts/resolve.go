package posts

import (
	"cmp"
	"context"
	"errors"

	"laurel/jobs/networks"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// resolve returns the posts by the ids they are asked for. Where a link named one
// otherwise, the network is asked for its id first.
func (w *batch) resolve(ctx context.Context, list []posts.Post) map[string]*posts.Post {
	names := make(map[string]*posts.Post, len(list))
	resolver, can := w.network.(networks.Resolver)
	for i := range list {
		p := &list[i]
		id := p.ExternalID
		w.stop = cmp.Or(w.stop, ctx.Err())
		if can && len(names)+len(w.polls) > 0 && w.late(6) {
			w.unseen = append(w.unseen, *p)
			continue
		}
		if can && w.stop == nil {
			if id = w.resolveOne(ctx, resolver, p); id == "" {
				continue
			}
		}
		if names[id] != nil { // The same post by two names.
			w.unseen = append(w.unseen, *p)
			continue
		}
		names[id] = p
	}
	return names
}

// resolveOne returns the id of one post, "" where it is not known now.
func (w *batch) resolveOne(ctx context.Context, resolver networks.Resolver, p *posts.Post) string {
	if id := w.names[p.ID]; id != "" { // It was in a batch that was split.
		return id
	}
	asking, done := graceful(ctx)
	id, err := resolver.Resolve(asking, w.client, w.client.credentials(), p.ExternalID)
	done()
	switch {
	case err == nil:
		w.names[p.ID] = id
		if id != p.ExternalID {
			w.moves = append(w.moves, posts.Move{ID: p.ID, To: posts.Key{Network: p.Network, Host: p.Host, ExternalID: id}})
		}
		return id
	case errors.Is(err, errNoQuota) || ctx.Err() != nil:
		w.unseen, w.stop = append(w.unseen, *p), err
		return ""
	}
	result := posts.Result{Post: p, What: posts.ResultUnknown, Why: err.Error()}
	poll := posts.Poll{CredentialID: w.client.credential.ID, Outcome: pg.OutcomeOK, Message: err.Error(), Asked: 1}
	if errors.Is(err, networks.ErrNoAccount) {
		result.What = posts.ResultGone
	} else {
		var failed error
		poll.Outcome, poll.Message, failed = w.client.report(context.WithoutCancel(ctx), networks.Quota{}, err)
		w.failed = errors.Join(w.failed, failed)
	}
	if refusal, _ := errors.AsType[*networks.Refusal](err); refusal.OfUs() {
		w.unseen, w.stop = append(w.unseen, *p), err
	} else {
		poll.Results = []posts.Result{result}
	}
	w.polls = append(w.polls, poll)
	return ""
}
