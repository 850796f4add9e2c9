package retrieval_test

import (
	"testing"
	"time"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// Each kind of evidence has its say, and the reason is that of the earliest.
func TestPlan(t *testing.T) {
	t.Parallel()
	now := modelstest.Noon
	at := func(h float64) time.Time { return now.Add(time.Duration(h * float64(time.Hour))) }
	base := members.Account{CreatedAt: at(-1000), Schedule: members.Schedule{State: members.StateActive, LastRetrievedAt: ptr(at(-14)), LastAttemptAt: ptr(at(-14)), UsualHour: ptr(20)}, Coverage: members.Coverage{CompleteUntil: ptr(at(-14))}, Stats: members.Stats{NewestAt: ptr(at(-100))}}
	quiet := retrieval.Evidence{Source: retrieval.SourceBulk, CompleteUntil: ptr(at(-1)), SeenAt: at(-1)}
	news := retrieval.Evidence{Source: retrieval.SourceBulk, HasNews: true, SeenAt: at(-1)}
	for _, tt := range []struct {
		name     string
		change   func(*members.Account)
		evidence []retrieval.Evidence
		want     time.Time // To the hour.
		reason   retrieval.Reason
	}{
		{"nothing but the rule", nil, nil, at(8), retrieval.ReasonQuiet},
		{"a delay of five", func(a *members.Account) { a.Delay = 5 }, nil, at(32), retrieval.ReasonQuiet},
		{"new here", func(a *members.Account) { a.LastRetrievedAt, a.CreatedAt = nil, now }, nil, now, retrieval.ReasonFirst},
		{"a bulk check speaks before the slot", nil, []retrieval.Evidence{quiet}, at(8), retrieval.ReasonQuiet},
		{"a bulk check speaks after the slot", func(a *members.Account) { a.UsualHour = ptr(13) }, []retrieval.Evidence{quiet}, at(6), retrieval.ReasonQuiet},
		{"of somebody dormant", func(a *members.Account) { a.NewestAt = ptr(at(-24 * 40)) }, []retrieval.Evidence{quiet}, at(24), retrieval.ReasonQuiet},
		{"not fetched for 30 days", func(a *members.Account) { a.LastAttemptAt = ptr(at(-24 * 30)) }, []retrieval.Evidence{quiet}, now, retrieval.ReasonDistrust},
		{"a verdict that may change", func(a *members.Account) { a.OpenAt = ptr(at(3)) }, []retrieval.Evidence{quiet}, at(3), retrieval.ReasonVerdicts},
		{"without bulk checks the rule does", func(a *members.Account) { a.OpenAt = ptr(at(3)) }, nil, at(8), retrieval.ReasonQuiet},
		{"news", nil, []retrieval.Evidence{news}, at(-1), retrieval.ReasonNews},
		{"news, fetched two hours ago", func(a *members.Account) { a.LastAttemptAt = ptr(at(-2)) }, []retrieval.Evidence{news}, at(4), retrieval.ReasonNews},
		{"a contest", nil, []retrieval.Evidence{{Source: retrieval.SourceContest, HasNews: true, DueBy: ptr(at(1)), SeenAt: at(-1)}}, at(1), retrieval.ReasonContest},
		{"known beyond it", func(a *members.Account) { a.CompleteUntil = ptr(now) }, []retrieval.Evidence{{Source: retrieval.SourceContest, HasNews: true, DueBy: ptr(at(1)), SeenAt: at(-1)}}, at(8), retrieval.ReasonQuiet},
		{"a sign-in and a contest", nil, []retrieval.Evidence{{Source: retrieval.SourceContest, DueBy: ptr(at(1)), SeenAt: now}, {Source: retrieval.SourceSignIn, DueBy: &now, SeenAt: now}}, now, retrieval.ReasonSignIn},
		{"a failure", func(a *members.Account) { a.Failures, a.LastAttemptAt = 4, &now }, []retrieval.Evidence{news}, at(1), retrieval.ReasonRetry},
		{"no such handle", func(a *members.Account) { a.State, a.NotFound, a.LastAttemptAt = members.StateInvalid, 3, &now }, nil, at(48), retrieval.ReasonRecheck},
		{"not found twice, and known before", func(a *members.Account) { a.NotFound, a.LastAttemptAt = 2, &now }, nil, at(24), retrieval.ReasonRecheck},
	} {
		a := base
		if tt.change != nil {
			tt.change(&a)
		}
		got, reason := retrieval.Plan(&a, tt.evidence, policy(now))
		if got.Truncate(time.Hour) != tt.want.Truncate(time.Hour) || reason != tt.reason {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, got, reason, tt.want, tt.reason)
		}
	}
}
