package profiles

import (
	"cmp"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive/shards"
	modelhistory "laurel/models/history"
)

type apiHistory struct {
	Member      string           `json:"member"`
	DisplayName string           `json:"display_name"`
	TimeZone    string           `json:"time_zone"`
	At          time.Time        `json:"at"`
	Figures     []apiFigure      `json:"figures"`
	Accounts    []apiAccountThen `json:"accounts"`
	Days        []apiDay         `json:"days"`
	Submissions []apiSubmission  `json:"submissions"`
}

// An apiFigure is one number as known at the instant.
type apiFigure struct {
	Name       string     `json:"name"`
	Title      string     `json:"title"`
	Value      any        `json:"value"` // Null where nothing is known.
	Class      string     `json:"class"`
	Shard      string     `json:"shard"`
	ValidFrom  *time.Time `json:"valid_from"`
	ValidUntil *time.Time `json:"valid_until"`
	EndReason  string     `json:"end_reason"`
	SeenBefore *time.Time `json:"seen_before"`
	SeenAfter  *time.Time `json:"seen_after"`
	Next       any        `json:"next"`
}

type apiAccountThen struct {
	Site        string          `json:"site"`
	Handle      string          `json:"handle"`
	Submissions int             `json:"submissions"`
	Accepted    int             `json:"accepted"`
	Solved      int             `json:"solved"`
	Statuses    json.RawMessage `json:"statuses"`
	SeenAt      time.Time       `json:"seen_at"`
	Ratings     []apiRating     `json:"ratings"`
}

type apiRating struct {
	Contest string    `json:"contest"`
	Name    string    `json:"name"`
	URL     string    `json:"url"`
	Rank    int       `json:"rank"`
	Rating  int       `json:"rating"`
	At      time.Time `json:"at"`
}

type apiDay struct {
	Day         string `json:"day"`
	Submissions int    `json:"submissions"`
	Accepted    int    `json:"accepted"`
}

// APIHistory is a member's profile as known at an instant; with format=csv, the
// figures alone.
func (h *Handlers) APIHistory(c echo.Context) error {
	csv, err := web.WantsFormat(c, c.QueryParam("format"), "csv", "text/csv")
	if err != nil {
		return err
	}
	hist, err := h.history(c, "at")
	if err != nil {
		return err
	}
	figures := h.figures(c, &hist)
	if csv {
		return sendFigures(c, &hist, figures)
	}
	out := apiHistory{Member: hist.Member.Name, DisplayName: hist.DisplayName, TimeZone: hist.Zone.String(), At: hist.At, Figures: figures,
		Accounts: []apiAccountThen{}, Days: []apiDay{}, Submissions: []apiSubmission{}}
	for _, a := range hist.Accounts {
		then := apiAccountThen{Site: a.Site, Handle: a.Handle, Submissions: a.Submissions, Accepted: a.Accepted, Solved: a.Solved,
			Statuses: a.Statuses, SeenAt: a.Seen.UTC(), Ratings: []apiRating{}}
		for _, r := range a.Ratings {
			then.Ratings = append(then.Ratings, apiRating{r.Contest, r.Name, r.URL, r.Rank, r.Rating, r.At.UTC()})
		}
		out.Accounts = append(out.Accounts, then)
	}
	for _, d := range hist.Days {
		out.Days = append(out.Days, apiDay{d.Day.Format(time.DateOnly), d.Submissions, d.Accepted})
	}
	for _, s := range hist.Recent {
		out.Submissions = append(out.Submissions, showSubmission(s))
	}
	return c.JSON(http.StatusOK, out)
}

// figures are the numbers of the page with their values as programs want them.
func (h *Handlers) figures(c echo.Context, hist *modelhistory.History) []apiFigure {
	out := []apiFigure{}
	for _, g := range h.knownGroups(hist) {
		class := modelhistory.CertaintyOf(g.k.Valid, g.k.Before, hist.At)
		row := cmp.Or(g.k.Valid, g.k.Before)
		for _, f := range g.fields {
			fig := apiFigure{Name: f.nameOf(g.k.Source), Title: f.titleOf(g.k.Source, h.SourceTitle(c, g.k.Source)), Class: string(class),
				Shard: g.k.Shard.Name}
			if row != nil {
				fig.ValidFrom, fig.ValidUntil, fig.EndReason = &row.ValidFrom, row.ValidUntil, row.EndReason
				fig.SeenBefore, fig.SeenAfter = row.SeenBefore, row.SeenAfter
			}
			if g.k.Valid != nil {
				fig.Value = g.k.Valid.Data[f.field]
				if g.k.Valid.EndReason == shards.Changed && g.k.Next != nil {
					fig.Next = g.k.Next.Data[f.field]
				}
			}
			out = append(out, fig)
		}
	}
	return out
}

func sendFigures(c echo.Context, hist *modelhistory.History, figures []apiFigure) error {
	s := &web.Sheet{Name: hist.Member.Name + "-" + hist.At.Format(web.FileStamp),
		Head: []string{"name", "title", "value", "class", "valid_from", "valid_until", "end_reason", "seen_before", "seen_after", "next"}}
	for _, f := range figures {
		s.Rows = append(s.Rows, []any{f.Name, f.Title, f.Value, f.Class, f.ValidFrom, f.ValidUntil, f.EndReason, f.SeenBefore, f.SeenAfter,
			f.Next})
	}
	return s.SendCSV(c)
}
