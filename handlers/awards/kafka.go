package awards

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/kafka"
	views "laurel/views/awards"
	"laurel/views/parts"
)

// kafka is what the page of events says of Kafka: nothing where it is neither set up nor was.
func (h *Handlers) kafka(ctx context.Context, form parts.Form) (*views.Kafka, error) {
	topics, err := kafka.Topics(ctx, h.DB.DB)
	if err != nil || !h.Kafka && len(topics) == 0 {
		return nil, err
	}
	state, err := kafka.Now(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	v := &views.Kafka{On: h.Kafka, Form: form}
	if state != nil {
		v.Known, v.FailingSince, v.Error = true, web.Deref(state.FailingSince), state.Error
		v.Outbox, v.Full = state.Outbox, state.Outbox >= kafka.OutboxAtMost
	}
	for _, t := range topics {
		v.Topics = append(v.Topics, views.Topic{Name: t.Topic.Topic, Source: t.Source, Kind: t.Kind, Partitions: t.Partitions,
			Lag: int(t.Lag), ReadAt: web.Deref(t.ReadAt)})
	}
	return v, nil
}

// errNoKafka says what to do first.
var errNoKafka = &pg.InputError{Field: "topic", Message: "Kafka is not set up: start Laurel with LAUREL_KAFKA_BROKERS"}

func (h *Handlers) saveTopic(c echo.Context, t kafka.Topic) error {
	if !h.Kafka {
		return errNoKafka
	}
	return kafka.SaveTopic(c.Request().Context(), h.DB.DB, t, h.Now())
}

// SaveTopic maps a topic of Kafka.
func (h *Handlers) SaveTopic(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	t := kafka.Topic{Topic: c.FormValue("topic"), Source: c.FormValue("source")}
	if use := c.FormValue("use"); use != "source" {
		t.Source, t.Kind = "", use
	}
	err := h.saveTopic(c, t)
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showEvents(c, http.StatusUnprocessableEntity, web.FormAgain(c, wrong), views.Tokens{})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/events?done=saved#kafka")
}

// RemoveTopic forgets a topic of Kafka.
func (h *Handlers) RemoveTopic(c echo.Context) error {
	if err := kafka.RemoveTopic(c.Request().Context(), h.DB.DB, c.Param("topic")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/events?done=removed#kafka")
}
