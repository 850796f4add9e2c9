package awards

import (
	"context"
	"fmt"
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
	source := h.TokenSource(c)
	if err := onlyOf(source, lines); err != nil {
		return err
	}
	out := apiAppended{Rejected: []apiRejected{}}
	for start := 0; start < len(lines); start += eventsAtOnce {
		if err := h.appendLines(c.Request().Context(), lines[start:min(start+eventsAtOnce, len(lines))], source, &out); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, out)
}

// onlyOf refuses all lines where one is of another source than a token may push: nothing of them is stored.
func onlyOf(source string, lines []web.Line) error {
	if source == "" {
		return nil
	}
	for _, l := range lines {
		e, mistakes := rules.ParseEventOf(l.Text, source)
		if len(mistakes) == 0 && e.Source != source {
			return echo.NewHTTPError(http.StatusForbidden, fmt.Sprintf(
				"line %d is of the source %s, and this token may only push events of %s; nothing was stored", l.Number, e.Source, source))
		}
	}
	return nil
}

// appendLines appends some lines in one transaction. With a source they need not name it.
func (h *Handlers) appendLines(ctx context.Context, lines []web.Line, source string, out *apiAppended) error {
	list := make([]rules.Event, 0, len(lines))
	numbers := make([]int, 0, len(lines))
	reasons := map[int]string{}
	for _, l := range lines {
		e, mistakes := rules.ParseEventOf(l.Text, source)
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
