package posts_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

func (w *postWorld) credentials() map[string]posts.Credential {
	w.t.Helper()
	var all []posts.Credential
	w.ok(w.DB.Find(&all).Error)
	by := map[string]posts.Credential{}
	for _, c := range all {
		by[c.Name] = c
	}
	return by
}

// budget adds a credential of X that may read so many posts a month.
func (w *postWorld) budget(monthly int64) {
	w.t.Helper()
	_, err := posts.SaveCredential(w.t.Context(), w.DB.DB, posts.NewCredential{Network: "x", Name: "one", Token: "one", Quota: 3500, Window: 15 * time.Minute, MonthlyPosts: &monthly}, w.Secret, w.now)
	w.ok(err)
}

// Each kind of refusal does to the credential what it means, and nothing to the
// posts; the next credential goes on.
func TestRefusalsAreDistinguished(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]struct{ state, reason string }{
		"revoked-1":   {"disabled", "not accept the token"},
		"forbidden-1": {"disabled", "may not read posts"},
		"capped-1":    {"paused", "used up"},
		"credits-1":   {"paused", "used up"},
	} {
		w := newPostWorld(t, standin.Options{Seed: 1})
		w.credential("x", "", token)
		w.add("x", "", 150, time.Hour)
		w.look()
		if c := w.credentials()[token]; c.State != want.state || !strings.Contains(c.Reason, want.reason) {
			t.Errorf("%s is %s: %s", token, c.State, c.Reason)
		}
		if n := len(w.posts("attempts <> 0 OR missing_count <> 0 OR leased_until IS NOT NULL OR fetches <> 0")); n > 0 {
			t.Errorf("%s: %d posts suffered", token, n)
		}
		w.credential("x", "", "good")
		w.now = w.now.Add(time.Minute)
		w.look()
		if n := len(w.posts("fetches = 1")); n != 150 {
			t.Errorf("%s: only %d posts were looked at with the next credential", token, n)
		}
	}
}

func TestAQuotaIsNeverExceeded(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1, Limits: map[string]standin.Limit{"x": {Requests: 10, Window: 15 * time.Minute}}})
	w.credential("x", "", "one") // It says 3,500; the headers know better.
	w.credential("x", "", "two")
	w.add("x", "", 5000, 40*24*time.Hour)
	for minute := 0; minute < 60; minute++ {
		w.look()
		w.now = w.now.Add(time.Minute)
	}
	if n := w.out.OverQuota("x"); n > 0 {
		t.Errorf("%d requests were beyond the quota", n)
	}
	if left := len(w.posts("fetches = 0")); left > 0 {
		t.Errorf("%d of 5,000 posts were not looked at in four windows of 20 requests", left)
	}
	for name, c := range w.credentials() {
		if c.Quota != 10 {
			t.Errorf("the quota of %s is %d, the headers say 10", name, c.Quota)
		}
	}
}

func TestAMonthsPostsAreNotExceeded(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	posts := int64(250)
	w.budget(posts)
	w.add("x", "", 400, time.Minute)
	for range 30 {
		w.look()
		w.now = w.now.Add(time.Minute)
	}
	var charged int64
	w.ok(w.DB.Raw(`SELECT sum(charged) FROM credential_days`).Row().Scan(&charged))
	if charged < 150 || charged > posts {
		t.Errorf("%d posts were charged, %d may be", charged, posts)
	}
	w.ok(w.Measure(t.Context()))
	w.now = w.now.Add(32 * 24 * time.Hour)
	w.look()
	if n := len(w.posts("fetches = 0")); n >= 250 {
		t.Errorf("in the next month %d posts were still not looked at", n)
	}
}

// What members' accounts show is paid for, too, once a day with the checks of the same posts.
func TestPostsFoundAtAccountsAreCharged(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1, People: 3})
	monthly := int64(3000)
	w.budget(monthly)
	member := modelstest.Member(t, w.DB.DB, "ada", nil, w.now)
	w.ok(posts.AddAccount(t.Context(), w.DB.DB, posts.Account{MemberID: member.ID, Network: "x", Handle: w.out.People()[0].Networks["x"]}, w.now))
	w.ok(w.FindNew(t.Context()))
	found := len(w.posts("true"))
	day := func() (requests, charged int) {
		w.ok(w.DB.Raw(`SELECT sum(requests), sum(charged) FROM credential_days`).Row().Scan(&requests, &charged))
		return requests, charged
	}
	requests, charged := day()
	if found == 0 || charged != found || requests == 0 {
		t.Fatalf("%d posts were found, and %d charged of %d requests", found, charged, requests)
	}
	w.now = w.now.Add(time.Minute)
	w.look()
	if looked := len(w.posts("fetches > 0")); looked != found {
		t.Fatalf("%d of %d posts were looked at", looked, found)
	}
	if again, n := day(); n != charged || again <= requests {
		t.Errorf("%d posts are charged after a look on the same day, %d before; %d requests", n, charged, again)
	}
	if c := w.credentials()["one"]; c.BudgetUsed != int64(charged) {
		t.Errorf("%d posts of the month are counted, %d are charged", c.BudgetUsed, charged)
	}
}

func TestAnotherKeyDisablesCredentialsOnly(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	w.add("x", "", 1, time.Hour)
	x, _ := networks.ByName("x")
	secret, err := pg.NewSecret("quite another secret than before")
	w.ok(err)
	w.Secret, w.now = secret, w.now.Add(time.Minute)
	if err := w.Poll(t.Context(), x); err == nil || strings.Contains(err.Error(), "one\"") && strings.Contains(err.Error(), "Bearer") {
		t.Errorf("the error is %v", err)
	}
	if c := w.credentials()["one"]; c.State != "disabled" || !strings.Contains(c.Reason, "LAUREL_SECRET_KEY") {
		t.Errorf("the credential is %s: %s", c.State, c.Reason)
	}
}

// Errors of the network cost a delay that grows, and after five in a row the
// credential is left alone for a minute.
func TestFailuresWaitLongerAndLonger(t *testing.T) {
	t.Parallel()
	w := newPostWorld(t, standin.Options{Seed: 1})
	w.credential("x", "", "one")
	w.add("x", "", 1, 3*24*time.Hour)
	w.ok(w.out.SetFault("x", standin.Fault{Kind: "500", Count: 6}))
	var waits []time.Duration
	for range 6 {
		p := w.posts("true")[0]
		w.now = p.NextUpdateAt.Add(time.Minute)
		w.look()
		if p = w.posts("true")[0]; p.Fetches == 0 {
			waits = append(waits, p.NextUpdateAt.Sub(w.now).Round(time.Second))
		}
	}
	for i := 1; i < len(waits); i++ {
		if waits[i] < waits[i-1] || waits[i] > 3*time.Minute {
			t.Errorf("the waits are %v", waits)
		}
	}
	if c := w.credentials()["one"]; c.Failures < 5 || c.CooldownUntil == nil {
		t.Errorf("after %d failures the credential cools down until %v", c.Failures, c.CooldownUntil)
	}
}
