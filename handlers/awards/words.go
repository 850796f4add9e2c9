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
		v.Missing = append(v.Missing, missingWords(m, len(s.Missing)))
	}
	if !v.Done {
		v.ToGo = toGo(ctx, s, cmp.Or(v.Next, s.Doc.Title, s.Slug))
	}
	v.Counters = counterLines(s.Counters)
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
func missingWords(m rules.Missing, of int) string {
	words := amountWords(m.More) + " more in " + m.Objective
	if m.Have > 0 {
		words += " (" + amountWords(m.Have) + " so far)"
	}
	switch {
	case m.Enough && of > 1:
		return words + " is enough"
	case m.Enough:
		return words
	}
	return words + " would help, but is not enough alone"
}

// amountWords writes an amount with a comma between thousands.
func amountWords(a rules.Amount) string {
	before, after, fraction := strings.Cut(a.String(), ".")
	n, err := strconv.Atoi(before)
	switch {
	case err != nil:
		return a.String()
	case fraction:
		return parts.Number(n) + "." + after
	}
	return parts.Number(n)
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
func objectiveWords(doc *rules.Award) []views.ObjectiveWords {
	var list []views.ObjectiveWords
	for _, o := range doc.Objectives {
		w := views.ObjectiveWords{ID: o.ID, Counts: o.Rule.Config.Counts()}
		for _, f := range o.Filters {
			w.Wants = append(w.Wants, f.Config.Wants())
		}
		list = append(list, w)
	}
	return list
}

// treeWords says how a strategy adds up.
func treeWords(doc *rules.Award) views.TreeNode { return nodeWords(&doc.Strategy, true) }

func nodeWords(n *rules.Node, root bool) views.TreeNode {
	words := map[string]string{"": "the sum of", "sum": "the sum of", "min": "the lowest of", "max": "the best of"}[n.Operation]
	if n.Objective != "" {
		words = n.Objective
	}
	if len(n.Strategy) == 1 {
		words = "of"
	}
	if n.Factor != nil {
		words = n.Factor.String() + " times " + words
	}
	switch {
	case n.Goal != nil && root:
		words = "goal " + n.Goal.String() + ": " + words
	case n.Goal != nil:
		words = "at most " + n.Goal.String() + ": " + words
	}
	t := views.TreeNode{Words: strings.TrimSuffix(words, ": of")}
	for i := range n.Strategy {
		t.Parts = append(t.Parts, nodeWords(&n.Strategy[i], false))
	}
	return t
}

// ruleWords is what else holds for an award.
func ruleWords(doc *rules.Award) []string {
	var list []string
	if w := doc.Window; w != nil {
		text := "Counts"
		if w.Every != "" {
			text += " separately for every " + w.Every
		}
		if w.From != nil {
			text += " from " + w.From.String()
		}
		if w.Until != nil {
			text += " until " + w.Until.String()
		}
		list = append(list, text+".")
	}
	switch doc.Permanence.Kind {
	case "permanent":
		list = append(list, "Earned for good.")
	case "live":
		list = append(list, "Lost when progress falls below the goal.")
	default:
		list = append(list, "Can be lost within "+daysWords(doc.Permanence.After.String())+" of earning it, then stays for good.")
	}
	switch doc.Backfill.Kind {
	case "none":
		list = append(list, "Counts from its activation on.")
	case "since":
		list = append(list, "Counts since "+doc.Backfill.Since.Format("2 Jan 2006")+".")
	}
	return list
}

// daysWords says "7 days" for "7d".
func daysWords(span string) string {
	if n, err := strconv.Atoi(strings.TrimSuffix(span, "d")); err == nil && strings.HasSuffix(span, "d") {
		return parts.Plural(n, "day")
	}
	return span
}
