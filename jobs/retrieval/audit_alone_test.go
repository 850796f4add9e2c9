package retrieval_test

import (
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// Nobody asks for it: what a mirror lacked for a month, a row that appears 60 days back, a verdict that
// changes after weeks and ten rows that vanish are found by the round of all accounts, or because the
// site counts more than is stored. No account is called checked through them before, and all of it takes
// at most a tenth of the requests: a long history in small pages has to wait for somebody to ask.
func TestAuditsByThemselves(t *testing.T) {
	t.Parallel()
	list := []string{"atcoder", "leetcode"}
	if jobstest.Soak() {
		list = append([]string{"leetcode"}, wholeSites...)
	}
	for _, site := range list {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			newLonely(t, site).audits(t)
		})
	}
}

// A lonely world is one of few people on one site, where nobody asks for anything.
type lonely struct {
	*world
	site    string
	handles map[int64]string // By member.
}

func newLonely(t *testing.T, site string) *lonely {
	people := 4
	if jobstest.Soak() {
		people = 8
	}
	w := newWorld(t, standin.Options{Seed: 5, People: people, Begin: modelstest.Noon.AddDate(0, 0, -80)})
	l := &lonely{w, site, map[int64]string{}}
	for _, p := range w.out.People() {
		if handle := p.Handles[site]; handle != "" && len(w.out.Listed(site, handle)) > 25 {
			m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{site: handle}, w.Now())
			l.handles[m.ID] = handle
		}
	}
	return l
}

// days lets days pass, with what runs by itself, until there are enough of them.
func (l *lonely) days(t *testing.T, most int, enough func() bool) (passed int) {
	t.Helper()
	for ; passed < most; passed++ {
		if l.round(t); enough() {
			return passed
		}
		l.clock.Pass(24 * time.Hour)
		if err := retrieval.StartAudits(t.Context(), l.DB.DB, l.Now()); err != nil {
			t.Fatal(err)
		}
	}
	return passed
}

// edit is what the site does to a history behind covered ground.
func (l *lonely) edit(handle string, hidden [2]int64) standin.Edit {
	e := standin.Edit{Site: l.site, Handle: handle, Hide: hidden, Add: []int64{l.Now().AddDate(0, 0, -60).Unix() / 60 * 60}}
	old := l.out.Listed(l.site, handle)
	for i := range 10 {
		e.Remove = append(e.Remove, old[i+1].At.Unix())
	}
	e.Skip = []int64{old[12].At.Unix()} // No count shows it.
	return e
}

func (l *lonely) audits(t *testing.T) {
	month := l.Now().AddDate(0, 0, -50)
	for _, handle := range l.handles {
		l.out.Edit(standin.Edit{Site: l.site, Handle: handle, Hide: [2]int64{month.Unix(), month.AddDate(0, 0, 30).Unix()}})
	}
	l.days(t, 3, func() bool { return false })
	edited := l.Now()
	for _, handle := range l.handles {
		l.out.Edit(l.edit(handle, [2]int64{}))
	}
	passed := l.days(t, 120, func() bool {
		all := true
		for id, handle := range l.handles {
			a := l.account(t, id, l.site)
			through := a.AuditedAt.After(edited)
			if all = all && through; !through || l.site == "leetcode" {
				continue
			}
			if differ := l.unlikeListed(t, members.Member{ID: id}, l.site, handle, edited.AddDate(0, 0, -35)); len(differ) > 0 {
				t.Fatalf("checked through %s, edited at %s: %q", a.AuditedAt, edited, differ)
			}
		}
		return all
	})
	for id := range l.handles {
		if _, err := retrieval.Request(t.Context(), l.DB.DB, id, 0, l.Now()); err != nil {
			t.Fatal(err)
		}
	}
	l.round(t)
	var spent struct{ Requests, Audits int }
	err := l.DB.WithContext(t.Context()).Raw(`SELECT sum(requests) AS requests, sum(audit_requests) AS audits FROM site_hours`).Scan(&spent).Error
	if err != nil || spent.Audits == 0 || 10*spent.Audits > spent.Requests {
		t.Errorf("%d of %d requests read accounts whole (%v)", spent.Audits, spent.Requests, err)
	}
	audited := 0
	for id, handle := range l.handles {
		a := l.account(t, id, l.site)
		switch {
		case !a.AuditedAt.After(edited) && 10*(spent.Audits+2*a.AuditRequests) > spent.Requests: // With what it has grown by.
			t.Logf("%s takes more than %d requests, and waits until they are within the tenth", handle, a.AuditRequests)
		case !a.AuditedAt.After(edited):
			t.Errorf("%s is checked through %s alone, and took %d requests", handle, a.AuditedAt, a.AuditRequests)
		case l.site == "leetcode":
			audited++
			l.sameAsCounted(t, members.Member{ID: id}, handle)
		default:
			audited++
			l.sameAsListed(t, members.Member{ID: id}, l.site, handle)
		}
	}
	t.Logf("%d of %d requests read %d of %d accounts whole within %d days", spent.Audits, spent.Requests, audited, len(l.handles), passed)
	if audited == 0 {
		t.Error("no account was read whole")
	}
}
