package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// Somebody takes a new handle on Codeforces: the retrieval finds it out, nothing is read
// twice or lost, what the site shows goes on under the new name, and the past is as it was.
func TestARenamedHandle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 6, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	p := w.out.People()[0]
	old := p.Handles["codeforces"]
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": old}, w.Now())
	w.round(t)
	before, then := w.account(t, m.ID, "codeforces"), w.Now()
	w.clock.Pass(49 * time.Hour)
	if err := w.out.Rename("codeforces", old, "Fresh.Name"); err != nil {
		t.Fatal(err)
	}
	w.out.Forget()
	w.round(t)
	a := w.account(t, m.ID, "codeforces")
	if a.ID != before.ID || a.Handle != "Fresh.Name" || a.FormerHandle != old || a.RenamedAt == nil || a.Outcome != pg.OutcomeOK || a.NotFound != 0 || a.State != members.StateActive {
		t.Fatalf("after the retrieval: %+v", a)
	}
	w.sameAsTruth(t, m.ID, "codeforces", "Fresh.Name")
	if c := w.circuit(t, "codeforces"); c.Suspects != 0 {
		t.Errorf("the circuit: %+v", c)
	}
	asked := 0
	for _, x := range w.out.Log() {
		if strings.Contains(x.URI, "user.status?handle=Fresh.Name") {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("%d questions for what is new: it was read from the beginning again", asked)
	}
	for at, want := range map[time.Time]string{then: old, w.Now(): "Fresh.Name"} {
		h, err := history.At(t.Context(), w.DB.DB, history.Query{Member: m.Name, Sites: []members.Site{{Name: "codeforces", Title: "Codeforces"}}, At: at, Now: w.Now(),
			Since: func(day time.Time) time.Time { return day }, Recent: 5})
		if err != nil || len(h.Accounts) != 1 || h.Accounts[0].Handle != want || h.Accounts[0].Submissions == 0 {
			t.Errorf("as known at %s: %+v, %v; want the handle %s", at, h.Accounts, err, want)
		}
	}
	// Renamed once more, after a question about many found it unknown.
	if err := w.out.Rename("codeforces", "Fresh.Name", "Fresher"); err != nil {
		t.Fatal(err)
	}
	if w.checked(t, 3, 5*time.Hour); w.account(t, m.ID, "codeforces").Handle != "Fresher" {
		t.Errorf("after a bulk check: %+v", w.account(t, m.ID, "codeforces"))
	}
}

// A handle that leads to one that somebody else has here is not followed, and it is
// said why; one that leads nowhere is not known.
func TestARenameThatIsNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 6, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	people := w.out.People()
	old := people[0].Handles["codeforces"]
	m := modelstest.Member(t, w.DB.DB, "ada", map[string]string{"codeforces": old}, w.Now())
	gone := modelstest.Member(t, w.DB.DB, "bob", map[string]string{"codeforces": "nobody_at_all"}, w.Now())
	if err := w.out.Rename("codeforces", old, "Fresh.Name"); err != nil {
		t.Fatal(err)
	}
	modelstest.Member(t, w.DB.DB, "eve", map[string]string{"codeforces": "fresh.name"}, w.Now())
	w.round(t)
	if a := w.account(t, m.ID, "codeforces"); a.Handle != old || a.Outcome != pg.OutcomeNotFound || !strings.Contains(a.Message, "renamed it to Fresh.Name, which another account here has") {
		t.Errorf("to what somebody has: %+v", a)
	}
	if a := w.account(t, gone.ID, "codeforces"); a.Outcome != pg.OutcomeNotFound || a.Message != "no such handle" {
		t.Errorf("that leads nowhere: %+v", a)
	}
}

// The page of the former handle is enough where the API knows nothing of it; what
// cannot be read proves nothing.
func TestARenameByThePage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ kind, path, want string }{
		{"notfound", "checkHistoricHandles=true", "Fresh.Name"}, {"cloudflare", "/profile/", "Fresh.Name"}, {"markup", "checkHistoricHandles=true", ""}, {"503", "checkHistoricHandles=true", ""},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Seed: 5, People: 2, Begin: modelstest.Noon.AddDate(0, -4, 0)})
			old := w.out.People()[0].Handles["codeforces"]
			m := modelstest.Member(t, w.DB.DB, "ada", map[string]string{"codeforces": old}, w.Now())
			if err := w.out.Rename("codeforces", old, "Fresh.Name"); err != nil {
				t.Fatal(err)
			}
			if err := w.out.SetFault("codeforces", standin.Fault{Kind: tt.kind, Path: tt.path}); err != nil {
				t.Fatal(err)
			}
			w.round(t)
			a := w.account(t, m.ID, "codeforces")
			if tt.want == "" && (a.Handle != old || a.Outcome != pg.OutcomeNotFound) || tt.want != "" && (a.Handle != tt.want || a.Outcome != pg.OutcomeOK) {
				t.Errorf("%+v", a)
			}
		})
	}
}
