package retrieval_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestWait(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ delay, want int }{{0, 1}, {4, 1}, {5, 2}, {9, 2}, {10, 3}, {14, 3}, {54, 11}, {55, 12}, {365, 12}} {
		a := members.Account{Schedule: members.Schedule{Delay: tt.delay}}
		if got := retrieval.Wait(&a); got != tt.want {
			t.Errorf("Wait with delay %d = %d, want %d", tt.delay, got, tt.want)
		}
	}
}

// The dry run of the seed: a member who submits nothing is fetched daily until
// the delay is 5, then on alternate days until 10, then every third day; and one
// submission begins it all again.
func TestSeedDryRun(t *testing.T) {
	t.Parallel()
	a := members.Account{ID: 7, Schedule: members.Schedule{LastRetrievedAt: ptr(modelstest.Noon)}} // "We fetched details of one user yesterday."
	var fetchedOn []int
	for day := 1; day <= 30; day++ {
		now := modelstest.Noon.AddDate(0, 0, day)
		next, reason := retrieval.Plan(&a, nil, policy(now))
		due := !pg.CivilDay(next, time.UTC).After(pg.CivilDay(now, time.UTC))
		if skip := retrieval.Skip(&a, time.UTC, pg.CivilDay(now, time.UTC)); skip == due || reason != retrieval.ReasonQuiet {
			t.Fatalf("day %d: passed over %t, and due %s (%s)", day, skip, next, reason)
		}
		if !due {
			continue
		}
		a.StartedAt = &now
		if day == 27 {
			a.NewRows = 3 // He submits.
		}
		retrieval.Apply(&a, retrieval.Result{Outcome: pg.OutcomeOK}, now)
		fetchedOn = append(fetchedOn, day)
	}
	want := []int{1, 2, 3, 4, 5, 7, 9, 11, 13, 15, 18, 21, 24, 27, 28, 29, 30}
	if len(fetchedOn) != len(want) {
		t.Fatalf("fetched on days %v, want %v", fetchedOn, want)
	}
	for i := range want {
		if fetchedOn[i] != want[i] {
			t.Fatalf("fetched on days %v, want %v", fetchedOn, want)
		}
	}
}

// The moment of the next fetch lies in the first day that the rule does not skip,
// in the member's zone, whatever its clock does that day.
func TestNextFetchAgreesWithSkip(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"UTC", "Asia/Kolkata", "America/New_York", "Europe/Riga", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Australia/Lord_Howe", "America/Sao_Paulo"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for id := int64(1); id <= 50; id++ {
			last := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(id) * 173 * time.Hour)
			a := members.Account{ID: id, Schedule: members.Schedule{Delay: int(id % 23), LastRetrievedAt: &last}}
			next, _ := retrieval.Plan(&a, nil, retrieval.Policy{Zone: loc, Rate: 1, Now: last})
			if retrieval.Skip(&a, loc, pg.CivilDay(next, loc)) {
				t.Errorf("%s, account %d: the fetch at %s is skipped by the rule", zone, id, next.In(loc))
			}
			if !retrieval.Skip(&a, loc, pg.CivilDay(next, loc).AddDate(0, 0, -1)) {
				t.Errorf("%s, account %d: the rule would have looked a day before %s", zone, id, next.In(loc))
			}
		}
	}
}

func TestDueAccountsAreSpreadOverTheirHour(t *testing.T) {
	t.Parallel()
	var tenths [6]int
	for id := int64(1); id <= 600; id++ {
		a := members.Account{ID: id, Schedule: members.Schedule{LastRetrievedAt: ptr(modelstest.Noon)}}
		next, _ := retrieval.Plan(&a, nil, policy(modelstest.Noon))
		tenths[next.Minute()/10]++
	}
	for i, n := range tenths {
		if n < 60 || n > 150 {
			t.Errorf("%d of 600 accounts are due from minute %d on, want about 100", n, 10*i)
		}
	}
}

// Only ok moves the cursor's company: delay, last_retrieved and complete_until.
func TestApplyFailures(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{pg.OutcomeBlocked, pg.OutcomeRateLimited, pg.OutcomeServerError, pg.OutcomeParseError, pg.OutcomeUnreachable} {
		before := members.Account{ID: 1, Schedule: members.Schedule{State: members.StateActive, Delay: 7, LastRetrievedAt: ptr(modelstest.Noon)}, Coverage: members.Coverage{CompleteUntil: ptr(modelstest.Noon)}, Stats: members.Stats{NewRows: 2}}
		a, now := before, modelstest.Noon.Add(time.Hour)
		var pauses []time.Duration
		for range 10 {
			a.StartedAt = &now
			retrieval.Apply(&a, retrieval.Result{Outcome: outcome, Message: "why"}, now)
			due, reason := retrieval.Plan(&a, nil, policy(now))
			if reason != retrieval.ReasonRetry {
				t.Errorf("%s is planned as %s", outcome, reason)
			}
			pauses, now = append(pauses, due.Sub(now)), due
		}
		if a.Delay != before.Delay || a.LastRetrievedAt != before.LastRetrievedAt || a.CompleteUntil != before.CompleteUntil || a.NewRows != 2 || a.State != before.State {
			t.Errorf("%s moved what only ok may move: %+v", outcome, a)
		}
		if a.Outcome != outcome || a.Message != "why" || a.Failures != 10 || a.FailingSince == nil || !a.FailingSince.Equal(modelstest.Noon.Add(time.Hour)) {
			t.Errorf("%s is not shown: outcome %s, message %q, failures %d since %v", outcome, a.Outcome, a.Message, a.Failures, a.FailingSince)
		}
		for i := 1; i < len(pauses); i++ {
			if pauses[i] < pauses[i-1] || pauses[i] > 31*time.Hour {
				t.Errorf("%s: pauses %v do not grow to a day", outcome, pauses)
			}
		}
	}
}

func TestPlanBelievesRetryAfter(t *testing.T) {
	t.Parallel()
	a, at := members.Account{ID: 1}, modelstest.Noon.Add(50*time.Minute)
	retrieval.Apply(&a, retrieval.Result{Outcome: pg.OutcomeRateLimited, RetryAt: at}, modelstest.Noon)
	if due, _ := retrieval.Plan(&a, []retrieval.Evidence{{Source: retrieval.SourceRetryAfter, SeenAt: at}}, policy(modelstest.Noon)); !due.Equal(at) {
		t.Errorf("due at %s, want %s", due, at)
	}
}

// A handle is believed not to exist at the second proof, asked again on a
// growing schedule, and healed when it appears.
func TestApplyNotFound(t *testing.T) {
	t.Parallel()
	a, now := members.Account{ID: 1, Schedule: members.Schedule{State: members.StateNew, Delay: 3}}, modelstest.Noon
	var states []string
	var days []int
	for range 9 {
		retrieval.Apply(&a, retrieval.Result{Outcome: pg.OutcomeNotFound}, now)
		due, _ := retrieval.Plan(&a, nil, policy(now))
		states, days = append(states, a.State), append(days, int(due.Sub(now).Hours()/24))
		now = due
	}
	if states[0] != members.StateNew || states[1] != members.StateInvalid || a.Delay != 3 || a.LastRetrievedAt != nil {
		t.Errorf("states %v, delay %d: want new, then invalid, and the delay untouched", states, a.Delay)
	}
	for i, want := range []int{0, 1, 2, 4, 8, 16, 30, 30, 30} {
		if days[i] != want {
			t.Errorf("rechecked after %v days, want 0 1 2 4 8 16 30 30 30", days)
			break
		}
	}
	retrieval.Apply(&a, retrieval.Result{Outcome: pg.OutcomeServerError}, now)
	if a.State != members.StateInvalid || a.Failing() {
		t.Errorf("a broken site made the invalid handle %s", a.State)
	}
	a.StartedAt = &now
	retrieval.Apply(&a, retrieval.Result{Outcome: pg.OutcomeOK}, now)
	if a.State != members.StateActive || a.NotFound != 0 {
		t.Errorf("the handle appeared and is %s with %d proofs, want active with 0", a.State, a.NotFound)
	}
}

// A request that came while a fetch was under way is not answered by it.
func TestApplyLeavesALaterRequest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		asked time.Duration // After the fetch began.
		left  bool
	}{{"before", -time.Second, false}, {"at once", 0, false}, {"during", time.Second, true}} {
		a := members.Account{ID: 1, Schedule: members.Schedule{StartedAt: ptr(modelstest.Noon), RequestedAt: ptr(modelstest.Noon.Add(tt.asked))}}
		retrieval.Apply(&a, retrieval.Result{Outcome: pg.OutcomeOK}, modelstest.Noon.Add(time.Minute))
		if left := a.RequestedAt != nil; left != tt.left {
			t.Errorf("requested %s: left = %t, want %t", tt.name, left, tt.left)
		}
	}
}

func policy(now time.Time) retrieval.Policy {
	return retrieval.Policy{Zone: time.UTC, Rate: 1, Now: now}
}

func ptr[T any](v T) *T { return &v }

// Days begin with the change where clocks jump over midnight, and with the first
// of two midnights where they are put back over it.
func TestStartOfDay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ zone, day, want string }{
		{"Europe/Riga", "2026-03-29", "2026-03-28T22:00:00Z"},
		{"America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"}, // No midnight: 24:00 becomes 1:00.
		{"America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"},
		{"Atlantic/Azores", "2026-03-29", "2026-03-29T01:00:00Z"},
		{"Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"},
		{"America/St_Johns", "2006-10-29", "2006-10-29T02:30:00Z"}, // 0:01 became 23:01.
		{"America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"},
		{"Pacific/Kiritimati", "2026-11-21", "2026-11-20T10:00:00Z"},
	} {
		loc, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		day, err := time.Parse(time.DateOnly, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := pg.StartOfDay(day, loc).UTC().Format(time.RFC3339); got != tt.want {
			t.Errorf("%s in %s begins at %s, want %s", tt.day, tt.zone, got, tt.want)
		}
	}
}
