// Package posts fetches what the networks show of posts that are due, and finds new
// posts at members' accounts.
package posts

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/polite"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// Jobs keep the numbers of posts fresh.
type Jobs struct {
	DB        *pg.DB
	Now       func() time.Time
	Log       *slog.Logger
	Client    *polite.Client
	Networks  []networks.Network
	Secret    pg.Secret
	ClockRate float64 // How many seconds of Now pass in one.
	Settings
}

// Settings are what an admin decides about posts.
type Settings struct {
	Tiers     posts.Tiers
	BufferTTL time.Duration // How long the oldest post of a batch that is not full waits.
	// Originals looks at the original of a repost instead: a repost has no numbers
	// of its own.
	Originals bool
}

const (
	// Requests that are made before what they showed is stored, all at once; fewer
	// where they take longer than a sixth of the lease.
	requestsAtOnce = 10
	// Such rounds of a pool that are stored at the same time: while one waits for
	// its turn in the archive, another's posts are written.
	storesAtOnce = 2
	// Pools of a network that a process looks at at the same time, and rounds of them
	// all that it stores at the same time.
	poolsAtOnce = 8
	postLease   = 2 * time.Minute
	// However fast the clock runs, a lease outlasts some requests.
	postLeaseReal = 2 * time.Second
)

// LookAtPosts looks at the posts of a network that are due, of all pools that have
// some.
func (j *Jobs) LookAtPosts(ctx context.Context, n networks.Network) error {
	pools, err := posts.ReadyPools(ctx, j.DB.DB, n.Info().Name, n.Info().Batch, j.BufferTTL, j.Now())
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, len(pools))
	free, storing := make(chan struct{}, poolsAtOnce), make(chan struct{}, poolsAtOnce)
	for i := range pools {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			l := &postLook{Jobs: j, network: n, pool: pools[i], storing: storing, requests: requestsAtOnce}
			errs[i] = l.run(ctx)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// MeasurePosts sets the pace of the looks.
func (j *Jobs) MeasurePosts(ctx context.Context) error {
	batches := map[string]int{}
	for _, n := range j.Networks {
		batches[n.Info().Name] = n.Info().Batch
	}
	return posts.MeasurePools(ctx, j.DB.DB, j.Tiers, batches, j.Now())
}

func (j *Jobs) network(name string) networks.Network {
	for _, n := range j.Networks {
		if n.Info().Name == name {
			return n
		}
	}
	return nil
}

// lease is a new claim on posts.
func (j *Jobs) lease(now time.Time) posts.Lease {
	d := max(postLease, time.Duration(float64(postLeaseReal)*max(j.ClockRate, 1)))
	return posts.Lease{ID: rand.Int64(), From: now, Until: now.Add(d)}
}

// A postLook looks at the posts of a pool.
type postLook struct {
	*Jobs
	network networks.Network
	pool    posts.ReadyPool
	storing chan struct{} // Holds who is storing.

	requests int // Of a round.
}

// batch is how many posts a request may name.
func (l *postLook) batch() int {
	if l.pool.Batch > 0 {
		return min(l.pool.Batch, l.network.Info().Batch)
	}
	return l.network.Info().Batch
}

// run looks at what is due until nothing is. What was seen is stored while the next
// requests are made, so the network and the database wait for each other only where
// storesAtOnce rounds are being stored.
func (l *postLook) run(ctx context.Context) error {
	stored := make(chan error, storesAtOnce)
	for range storesAtOnce {
		stored <- nil
	}
	var failed error
	for more := true; more && ctx.Err() == nil; {
		round, again, err := l.ask(ctx)
		failed = errors.Join(failed, err, <-stored)
		more = again && failed == nil
		if round == nil {
			stored <- nil
			break
		}
		go func() {
			l.storing <- struct{}{}
			defer func() { <-l.storing }()
			// What was seen is stored also when we are told to stop.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
			defer cancel()
			stored <- round.end(ctx)
		}()
	}
	for range storesAtOnce {
		failed = errors.Join(failed, <-stored)
	}
	return failed
}

// ask reserves requests, claims posts for them, and makes them. The round is nil
// where there is nothing to ask for; more says that there may be after it.
func (l *postLook) ask(ctx context.Context) (round *postRound, more bool, err error) {
	batch := l.batch()
	ask, got, err := l.reserve(ctx, l.network, l.pool.Pool, l.requests, batch)
	if err != nil || got == 0 {
		return nil, false, err
	}
	lease := l.lease(l.Now())
	list, err := posts.Claim(ctx, l.DB.DB, l.pool.Pool, batch, got, l.BufferTTL, lease, lease.From)
	used := (len(list) + batch - 1) / batch
	round = &postRound{postLook: l, ask: ask, lease: lease, names: map[int64]string{}}
	if err == nil {
		err = ask.giveBack(ctx, got-used)
	}
	if err != nil || len(list) == 0 {
		round.unseen = list
		return nil, false, errors.Join(err, round.release(ctx), ask.end(ctx))
	}
	if late := round.look(ctx, list); late > 0 { // From now on no more than could be made.
		l.requests = max(used-(late+batch-1)/batch, 1)
		err = round.release(ctx)
	}
	// What is left of a full batch is claimed when it fills the next one, or has waited.
	return round, len(list) >= batch && round.stop == nil, err
}

// LookEvery is how often posts that are due are looked for, on the clock.
const LookEvery = 2 * time.Second
