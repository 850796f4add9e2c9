package posts_test

import (
	"slices"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// judge compares what the stand-in saw with the tiers.
func (s *postSoak) judge(out *standin.Server, ended time.Time, kills int) {
	t := s.t
	stored := map[string]posts.Post{}
	for _, p := range s.w.posts("true") {
		stored[p.ExternalID] = p
	}
	twice := 0
	for _, id := range s.ids {
		if stored[id].Fetches > len(out.PolledAt("x", id)) {
			twice++
		}
	}
	requests, ids, full := out.Batches("x")
	t.Logf("%d posts, %s, %d kills and sleeps; %d requests of %.1f ids, %d full; over quota %d",
		len(s.ids), ended.Sub(modelstest.Noon).Round(time.Minute), kills, requests, float64(ids)/float64(requests), full, out.OverQuota("x"))
	if twice > 0 || len(stored) != len(s.ids) {
		t.Errorf("%d posts were stored more often than looked at, %d of %d are there", twice, len(stored), len(s.ids))
	}
	if out.OverQuota("x") > 0 {
		t.Errorf("%d requests were beyond the quota", out.OverQuota("x"))
	}
	if jobstest.Soak() { // How fast it is depends on what else the machine does.
		s.judgeTimes(out, stored, ended, kills)
		requests, ids = out.BatchesUnderLoad("x", jobstest.PostsTTL, postsLoad)
		t.Logf("under load %d requests of %.1f ids", requests, float64(ids)/float64(requests))
		if float64(ids) < 95*float64(requests) {
			t.Error("requests under load are not full")
		}
	}
}

// judgeTimes holds the looks against the tiers. A second of this machine is some
// minutes on the clock, so while the machine is at a burst, looks may wait until it is
// through with that.
func (s *postSoak) judgeTimes(out *standin.Server, stored map[string]posts.Post, ended time.Time, kills int) {
	t, slack, lease := s.t, s.real(time.Second), s.real(2*time.Second)
	through := s.throughBursts(out)
	var late, busy, beside []time.Duration // Beside: due while the machine was at posts that had come later.
	never, early := 0, 0
	for n, id := range s.ids {
		p := stored[id]
		if truth, _ := out.PostAt("x", id, ended); truth.State != "shown" || !truth.Hidden.IsZero() || p.MissingCount > 0 {
			continue // Looked at as what is missing is.
		}
		due, looks, again := s.judgePost(p, out.PolledAt("x", id))
		for _, l := range looks {
			switch from, end := through(l.due); {
			case end.IsZero():
				late = append(late, l.at.Sub(l.due))
			case n < from:
				beside = append(beside, l.at.Sub(l.due))
			default:
				busy = append(busy, l.at.Sub(end))
			}
		}
		early += again
		if !due.IsZero() && ended.Sub(due) > jobstest.PostsTTL+2*lease+slack {
			never++
			t.Logf("%s: %s, created %s, added %s, due %s, next %v, leased until %v, attempts %d, %q", id, p.State, p.CreatedAt, p.AddedAt, due, p.NextUpdateAt, p.LeasedUntil, p.Attempts, p.LastError)
		}
	}
	if never > 0 {
		t.Errorf("%d posts were due and not looked at", never)
	}
	t.Logf("%d looks were early or again", early)
	if limit := kills * 100 * 10 * 3; early > limit { // Two rounds of ten requests that are being stored, and one that is made.
		t.Errorf("%d looks were too early, more than the %d that %d deaths excuse", early, limit, kills)
	}
	for _, looks := range []struct {
		what string
		late []time.Duration
		wait time.Duration
	}{{"looks", late, 0}, {"looks at a burst's posts, after its end", busy, 0}, {"other looks due during bursts", beside, s.real(burstTakes)}} { // Those are in one line with the burst's.
		slices.Sort(looks.late)
		at := func(q float64) time.Duration { return looks.late[int(q*float64(len(looks.late)-1))].Round(time.Second) }
		t.Logf("%d %s: late p50 %s p90 %s p95 %s p99 %s max %s", len(looks.late), looks.what, at(.5), at(.9), at(.95), at(.99), at(1))
		if limit := jobstest.PostsTTL + slack + looks.wait; at(.95) > limit {
			t.Errorf("%s: one of twenty was more than %s late", looks.what, limit)
		}
		if limit := jobstest.PostsTTL + 2*lease + 3*slack + looks.wait; at(1) > limit {
			t.Errorf("%s: one was %s late; a lease is %s", looks.what, at(1), lease)
		}
	}
}

// throughBursts returns a function that says of a moment with which post the burst began that
// the machine was at then, and until when it was; zero where it was at none. It is through when 99 of 100 of its posts were
// checked: a lease that somebody died with takes longer than the burst.
func (s *postSoak) throughBursts(out *standin.Server) func(time.Time) (from int, end time.Time) {
	ends := make([]time.Time, len(s.bursts))
	for i, b := range s.bursts {
		var firsts []time.Time
		for _, id := range s.ids[b.from:b.to] {
			if looks := out.PolledAt("x", id); len(looks) > 0 {
				firsts = append(firsts, looks[0])
			}
		}
		slices.SortFunc(firsts, time.Time.Compare)
		ends[i] = firsts[len(firsts)*99/100]
		took := ends[i].Sub(b.at)
		real := time.Duration(float64(took) / s.rate)
		s.t.Logf("a burst of %d posts took %s of this machine, %s on the clock", b.to-b.from, real.Round(time.Millisecond), took.Round(time.Second))
		if real > burstTakes {
			s.t.Errorf("a burst took more than %s", burstTakes)
		}
	}
	return func(at time.Time) (from int, end time.Time) {
		for i, b := range s.bursts {
			if !at.Before(b.at) && at.Before(ends[i]) {
				return b.from, ends[i]
			}
		}
		return 0, time.Time{}
	}
}

// burstTakes is thrice what two cores take for 50,000 posts, of which other processes are
// killed meanwhile.
const burstTakes = 18 * time.Second

// A judgedLook is when a check was due, and when it was made.
type judgedLook struct{ due, at time.Time }

// judgePost returns the checks of a post, how many came too early, and when the next is
// due; zero where none is.
func (s *postSoak) judgePost(p posts.Post, seen []time.Time) (due time.Time, looks []judgedLook, early int) {
	tiers, slack := s.w.Tiers, s.real(time.Second)
	due = p.AddedAt
	for _, at := range seen {
		at = at.Add(time.Second - 1) // It counts whole seconds.
		if due.IsZero() || at.Before(due.Add(-slack-tierOf(tiers, p, at)/8)) {
			early++
		} else {
			looks = append(looks, judgedLook{due, at})
		}
		due = time.Time{}
		// It was stored a moment later, perhaps on the other side of a border.
		if next, ok := tiers.Next(p.CreatedAt, at.Add(slack), posts.Pace{Slowdown: 1}, 0); ok {
			due = next
		}
	}
	return due, looks, early
}

func tierOf(tiers posts.Tiers, p posts.Post, at time.Time) time.Duration {
	tier, ok := tiers.Of(at.Sub(p.CreatedAt))
	if !ok {
		return tiers[len(tiers)-1].Every
	}
	return tier.Every
}
