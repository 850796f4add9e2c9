package main

import (
	"context"
	"errors"
	"time"

	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/posts"
)

// mastodonHere is where the sample people have their Mastodon accounts.
const mastodonHere = "social.sample.invalid"

// postingPeople is how many of the sample people have linked their accounts on
// networks.
const postingPeople = 6

// settlePosts links sample people with their accounts on networks, and gives X
// the credential that it wants.
func (b *base) settlePosts(ctx context.Context, people []standin.Person) error {
	now := b.clock.now()
	for _, p := range people[:min(postingPeople, len(people))] {
		m, err := members.ByName(ctx, b.db.DB, p.Name)
		if err != nil {
			return err
		}
		for _, n := range modelNetworks() {
			a := posts.Account{MemberID: m.ID, Network: n.Name, Handle: p.Networks[n.Name]}
			if n.Hosts {
				a.Host = mastodonHere
			}
			if err := posts.AddAccount(ctx, b.db.DB, a, now); err != nil {
				return err
			}
			if n.NeedsToken {
				budget := int64(20_000)
				c := posts.NewCredential{Network: n.Name, Name: "the demo", Token: "demo", Quota: n.Requests, Window: n.Window,
					MonthlyPosts: &budget}
				if _, err := posts.SaveCredential(ctx, b.db.DB, c, b.secret(), now); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// posts finds and looks at what was due so long ago, without waiting for batches
// to fill.
func (p *past) posts(ctx context.Context, ago time.Duration) error {
	p.back.Store(int64(ago))
	r := &p.before(ago).runner().Posts
	r.BufferTTL = 0
	errs := []error{r.FindNew(ctx)}
	for _, n := range r.Networks {
		errs = append(errs, r.Poll(ctx, n))
	}
	return errors.Join(append(errs, r.Measure(ctx))...)
}

// recentPosts looks more often at the last days, for it is the young posts whose
// numbers grow, and so that their curves have no gaps.
func (p *past) recentPosts(ctx context.Context) error {
	for _, part := range []struct{ from, until, every time.Duration }{
		{9 * 24 * time.Hour, 48 * time.Hour, 12 * time.Hour}, {48 * time.Hour, 6 * time.Hour, 3 * time.Hour},
		{6 * time.Hour, time.Hour, time.Hour}, {time.Hour, 0, 6 * time.Minute},
	} {
		for ago := part.from; ago > part.until; ago -= part.every {
			if err := p.posts(ctx, ago); err != nil {
				return err
			}
		}
	}
	return nil
}
