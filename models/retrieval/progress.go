package retrieval

import (
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Phases of a retrieval, and of each of its sites.
const (
	PhaseWaiting = "waiting"
	PhaseRunning = "running"
	PhaseDone    = "done"
)

// A Progress is how far the newest request of a member is.
type Progress struct {
	RequestedAt *time.Time // Nil before the first press of the button.
	Phase       string
	Sites       []SiteProgress // By site name; paused accounts are not part of it.
}

// A SiteProgress is one account's part.
type SiteProgress struct {
	Site, Phase string
	Page        int // Being fetched, or the last one fetched.
	New         int // Inserted so far, or by the last complete retrieval.
	Outcome     string
	Message     string
}

// ProgressOf returns how far the newest request of a member is, by the state of the accounts.
// suspended are the sites that are not asked now.
func ProgressOf(m *members.Member, accounts []members.Account, suspended map[string]Circuit, now time.Time) Progress {
	r := Progress{RequestedAt: m.RequestedAt, Phase: PhaseDone}
	count := map[string]int{}
	for _, a := range accounts {
		if a.State == members.StatePaused {
			continue
		}
		s := siteProgress(&a, now)
		if c, ok := suspended[a.Site]; ok && s.Phase != PhaseRunning {
			s.Phase, s.Message = PhaseDone, c.Why()
			if c.Broken() {
				s.Outcome = c.Outcome
			}
		}
		count[s.Phase]++
		r.Sites = append(r.Sites, s)
	}
	switch {
	case count[PhaseRunning] > 0, count[PhaseWaiting] > 0 && count[PhaseDone] > 0:
		r.Phase = PhaseRunning
	case count[PhaseWaiting] > 0:
		r.Phase = PhaseWaiting
	}
	return r
}

// siteProgress is one account's part. The outcome is shown when the request is done. A fetch that
// nobody requested is no part of it.
func siteProgress(a *members.Account, now time.Time) SiteProgress {
	s := SiteProgress{Site: a.Site, Phase: PhaseDone, Page: a.Page, New: a.NewRows}
	if a.RequestedAt != nil {
		s.Phase = Phase(a, now)
		return s
	}
	s.Outcome, s.Message = a.Outcome, a.Message
	if a.Outcome == pg.OutcomeOK {
		s.New = a.LastNew
	}
	return s
}

// Phase says whether the account is being fetched, or waits for that because of the button.
func Phase(a *members.Account, now time.Time) string {
	switch {
	case a.Leased(now):
		return PhaseRunning
	case a.RequestedAt != nil && a.State != members.StatePaused:
		return PhaseWaiting
	}
	return PhaseDone
}
