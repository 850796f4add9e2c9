package awards

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

type apiExplanation struct {
	Member     string        `json:"member"`
	BannedAt   *time.Time    `json:"banned_at"`
	Standing   apiStanding   `json:"standing"`
	Version    int           `json:"version"`
	Waiting    bool          `json:"waiting"`
	Why        []string      `json:"why"` // Why it is not held; empty where it is.
	Items      []apiItem     `json:"items"`
	NextItems  string        `json:"next_items"`
	Log        []apiLogLine  `json:"log"`
	NextLog    string        `json:"next_log"`
	GrantLog   []apiGrantLog `json:"grant_log"`
	Bans       []apiBan      `json:"bans"`
	Sources    []apiSource   `json:"sources"`
	Objectives []apiTask     `json:"objectives"`
}

// An apiTask is what an objective wants.
type apiTask struct {
	ID      string   `json:"id"`
	Filters []string `json:"filters"`
	Rule    string   `json:"rule"`
}

type apiItem struct {
	Source    string       `json:"source"`
	Key       string       `json:"key"`
	EventID   string       `json:"event_id"`
	Status    string       `json:"status"`
	At        time.Time    `json:"at"`
	ArrivedAt time.Time    `json:"arrived_at"`
	Event     string       `json:"event"` // As it came.
	Verdicts  []apiVerdict `json:"verdicts"`
}

type apiVerdict struct {
	Objective    string             `json:"objective"`
	Because      string             `json:"because"`
	Filters      []apiFilterVerdict `json:"filters"`
	Contribution *apiContribution   `json:"contribution"` // Null is none.
}

type apiFilterVerdict struct {
	Filter string `json:"filter"`
	Wants  string `json:"wants"`
	Pass   bool   `json:"pass"`
}

type apiContribution struct {
	Period string       `json:"period"`
	Status string       `json:"status"`
	Cell   string       `json:"cell"`
	Amount rules.Amount `json:"amount"`
}

type apiLogLine struct {
	ID        int64            `json:"id"`
	At        time.Time        `json:"at"`
	Objective string           `json:"objective"`
	Source    string           `json:"source"`
	Key       string           `json:"key"`
	EventID   string           `json:"event_id"`
	Reason    string           `json:"reason"`
	Was       *apiContribution `json:"was"`
	Became    *apiContribution `json:"became"`
}

type apiGrantLog struct {
	Level  int       `json:"level"`
	Period string    `json:"period"`
	At     time.Time `json:"at"`
	What   string    `json:"what"`
	Reason string    `json:"reason"`
	Author string    `json:"author"`
}

type apiBan struct {
	At     time.Time `json:"at"`
	Banned bool      `json:"banned"`
	Author string    `json:"author"`
	Note   string    `json:"note"`
}

// explainParts is how much of the long lists is shown where nothing is given.
const explainParts = 100

// APIExplain says why a member has an award or has not.
func (h *Handlers) APIExplain(c echo.Context) error {
	part := awards.ExplainPart{Limit: explainParts}
	if c.QueryParam("limit") != "" {
		var err error
		if part.Limit, err = web.Limit(c); err != nil {
			return err
		}
	}
	var place apiItemPlace
	if err := readCursorOf(c, "items_cursor", "items", &place); err != nil {
		return err
	}
	if err := readCursorOf(c, "log_cursor", "log", &part.Before); err != nil {
		return err
	}
	part.After = awards.ItemPlace(place)
	m, shown, err := h.explained(c)
	if err != nil {
		return err
	}
	x, err := awards.Explain(c.Request().Context(), h.DB.DB, &m, shown, part, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showExplanation(x))
}

type apiItemPlace struct {
	At          time.Time
	Source, Key string
}

// readCursorOf reads a cursor that is called by another name.
func readCursorOf(c echo.Context, name, list string, place any) error {
	err := web.DecodeCursor(c.QueryParam(name), list, place)
	if err != nil {
		return &pg.InputError{Field: name, Message: "this cursor was not made by this list; begin without one"}
	}
	return nil
}
