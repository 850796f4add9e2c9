package posts

import (
	"context"
	"errors"

	"laurel/jobs/networks"
	"laurel/jobs/pass"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// FindPosts looks for new posts at members' accounts on networks that are due.
func (j *Jobs) FindPosts(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		lease := j.lease(j.Now())
		a, ok, err := posts.ClaimAccount(ctx, j.DB.DB, lease, lease.From)
		if err != nil || !ok {
			return false, err
		}
		look, ask := j.lookAtAccount(ctx, &a)
		final := context.WithoutCancel(ctx)
		if ctx.Err() == nil { // Else the lease ends by itself.
			if _, err = posts.StoreAccountLook(final, j.DB.DB, &a, lease, look, j.Now()); errors.Is(err, pg.ErrLeaseLost) {
				err = nil
			}
		}
		if ask != nil { // What it cost is counted before what was reserved for it is given back.
			look.CredentialID, look.Requests = ask.credential.ID, ask.made
			err = errors.Join(err, posts.ChargeAccountLook(final, j.DB.DB, look, j.Now()), ask.end(final))
		}
		return ctx.Err() == nil, err
	})
}

// lookAtAccount asks the network for what an account wrote since. The asker is nil where
// none could be had.
func (j *Jobs) lookAtAccount(ctx context.Context, a *posts.Account) (posts.AccountLook, *asker) {
	look := posts.AccountLook{Key: a.Key}
	n := j.network(a.Network)
	author, ok := n.(networks.Author)
	if !ok {
		look.Why = "this network does not list an account's posts"
		return look, nil
	}
	pool := posts.Pool{Network: a.Network, Host: a.Host}
	ask, got, err := j.reserve(ctx, n, pool, 1, n.Info().Batch)
	switch {
	case err != nil:
		look.Why = err.Error()
		return look, nil
	case got == 0:
		look.Why = "no credential may be asked with now"
		return look, nil
	}
	ask.more, look.Charged = ask.each, n.Info().Charged // Another page has other posts.
	posts, err := readAccount(ctx, author, ask, a, &look)
	look.Shown = len(posts) // Also before it failed.
	if errors.Is(err, networks.ErrMore) {
		look.More, err = true, nil
	}
	if errors.Is(err, networks.ErrNoAccount) {
		look.Invalid, look.Why = true, "there is no such account"
		return look, ask
	}
	if err != nil {
		_, why, failed := ask.learn(context.WithoutCancel(ctx), networks.Quota{}, err)
		if look.Why = why; errors.Is(err, errNoQuota) {
			look.Why = errNoQuota.Error()
		}
		if failed != nil {
			j.Log.ErrorContext(ctx, "a credential could not be updated", "err", failed)
		}
		return look, ask
	}
	j.take(a, posts, &look)
	return look, ask
}

func readAccount(ctx context.Context, author networks.Author, ask *asker, a *posts.Account,
	look *posts.AccountLook) ([]networks.Post, error) {
	if look.Key == "" {
		key, err := author.Account(ctx, ask, ask.as(), a.Handle)
		if err != nil {
			return nil, err
		}
		look.Key = key
	}
	// After a long absence, what is older than one look reads is not followed.
	return author.Newer(ctx, ask, ask.as(), look.Key, a.NewestID)
}

// take notes the posts that were found, newest first.
func (j *Jobs) take(a *posts.Account, list []networks.Post, look *posts.AccountLook) {
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
		look.Posts = append(look.Posts, post)
	}
	if len(list) > 0 {
		look.Newest = list[0].ID
	}
}
