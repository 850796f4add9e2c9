package awards

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
)

const explainedItems = 30

// Explain is the page about one member and one award.
func (h *Handlers) Explain(c echo.Context) error {
	return h.showExplanationPage(c, http.StatusOK, views.Explained{})
}

// explained is what the address of an explanation names.
func (h *Handlers) explained(c echo.Context) (members.Member, awards.Shown, error) {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return m, awards.Shown{}, err
	}
	shown, err := awards.ShownNamed(ctx, h.DB.DB, c.Param("slug"), h.Viewer(c))
	return m, shown, err
}

func (h *Handlers) showExplanationPage(c echo.Context, status int, p views.Explained) error {
	ctx := c.Request().Context()
	m, shown, err := h.explained(c)
	if err != nil {
		return err
	}
	part := awards.ExplainPart{Limit: explainedItems, After: awards.ItemPlace{Source: c.QueryParam("source"), Key: c.QueryParam("key")}}
	if at, err := time.Parse(time.RFC3339Nano, c.QueryParam("at")); err == nil {
		part.After.At = at
	}
	part.Before, _ = strconv.ParseInt(c.QueryParam("before"), 10, 64)
	x, err := awards.Explain(ctx, h.DB.DB, &m, shown, part, h.Now())
	if err != nil {
		return err
	}
	card := awardCard(&shown, 0)
	p.Frame, p.Now = h.AwardsFrame(c, card.Title+" of "+m.DisplayName), h.Now().In(h.Viewer(c).Location())
	p.Slug, p.Title, p.Name, p.DisplayName, p.State, p.Levels = shown.Slug, card.Title, m.Name, m.DisplayName, string(
		shown.State), card.Levels
	p.Mine, p.Why, p.Waiting = *standingView(ctx, &x.Standing), x.Why(), x.Waiting
	for i := range x.Items {
		p.Items = append(p.Items, itemView(&x.Items[i]))
	}
	for i := range x.Log {
		p.Log = append(p.Log, logView(&x.Log[i]))
	}
	for _, l := range x.GrantLog {
		p.Grants = append(p.Grants, grantLine(l, &shown.Doc))
	}
	p.Bans = banLines(x.Bans)
	base := c.Request().URL.Path
	if x.MoreItems {
		last := x.Items[len(x.Items)-1].Place()
		p.MoreItems = base + "?" + url.Values{"at": {last.At.Format(time.RFC3339Nano)}, "source": {last.Source},
			"key": {last.Key}}.Encode() + "#items"
	}
	if x.MoreLog {
		p.MoreLog = base + "?before=" + strconv.FormatInt(x.Log[len(x.Log)-1].ID, 10) + "#log"
	}
	return web.Render(c, status, views.ExplainPage(p))
}

func grantLine(l awards.GrantLogLine, doc *rules.Award) views.GrantLine {
	v := views.GrantLine{At: l.At, What: l.What, Reason: l.Reason, Author: l.Author}
	if title := awards.LevelTitle(doc, l.Level); title != "" {
		v.What = title + " " + l.What
	}
	if l.Period != "" {
		v.What += " for the period from " + l.Period
	}
	return v
}

// itemView is an item with the verdicts of all filters.
func itemView(i *awards.ExplainedItem) views.ExplainedItem {
	v := views.ExplainedItem{Source: i.Source, Key: i.Key, Status: i.Status, Event: i.EventID, At: i.At, Body: i.Body}
	if s, wrong := rules.ReadSheet([]byte(i.Body)); len(wrong) == 0 {
		v.Body = s.String()
	}
	for _, o := range i.Verdicts {
		t := views.ExplainedTask{ID: o.Objective, Why: o.Because.String()}
		if o.Amount != 0 {
			t.Counted, t.Active = contributed(o.Amount, o.Status, o.Cell), o.Status == rules.Active
		}
		for _, f := range o.Filters {
			t.Verdicts = append(t.Verdicts, views.Verdict{Filter: f.Filter, Wants: f.Wants.String(), Pass: f.Pass})
		}
		v.Tasks = append(v.Tasks, t)
	}
	return v
}

// contributed says what an item adds: "1 active", "250 active, for p12".
func contributed(amount rules.Amount, status, cell string) string {
	words := amount.String() + " " + status
	if cell != "" {
		words += ", for " + cell
	}
	return words
}

func logView(l *awards.LogLine) views.ExplainedChange {
	return views.ExplainedChange{At: l.At, Objective: l.Objective, Item: l.Source + " " + l.Key, Reason: l.Reason,
		Was: loggedWords(l.Was), Came: loggedWords(l.Became)}
}

// loggedWords is a contribution as the log has it.
func loggedWords(text *string) string {
	c := contributionOf(text)
	if c == nil {
		return "nothing"
	}
	return contributed(c.Amount, c.Status, c.Cell)
}

// Recompute lets the member's award be evaluated again; a job does it.
func (h *Handlers) Recompute(c echo.Context) error {
	m, shown, err := h.explained(c)
	if err != nil {
		return err
	}
	if err := awards.Recompute(c.Request().Context(), h.DB.DB, shown.ID, m.ID); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards/"+shown.Slug+"/members/"+url.PathEscape(m.Name)+"?done=recompute")
}

// GrantOrRevoke grants an award or takes it, whatever the progress is.
func (h *Handlers) GrantOrRevoke(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	level, _ := strconv.Atoi(c.FormValue("level"))
	by := awards.ByHand{Member: c.Param("name"), Award: c.Param("slug"), Level: level, Note: c.FormValue("note"), Author: h.Viewer(c).Name}
	do := awards.GrantByHand
	if c.FormValue("what") == "revoke" {
		do = awards.RevokeByHand
	}
	err := do(c.Request().Context(), h.DB.DB, by, h.Now())
	for _, message := range web.FieldErrors(err) {
		return h.showExplanationPage(c, http.StatusUnprocessableEntity, views.Explained{Wrong: message, Note: by.Note})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards/"+url.PathEscape(by.Award)+"/members/"+url.PathEscape(by.Member)+"?done=saved")
}

// Support is where those begin who investigate awards: it leads to those of a member.
func (h *Handlers) Support(c echo.Context) error {
	p := views.Support{Frame: h.AwardsFrame(c, "Support"), Name: strings.TrimSpace(c.QueryParam("member"))}
	if p.Name == "" {
		return web.Render(c, http.StatusOK, views.SupportPage(p))
	}
	m, err := members.ByName(c.Request().Context(), h.DB.DB, p.Name)
	if errors.Is(err, pg.ErrNotFound) {
		p.Wrong = "No member is named " + p.Name + "."
		return web.Render(c, http.StatusUnprocessableEntity, views.SupportPage(p))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/awards")
}
