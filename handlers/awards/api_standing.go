package awards

import (
	"time"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
)

// An apiStanding is how a member stands with an award.
type apiStanding struct {
	Slug       string           `json:"slug"`
	Title      string           `json:"title"`
	State      string           `json:"state"`
	Progress   rules.Decimal    `json:"progress"`
	Goal       rules.Decimal    `json:"goal"`
	GrantedAt  *time.Time       `json:"granted_at"`
	Level      int              `json:"level"` // The highest that is held; 0 is none.
	Levels     []apiHeldLevel   `json:"levels"`
	Period     *string          `json:"period"`
	Objectives []apiCounted     `json:"objectives"`
	Missing    []string         `json:"missing"`
	Grants     []apiGrant       `json:"grants"`
	Award      apiStandingAward `json:"award"`
}

// apiStandingAward is about the award whoever the member is.
type apiStandingAward struct {
	State      rules.State `json:"state"`
	Recounting bool        `json:"recounting"`
}

type apiHeldLevel struct {
	apiLevel
	GrantedAt *time.Time `json:"granted_at"` // Null unless it is held.
}

type apiCounted struct {
	ID       string                  `json:"id"`
	Progress rules.Amount            `json:"progress"`
	Counters map[string]rules.Amount `json:"counters"`
}

// An apiGrant is a level that is held or was.
type apiGrant struct {
	Level         int        `json:"level"`
	Period        string     `json:"period"`
	GrantedAt     time.Time  `json:"granted_at"`
	FoundAt       time.Time  `json:"found_at"`
	ByHand        bool       `json:"by_hand"`
	Locked        bool       `json:"locked"`
	RevokedAt     *time.Time `json:"revoked_at"`
	RevokedReason string     `json:"revoked_reason"`
	Badge         *string    `json:"badge"` // The address of its page.
}

func (h *Handlers) showGrant(g *awards.StandingGrant) apiGrant {
	out := apiGrant{g.Level, g.Period, g.GrantedAt.UTC(), g.FoundAt.UTC(), g.GivenBy != "", g.Locked, web.UTC(g.RevokedAt), g.RevokedReason,
		nil}
	if g.Badge != "" {
		out.Badge = new(h.URL + "/badges/" + g.Badge)
	}
	return out
}

func (h *Handlers) showStanding(s *awards.Standing) apiStanding {
	out := apiStanding{Slug: s.Slug, Title: s.Doc.Title, Progress: known(s.Value), Goal: goalOf(&s.Doc), Missing: []string{},
		Grants: []apiGrant{}, Award: apiStandingAward{s.State, s.Recounting}}
	if s.Doc.Window != nil {
		out.Period = &s.Period
	}
	for _, l := range levelsOf(&s.Doc) {
		out.Levels = append(out.Levels, apiHeldLevel{apiLevel: l})
	}
	out.Objectives = showCounters(s)
	for _, m := range s.Missing {
		if s.Award.State.Counts() {
			out.Missing = append(out.Missing, m.String())
		}
	}
	for i := range s.Grants {
		out.Grants = append(out.Grants, h.showGrant(&s.Grants[i]))
	}
	out.hold(s)
	return out
}

// hold says what is held, and in one word how it stands.
func (a *apiStanding) hold(s *awards.Standing) {
	repeats := s.Doc.Window != nil && s.Doc.Window.Every != "" // Each period is won again.
	lost := false
	for i := range s.Grants {
		g := &s.Grants[i]
		if repeats && g.Period != s.Period {
			continue
		}
		if g.RevokedAt != nil {
			lost = true
			continue
		}
		if g.Level <= len(a.Levels) {
			a.Levels[g.Level-1].GrantedAt = web.UTC(&g.GrantedAt)
		}
		if g.Level > a.Level {
			a.Level, a.GrantedAt = g.Level, web.UTC(&g.GrantedAt)
		}
	}
	switch {
	case a.Level > 0:
		a.State = "granted"
	case lost:
		a.State = "revoked"
	case s.Started || a.Progress.Sign() > 0:
		a.State = "in_progress"
	default:
		a.State = "not_started"
	}
}

func showCounters(s *awards.Standing) []apiCounted {
	list := make([]apiCounted, len(s.Doc.Objectives))
	for i, o := range s.Doc.Objectives {
		list[i] = apiCounted{ID: o.ID, Counters: map[string]rules.Amount{}}
		for _, c := range s.Counters {
			if c.Objective == o.ID {
				list[i].Counters[c.Status] = c.Amount
			}
		}
		list[i].Progress = list[i].Counters[rules.Active]
	}
	return list
}
