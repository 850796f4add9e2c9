package profiles

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
	"laurel/views/parts"
	"laurel/views/texts"
)

const day = 24 * time.Hour

// usualPeriod is what is compared where no beginning is given.
const usualPeriod = 30 * day

// periods are links to what changed lately, up to now.
func periods(ctx context.Context, path string, from, to, now time.Time) (list []parts.Scope) {
	for _, p := range []struct {
		label string
		long  time.Duration
	}{
		{texts.T(ctx, "Last week"), 7 * day}, {texts.T(ctx, "Last month"), usualPeriod}, {texts.T(ctx, "Last year"), 365 * day},
	} {
		here := now.Sub(to) < time.Minute && (to.Sub(from)-p.long).Abs() < time.Hour
		list = append(list, parts.Scope{Label: p.label, Here: here,
			Path: path + "?from=" + url.QueryEscape(now.Add(-p.long).UTC().Format(time.RFC3339))})
	}
	return list
}

// Diff compares a member at two instants: /u/NAME/diff?from=&to=, to now where
// the second is not given.
func (h *Handlers) Diff(c echo.Context) error {
	format, err := web.PageFormat(c)
	if err != nil {
		return err
	}
	if c.QueryParam("from") == "" {
		c.QueryParams().Set("from", h.Now().Add(-usualPeriod).Format(time.RFC3339))
	}
	from, err := h.history(c, "from")
	if err != nil {
		return err
	}
	to, err := h.history(c, "to")
	if err != nil {
		return err
	}
	if to.At.Before(from.At) {
		from, to = to, from
	}
	ctx := c.Request().Context()
	if format != "" { // Sheets are in English.
		ctx = parts.English
	}
	base, numbers := web.MemberAddress(to.Member.Name), diffNumbers(h.numberGroups(ctx, c, &from), h.numberGroups(ctx, c, &to))
	if format != "" {
		return h.diffSheet(c, &from, &to, numbers).Send(c, format)
	}
	exports := web.SheetExports(web.BetweenAddress(base, from.At, to.At))
	exports.Checks = "/looks?viewer=" + url.QueryEscape(to.Member.Name)
	return web.Render(c, http.StatusOK, archiveviews.DiffPage(archiveviews.Diff{
		Frame: h.Frame(c, texts.T(ctx, "%s: what changed", to.DisplayName)), Now: h.Now().In(h.Zone(c, &to.Member)), Title: to.DisplayName,
		About: parts.Choice{Value: web.AtAddress(base, to.At), Text: to.DisplayName}, Path: base + "/diff", From: from.At, To: to.At,
		Numbers: numbers, Exports: exports, Presets: periods(c.Request().Context(), base+"/diff", from.At, to.At, h.Now()),
	}))
}

// A shownDiff is the numbers that differ between two instants of a member.
type shownDiff struct {
	Member string        `json:"member"`
	From   time.Time     `json:"from"`
	To     time.Time     `json:"to"`
	Items  []shownChange `json:"items"`
}

type shownChange struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Then       any      `json:"then"` // Null where nothing was known.
	Later      any      `json:"later"`
	Change     *float64 `json:"change"` // Between two numbers; null otherwise.
	ThenClass  string   `json:"then_class"`
	LaterClass string   `json:"later_class"`
}

// diffSheet has the numbers that the page shows, with their values as programs want them.
func (h *Handlers) diffSheet(c echo.Context, from, to *modelhistory.History, numbers []archiveviews.DiffNumber) *web.Sheet {
	figures := func(hist *modelhistory.History) map[string]apiFigure {
		byName := map[string]apiFigure{}
		for _, f := range h.figures(c, hist) {
			byName[f.Name] = f
		}
		return byName
	}
	whole := shownDiff{to.Member.Name, from.At.UTC(), to.At.UTC(), []shownChange{}}
	s := &web.Sheet{Name: to.Member.Name + "-changes-" + to.At.Format(web.FileStamp),
		Head: []string{"name", "title", "then", "later", "change", "then_class", "later_class"}}
	then, later := figures(from), figures(to)
	for _, n := range numbers {
		if n.Then == n.After {
			continue
		}
		a, b := then[n.Name], later[n.Name]
		i := shownChange{n.Name, n.Title, a.Value, b.Value, changeBetween(a.Value, b.Value),
			cmp.Or(a.Class, string(modelhistory.ClassNever)), cmp.Or(b.Class, string(modelhistory.ClassNever))}
		whole.Items = append(whole.Items, i)
		s.Rows = append(s.Rows, []any{i.Name, i.Title, i.Then, i.Later, i.Change, i.ThenClass, i.LaterClass})
	}
	s.Whole = whole
	return s
}

func changeBetween(from, to any) *float64 {
	a, ok1 := floatOf(from)
	b, ok2 := floatOf(to)
	if !ok1 || !ok2 {
		return nil
	}
	return new(b - a)
}

func floatOf(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// diffNumbers puts the numbers of two instants beside one another, in the order
// of the later one.
func diffNumbers(from, to []archiveviews.NumberGroup) []archiveviews.DiffNumber {
	var out []archiveviews.DiffNumber
	at := map[string]int{}
	for _, g := range to {
		for _, n := range g.Numbers {
			at[n.Name] = len(out)
			out = append(out, archiveviews.DiffNumber{Name: n.Name, Title: n.Title, After: n.Value, AfterClass: g.Certainty.Class,
				ThenClass: archiveviews.NeverSeen})
		}
	}
	for _, g := range from {
		for _, n := range g.Numbers {
			i, ok := at[n.Name]
			if !ok {
				i = len(out)
				out = append(out, archiveviews.DiffNumber{Name: n.Name, Title: n.Title, AfterClass: archiveviews.NeverSeen})
			}
			out[i].Then, out[i].ThenClass = n.Value, g.Certainty.Class
		}
	}
	return out
}
