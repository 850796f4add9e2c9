package awards

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/models/awards"
	"laurel/models/awards/rules"
)

type apiDryRun struct {
	Version  int               `json:"version"`
	Members  int               `json:"members"`
	Of       int64             `json:"of"`
	Sampled  bool              `json:"sampled"`
	Items    int64             `json:"items"`
	Holders  int               `json:"holders"`
	Gained   int               `json:"gained"`
	Lost     int               `json:"lost"`
	Kept     int               `json:"kept"`
	Near     int               `json:"near"`
	Notices  int               `json:"notices"`
	TooOld   int               `json:"too_old"`
	Backfill int               `json:"backfill_seconds"`
	Samples  []apiDryRunSample `json:"samples"`
}

type apiDryRunSample struct {
	Member   string        `json:"member"`
	Change   string        `json:"change"`
	Progress rules.Decimal `json:"progress"`
	Goal     rules.Decimal `json:"goal"`
	Level    int           `json:"level"`
}

// APIDryRun says what a version of an award would do if it were activated now.
func (h *Handlers) APIDryRun(c echo.Context) error {
	ctx := c.Request().Context()
	number, err := h.numberAsked(c)
	if err != nil {
		return err
	}
	a, err := awards.Named(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	r, err := awards.DryRun(ctx, h.DB.DB, &a, number, h.Now())
	if err != nil {
		return err
	}
	out := apiDryRun{Version: r.Version, Members: r.Members, Of: r.Of, Sampled: r.Sampled(), Items: r.Items, Holders: r.Holders,
		Gained: r.Gained, Lost: r.Lost,
		Kept: r.Kept, Near: r.Near, Notices: r.Notices, TooOld: r.TooOld, Backfill: r.Backfill,
		Samples: make([]apiDryRunSample, len(r.Samples))}
	for i, s := range r.Samples {
		out.Samples[i] = apiDryRunSample{s.Member, s.Change, known(s.Now.Value), known(s.Now.Goal), s.Level}
	}
	return c.JSON(http.StatusOK, out)
}
