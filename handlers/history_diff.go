package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/views"
)

// Diff compares a member at two instants: /u/NAME/diff?from=&to=, to now where
// the second is not said.
func (h *Handlers) Diff(c echo.Context) error {
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
	base := memberBase(to.Member.Name)
	return render(c, http.StatusOK, views.DiffPage(views.Diff{
		Frame: h.frame(c, to.DisplayName+": what changed"), Now: h.Now().In(h.zone(c, &to.Member)), Title: to.DisplayName,
		About: views.Choice{Value: atAddress(base, to.At), Text: to.DisplayName}, Path: base + "/diff", From: from.At, To: to.At,
		Numbers: diffNumbers(h.numberGroups(&from), h.numberGroups(&to)),
		Exports: views.Exports{Looks: "/looks?viewer=" + to.Member.Name, JSON: apiHistoryAddress(&to, "")},
	}))
}

// diffNumbers puts the numbers of two instants beside one another, in the order
// of the later one.
func diffNumbers(from, to []views.NumberGroup) []views.DiffNumber {
	var out []views.DiffNumber
	at := map[string]int{}
	for _, g := range to {
		for _, n := range g.Numbers {
			at[n.Name] = len(out)
			out = append(out, views.DiffNumber{Name: n.Name, Title: n.Title, After: n.Value, AfterClass: g.Certainty.Class, ThenClass: views.NeverSeen})
		}
	}
	for _, g := range from {
		for _, n := range g.Numbers {
			i, ok := at[n.Name]
			if !ok {
				i = len(out)
				out = append(out, views.DiffNumber{Name: n.Name, Title: n.Title, AfterClass: views.NeverSeen})
			}
			out[i].Then, out[i].ThenClass = n.Value, g.Certainty.Class
		}
	}
	return out
}
