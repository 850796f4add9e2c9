package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// bulkStep is how often accounts are asked about together, and a little more.
const bulkStep = retrieval.CheckEvery + time.Minute

// checked lets time pass in steps, and asks about all accounts and retrieves those
// that are due in each; it returns how many requests that cost.
func (w *world) checked(t *testing.T, steps int, step time.Duration) (requests int) {
	t.Helper()
	site, _ := sites.ByName("codeforces")
	before := jobstest.Count(t, w.DB, `SELECT coalesce(sum(requests), 0) FROM site_hours`)
	for range steps {
		w.clock.Pass(step)
		if err := w.CheckInBulk(t.Context(), site, site.(sites.BulkChecker)); err != nil {
			t.Fatal(err)
		}
		if err := w.RetrieveDue(t.Context(), site); err != nil {
			t.Fatal(err)
		}
	}
	return jobstest.Count(t, w.DB, `SELECT coalesce(sum(requests), 0) FROM site_hours`) - before
}

// One question about all members finds what is new within hours, for fewer requests
// than one retrieval a day at each.
func TestBulkCheckFindsWhatIsNew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 20, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	people := w.out.People()
	for _, p := range people {
		modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	}
	w.round(t)
	const days = 4
	requests := w.checked(t, days*4, bulkStep)
	late := 0
	for _, p := range people {
		m, err := members.ByName(t.Context(), w.DB.DB, p.Name)
		if err != nil {
			t.Fatal(err)
		}
		rows := w.stored(t, m.ID, "codeforces")
		for _, want := range w.out.Submissions("codeforces", p.Handles["codeforces"]) {
			if _, ok := rows[want.ID]; !ok && want.At.Before(w.Now().Add(-bulkStep)) {
				late++
			}
		}
		if a := w.account(t, m.ID, "codeforces"); a.CompleteUntil.Before(w.Now().Add(-bulkStep)) && a.NewestAt.After(w.Now().AddDate(0, 0, -25)) {
			t.Errorf("%s is complete until %s only", p.Name, a.CompleteUntil)
		}
	}
	t.Logf("%d people over %d days: %d requests", len(people), days, requests)
	if late > 0 {
		t.Errorf("%d submissions are older than a bulk check and not there", late)
	}
	if jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE delay > 1`) == 0 {
		t.Error("nobody's delay grew, though some were quiet for days")
	}
}

// A site that fails when it is asked about many is no reason to believe anything.
func TestBulkCheckThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 3, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	for _, p := range w.out.People() {
		modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	}
	w.round(t)
	before := jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE complete_until IS NOT NULL`)
	if err := w.out.SetFault("codeforces", standin.Fault{Kind: "503"}); err != nil {
		t.Fatal(err)
	}
	until := jobstest.Count(t, w.DB, `SELECT CAST(extract(epoch FROM max(complete_until)) AS integer) FROM account_details`)
	site, _ := sites.ByName("codeforces")
	w.clock.Pass(7 * time.Hour)
	if err := w.CheckInBulk(t.Context(), site, site.(sites.BulkChecker)); err != nil {
		t.Fatal(err)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE complete_until IS NOT NULL`); n != before || n == 0 {
		t.Errorf("%d accounts were read, %d before", n, before)
	}
	if now := jobstest.Count(t, w.DB, `SELECT CAST(extract(epoch FROM max(complete_until)) AS integer) FROM account_details`); now != until {
		t.Errorf("accounts are complete until %d, %d before", now, until)
	}
	if jobstest.Count(t, w.DB, `SELECT count(*) FROM site_hours WHERE outcome = 'server_error'`) == 0 {
		t.Error("the failure is not counted")
	}
	w.out.ClearFaults("")
	for _, tt := range []struct {
		after time.Duration
		asked int
	}{{29 * time.Minute, 0}, {2 * time.Minute, 1}} {
		w.clock.Pass(tt.after)
		w.out.Forget()
		if err := w.CheckInBulk(t.Context(), site, site.(sites.BulkChecker)); err != nil {
			t.Fatal(err)
		}
		if n := len(w.out.Log()); n != tt.asked {
			t.Errorf("asked %d times another %s after the failure, want %d", n, tt.after, tt.asked)
		}
	}
}

// While the lists are broken the site is left alone by bulk checks, too, and a bulk check
// that would be good does not end that; once a list is read, bulk checks go on.
func TestBulkCheckOfABrokenSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 3, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	for _, p := range w.out.People() {
		modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	}
	w.round(t)
	site, _ := sites.ByName("codeforces")
	check := func() (asked int) {
		t.Helper()
		before := w.requests(t, "codeforces")
		if err := w.CheckInBulk(t.Context(), site, site.(sites.BulkChecker)); err != nil {
			t.Fatal(err)
		}
		return w.requests(t, "codeforces") - before
	}
	w.clock.Pass(49 * time.Hour)
	if err := w.out.SetFault("codeforces", standin.Fault{Kind: "markup", Path: "user.info"}); err != nil {
		t.Fatal(err)
	}
	if n := check(); n != 1 || ptr(w.circuit(t, "codeforces")).Suspects != 1 {
		t.Errorf("%d requests, and the circuit is %+v", n, w.circuit(t, "codeforces"))
	}
	w.out.ClearFaults("")
	if err := w.out.SetFault("codeforces", standin.Fault{Kind: "markup", Path: "user.status"}); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	if c := w.circuit(t, "codeforces"); !c.Broken() {
		t.Fatalf("its lists are broken: %+v", c)
	}
	w.clock.Pass(7 * time.Hour)
	if n := check(); n != 0 {
		t.Errorf("%d requests about many while the circuit is open", n)
	}
	if c := w.circuit(t, "codeforces"); !c.Broken() {
		t.Errorf("closed by a bulk check: %+v", c)
	}
	w.out.ClearFaults("")
	w.round(t)
	if c := w.circuit(t, "codeforces"); c.Broken() {
		t.Fatalf("its lists are back: %+v", c)
	}
	w.clock.Pass(7 * time.Hour)
	if n := check(); n != 1 {
		t.Errorf("%d requests about many when it is well", n)
	}
}

// LeetCode is asked about many by aliases, in questions that it takes; it finds what
// is new, for fewer requests than retrievals, and forgets no gap.
func TestBulkCheckInBatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 45, Aliases: 13, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	site, _ := sites.ByName("leetcode")
	people := map[string]members.Member{}
	for _, p := range w.out.People() {
		if handle := p.Handles["leetcode"]; handle != "" {
			people[handle] = modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"leetcode": handle}, w.Now())
		}
	}
	w.round(t)
	gaps := `SELECT count(*) FROM account_details WHERE missing > 0 AND (complete_until IS NULL OR complete_until <= missing_from)`
	before := jobstest.Count(t, w.DB, gaps)
	w.out.Forget()
	const days = 3
	for range days * 9 / 2 {
		w.clock.Pass(bulkStep)
		if err := w.CheckInBulk(t.Context(), site, site.(sites.BulkChecker)); err != nil {
			t.Fatal(err)
		}
		if err := w.RetrieveDue(t.Context(), site); err != nil {
			t.Fatal(err)
		}
	}
	asked, refused := 0, 0
	for _, r := range w.out.Log() {
		if strings.Contains(r.Handle, ";") {
			asked++
			if r.Status == 400 {
				refused++
			}
		}
	}
	t.Logf("%d accounts, %d days: %d questions about many, %d refused", len(people), days, asked, refused)
	if asked == 0 || refused == 0 || refused > asked/4 || asked > days*len(people)*2/3 {
		t.Errorf("%d questions about many, %d refused", asked, refused)
	}
	if batch := jobstest.Count(t, w.DB, `SELECT batch FROM site_streams WHERE site = 'leetcode'`); batch < 5 || batch > 14 {
		t.Errorf("a question is about %d", batch)
	}
	late := 0
	for handle, m := range people {
		rows := w.stored(t, m.ID, "leetcode")
		for _, want := range w.out.Submissions("leetcode", handle) {
			if _, ok := rows[want.ID]; !ok && want.At.After(modelstest.Noon) && want.At.Before(w.Now().Add(-3*24*time.Hour)) {
				late++
			}
		}
	}
	if late > 0 {
		t.Errorf("%d rows are not there", late)
	}
	if after := jobstest.Count(t, w.DB, gaps); after != before || before == 0 {
		t.Errorf("%d accounts have a gap and say so, %d before", after, before)
	}
	if jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE last_retrieved_at > last_attempt_at`) == 0 {
		t.Error("bulk checks counted as no retrieval")
	}
}

// More members than fit into an address are asked about by one form.
func TestBulkCheckByForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 150, Begin: modelstest.Noon.AddDate(0, -1, 0)})
	read := w.Now().Add(-12 * time.Hour)
	for _, p := range w.out.People() {
		m := modelstest.Member(t, w.DB.DB, p.Name, nil, read)
		modelstest.Account(t, w.DB.DB, &members.Account{
			MemberID:  m.ID,
			Site:      "codeforces",
			Handle:    p.Handles["codeforces"],
			CreatedAt: read,
			Schedule:  members.Schedule{State: members.StateActive, Outcome: pg.OutcomeOK, Delay: 4, LastRetrievedAt: &read, LastAttemptAt: &read, StartedAt: &read, DueAt: w.Now().Add(24 * time.Hour)},
			Coverage:  members.Coverage{CompleteUntil: &read},
		})
	}
	site, _ := sites.ByName("codeforces")
	if err := w.CheckInBulk(t.Context(), site, site.(sites.BulkChecker)); err != nil {
		t.Fatal(err)
	}
	if log := w.out.Log(); len(log) != 1 || log[0].URI != "/api/user.info" {
		t.Errorf("asked %+v", log)
	}
	quiet := jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE delay = 4 AND complete_until = (SELECT max(complete_until) FROM account_details)`)
	if news := jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE delay = 0`); quiet == 0 || news == 0 || quiet+news != 150 {
		t.Errorf("%d are quiet and %d have news, of 150", quiet, news)
	}
}
