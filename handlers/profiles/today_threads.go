package profiles

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/forums"
	"laurel/views/home"
	"laurel/views/parts"
)

// threadsShown is how many discussions the first page shows.
const threadsShown = 5

func init() {
	registerCard(todayCard{key: "threads", title: "Latest discussions", place: 30, fill: (*Handlers).fillThreads})
}

func (h *Handlers) fillThreads(c echo.Context, t *today) (home.Card, error) {
	card := home.Card{More: parts.Link{Href: "/forums", Text: "All discussions"},
		Empty: home.Nothing{Text: "No discussions yet.", Href: "/forums", Label: "See the forums"}}
	talks, err := h.talks(c.Request().Context(), t.now)
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
			By: parts.Person{ID: t.MemberID, Name: t.Author}, About: t.Author, Replies: "no replies", Last: parts.Ago(t.LastAt, now)}
		if t.People > 1 {
			v.About += " and " + parts.Plural(t.People-1, "other")
		}
		v.About += " · " + t.ForumName
		switch t.Messages {
		case 1:
		case 2:
			v.Replies = "1 reply"
		default:
			v.Replies = parts.Number(t.Messages-1) + " replies"
		}
		list = append(list, v)
	}
	return list, nil
}
