package posts

import (
	"context"
	"errors"

	"laurel/jobs/networks"
	"laurel/jobs/pass"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// FindNew finds new posts at members' accounts on networks that are due.
func (j *Jobs) FindNew(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		lease := j.lease(j.Now())
		a, ok, err := posts.ClaimAccount(ctx, j.DB.DB, lease, lease.From)
		if err != nil || !ok {
			return false, err
		}
		poll, client := j.pollAccount(ctx, &a)
		final := context.WithoutCancel(ctx)
		if ctx.Err() == nil { // Else the lease ends by itself.
			if _, err = posts.StoreAccountFetch(final, j.DB.DB, &a, lease, poll, j.Now()); errors.Is(err, pg.ErrLeaseLost) {
				err = nil
			}
		}
		if client != nil { // What it cost is counted before what was reserved for it is given back.
			poll.CredentialID, poll.Requests = client.credential.ID, client.made
			err = errors.Join(err, posts.ChargeAccountFetch(final, j.DB.DB, poll, j.Now()), client.end(final))
		}
		return ctx.Err() == nil, err
	})
}

// pollAccount asks the network for what an account wrote since. The client is nil where
// none could be had.
func (j *Jobs) pollAccount(ctx context.Context, a *posts.Account) (posts.AccountFetch, *client) {
	poll := posts.AccountFetch{Key: a.Key}
	n := j.network(a.Network)
	author, ok := n.(networks.Author)
	if !ok {
		poll.Why = "this network does not list an account's posts"
		return poll, nil
	}
	pool := posts.Pool{Network: a.Network, Host: a.Host}
	client, got, err := j.reserve(ctx, n, pool, 1, n.Info().Batch)
	switch {
	case err != nil:
		poll.Why = err.Error()
		return poll, nil
	case got == 0:
		poll.Why = "no credential is available now"
		return poll, nil
	}
	client.more, poll.Charged = client.each, n.Info().Price > 0 // Another page has other posts.
	list, err := readNewer(ctx, author, client, a, &poll)
	poll.Shown = len(list) // Also before it failed.
	if errors.Is(err, networks.ErrMore) {
		poll.More, err = true, nil
	}
	if errors.Is(err, networks.ErrNoAccount) {
		poll.Invalid, poll.Why = true, "there is no such account"
		return poll, client
	}
	if err != nil {
		_, why, failed := client.report(context.WithoutCancel(ctx), networks.Quota{}, err)
		if poll.Why = why; errors.Is(err, errNoQuota) {
			poll.Why = errNoQuota.Error()
		}
		if failed != nil {
			j.Log.ErrorContext(ctx, "a credential could not be updated", "err", failed)
		}
		return poll, client
	}
	j.collect(a, list, &poll)
	return poll, client
}

func readNewer(ctx context.Context, author networks.Author, client *client, a *posts.Account,
	poll *posts.AccountFetch) ([]networks.Post, error) {
	if poll.Key == "" {
		key, err := author.Account(ctx, client, client.credentials(), a.Handle)
		if err != nil {
			return nil, err
		}
		poll.Key = key
	}
	// After a long absence, what is older than one poll reads is not followed.
	return author.Newer(ctx, client, client.credentials(), poll.Key, a.NewestID)
}

// collect notes the posts that were found, newest first.
func (j *Jobs) collect(a *posts.Account, list []networks.Post, poll *posts.AccountFetch) {
	now := j.Now()
	for i := range list {
		p := &list[i]
		host := p.Host
		if host == "" {
			host = a.Host
		}
		if p.RepostOf != "" && j.Originals {
			continue // Somebody else's numbers.
		}
		post := posts.New{Key: posts.Key{Network: a.Network, Host: host, ExternalID: p.ID}, MemberID: &a.MemberID, URL: p.URL}
		if created := p.CreatedAt; !created.IsZero() {
			if created.After(now) {
				created = now
			}
			post.CreatedAt = &created
		}
		poll.Posts = append(poll.Posts, post)
	}
	if len(list) > 0 {
		poll.Newest = list[0].ID
	}
}
