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
	// Originals polls the original of a repost instead: a repost has no numbers
	// of its own.
	Originals bool
}

const (
	// Requests that are made before what they showed is stored, all at once; fewer
	// where they take longer than a sixth of the lease.
	requestsAtOnce = 10
	// Such batches of a pool that are stored at the same time: while one waits for
	// the archive, another's posts are written.
	storesAtOnce = 2
	// Pools of a network that a process polls at the same time, and batches of them
	// all that it stores at the same time.
	poolsAtOnce = 8
	postLease   = 2 * time.Minute
	// However fast the clock runs, a lease outlasts some requests.
	postLeaseReal = 2 * time.Second
)

// Poll fetches the metrics of the posts of a network that are due, of all pools that have
// some.
func (j *Jobs) Poll(ctx context.Context, n networks.Network) error {
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
			l := &poller{Jobs: j, network: n, pool: pools[i], storing: storing, requests: requestsAtOnce}
			errs[i] = l.run(ctx)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Measure sets by how much polls are slowed down.
func (j *Jobs) Measure(ctx context.Context) error {
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

// A poller fetches the metrics of the posts of a pool.
type poller struct {
	*Jobs
	network networks.Network
	pool    posts.ReadyPool
	storing chan struct{} // Holds who is storing.

	requests int // Of a batch.
}

// batchSize is how many posts a request may name.
func (l *poller) batchSize() int {
	if l.pool.Batch > 0 {
		return min(l.pool.Batch, l.network.Info().Batch)
	}
	return l.network.Info().Batch
}

// run polls what is due until nothing is. What was seen is stored while the next
// requests are made, so the network and the database wait for each other only where
// storesAtOnce batches are being stored.
func (l *poller) run(ctx context.Context) error {
	stored := make(chan error, storesAtOnce)
	for range storesAtOnce {
		stored <- nil
	}
	var failed error
	for more := true; more && ctx.Err() == nil; {
		b, again, err := l.ask(ctx)
		failed = errors.Join(failed, err, <-stored)
		more = again && failed == nil
		if b == nil {
			stored <- nil
			break
		}
		go func() {
			l.storing <- struct{}{}
			defer func() { <-l.storing }()
			// What was seen is stored also when Laurel is stopped.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
			defer cancel()
			stored <- b.end(ctx)
		}()
	}
	for range storesAtOnce {
		failed = errors.Join(failed, <-stored)
	}
	return failed
}

// ask reserves requests, claims posts for them, and makes them. The batch is nil
// where there is nothing to ask for; more says that there may be after it.
func (l *poller) ask(ctx context.Context) (b *batch, more bool, err error) {
	size := l.batchSize()
	client, got, err := l.reserve(ctx, l.network, l.pool.Pool, l.requests, size)
	if err != nil || got == 0 {
		return nil, false, err
	}
	lease := l.lease(l.Now())
	list, err := posts.Claim(ctx, l.DB.DB, l.pool.Pool, posts.Want{Batch: size, Requests: got, TTL: l.BufferTTL}, lease, lease.From)
	used := (len(list) + size - 1) / size
	b = &batch{poller: l, client: client, lease: lease, names: map[int64]string{}}
	if err == nil {
		err = client.refund(ctx, got-used)
	}
	if err != nil || len(list) == 0 {
		b.unseen = list
		return nil, false, errors.Join(err, b.release(ctx), client.end(ctx))
	}
	if late := b.poll(ctx, list); late > 0 { // From now on no more than could be made.
		l.requests = max(used-(late+size-1)/size, 1)
		err = b.release(ctx)
	}
	// What is left of a full batch is claimed when it fills the next one, or has waited.
	return b, len(list) >= size && b.stop == nil, err
}

// PollEvery is how often posts that are due are claimed, on the clock.
const PollEvery = 2 * time.Second
