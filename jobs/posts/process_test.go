package posts_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// So many ids within jobstest.PostsTTL are a load.
const postsLoad = 1000

func TestMain(m *testing.M) { jobstest.Main(m) }

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
	list := make([]posts.New, 0, n)
	for range n {
		created := now.Add(-time.Duration(rand.Int64N(int64(31 * 24 * time.Hour))))
		id := standin.PostID("x", created, len(s.ids)%4096)
		s.ids = append(s.ids, id)
		list = append(list, posts.New{Key: posts.Key{Network: "x", ExternalID: id}})
	}
	if _, err := posts.Add(s.t.Context(), s.w.DB.DB, list, now); err != nil {
		s.t.Fatal(err)
	}
}

func (s *postSoak) work(i int) {
	s.workers[i] = jobstest.Worker{DB: s.url, Outside: s.address, Rate: 1000, Clock: s.rate, Start: s.start}.Run(s.t)
}

// Posts of all ages, alone and in bursts, checked by four processes of which one
// is killed every few moments and one sleeps past its lease: none is lost, none is
// stored twice, and no quota is used beyond its end; in the long run each is looked
// at when its tier says, with full requests. What the stand-in saw is the judge.
func TestPostsOutliveTheirWorkers(t *testing.T) {
	t.Parallel()
	s := &postSoak{t: t, url: modelstest.URL(t), start: time.Now(), rate: 60, workers: make([]*exec.Cmd, 4)}
	posts, lasts, every := 4000, 7*time.Second, 2*time.Second
	if jobstest.Soak() {
		posts, lasts, every, s.rate = 100_000, 10*time.Minute, 5*time.Second, 300
	}
	db, err := pg.Open(t.Context(), s.url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	limits := map[string]standin.Limit{}
	if jobstest.Soak() {
		limits["x"] = standin.Limit{Requests: 3500, Window: 15 * time.Minute} // As X documents it: the budget lasts.
	}
	out := standin.New(standin.Options{Seed: 3, Now: s.now, Polls: true, Limits: limits})
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	r := jobstest.NewRunner(db, jobstest.NewClock(), srv.URL)
	r.Posts.Secret = jobstest.Secret()
	s.w, s.address = &postWorld{Jobs: &r.Posts, t: t, out: out, now: s.now()}, srv.URL
	s.w.credential("x", "", "one")
	s.w.credential("x", "", "two")
	for i := range s.workers {
		s.work(i)
	}
	kills := s.disturb(posts, lasts, every)
	jobstest.Until(t, "a look at every post", 5*time.Minute, func() bool {
		return jobstest.Count(t, db, `SELECT count(*) FROM posts WHERE fetches = 0 AND missing_count = 0 AND state = 'active'`) == 0
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
