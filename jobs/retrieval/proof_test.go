package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// begins gives a member a code for their account on a site.
func (w *world) begins(t *testing.T, m members.Member, site string) accounts.Proof {
	t.Helper()
	a := w.account(t, m.ID, site)
	p, err := accounts.BeginOwnProof(t.Context(), w.DB.DB, &a, w.Now())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checks is the button, and the job that answers it: the proof as it is then.
func (w *world) checks(t *testing.T, p accounts.Proof, site sites.Site) accounts.Proof {
	t.Helper()
	if err := accounts.AskProof(t.Context(), w.DB.DB, &p, site.Info().Title, w.Now()); err != nil {
		t.Fatal(err)
	}
	if err := w.CheckProofs(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	p, err := accounts.ProofByID(t.Context(), w.DB.DB, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if p.RequestedAt != nil {
		t.Errorf("the proof still waits: %+v", p)
	}
	return p
}

// On every site where that is possible, a member proves a handle by writing their code there, and not before. Who
// proves it later has it alone: the earlier one loses it, is told, and can bring it back without the mark.
func TestHandlesAreProved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 8, Begin: modelstest.Noon.AddDate(0, -1, 0)})
	for _, site := range w.Sites {
		info := site.Info()
		if info.Proof == "" {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			handle := ""
			for _, p := range w.out.People() {
				if h := p.Handles[info.Name]; h != "" && len(w.out.Submissions(info.Name, h)) > 0 {
					handle = h
				}
			}
			ann := modelstest.Member(t, w.DB.DB, "ann-"+info.Name, map[string]string{info.Name: handle}, w.Now())
			bob := modelstest.Member(t, w.DB.DB, "bob-"+info.Name, map[string]string{info.Name: handle}, w.Now())
			w.round(t)
			p, q := w.begins(t, ann, info.Name), w.begins(t, bob, info.Name)
			if again := w.begins(t, ann, info.Name); again.Code != p.Code || p.Code == q.Code || !strings.HasPrefix(p.Code, "laurel-") {
				t.Errorf("codes %q, %q and of another %q", p.Code, again.Code, q.Code)
			}
			before := w.out.Stats()[info.Name].Requests
			if p = w.checks(t, p, site); p.ProvedAt != nil || p.Checks != 1 || !strings.Contains(p.Message, "not on the profile") {
				t.Errorf("nothing is written, and: %+v", p)
			}
			if n := w.out.Stats()[info.Name].Requests - before; n < 1 || n > 2 { // A profile may be on two pages.
				t.Errorf("%d requests for one check", n)
			}
			w.writes(t, info.Name, handle, "Riga "+p.Code)
			if q = w.checks(t, q, site); q.ProvedAt != nil {
				t.Error("the code of another proved it")
			}
			if p = w.checks(t, p, site); p.ProvedAt == nil || w.account(t, ann.ID, info.Name).ProvedAt == nil {
				t.Errorf("the code is written, and: %+v", p)
			}
			if _, err := members.AccountsOf(t.Context(), w.DB.DB, bob.ID); err != nil {
				t.Fatal(err)
			}
			w.lost(t, bob, info.Name, handle, "Somebody else proved that "+handle+" on "+info.Title)

			// Bob brings it back, and proves it after all.
			list, err := accounts.RemovedOf(t.Context(), w.DB.DB, bob.ID, w.Now())
			if err != nil || len(list) != 1 {
				t.Fatalf("what can come back: %+v (%v)", list, err)
			}
			known := []members.Site{{Name: info.Name, Title: info.Title, Handle: info.Handle}}
			if err := accounts.Restore(t.Context(), w.DB.DB, known, bob.ID, list[0].ID, w.Now()); err != nil {
				t.Fatal(err)
			}
			if w.account(t, bob.ID, info.Name).ProvedAt != nil {
				t.Error("what came back is proved")
			}
			q = w.begins(t, bob, info.Name)
			w.writes(t, info.Name, handle, q.Code)
			if q = w.checks(t, q, site); q.ProvedAt == nil || w.account(t, bob.ID, info.Name).ProvedAt == nil {
				t.Errorf("the later proof: %+v", q)
			}
			w.lost(t, ann, info.Name, handle, "Somebody else proved that "+handle)
		})
	}
}

func (w *world) writes(t *testing.T, site, handle, text string) {
	t.Helper()
	if err := w.out.Write(site, handle, text); err != nil {
		t.Fatal(err)
	}
}

// lost fails unless a member has no account on a site any more, can bring it back, and was told.
func (w *world) lost(t *testing.T, m members.Member, site, handle, told string) {
	t.Helper()
	all, err := members.AccountsOf(t.Context(), w.DB.DB, m.ID)
	if err != nil || len(all) != 0 {
		t.Errorf("%s has %v still (%v)", m.Name, all, err)
	}
	var n int
	if err := w.DB.Raw(`SELECT count(*) FROM notices WHERE member_id = ? AND text LIKE ?`, m.ID, told+"%").Scan(&n).Error; err != nil || n != 1 {
		t.Errorf("%s was told %d times (%v)", m.Name, n, err)
	}
	list, err := accounts.RemovedOf(t.Context(), w.DB.DB, m.ID, w.Now())
	if err != nil || len(list) != 1 || list[0].Handle != handle || list[0].Submissions == 0 {
		t.Errorf("%s can bring back %+v (%v)", m.Name, list, err)
	}
}

// newProving is a member on Codeforces with a code, and the site.
func newProving(t *testing.T) (w *world, site sites.Site, m members.Member, p accounts.Proof) {
	t.Helper()
	w = newWorld(t, standin.Options{Seed: 5, People: 8, Begin: modelstest.Noon.AddDate(0, -1, 0)})
	site, _ = sites.ByName("codeforces")
	m = modelstest.Member(t, w.DB.DB, "ann", map[string]string{"codeforces": w.out.People()[0].Handles["codeforces"]}, w.Now())
	return w, site, m, w.begins(t, m, "codeforces")
}

// Codes end after an hour and after ten checks, and nobody gets many.
func TestCodesAreUsedUp(t *testing.T) {
	t.Parallel()
	w, site, m, p := newProving(t)
	refused := func(p accounts.Proof) bool {
		t.Helper()
		return modelstest.Field(t, accounts.AskProof(t.Context(), w.DB.DB, &p, "Codeforces", w.Now())) == "check"
	}
	for range 10 {
		p = w.checks(t, p, site)
	}
	w.writes(t, "codeforces", p.Handle, p.Code)
	if !refused(p) {
		t.Error("an eleventh check")
	}
	q := w.begins(t, m, "codeforces")
	if q.Code == p.Code || q.Checks != 0 {
		t.Errorf("the next code: %+v after %+v", q, p)
	}
	w.writes(t, "codeforces", q.Handle, q.Code)
	w.clock.Pass(time.Hour)
	if !refused(q) {
		t.Error("a check after an hour")
	}
	seen := map[string]bool{p.Code: true, q.Code: true}
	for i := 0; ; i++ {
		w.clock.Pass(time.Hour + time.Second)
		a := w.account(t, m.ID, "codeforces")
		next, err := accounts.BeginOwnProof(t.Context(), w.DB.DB, &a, w.Now())
		if err != nil {
			if i < 8 || i > 16 || !strings.Contains(err.Error(), "codes") {
				t.Errorf("after %d more codes: %v", i, err)
			}
			break
		}
		if seen[next.Code] || i > 20 {
			t.Fatalf("code %d is %q", i, next.Code)
		}
		seen[next.Code] = true
	}
}

// A site that fails proves nothing and takes nothing away: its member can try again.
func TestAProofOnASiteThatFails(t *testing.T) {
	t.Parallel()
	w, site, m, p := newProving(t)
	w.writes(t, "codeforces", p.Handle, p.Code)
	for _, kind := range []string{"500", "cloudflare", "html", "empty", "cutjson"} {
		if err := w.out.SetFault("codeforces", standin.Fault{Kind: kind}); err != nil {
			t.Fatal(err)
		}
		if p = w.checks(t, p, site); p.ProvedAt != nil || !strings.Contains(p.Message, "did not answer") {
			t.Errorf("%s: %+v", kind, p)
		}
		w.out.ClearFaults("codeforces")
		w.clock.Pass(time.Minute)
	}
	if p = w.checks(t, p, site); p.ProvedAt == nil || w.account(t, m.ID, "codeforces").ProvedAt == nil {
		t.Errorf("after all failures: %+v", p)
	}
}

// A handle that was changed or renamed is not proved any more, and a code for the former one proves nothing.
func TestAChangedHandleIsNotProved(t *testing.T) {
	t.Parallel()
	w, site, m, p := newProving(t)
	w.round(t)
	w.writes(t, "codeforces", p.Handle, p.Code)
	if p = w.checks(t, p, site); w.account(t, m.ID, "codeforces").ProvedAt == nil {
		t.Fatalf("not proved: %+v", p)
	}
	if err := w.out.Rename("codeforces", p.Handle, "renamed_handle"); err != nil {
		t.Fatal(err)
	}
	w.clock.Pass(72 * time.Hour)
	w.round(t)
	a := w.account(t, m.ID, "codeforces")
	if a.Handle != "renamed_handle" || a.ProvedAt != nil {
		t.Fatalf("renamed: %+v", a)
	}
	p = w.begins(t, m, "codeforces")
	if p.Handle != "renamed_handle" {
		t.Errorf("the code is for %q", p.Handle)
	}
	// While the code is out, another handle takes the place of this one.
	other := w.out.People()[1].Handles["codeforces"]
	w.writes(t, "codeforces", "renamed_handle", p.Code)
	w.setHandle(t, m, "codeforces", other)
	w.round(t)
	w.round(t)
	w.checks(t, p, site)
	if a := w.account(t, m.ID, "codeforces"); a.Handle != other || a.ProvedAt != nil {
		t.Errorf("changed: %+v", a)
	}
}

// Two processes never check one code twice, and a code whose check outlives its lease is proved once.
func TestProofsAreClaimedOnce(t *testing.T) {
	t.Parallel()
	w, _, m, p := newProving(t)
	ctx, until := t.Context(), w.Now().Add(time.Minute)
	if err := accounts.AskProof(ctx, w.DB.DB, &p, "Codeforces", w.Now()); err != nil {
		t.Fatal(err)
	}
	if err := accounts.AskProof(ctx, w.DB.DB, &p, "Codeforces", w.Now()); err != nil { // A second press.
		t.Fatal(err)
	}
	one, ok, err := accounts.ClaimProof(ctx, w.DB.DB, "codeforces", until, w.Now())
	if err != nil || !ok || one.ID != p.ID || one.Checks != 1 {
		t.Fatalf("%+v, %t, %v", one, ok, err)
	}
	if _, ok, _ := accounts.ClaimProof(ctx, w.DB.DB, "codeforces", until, w.Now()); ok {
		t.Error("claimed twice")
	}
	two, ok, err := accounts.ClaimProof(ctx, w.DB.DB, "codeforces", until.Add(time.Hour), until)
	if err != nil || !ok {
		t.Fatalf("after the lease: %t, %v", ok, err)
	}
	for _, each := range []accounts.Proof{one, two} {
		if err := accounts.Prove(ctx, w.DB.DB, &each, "Codeforces", w.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if a := w.account(t, m.ID, "codeforces"); a.ProvedAt == nil {
		t.Errorf("%+v", a)
	}
}
