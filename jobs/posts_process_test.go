package jobs_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
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
	postsTTL = time.Minute
	// So many ids within postsTTL are a load.
	postsLoad = 1000
)

// A postSoak is many posts of all ages, followed by processes that are killed and
// stopped.
type postSoak struct {
	t       *testing.T
	w       *postWorld
	url     string
	address string
	start   time.Time
	rate    float64 // How fast the clock runs.
	ids     []string
	bursts  []postBurst
	workers []*exec.Cmd
}

// A postBurst is many posts that came at once: those from the nth on.
type postBurst struct {
	at       time.Time
	from, to int
}

// real is some real time on the clock.
func (s *postSoak) real(d time.Duration) time.Duration { return time.Duration(float64(d) * s.rate) }

func (s *postSoak) now() time.Time {
	return modelstest.Noon.Add(s.real(time.Since(s.start))).Truncate(time.Microsecond)
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
	s.workers[i] = startWorker(s.t, s.url, s.address, 1000, s.rate, s.start)
}

// Posts of all ages, alone and in bursts, looked at by four processes of which one
// is killed every few moments and one sleeps past its lease: none is lost, none is
// stored twice, and no quota is used beyond its end; in the long run each is looked
// at when its tier says, with full requests. What the stand-in saw is the judge.
func TestPostsOutliveTheirWorkers(t *testing.T) {
	t.Parallel()
	s := &postSoak{t: t, url: modelstest.URL(t), start: time.Now(), rate: 60, workers: make([]*exec.Cmd, 4)}
	posts, lasts, every := 4000, 7*time.Second, 2*time.Second
	if soak() {
		posts, lasts, every, s.rate = 100_000, 10*time.Minute, 5*time.Second, 300
	}
	db, err := models.Open(t.Context(), s.url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	limits := map[string]standin.Limit{}
	if soak() {
		limits["x"] = standin.Limit{Requests: 3500, Window: 15 * time.Minute} // As X documents it: the budget lasts.
	}
	out := standin.New(standin.Options{Seed: 3, Now: s.now, Looks: true, Limits: limits})
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	r := newRunner(db, &clock{}, srv.URL)
	postsOfWorkers(r, s.rate)
	s.w, s.address = &postWorld{Runner: r, t: t, out: out, now: s.now()}, srv.URL
	s.w.credential("x", "", "one")
	s.w.credential("x", "", "two")
	for i := range s.workers {
		s.work(i)
	}
	kills := s.disturb(posts, lasts, every)
	until(t, "a look at every post", 5*time.Minute, func() bool {
		return count(t, db, `SELECT count(*) FROM posts WHERE looks = 0 AND missing_count = 0 AND state = 'active'`) == 0
	})
	ended := s.now()
	for _, cmd := range s.workers {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	}
	s.judge(out, ended, kills)
}

// disturb adds posts for a while, in two bursts and one by one, and every few
// moments kills a worker or lets it sleep. It returns how often.
func (s *postSoak) disturb(posts int, lasts, every time.Duration) (kills int) {
	bursts := []int{posts / 2, posts / 2 * 9 / 10}
	for n, end := 1, s.start.Add(lasts); time.Now().Before(end); n++ {
		if len(bursts) > 0 && time.Since(s.start) > lasts/4*time.Duration(2-len(bursts)) {
			s.bursts = append(s.bursts, postBurst{s.now(), len(s.ids), len(s.ids) + bursts[0]})
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
	return kills
}
