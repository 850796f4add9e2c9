package simulate_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"
)

const (
	day      = 24 * time.Hour
	before   = 365 // Days of history that are known when the simulation begins.
	settling = 15  // Days that are simulated and not counted.
)

var begin = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// A life is what somebody does on one site: instants in seconds from begin, oldest first.
type life struct {
	at     []int64
	visits []int64 // When he was on the site without submitting anything.
}

// active says whether somebody submits anything from now on.
func (l *life) active() bool { return l.at[len(l.at)-1] >= 0 }

// withActive returns how many of the first there must be for so many active ones to be among them; all of them, if they are fewer.
func withActive(lives []life, active int) int {
	for i := range lives {
		if lives[i].active() {
			active--
		}
		if active == 0 {
			return i + 1
		}
	}
	return len(lives)
}

// newest returns when somebody submitted last, before t or at t; before all time where he never did.
func (l *life) newest(t int64) int64 {
	if n := until(l.at, t); n > 0 {
		return l.at[n-1]
	}
	return math.MinInt64 / 2
}

const (
	stays  = 2 * 3600 // For how long, in seconds, somebody is on the site at most after a submission.
	margin = 600      // By how much what is said of that is put later, as for the real site.
)

// seen returns when somebody was on the site last, before t or at t: for a while after a submission, which is any
// part of the longest as likely as another.
func (l *life) seen(t int64) int64 {
	at := l.newest(t)
	at += int64(uint64(at) * 2654435761 % stays)
	if n := until(l.visits, t); n > 0 {
		at = max(at, l.visits[n-1])
	}
	return min(at, t) + margin
}

// until returns how many of the instants are before t or at t.
func until(at []int64, t int64) int {
	n, found := slices.BinarySearch(at, t)
	for found && n < len(at) && at[n] == t {
		n++
	}
	return n
}

// readTraces reads the real submission times, by account.
func readTraces(t *testing.T) (traces [][]int64) {
	t.Helper()
	text, err := os.ReadFile("../../../shared/recorded/judges/traces.json")
	if err != nil {
		t.Skip("the real traces are not here: ", err)
	}
	var file struct{ Traces []struct{ Times []int64 } }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, tr := range file.Traces {
		slices.Sort(tr.Times)
		traces = append(traces, tr.Times)
	}
	return traces
}

// active is a stretch of a trace in which something is submitted, put to the simulated
// days on a whole week, so that weekdays stay, and moved by the hours of a zone.
func active(r *rand.Rand, traces [][]int64, days int, zone time.Duration) life {
	const week = 7 * 86400
	for {
		tr := traces[r.IntN(len(traces))]
		first, last := tr[0]-int64(days)*86400, tr[len(tr)-1]
		from := (first + r.Int64N(last-first)) / week * week
		shift := from - int64(zone/time.Second)
		var l life
		for _, at := range tr {
			if x := at - shift; x >= -before*86400 && x < int64(days)*86400 {
				l.at = append(l.at, x)
			}
		}
		if until(l.at, int64(days)*86400) > until(l.at, -1) {
			l.visit(r)
			return l
		}
	}
}

// visit adds the days on which somebody only reads: for each day with submissions
// another one, within the week; for LAUREL_SIMULATE_VISITS of a hundred, if that is set.
func (l *life) visit(r *rand.Rand) {
	last, percent := int64(-1<<40), number("LAUREL_SIMULATE_VISITS", 100)
	for _, at := range l.at {
		if at/86400 == last/86400 {
			continue
		}
		last = at
		if on := at + 86400 + r.Int64N(6*86400); r.IntN(100) < percent {
			l.visits = append(l.visits, on)
		}
	}
	slices.Sort(l.visits)
}

// dormant is somebody who submitted something long ago.
func dormant(r *rand.Rand) life {
	return life{at: []int64{-(90 + r.Int64N(1000)) * 86400}}
}
