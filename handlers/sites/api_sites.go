package sites

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

type apiSite struct {
	Site               string      `json:"site"`
	Title              string      `json:"title"`
	Kind               string      `json:"kind"`
	Outside            bool        `json:"outside"`
	PushedAt           *time.Time  `json:"pushed_at"`
	Accounts           int         `json:"accounts"`
	Invalid            int         `json:"invalid"`
	LastSuccessAt      *time.Time  `json:"last_success_at"`
	LastFailureAt      *time.Time  `json:"last_failure_at"`
	FailingSince       *time.Time  `json:"failing_since"`
	Outcome            string      `json:"outcome"`
	Message            string      `json:"message"`
	RequestsLastHour   int         `json:"requests_last_hour"`
	RetrievalsLastHour int         `json:"retrievals_last_hour"`
	FailuresLastHour   int         `json:"failures_last_hour"`
	NewLastHour        int         `json:"new_last_hour"`
	Queue              int         `json:"queue"`
	OldestDueAt        *time.Time  `json:"oldest_due_at"`
	ClosedUntil        *time.Time  `json:"closed_until"`
	Circuit            string      `json:"circuit"`
	OpenedAt           *time.Time  `json:"opened_at"`
	AnsweredAt         *time.Time  `json:"answered_at"`
	NextTryAt          *time.Time  `json:"next_try_at"`
	Paused             bool        `json:"paused"`
	PausedAt           *time.Time  `json:"paused_at"`
	PausedReason       string      `json:"paused_reason"`
	Stream             *string     `json:"stream"`
	Alarms             []apiAlarm  `json:"alarms"`
	Canaries           []apiCanary `json:"canaries"`
}

type apiAlarm struct {
	Kind     string     `json:"kind"`
	Subject  string     `json:"subject"`
	Message  string     `json:"message"`
	Times    int        `json:"times"`
	OpenedAt time.Time  `json:"opened_at"`
	LastAt   time.Time  `json:"last_at"`
	ClosedAt *time.Time `json:"closed_at"`
}

// APIList is the health of every site that can be read, by name.
func (h *Handlers) APIList(c echo.Context) error {
	states, err := h.siteStates(c)
	if err != nil {
		return err
	}
	return web.SendList(c, h.Sites(c), "", func(s members.Site) apiSite { return h.showSite(c, s, states[s.Name]) })
}

// APIUpdate pauses a site, or lets it go, and switches its activity stream.
func (h *Handlers) APIUpdate(c echo.Context) error {
	var in struct {
		Paused *bool                   `json:"paused"`
		Reason string                  `json:"reason"`
		Stream *retrieval.StreamSwitch `json:"stream"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if in.Paused == nil && in.Stream == nil {
		return &pg.InputError{Field: "paused", Message: "give paused (true or false) or stream"}
	}
	site, err := h.siteNamed(c, c.Param("site"))
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	err = h.DB.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if in.Stream != nil {
			if err := h.switchStream(ctx, tx, site, *in.Stream); err != nil {
				return err
			}
		}
		if in.Paused == nil {
			return nil
		}
		pause := retrieval.SitePause{Paused: *in.Paused, Reason: in.Reason, By: h.Viewer(c).Name}
		return retrieval.PauseSite(ctx, tx, site.Name, pause, h.Now())
	})
	if err != nil {
		return err
	}
	states, err := h.siteStates(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showSite(c, site, states[site.Name]))
}

func (h *Handlers) showSite(c echo.Context, s members.Site, is siteState) apiSite {
	out := showSite(s, is.SiteHealth)
	out.Kind, out.Outside, out.PushedAt = s.Kind, s.Outside, web.UTC(is.pushed)
	out.Circuit, out.OpenedAt, out.AnsweredAt, out.NextTryAt = is.State, web.UTC(is.OpenedAt), web.UTC(is.AnsweredAt), web.UTC(is.NextTryAt)
	if is.stream != "" {
		out.Stream = new(string(is.stream))
	}
	out.Paused, out.PausedAt, out.PausedReason, out.Alarms = is.PausedAt != nil, web.UTC(is.PausedAt), is.PausedReason, []apiAlarm{}
	for _, a := range is.alarms {
		out.Alarms = append(out.Alarms, apiAlarm{Kind: a.Kind, Subject: h.alarmSubject(c, &a), Message: a.Message, Times: a.Times,
			OpenedAt: a.OpenedAt.UTC(), LastAt: a.LastAt.UTC(), ClosedAt: web.UTC(a.ClosedAt)})
	}
	out.Canaries = []apiCanary{}
	for i := range is.canaries {
		out.Canaries = append(out.Canaries, showCanary(&is.canaries[i], h.isAdmin(c)))
	}
	return out
}

func showSite(s members.Site, is retrieval.SiteHealth) apiSite {
	out := apiSite{Site: s.Name, Title: s.Title, Accounts: is.Accounts, Invalid: is.Invalid,
		LastSuccessAt: web.UTC(is.LastSuccess), LastFailureAt: web.UTC(is.LastFailure), FailingSince: web.UTC(is.FailingSince),
		RequestsLastHour: is.Requests, RetrievalsLastHour: is.Retrievals, FailuresLastHour: is.Failures, NewLastHour: is.NewRows,
		Queue: is.Queue, OldestDueAt: web.UTC(is.OldestDue), ClosedUntil: web.UTC(is.ClosedUntil)}
	switch {
	case is.FailingSince != nil:
		out.Outcome, out.Message = is.Outcome, is.Message
	case is.LastSuccess != nil:
		out.Outcome = pg.OutcomeOK
	}
	return out
}
