package awards

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards/rules"
	"laurel/models/events"
)

const (
	maxEvents    = 10_000 // Of one request.
	eventsAtOnce = 1000   // Of one transaction.
	maxReason    = 500    // Bytes said about one line that is refused.
)

type apiAppended struct {
	Accepted  int           `json:"accepted"`
	Duplicate int           `json:"duplicate"`
	Waiting   int           `json:"waiting"`
	Rejected  []apiRejected `json:"rejected"`
}

type apiRejected struct {
	Line  int    `json:"line"` // From 1; of a list, the element.
	Error string `json:"error"`
}

// APIAppendEvents appends events that others send. A line that is wrong hurts no
// other, and sending all again is no harm.
func (h *Handlers) APIAppendEvents(c echo.Context) error {
	lines, err := web.Lines(c.Request().Body, maxEvents, "events")
	if err != nil {
		return err
	}
	out := apiAppended{Rejected: []apiRejected{}}
	for start := 0; start < len(lines); start += eventsAtOnce {
		if err := h.appendLines(c.Request().Context(), lines[start:min(start+eventsAtOnce, len(lines))], &out); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, out)
}

// appendLines appends some lines in one transaction.
func (h *Handlers) appendLines(ctx context.Context, lines []web.Line, out *apiAppended) error {
	list := make([]rules.Event, 0, len(lines))
	numbers := make([]int, 0, len(lines))
	reasons := map[int]string{}
	for _, l := range lines {
		e, mistakes := rules.ParseEvent(l.Text)
		if len(mistakes) > 0 {
			reasons[l.Number] = mistakes.Error()
			continue
		}
		list, numbers = append(list, e), append(numbers, l.Number)
	}
	done, err := events.Append(ctx, h.DB.DB, list, h.Now())
	if err != nil {
		return err
	}
	for _, r := range done.Rejected {
		reasons[numbers[r.Index]] = r.Reason
	}
	out.Accepted += done.Accepted
	out.Duplicate += done.Duplicate
	out.Waiting += done.Waiting
	for _, l := range lines {
		if reason, ok := reasons[l.Number]; ok {
			out.Rejected = append(out.Rejected, apiRejected{l.Number, web.Shorten(strings.ReplaceAll(reason, "\n", "; "), maxReason)})
		}
	}
	return nil
}
