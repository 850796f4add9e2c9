package awards

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/members"
	views "laurel/views/awards"
	"laurel/views/texts"
)

// Why is the page that says what counted for a member's award, which badges name as evidence. What did not count
// is for the member and for support.
func (h *Handlers) Why(c echo.Context) error {
	h.SeeAll(c)
	m, shown, err := h.explained(c)
	if err != nil {
		return err
	}
	part := awards.ExplainPart{Limit: explainedItems, After: awards.ItemPlace{Source: c.QueryParam("source"), Key: c.QueryParam("key")}}
	if at, err := time.Parse(time.RFC3339Nano, c.QueryParam("at")); err == nil {
		part.After.At = at
	}
	ctx, viewer := c.Request().Context(), h.Viewer(c)
	own := viewer != nil && (viewer.ID == m.ID || viewer.Supports())
	part.Others = own
	card := awardCard(&shown, 0)
	p := views.Why{Frame: h.AwardsFrame(c, texts.T(ctx, "%s of %s", card.Title, m.DisplayName)), Now: h.Now().In(h.Zone(c, &m)),
		Slug: shown.Slug, Title: card.Title, Own: own, Text: card.Text, Name: m.Name, DisplayName: m.DisplayName, None: whyNone(ctx, &m),
		Support: viewer.Supports()}
	if p.None == "" {
		if err := h.fillWhy(c, &m, shown, part, &p); err != nil {
			return err
		}
	}
	return web.Render(c, http.StatusOK, views.WhyPage(p))
}

func (h *Handlers) fillWhy(c echo.Context, m *members.Member, shown awards.Shown, part awards.ExplainPart, p *views.Why) error {
	ctx := c.Request().Context()
	r, err := awards.ReasonsOf(ctx, h.DB.DB, m, shown, part, h.Now())
	if err != nil {
		return err
	}
	p.Standing = *standingView(ctx, &r.Standing)
	for i := range r.Counted {
		line := whyLine(&r.Counted[i])
		line.Words = countedWords(ctx, &r.Counted[i], len(shown.Doc.Objectives) > 1)
		p.Counted = append(p.Counted, line)
	}
	for i := range r.Not {
		line := whyLine(&r.Not[i])
		var why []string
		for _, p := range r.Not[i].Plainly() {
			why = append(why, phrase(ctx, p))
		}
		line.Words = web.Sentence(strings.Join(why, "; "))
		p.Not = append(p.Not, line)
	}
	base := c.Request().URL.Path
	if r.More {
		last := r.Counted[len(r.Counted)-1].Place()
		p.Older = base + "?" + url.Values{"at": {last.At.Format(time.RFC3339Nano)}, "source": {last.Source}, "key": {last.Key}}.Encode()
	}
	if part.After != (awards.ItemPlace{}) {
		p.Newest = base
	}
	return nil
}

// whyLine names an item: by what it belongs to, or by itself.
func whyLine(i *awards.ExplainedItem) views.WhyLine {
	what := strings.TrimPrefix(strings.TrimPrefix(i.Key, "item:"), "event:")
	if e, wrong := rules.ParseEvent([]byte(i.Body)); len(wrong) == 0 && e.Object != "" {
		what = e.Object
	}
	return views.WhyLine{Source: i.Source, What: what, At: i.At}
}

// countedWords say how much an item added, with the task where there are several.
func countedWords(ctx context.Context, i *awards.ExplainedItem, tasks bool) string {
	var list []string
	for _, v := range i.Verdicts {
		if v.Amount == 0 || v.Status != rules.Active {
			continue
		}
		words := v.Amount.String()
		if tasks {
			words = texts.T(ctx, "%s for %s", words, v.Objective)
		}
		list = append(list, words)
	}
	return strings.Join(list, ", ")
}
