package jobs

import (
	"context"
	"errors"

	"laurel/jobs/networks"
	"laurel/models"
)

// FindPosts looks for new posts at members' accounts on networks that are due.
func (r *Runner) FindPosts(ctx context.Context) error {
	return untilIdle(ctx, func() (bool, error) {
		lease := r.lease(r.Now())
		a, ok, err := models.ClaimPostAccount(ctx, r.DB.DB, lease, lease.From)
		if err != nil || !ok {
			return false, err
		}
		look := r.lookAtAccount(ctx, &a)
		if ctx.Err() != nil {
			return false, nil // The lease ends by itself.
		}
		_, err = models.StoreAccountLook(context.WithoutCancel(ctx), r.DB.DB, &a, lease, look, r.Now())
		if errors.Is(err, models.ErrLeaseLost) {
			err = nil
		}
		return true, err
	})
}

// lookAtAccount asks the network for what an account wrote since.
func (r *Runner) lookAtAccount(ctx context.Context, a *models.PostAccount) models.AccountLook {
	look := models.AccountLook{Key: a.Key}
	n := r.network(a.Network)
	author, ok := n.(networks.Author)
	if !ok {
		look.Why = "this network does not list an account's posts"
		return look
	}
	pool := models.Pool{Network: a.Network, Host: a.Host}
	ask, got, err := r.reserve(ctx, n, pool, 1, n.Info().Batch)
	switch {
	case err != nil:
		look.Why = err.Error()
		return look
	case got == 0:
		look.Why = "no credential may be asked with now"
		return look
	}
	defer func() { // What was reserved and not used.
		if err := models.GiveBack(context.WithoutCancel(ctx), r.DB.DB, &ask.credential, ask.ahead); err != nil {
			r.Log.ErrorContext(ctx, "requests could not be given back", "err", err)
		}
	}()
	posts, err := readAccount(ctx, author, ask, a, &look)
	if errors.Is(err, networks.ErrMore) {
		look.More, err = true, nil
	}
	if errors.Is(err, networks.ErrNoAccount) {
		look.Invalid, look.Why = true, "there is no such account"
		return look
	}
	if err != nil {
		_, why, failed := ask.learn(context.WithoutCancel(ctx), networks.Quota{}, err)
		if look.Why = why; errors.Is(err, errNoQuota) {
			look.Why = errNoQuota.Error()
		}
		if failed != nil {
			r.Log.ErrorContext(ctx, "a credential could not be updated", "err", failed)
		}
		return look
	}
	r.take(a, posts, &look)
	return look
}

func readAccount(ctx context.Context, author networks.Author, ask *asker, a *models.PostAccount, look *models.AccountLook) ([]networks.Post, error) {
	if look.Key == "" {
		key, err := author.Account(ctx, ask, ask.as(), a.Handle)
		if err != nil {
			return nil, err
		}
		look.Key = key
	}
	return author.Newer(ctx, ask, ask.as(), look.Key, a.NewestID) // After a long absence, what is older than one look reads is not followed.
}

// take notes the posts that were found, newest first.
func (r *Runner) take(a *models.PostAccount, posts []networks.Post, look *models.AccountLook) {
	now := r.Now()
	for i := range posts {
		p := &posts[i]
		host := p.Host
		if host == "" {
			host = a.Host
		}
		if p.RepostOf != "" && r.Posts.Originals {
			continue // Somebody else's numbers.
		}
		post := models.NewPost{PostKey: models.PostKey{Network: a.Network, Host: host, ExternalID: p.ID}, MemberID: &a.MemberID, URL: p.URL}
		if created := p.CreatedAt; !created.IsZero() {
			if created.After(now) {
				created = now
			}
			post.CreatedAt = &created
		}
		look.Posts = append(look.Posts, post)
	}
	if len(posts) > 0 {
		look.Newest = posts[0].ID
	}
}
