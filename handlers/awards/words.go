package awards

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	views "laurel/views/awards"
	"laurel/views/parts"
	"laurel/views/texts"
)

// awardCard is an award as lists show it.
func awardCard(a *awards.Shown, registered int64) views.Card {
	card := views.Card{Slug: a.Slug, Title: a.Doc.Title, Text: a.Doc.Text, State: string(a.State), Secret: a.Secret,
		Holders: int(a.Holders), Registered: int(registered)}
	if card.Title == "" {
		card.Title = a.Slug
	}
	if g := a.Doc.Strategy.Goal; g != nil && g.Rat != nil {
		card.Goal = g.String()
	}
	for _, l := range a.Doc.Levels {
		if l.Goal.Rat != nil {
			card.Levels = append(card.Levels, views.Level{Title: l.Title, Goal: l.Goal.String()})
		}
	}
	return card
}

// standingView is how a member stands, as text.
func standingView(ctx context.Context, s *awards.Standing) *views.Standing {
	v := &views.Standing{Started: s.Started, Has: s.Has(), Recounting: s.Recounting, Pin: s.Pin}
	if s.UpdatedAt != nil {
		v.Updated = *s.UpdatedAt
	}
	held := 0
	for _, g := range s.Grants {
		if g.RevokedAt != nil {
			continue
		}
		held = max(held, g.Level)
		v.Grants = append(v.Grants, views.Grant{Level: awards.LevelTitle(&s.Doc, g.Level), Period: g.Period, At: g.GrantedAt,
			By: g.GivenBy, Badge: g.Badge})
	}
	v.Level, v.Reached = awards.LevelTitle(&s.Doc, held), held
	slices.SortStableFunc(v.Grants, func(a, b views.Grant) int { // The level that is named first.
		return boolOrder(a.Level == v.Level, b.Level == v.Level)
	})
	if s.Goal.Rat == nil {
		v.Done = true
		return v
	}
	v.Value, v.Goal, v.Part = whole(s.Value.Rat), s.Goal.String(), part(s.Value.Rat, s.Goal.Rat)
	v.Done = s.Value.Cmp(s.Goal.Rat) >= 0 || s.State == rules.Retired
	if len(s.Doc.Levels) > 1 && s.Level < len(s.Doc.Levels) {
		v.Next = s.Doc.Levels[s.Level].Title
	}
	for _, m := range s.Missing {
		v.Missing = append(v.Missing, missingWords(ctx, m, len(s.Missing)))
	}
	if !v.Done {
		v.ToGo = toGo(ctx, s, cmp.Or(v.Next, s.Doc.Title, s.Slug))
	}
	v.Counters = counterLines(ctx, s.Counters)
	return v
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// missingWords says what is still to do: for each of several objectives, whether
// it alone would do.
func missingWords(ctx context.Context, m rules.Missing, of int) string {
	words := texts.T(ctx, "%s more in %s", amountWords(ctx, m.More), m.Objective)
	if m.Have > 0 {
		words = texts.T(ctx, "%s more in %s (%s so far)", amountWords(ctx, m.More), m.Objective, amountWords(ctx, m.Have))
	}
	switch {
	case m.Enough && of > 1:
		return texts.T(ctx, "%s is enough", words)
	case m.Enough:
		return words
	}
	return texts.T(ctx, "%s would help, but is not enough alone", words)
}

// amountWords writes an amount with a comma between thousands.
func amountWords(ctx context.Context, a rules.Amount) string {
	before, after, fraction := strings.Cut(a.String(), ".")
	n, err := strconv.Atoi(before)
	switch {
	case err != nil:
		return a.String()
	case fraction:
		return texts.Number(ctx, n) + "." + after
	}
	return texts.Number(ctx, n)
}

// whole is an amount as people read it: rounded down.
func whole(r *big.Rat) string { return new(big.Int).Quo(r.Num(), r.Denom()).String() }

// part of a goal in hundredths, rounded down.
func part(value, goal *big.Rat) int {
	if goal.Sign() <= 0 {
		return 0
	}
	p := new(big.Rat).Mul(new(big.Rat).Quo(value, goal), big.NewRat(100, 1))
	n := new(big.Int).Quo(p.Num(), p.Denom())
	if !n.IsInt64() {
		return 100
	}
	return int(max(0, min(n.Int64(), 100)))
}

// objectiveWords says what counts, by the filters' own words.
func objectiveWords(ctx context.Context, doc *rules.Award) []views.ObjectiveWords {
	var list []views.ObjectiveWords
	for _, o := range doc.Objectives {
		w := views.ObjectiveWords{ID: o.ID, Counts: phrase(ctx, o.Rule.Config.Counts())}
		for _, f := range o.Filters {
			w.Wants = append(w.Wants, phrase(ctx, f.Config.Wants()))
		}
		list = append(list, w)
	}
	return list
}

// treeWords says how a strategy adds up.
func treeWords(ctx context.Context, doc *rules.Award) views.TreeNode {
	return nodeWords(ctx, &doc.Strategy, true)
}

// operations are how the parts of a node come to one number.
var operations = map[string]string{"": texts.Mark("the sum of"), "sum": texts.Mark("the sum of"), "min": texts.Mark("the lowest of"),
	"max": texts.Mark("the best of")}

func nodeWords(ctx context.Context, n *rules.Node, root bool) views.TreeNode {
	words := texts.Say(ctx, operations[n.Operation])
	if n.Objective != "" {
		words = n.Objective
	}
	if len(n.Strategy) == 1 {
		words = ""
	}
	if n.Factor != nil {
		words = strings.TrimSpace(n.Factor.String() + " × " + words)
	}
	switch {
	case n.Goal != nil && root:
		words = parts.Glue(texts.T(ctx, "goal %s", n.Goal.String()), ": ", words)
	case n.Goal != nil:
		words = parts.Glue(texts.T(ctx, "at most %s", n.Goal.String()), ": ", words)
	}
	t := views.TreeNode{Words: words}
	for i := range n.Strategy {
		t.Parts = append(t.Parts, nodeWords(ctx, &n.Strategy[i], false))
	}
	return t
}

// ruleWords is what else holds for an award.
func ruleWords(ctx context.Context, doc *rules.Award) []string {
	var list []string
	if w := doc.Window; w != nil {
		list = append(list, windowWords(ctx, w)...)
	}
	switch doc.Permanence.Kind {
	case "permanent":
		list = append(list, texts.T(ctx, "Earned for good."))
	case "live":
		list = append(list, texts.T(ctx, "Lost when progress falls below the goal."))
	default:
		list = append(list, texts.T(ctx, "Can be lost within %s of earning it, then stays for good.",
			daysWords(ctx, doc.Permanence.After.String())))
	}
	switch doc.Backfill.Kind {
	case "none":
		list = append(list, texts.T(ctx, "Counts from its activation on."))
	case "since":
		list = append(list, texts.T(ctx, "Counts since %s.", texts.Format(ctx, doc.Backfill.Since, "2 Jan 2006")))
	}
	return list
}

var everyPeriod = map[string]string{
	"day": texts.Mark("Counts separately for every day."), "week": texts.Mark("Counts separately for every week."),
	"month": texts.Mark("Counts separately for every month."), "year": texts.Mark("Counts separately for every year."),
}

// windowWords say how often an award can be won, and when.
func windowWords(ctx context.Context, w *rules.Window) (list []string) {
	list = append(list, texts.Say(ctx, everyPeriod[w.Every]))
	switch {
	case w.From != nil && w.Until != nil:
		list = append(list, texts.T(ctx, "Counts from %s until %s.", w.From.String(), w.Until.String()))
	case w.From != nil:
		list = append(list, texts.T(ctx, "Counts from %s.", w.From.String()))
	case w.Until != nil:
		list = append(list, texts.T(ctx, "Counts until %s.", w.Until.String()))
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// daysWords says "7 days" for "7d".
func daysWords(ctx context.Context, span string) string {
	if n, err := strconv.Atoi(strings.TrimSuffix(span, "d")); err == nil && strings.HasSuffix(span, "d") {
		return texts.N(ctx, n, "%d day", "%d days")
	}
	return span
}
