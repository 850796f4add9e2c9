package awards

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/events"
	"laurel/models/members"
	views "laurel/views/awards"
	"laurel/views/parts"
)

const deadShown = 50

// Events is the page of sources and of what could not be handled.
func (h *Handlers) Events(c echo.Context) error {
	return h.showEvents(c, http.StatusOK, parts.Form{}, views.Tokens{})
}

// showEvents shows the page with a form of a topic or a token that was refused, or empty ones.
func (h *Handlers) showEvents(c echo.Context, status int, form parts.Form, tokens views.Tokens) error {
	ctx := c.Request().Context()
	readOnly := h.Viewer(c).Role != members.RoleAdmin
	p := views.Events{ReadOnly: readOnly, Frame: h.AwardsFrame(c, "Events"), Now: h.Now().In(h.Viewer(c).Location())}
	sources, err := events.Sources(ctx, h.DB.DB, "")
	if err != nil {
		return err
	}
	if p.Unknown, err = events.Strangers(ctx, h.DB.DB); err != nil {
		return err
	}
	for _, s := range sources {
		p.Sources = append(p.Sources, views.Source{Name: s.Source, Waiting: s.Waiting, Full: s.Waiting >= events.WaitingAtMost,
			Handled: int(s.Handled), Dead: int(s.Dead), Paused: web.Deref(s.PausedAt), HandledAt: web.Deref(s.HandledAt)})
		p.Total += int(s.Dead)
	}
	if p.Check, err = h.awardCheck(ctx); err != nil {
		return err
	}
	if err := h.doors(c, &p, form, tokens); err != nil {
		return err
	}
	before, _ := strconv.ParseInt(c.QueryParam("before"), 10, 64)
	dead, err := events.DeadEventsBefore(ctx, h.DB.DB, "", before, deadShown+1)
	if err != nil {
		return err
	}
	if len(dead) > deadShown {
		dead = dead[:deadShown]
		p.More = "/admin/events?before=" + strconv.FormatInt(dead[deadShown-1].ID, 10) + "#dead"
	}
	for _, d := range dead {
		p.Dead = append(p.Dead, views.DeadEvent{ID: d.ID, Source: d.Source, Event: d.EventID, Member: d.Member, Reason: d.Reason,
			Body: d.Body, At: d.DeadAt, Place: placeOf(&d)})
	}
	return web.Render(c, status, views.EventsPage(p))
}

// doors are the ways in that an admin opens: topics of Kafka and tokens of sources.
func (h *Handlers) doors(c echo.Context, p *views.Events, form parts.Form, tokens views.Tokens) (err error) {
	if p.ReadOnly {
		return nil
	}
	if p.Kafka, err = h.kafka(c.Request().Context(), form); err != nil {
		return err
	}
	list, err := events.Tokens(c.Request().Context(), h.DB.DB)
	for i := range list {
		t := &list[i]
		tokens.List = append(tokens.List, views.Token{ID: t.ID, Source: t.Source, Label: t.Label, By: t.CreatedBy, Created: t.CreatedAt})
	}
	p.Tokens = &tokens
	return err
}

// placeOf says where a record of Kafka stands.
func placeOf(d *events.Dead) string {
	if d.Topic == nil {
		return ""
	}
	return fmt.Sprintf("topic %s, partition %d, offset %d", *d.Topic, *d.Part, *d.LogOffset)
}

// awardCheck is the last time that members were recounted, with at most a page
// of differences.
func (h *Handlers) awardCheck(ctx context.Context) (views.CounterCheck, error) {
	c, err := awards.LastCheck(ctx, h.DB.DB)
	if err != nil || c.ID == 0 {
		return views.CounterCheck{}, err
	}
	v := views.CounterCheck{At: c.StartedAt, Members: c.Members, Items: int(c.Items)}
	names, err := awards.MemberNames(ctx, h.DB.DB, c.Differences)
	if err != nil {
		return v, err
	}
	for _, d := range c.Differences[:min(len(c.Differences), deadShown)] {
		v.Differences = append(v.Differences, views.Difference{Member: names[d.Member], What: d.What, Is: d.Is, Should: d.Should})
	}
	return v, nil
}

// pauseSource lets the events of a source wait, or be handled again.
func (h *Handlers) pauseSource(paused bool, done string) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := events.Pause(c.Request().Context(), h.DB.DB, c.Param("source"), paused, h.Now()); err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, "/admin/events?done="+done)
	}
}

// ReplayDead puts what could not be handled onto the bus again: one event, or
// all.
func (h *Handlers) ReplayDead(c echo.Context) error {
	if _, err := h.replay(c); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/events?done=replayed")
}
