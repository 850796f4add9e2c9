package awards

import (
	"fmt"
	"strconv"

	"laurel/models/awards/rules"
)

// rework does what a button of the form does to the document: add or remove an
// objective, a filter or a level. words are those on the button and the places.
func rework(s *rules.Sheet, words []string, chosen string) {
	var at []int
	for _, w := range words[1:] {
		n, _ := strconv.Atoi(w)
		at = append(at, n)
	}
	list := s.Key("objectives").Items()
	switch words[0] {
	case "add-objective":
		addObjective(s, len(list))
		return
	case "add-level", "remove-level":
		reworkLevels(s, words[0], at)
		return
	case "node-task", "node-group", "node-wrap", "node-up", "node-down", "node-in", "node-out", "node-remove":
		if s.Key("strategy").IsObject() {
			reworkStrategy(s, words[0], at)
		}
		return
	}
	if len(at) == 0 || at[0] < 0 || at[0] >= len(list) {
		return
	}
	o := list[at[0]]
	switch words[0] {
	case "add-filter":
		if _, keys := kindsOf(false); chosen != "" {
			o.Append("filters", partOf(chosen, keys[chosen]))
		}
	case "remove-filter":
		o.Key("filters").Drop(func(i int, _ *rules.Sheet) bool { return len(at) > 1 && i == at[1] })
		if len(o.Key("filters").Items()) == 0 {
			o.Set("filters", nil)
		}
	case "remove-objective":
		s.Key("objectives").Drop(func(i int, _ *rules.Sheet) bool { return i == at[0] })
		dropLeaf(s.Key("strategy"), o.Key("id").Text())
	}
}

// addObjective adds one, and its leaf to a strategy that is a group.
func addObjective(s *rules.Sheet, n int) {
	id := fmt.Sprintf("objective-%d", n+1)
	s.Append("objectives", rules.NewObject("id", rules.NewText(id), "rule", rules.NewObject("name", rules.NewText("CountRule"))))
	if strategy := s.Key("strategy"); strategy.Key("strategy") != nil {
		strategy.Append("strategy", rules.NewObject("objective_id", rules.NewText(id)))
	}
}

func dropLeaf(node *rules.Sheet, id string) {
	parts := node.Key("strategy")
	parts.Drop(func(_ int, n *rules.Sheet) bool { return n.Key("objective_id").Text() == id })
	for _, n := range parts.Items() {
		dropLeaf(n, id)
	}
}
