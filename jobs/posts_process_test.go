package jobs_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"laurel/jobs"
	"laurel/jobs/networks"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// postsOfWorkers is what a process that runs the schedule knows of posts.
func postsOfWorkers(r *jobs.Runner, clockRate float64) {
	tiers, err := models.ParseTiers(models.DefaultTiers)
	if err != nil {
		panic(err)
	}
	secret, err := models.NewSecret("a secret of this test alone")
	if err != nil {
		panic(err)
	}
	r.Networks, r.Secret, r.ClockRate = networks.All(), secret, clockRate
	r.Posts = jobs.PostSettings{Tiers: tiers, BufferTTL: postsTTL}
}

const (
	// How long a post waits for others here: long enough for a full batch of what
	// is due all the time.
	postsTTL   = time.Minute
	postsClock = 300.0
	postsLease = 10 * time.Minute // Two real seconds.
	postsTick  = 2 * time.Second
	postsSlack = time.Second * postsClock // A busy second of this machine.
)

// A postSoak is many posts of all ages, followed by processes that are killed and
// stopped.
type postSoak struct {
	t       *testing.T
	w       *postWorld
	url     string
	address string
	start   time.Time
	ids     []string
	workers []*exec.Cmd
}

func (s *postSoak) now() time.Time {
	return modelstest.Noon.Add(time.Duration(float64(time.Since(s.start)) * postsClock)).Truncate(time.Microsecond)
}

// follow adds n posts of all ages up to a month.
func (s *postSoak) follow(n int) {
	s.t.Helper()
	now := s.now()
	posts := make([]models.NewPost, 0, n)
	for range n {
		created := now.Add(-time.Duration(rand.Int64N(int64(31 * 24 * time.Hour))))
		id := standin.PostID("x", created, len(s.ids)%4096)
		s.ids = append(s.ids, id)
		posts = append(posts, models.NewPost{PostKey: models.PostKey{Network: "x", ExternalID: id}})
	}
	if _, err := models.AddPosts(s.t.Context(), s.w.DB.DB, posts, now); err != nil {
		s.t.Fatal(err)
	}
}

func (s *postSoak) work(i int) {
	s.workers[i] = startWorker(s.t, s.url, s.address, 1000, postsClock, s.start)
}

// Posts of all ages, alone and in bursts, looked at by four processes of which one
// is killed every few moments and one sleeps past its lease: each is looked at as
// its tier says, none is lost, and no quota is used beyond its end. What the
// stand-in saw is the judge.
func TestPostsOutliveTheirWorkers(t *testing.T) {
	posts, lasts, every := 4000, 10*time.Second, 2500*time.Millisecond
	if soak() {
		posts, lasts, every = 100_000, 8*time.Minute, 5*time.Second
	}
	s := &postSoak{t: t, url: modelstest.URL(t), start: time.Now(), workers: make([]*exec.Cmd, 4)}
	db, err := models.Open(t.Context(), s.url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := standin.New(standin.Options{Seed: 3, Now: s.now, Looks: true})
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	r := newRunner(db, &clock{}, srv.URL)
	postsOfWorkers(r, postsClock)
	s.w, s.address = &postWorld{Runner: r, t: t, out: out, now: s.now()}, srv.URL
	s.w.credential("x", "", "one")
	s.w.credential("x", "", "two")
	for i := range s.workers {
		s.work(i)
	}
	kills := 0
	bursts := []int{posts / 2, posts / 2 * 9 / 10}
	for n, end := 1, s.start.Add(lasts); time.Now().Before(end); n++ {
		if len(bursts) > 0 && time.Since(s.start) > lasts/4*time.Duration(2-len(bursts)) {
			s.follow(bursts[0])
			bursts = bursts[1:]
		}
		for range 5 {
			if len(s.ids) < posts {
				s.follow(1)
			}
		}
		<-time.After(every / 5)
		if n%5 > 0 {
			continue
		}
		i := rand.IntN(len(s.workers))
		if kills%3 == 2 { // It sleeps past its lease, and goes on.
			_ = s.workers[i].Process.Signal(syscall.SIGSTOP)
			<-time.After(3 * time.Second)
			_ = s.workers[i].Process.Signal(syscall.SIGCONT)
		} else {
			_ = s.workers[i].Process.Kill()
			_ = s.workers[i].Wait()
			s.work(i)
		}
		kills++
	}
	ended := s.now()
	for _, cmd := range s.workers {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	}
	s.judge(out, ended, kills)
}

// judge compares what the stand-in saw with the tiers.
func (s *postSoak) judge(out *standin.Server, ended time.Time, kills int) {
	t, tiers := s.t, s.w.Posts.Tiers
	stored := map[string]models.Post{}
	for _, p := range s.w.posts("true") {
		stored[p.ExternalID] = p
	}
	var late []time.Duration
	never, early, twice, looks := 0, 0, 0, 0
	for _, id := range s.ids {
		p, seen := stored[id], out.Looks("x", id)
		looks += len(seen)
		if p.Looks > len(seen) {
			twice++
		}
		if truth, _ := out.PostAt("x", id, ended); truth.State != "shown" || !truth.Hidden.IsZero() || p.MissingCount > 0 {
			continue // Looked at as what is missing is.
		}
		due := p.AddedAt
		for _, at := range seen {
			at = at.Add(time.Second - 1) // It counts whole seconds.
			if due.IsZero() || at.Before(due.Add(-postsSlack-tierOf(tiers, p, at)/8)) {
				early++
			} else {
				late = append(late, at.Sub(due))
			}
			due = time.Time{}
			// It was stored a moment later, perhaps on the other side of a border.
			if next, ok := tiers.Next(p.CreatedAt, at.Add(postsSlack), models.Pace{Stretch: 1}, 0); ok {
				due = next
			}
		}
		if !due.IsZero() && ended.Sub(due) > postsTTL+postsTick+2*postsLease {
			never++
			t.Logf("%s: %s, created %s, added %s, seen %v, due %s, next %v, leased until %v, attempts %d, %q", id, p.State, p.CreatedAt, p.AddedAt, seen, due, p.NextUpdateAt, p.LeasedUntil, p.Attempts, p.LastError)
		}
	}
	slices.Sort(late)
	at := func(q float64) time.Duration { return late[int(q*float64(len(late)-1))].Round(time.Second) }
	requests, ids, full := out.Batches("x")
	t.Logf("%d posts, %d looks over %s, %d kills and sleeps; late p50 %s p90 %s p99 %s max %s; %d early or again; %d requests of %.1f ids, %d full; over quota %d",
		len(s.ids), looks, ended.Sub(modelstest.Noon).Round(time.Minute), kills, at(.5), at(.9), at(.99), at(1), early, requests, float64(ids)/float64(requests), full, out.OverQuota("x"))
	if never > 0 || twice > 0 || len(stored) != len(s.ids) {
		t.Errorf("%d posts were due and not looked at, %d were stored more often than looked at, %d of %d are there", never, twice, len(stored), len(s.ids))
	}
	if out.OverQuota("x") > 0 {
		t.Errorf("%d requests were beyond the quota", out.OverQuota("x"))
	}
	if limit := kills * 100 * 5 * 2; early > limit {
		t.Errorf("%d looks were too early, more than the %d that %d deaths excuse", early, limit, kills)
	}
	if n := float64(ids) / float64(requests); soak() && n < 95 { // A few posts do not fill requests.
		t.Errorf("%.1f ids a request", n)
	}
	const slack = postsSlack
	if limit := postsTTL + postsTick + slack; at(.9) > limit {
		t.Errorf("one of ten looks was more than %s late", limit)
	}
	if limit := postsTTL + postsTick + 2*postsLease + 3*slack; at(1) > limit {
		t.Errorf("a look was %s late; a lease is %s", at(1), postsLease)
	}
}

func tierOf(tiers models.Tiers, p models.Post, at time.Time) time.Duration {
	tier, ok := tiers.Of(at.Sub(p.CreatedAt))
	if !ok {
		return tiers[len(tiers)-1].Every
	}
	return tier.Every
}
