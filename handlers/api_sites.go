package handlers

import (
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
)

type apiSite struct {
	Site               string     `json:"site"`
	Title              string     `json:"title"`
	Accounts           int        `json:"accounts"`
	Invalid            int        `json:"invalid"`
	LastSuccessAt      *time.Time `json:"last_success_at"`
	LastFailureAt      *time.Time `json:"last_failure_at"`
	FailingSince       *time.Time `json:"failing_since"`
	Outcome            string     `json:"outcome"`
	Message            string     `json:"message"`
	RequestsLastHour   int        `json:"requests_last_hour"`
	RetrievalsLastHour int        `json:"retrievals_last_hour"`
	FailuresLastHour   int        `json:"failures_last_hour"`
	NewLastHour        int        `json:"new_last_hour"`
	Queue              int        `json:"queue"`
	OldestDueAt        *time.Time `json:"oldest_due_at"`
	ClosedUntil        *time.Time `json:"closed_until"`
}

// APISites is the health of every site that can be read, by name.
func (h *Handlers) APISites(c echo.Context) error {
	healths, err := models.SiteHealths(c.Request().Context(), h.DB.DB, h.Now())
	if err != nil {
		return err
	}
	of := map[string]models.SiteHealth{}
	for _, s := range healths {
		of[s.Site] = s
	}
	return sendList(c, h.Sites, "", func(s models.Site) apiSite { return showSite(s, of[s.Name]) })
}

func showSite(s models.Site, is models.SiteHealth) apiSite {
	out := apiSite{Site: s.Name, Title: s.Title, Accounts: is.Accounts, Invalid: is.Invalid,
		LastSuccessAt: utc(is.LastSuccess), LastFailureAt: utc(is.LastFailure), FailingSince: utc(is.FailingSince),
		RequestsLastHour: is.Requests, RetrievalsLastHour: is.Retrievals, FailuresLastHour: is.Failures, NewLastHour: is.NewRows,
		Queue: is.Queue, OldestDueAt: utc(is.OldestDue), ClosedUntil: utc(is.ClosedUntil)}
	switch {
	case is.FailingSince != nil:
		out.Outcome, out.Message = is.Outcome, is.Message
	case is.LastSuccess != nil:
		out.Outcome = models.OutcomeOK
	}
	return out
}
