package retrieval_test

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

var anyHandle = regexp.MustCompile(`^.+$`)

// setHandle is what the settings do.
func (w *world) setHandle(t *testing.T, m members.Member, site, handle string) {
	t.Helper()
	err := accounts.SetHandles(t.Context(), w.DB.DB, []members.Site{{Name: site, Title: site, Handle: anyHandle}}, m.ID, map[string]string{site: handle}, w.Now())
	if err != nil {
		t.Fatal(err)
	}
}

// wanted is what is wanted instead of a member's only account.
func (w *world) wanted(t *testing.T, m members.Member) (handle string, refused bool) {
	t.Helper()
	by, err := accounts.WantedBy(t.Context(), w.DB.DB, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range by {
		return one.Handle, one.RefusedAt != nil
	}
	return "", false
}

// A mistyped handle loses nothing, on any site: the old one stays with its rows, and its member is
// told. A right one replaces it as soon as the site knows it, and the old one can come back.
func TestAChangedHandleIsLookedUpFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 3, People: 6, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	for _, site := range w.Sites {
		name := site.Info().Name
		t.Run(name, func(t *testing.T) {
			var handles []string
			for _, p := range w.out.People() {
				if h := p.Handles[name]; h != "" && len(w.out.Submissions(name, h)) > 0 {
					handles = append(handles, h)
				}
			}
			old, right, wrong := handles[0], handles[1], "nobody_here"
			if name == "timus" {
				wrong = "999999"
			}
			m := modelstest.Member(t, w.DB.DB, "member-"+name, map[string]string{name: old}, w.Now())
			w.round(t)
			before := w.account(t, m.ID, name)
			w.clock.Pass(time.Minute)
			w.setHandle(t, m, name, wrong)
			if handle, refused := w.wanted(t, m); handle != wrong || refused {
				t.Errorf("wanted is %q (%v), want %q to be looked up", handle, refused, wrong)
			}
			w.round(t)
			a := w.account(t, m.ID, name)
			if a.ID != before.ID || a.Handle != old || a.Submissions < before.Submissions || a.Outcome != pg.OutcomeOK || a.RequestedAt != nil {
				t.Errorf("after a mistyped handle: %+v", a)
			}
			if handle, refused := w.wanted(t, m); handle != wrong || !refused {
				t.Errorf("wanted is %q (%v), want %q refused", handle, refused, wrong)
			}
			var notices int
			if err := w.DB.Raw(`SELECT count(*) FROM notices WHERE member_id = ? AND text LIKE ?`, m.ID, "There is no "+wrong+" on %"+old+" stays%").Scan(&notices).Error; err != nil || notices != 1 {
				t.Errorf("%d notices, want 1 (%v)", notices, err)
			}
			w.clock.Pass(time.Minute)
			w.setHandle(t, m, name, right)
			w.round(t)
			w.round(t)
			a = w.account(t, m.ID, name)
			if a.ID == before.ID || a.Handle != right || a.Outcome != pg.OutcomeOK {
				t.Fatalf("after a right handle: %+v", a)
			}
			w.sameAsTruth(t, m.ID, name, right)
			list, err := accounts.RemovedOf(t.Context(), w.DB.DB, m.ID, w.Now())
			if err != nil || len(list) != 1 || list[0].Handle != old || list[0].Submissions != before.Submissions {
				t.Errorf("what can come back: %+v (%v)", list, err)
			}
		})
	}
}

// A site that fails, and one that the member changed back meanwhile, leave the account as it is.
func TestAWantedHandleThatCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	var w *world
	site := &fakeSite{submissions: func(_ context.Context, _ sites.Getter, a sites.Account) ([]sites.Submission, error) {
		if a.Handle == "new" {
			return nil, sites.ErrServer
		}
		return []sites.Submission{made("1", w.Now())}, nil
	}}
	w, people := newFake(t, site, "ada")
	m := people["ada"]
	w.round(t)
	before := w.account(t, m.ID, "fake")
	w.setHandle(t, m, "fake", "new")
	w.round(t)
	if handle, refused := w.wanted(t, m); handle != "new" || refused || w.account(t, m.ID, "fake").ID != before.ID {
		t.Errorf("wanted is %q (%v), want it still", handle, refused)
	}
	w.setHandle(t, m, "fake", "ada")
	if handle, _ := w.wanted(t, m); handle != "" {
		t.Errorf("%q is wanted after the old handle was given again", handle)
	}
	a := w.account(t, m.ID, "fake")
	a.LeaseID = "of nobody"
	if err := accounts.Replace(t.Context(), w.DB.DB, &a, "new", w.Now()); !errors.Is(err, pg.ErrLeaseLost) {
		t.Errorf("replaced without being wanted: %v", err)
	}
}
