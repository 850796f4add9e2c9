package awards

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
)

const recentEvents = 12

// tryEvent fills in what an event would do, or takes one of the last events into
// the form.
func (h *Handlers) tryEvent(c echo.Context, d *draft, taken bool, t *views.TryForm) error {
	ctx := c.Request().Context()
	t.Member, t.Event = strings.TrimSpace(c.FormValue("try_member")), strings.TrimPrefix(normal(c.FormValue("try_event")), "\n")
	if taken {
		return h.takeEvent(c, t)
	}
	m, err := members.ByName(ctx, h.DB.DB, t.Member)
	if errors.Is(err, pg.ErrNotFound) {
		t.Wrong = "No member is named " + strconv.Quote(t.Member) + "."
		return nil
	}
	if err != nil {
		return err
	}
	e, wrong := rules.ParseEvent([]byte(t.Event))
	wrong = slices.DeleteFunc(wrong, func(m rules.Mistake) bool { return m.Path == "member" }) // It is the one beside.
	switch {
	case len(d.mistakes) > 0:
		t.Wrong = "Fix the errors listed below the JSON first."
		return nil
	case len(wrong) > 0:
		t.Wrong = wrong.Error()
		return nil
	}
	result, err := awards.Try(ctx, h.DB.DB, &d.doc, &m, e, h.Now())
	for _, message := range web.FieldErrors(err) {
		t.Wrong = message
		return nil
	}
	if err != nil {
		return err
	}
	triedView(&result, m.Name, t)
	return nil
}

func triedView(r *awards.Tried, member string, t *views.TryForm) {
	t.Done, t.Member, t.Outside = true, member, r.Outside
	t.Before, t.After = r.Before.Value.String()+" of "+r.Before.Goal.String(), r.After.Value.String()+" of "+r.After.Goal.String()
	t.Reached = r.After.Reached && !r.Before.Reached
	for _, o := range r.Objectives {
		v := views.TriedTask{ID: o.ID, Words: counterChange(o)}
		for _, one := range o.Verdicts {
			v.Verdicts = append(v.Verdicts, views.Verdict{Filter: one.Filter, Wants: one.Wants.String(), Pass: one.Pass})
		}
		t.Changes = t.Changes || o.Was != o.Now
		t.Tasks = append(t.Tasks, v)
	}
}

// counterChange says how the counters of an objective would move.
func counterChange(o awards.TriedObjective) string {
	var parts []string
	for _, status := range statusesIn(o.Before, o.After) {
		if was, now := o.Before[status], o.After[status]; was != now {
			parts = append(parts, status+" from "+was.String()+" to "+now.String())
		}
	}
	switch {
	case len(parts) > 0:
		return "counter " + strings.Join(parts, ", ")
	case o.Was != o.Now:
		return "it counts, but the counter stays the same"
	}
	return "the counter stays at " + o.After[rules.Active].String()
}

func statusesIn(maps ...map[string]rules.Amount) []string {
	var list []string
	for _, m := range maps {
		for status := range m {
			list = append(list, status)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// takeEvent puts one of the last events into the form.
func (h *Handlers) takeEvent(c echo.Context, t *views.TryForm) error {
	list, err := awards.LastEvents(c.Request().Context(), h.DB.DB, recentEvents)
	if err != nil {
		return err
	}
	t.Wrong = "This event no longer exists. Choose another one."
	for _, e := range list {
		if recentValue(e) == c.FormValue("try_recent") {
			t.Member, t.Event, t.Wrong = e.Member, e.Body, ""
			if s, wrong := rules.ReadSheet([]byte(e.Body)); len(wrong) == 0 {
				t.Event = s.String()
			}
		}
	}
	return nil
}

func recentValue(e awards.LedgerEvent) string { return e.Source + " " + e.EventID }

// fillTry offers the last events, and one that can be tried at once.
func (h *Handlers) fillTry(c echo.Context, p *views.Editor) error {
	list, err := awards.LastEvents(c.Request().Context(), h.DB.DB, recentEvents)
	if err != nil {
		return err
	}
	for _, e := range list {
		text := e.Member + ": " + strings.TrimSpace(e.Type+" "+e.Status) + ", " + e.EventID
		p.Try.Recent = append(p.Try.Recent, views.RecentEvent{Value: recentValue(e), Text: text})
	}
	if p.Try.Event == "" && p.Try.Member == "" {
		p.Try.Member = h.Viewer(c).Name
		example := rules.NewObject("source", rules.NewText("submissions"), "id", rules.NewText("try-1"), "type",
			rules.NewText("submission"), "item", rules.NewText("try"),
			"status", rules.NewText("active"), "at", rules.NewText(h.Now().UTC().Format("2006-01-02T15:04:05Z")), "facts",
			rules.NewObject("site", rules.NewText("codeforces")))
		p.Try.Event = example.String()
	}
	return nil
}

// bodyText is what was sent, whatever it calls itself.
func bodyText(c echo.Context) (string, error) {
	body, err := io.ReadAll(c.Request().Body)
	return string(body), err
}
