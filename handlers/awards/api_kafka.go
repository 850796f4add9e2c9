package awards

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/kafka"
)

// An apiTopic is a topic of Kafka that is read as a source, or that a kind is sent to.
type apiTopic struct {
	Topic      string     `json:"topic"`
	Source     *string    `json:"source"`
	Kind       *string    `json:"kind"`
	Partitions int        `json:"partitions"`
	Lag        int64      `json:"lag"`
	ReadAt     *time.Time `json:"read_at"`
}

func showTopic(t kafka.Shown) apiTopic {
	return apiTopic{t.Topic.Topic, orNull(t.Source), orNull(t.Kind), t.Partitions, t.Lag, web.UTC(t.ReadAt)}
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// APITopics lists the topics, and how far they are read.
func (h *Handlers) APITopics(c echo.Context) error {
	list, err := kafka.Topics(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", showTopic)
}

// APISaveTopic maps a topic.
func (h *Handlers) APISaveTopic(c echo.Context) error {
	var in struct {
		Source string `json:"source"`
		Kind   string `json:"kind"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	t := kafka.Topic{Topic: c.Param("topic"), Source: in.Source, Kind: in.Kind}
	if err := h.saveTopic(c, t); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, showTopic(kafka.Shown{Topic: t}))
}

// APIRemoveTopic forgets a topic.
func (h *Handlers) APIRemoveTopic(c echo.Context) error {
	if err := kafka.RemoveTopic(c.Request().Context(), h.DB.DB, c.Param("topic")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
