package retrieval_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/responses"
	modelretrieval "laurel/models/retrieval"
)

// An oddSite cannot read some rows of the site.
type oddSite struct {
	sites.Site
	odd      func(s sites.Submission) bool
	nameless bool // It cannot read their numbers either.
}

func (o *oddSite) Submissions(ctx context.Context, get sites.Getter, a sites.Account) iter.Seq2[sites.ListPage, error] {
	return func(yield func(sites.ListPage, error) bool) {
		for p, err := range o.Site.Submissions(ctx, get, a) {
			p.Rows = slices.DeleteFunc(p.Rows, func(s sites.Submission) bool {
				if !o.odd(s) {
					return false
				}
				u := sites.Unread{ID: s.ID, Text: fmt.Sprintf("<b>%s</b>\x00", s.ID), Why: "of another kind", Since: s.At.Add(-time.Minute)}
				if o.nameless {
					u.ID = ""
				}
				p.Unread = append(p.Unread, u)
				return true
			})
			if !yield(p, err) {
				return
			}
		}
	}
}

// oddWorld is a world with one account on Codeforces, of which the row in the middle is odd.
func oddWorld(t *testing.T, nameless bool) (w *world, m members.Member, odd *oddSite, row standin.Submission) {
	t.Helper()
	w = newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	p := w.out.People()[0]
	m = modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	all := w.out.Submissions("codeforces", p.Handles["codeforces"])
	if len(all) < 89 {
		t.Fatalf("%d rows: the test needs 89", len(all))
	}
	row = all[len(all)-44]
	odd = &oddSite{Site: site(t, w, "codeforces"), odd: func(s sites.Submission) bool { return s.ID == row.ID }, nameless: nameless}
	w.Sites = []sites.Site{odd}
	return w, m, odd, row
}

func unreadOf(t *testing.T, w *world) []modelretrieval.UnreadRow {
	t.Helper()
	rows, err := modelretrieval.UnreadRows(t.Context(), w.DB.DB, 5)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A row that cannot be read costs the others nothing: they are stored, the outcome is ok, and the
// site is not suspected. The account is complete only until the row, which comes back from the
// raw answers when the reader is mended.
func TestOneUnreadRow(t *testing.T) {
	t.Parallel()
	for _, nameless := range []bool{false, true} {
		w, m, odd, row := oddWorld(t, nameless)
		handle := w.out.People()[0].Handles["codeforces"]
		all := w.out.Submissions("codeforces", handle)
		w.round(t)
		a := w.account(t, m.ID, "codeforces")
		if a.Outcome != "ok" || a.Submissions != len(all)-1 || a.Unread != 1 || a.CoveredAt == nil || !a.CoveredAt.After(row.At) || a.Failures > 0 {
			t.Fatalf("%+v; want %d rows and an unread one", a, len(all)-1)
		}
		if a.CompleteUntil == nil || a.CompleteUntil.After(row.At) {
			t.Errorf("complete until %v, with an unread row of %s", a.CompleteUntil, row.At)
		}
		c, err := modelretrieval.CircuitOf(t.Context(), w.DB.DB, "codeforces")
		if err != nil || c.State != modelretrieval.CircuitClosed || c.Suspects > 0 {
			t.Errorf("circuit %+v, %v", c, err)
		}
		rows := unreadOf(t, w)
		if len(rows) != 1 || rows[0].Text != "<b>"+row.ID+"</b>" || rows[0].Handle != handle || rows[0].Of != 1 || rows[0].Why != "of another kind" {
			t.Fatalf("admins see %+v", rows)
		}
		// The next fetch stops behind the row, which stays open; its raw answer is kept for as long.
		w.clock.Pass(80 * time.Hour)
		if _, err := modelretrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
		if err := responses.Prune(t.Context(), w.DB.DB, w.Now().AddDate(1, 0, 0)); err != nil {
			t.Fatal(err)
		}
		if a := w.account(t, m.ID, "codeforces"); a.Unread != 1 || a.Outcome != "ok" || a.CompleteUntil == nil || a.CompleteUntil.After(row.At) {
			t.Errorf("after the next fetch: %+v", a)
		}
		odd.odd = func(sites.Submission) bool { return false }
		w.out.Forget()
		if c := w.reread(t, true); c.Rows != 1 || c.Inserted != 1 {
			t.Errorf("a dry run would change %+v", c)
		}
		if c := w.reread(t, false); c.Rows != 1 || c.Inserted != 1 || c.Answers != 1 {
			t.Errorf("reading again changed %+v", c)
		}
		if c := w.reread(t, false); c != (modelretrieval.Changes{}) {
			t.Errorf("the second time changed %+v", c)
		}
		if a := w.account(t, m.ID, "codeforces"); a.Unread != 0 || len(unreadOf(t, w)) > 0 || len(w.out.Log()) > 0 {
			t.Errorf("%d rows are unread, %d requests were made", a.Unread, len(w.out.Log()))
		}
		w.sameAsTruth(t, m.ID, "codeforces", handle)
	}
}

// A whole reading with a mended reader reads the row, too, and forgets one that is not listed any
// more. A row that it cannot read is listed all the same.
func TestUnreadRowsInAWholeReading(t *testing.T) {
	t.Parallel()
	w, m, odd, row := oddWorld(t, true)
	handle := w.out.People()[0].Handles["codeforces"]
	w.round(t)
	again := func(want int, why string) {
		t.Helper()
		w.clock.Pass(80 * time.Hour)
		if err := modelretrieval.ReadWhole(t.Context(), w.DB.DB, m.ID, "codeforces", w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
		var unlisted int64
		err := w.DB.WithContext(t.Context()).Table("submissions").Where("unlisted_at IS NOT NULL").Count(&unlisted).Error
		if a := w.account(t, m.ID, "codeforces"); err != nil || a.Outcome != "ok" || a.Unread != want || len(unreadOf(t, w)) != want || unlisted > 0 {
			t.Errorf("%s: %d unread, want %d, %d unlisted: %+v (%v)", why, a.Unread, want, unlisted, a, err)
		}
	}
	again(1, "the same reader")
	other := w.out.Submissions("codeforces", handle)[3].ID
	odd.odd = func(s sites.Submission) bool { return s.ID == other }
	again(1, "another row, which was read before")
	odd.odd = func(sites.Submission) bool { return false }
	again(0, "a mended reader")
	if a := w.account(t, m.ID, "codeforces"); a.CompleteUntil == nil || a.CompleteUntil.Before(row.At) {
		t.Errorf("complete until %v", a.CompleteUntil)
	}
	w.sameAsTruth(t, m.ID, "codeforces", handle)
}

// A list with nothing but unread rows leaves the account incomplete from the beginning.
func TestNothingButUnreadRows(t *testing.T) {
	t.Parallel()
	w, m, odd, _ := oddWorld(t, false)
	odd.odd = func(sites.Submission) bool { return true }
	w.round(t)
	a := w.account(t, m.ID, "codeforces")
	if a.Outcome != "ok" || a.Submissions != 0 || a.Unread == 0 || a.CompleteUntil != nil && a.CompleteUntil.After(modelstest.Noon.AddDate(0, -2, 0)) {
		t.Errorf("%+v", a)
	}
}
