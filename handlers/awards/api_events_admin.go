package awards

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/events"
)

type apiSource struct {
	Source    string     `json:"source"`
	FirstAt   time.Time  `json:"first_at"`
	PausedAt  *time.Time `json:"paused_at"`
	Waiting   int        `json:"waiting"`
	Handled   int64      `json:"handled"`
	HandledAt *time.Time `json:"handled_at"`
	Dead      int64      `json:"dead"`
}

func showSource(s events.Source) apiSource {
	return apiSource{s.Source, s.FirstAt.UTC(), web.UTC(s.PausedAt), s.Waiting, s.Handled, web.UTC(s.HandledAt), s.Dead}
}

// APISources lists who sends events, and how far they are handled.
func (h *Handlers) APISources(c echo.Context) error {
	list, err := events.Sources(c.Request().Context(), h.DB.DB, "")
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", showSource)
}

// apiPauseSource lets the events of a source wait, or be handled again.
func (h *Handlers) apiPauseSource(paused bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		s, err := events.Pause(c.Request().Context(), h.DB.DB, c.Param("source"), paused, h.Now())
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, showSource(s))
	}
}

type apiDeadEvent struct {
	ID       int64     `json:"id"`
	Source   string    `json:"source"`
	EventID  string    `json:"event_id"`
	Member   string    `json:"member"`
	Body     string    `json:"body"`
	Reason   string    `json:"reason"`
	StoredAt time.Time `json:"stored_at"`
	DeadAt   time.Time `json:"dead_at"`

	Topic     *string `json:"topic"` // Of a record of Kafka.
	Partition *int32  `json:"partition"`
	Offset    *int64  `json:"offset"`
}

func showDeadEvent(d events.Dead) apiDeadEvent {
	return apiDeadEvent{d.ID, d.Source, d.EventID, d.Member, d.Body, d.Reason, d.StoredAt.UTC(), d.DeadAt.UTC(),
		d.Topic, d.Part, d.LogOffset}
}

// APIDeadEvents lists the events that could not be handled, newest first.
func (h *Handlers) APIDeadEvents(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	var before int64
	if err := web.DecodeCursor(c.QueryParam("cursor"), "dead", &before); err != nil {
		return err
	}
	list, err := events.DeadEventsBefore(c.Request().Context(), h.DB.DB, c.QueryParam("source"), before, limit+1)
	if err != nil {
		return err
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		next = web.EncodeCursor("dead", list[limit-1].ID)
	}
	return web.SendList(c, list, next, showDeadEvent)
}

// APIReplay puts one event that could not be handled onto the bus again, or all.
func (h *Handlers) APIReplay(c echo.Context) error {
	n, err := h.replay(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]int64{"replayed": n})
}

// replay replays the event that the address names; all where it names none.
func (h *Handlers) replay(c echo.Context) (n int64, err error) {
	id := int64(0)
	if c.Param("id") != "" {
		if id, err = strconv.ParseInt(c.Param("id"), 10, 64); err != nil || id < 1 {
			return 0, pg.ErrNotFound
		}
	}
	return awards.ReplayDead(c.Request().Context(), h.DB.DB, id, h.Now())
}
