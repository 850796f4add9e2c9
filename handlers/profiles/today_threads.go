package profiles

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/forums"
	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

// threadsShown is how many discussions the first page shows.
const threadsShown = 5

func init() {
	registerCard(todayCard{key: "threads", title: texts.Mark("Latest discussions"), place: 30, fill: (*Handlers).fillThreads})
}

func (h *Handlers) fillThreads(c echo.Context, t *today) (home.Card, error) {
	ctx := c.Request().Context()
	card := home.Card{More: parts.Link{Href: "/forums", Text: texts.T(ctx, "All discussions")},
		Empty: home.Nothing{Text: texts.T(ctx, "No discussions yet."), Href: "/forums", Label: texts.T(ctx, "See the forums")}}
	talks, err := h.talks(ctx, t.now)
	if len(talks) > 0 {
		card.Body = home.Talks(talks)
	}
	return card, err
}

// talks are the discussions in which was written last.
func (h *Handlers) talks(ctx context.Context, now time.Time) (list []home.Talk, err error) {
	found, err := forums.NewestThreads(ctx, h.DB.DB, threadsShown)
	if err != nil {
		return nil, err
	}
	for _, t := range found {
		v := home.Talk{Subject: parts.Subject(t.Subject), Path: parts.ThreadPath(t.Forum, t.Head),
			By: parts.Person{ID: t.MemberID, Name: t.Author}, About: t.Author,
			Replies: texts.T(ctx, "no replies"), Last: texts.Ago(ctx, t.LastAt, now)}
		if t.People > 1 {
			v.About += " " + texts.N(ctx, t.People-1, "and %d other", "and %d others")
		}
		v.About += " · " + t.ForumName
		if t.Messages > 1 {
			v.Replies = texts.N(ctx, t.Messages-1, "%d reply", "%d replies")
		}
		list = append(list, v)
	}
	return list, nil
}
