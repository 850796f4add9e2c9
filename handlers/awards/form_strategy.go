package awards

import (
	"slices"
	"strconv"
	"strings"

	"laurel/models/awards/rules"
	views "laurel/views/awards"
)

// addStrategy makes the fields of the strategy: a node for each group and each task, as a tree.
func (f *awardForm) addStrategy(s *rules.Sheet) {
	root := s.Key("strategy")
	if !root.IsObject() {
		return
	}
	var tasks []string
	for _, o := range s.Key("objectives").Items() {
		tasks = append(tasks, o.Key("id").Text())
	}
	n := f.node(root, "strategy", "", tasks)
	f.strategy = []views.NodeForm{n}
}

var operationWords = map[string]string{"": "the sum", "sum": "the sum", "min": "the lowest", "max": "the highest"}

// node is one group or task of a strategy; place is its way from the root, as buttons say it.
func (f *awardForm) node(s *rules.Sheet, at, place string, tasks []string) views.NodeForm {
	n := views.NodeForm{Place: place, Group: s.Key("objective_id") == nil, Error: f.errs[at]}
	label := "the award"
	if place != "" {
		label = "part " + humanPlace(place)
	}
	goal := f.key(s, at+".goal", rules.Key{Name: "goal", Of: "number", Required: place == ""}, "Goal of "+label)
	factor := f.key(s, at+".normalization_factor", rules.Key{Name: "normalization_factor", Of: "number"}, "Factor of "+label)
	if place == "" {
		goal.Label = "Goal"
	}
	if n.Group {
		v := f.key(s, at+".operation", rules.Key{Name: "operation", Of: "text"}, "Operation of "+label)
		n.Fields = append(n.Fields, selectOf(v, []string{"", "min", "max"}, operationWords))
	} else {
		v := f.key(s, at+".objective_id", rules.Key{Name: "objective_id", Of: "text", Required: true}, "Task of "+label)
		n.Fields = append(n.Fields, selectOf(v, tasks, nil))
	}
	n.Fields = append(n.Fields, goal, factor)
	items := s.Key("strategy").Items()
	for i, item := range items {
		if !item.IsObject() {
			continue
		}
		part := f.node(item, at+".strategy["+strconv.Itoa(i)+"]", strings.TrimSpace(place+" "+strconv.Itoa(i)), tasks)
		part.First, part.Last = i == 0, i == len(items)-1
		part.Inner = place != ""
		part.BehindGroup = i > 0 && items[i-1].Key("strategy") != nil
		n.Parts = append(n.Parts, part)
	}
	return n
}

// humanPlace counts from 1: part 2.1 is the first of the second.
func humanPlace(place string) string {
	numbers := strings.Fields(place)
	for i, n := range numbers {
		k, _ := strconv.Atoi(n)
		numbers[i] = strconv.Itoa(k + 1)
	}
	return strings.Join(numbers, ".")
}

// selectOf makes a field a choice, in which what stands there stays even if it is none of them.
func selectOf(v views.EditorField, options []string, words map[string]string) views.EditorField {
	v.Options, v.Words = options, words
	if !slices.Contains(options, v.Value) {
		v.Options = append([]string{v.Value}, options...)
	}
	v.Number = false
	return v
}

// reworkStrategy does what a button beside a node says. at leads from the root to it.
func reworkStrategy(s *rules.Sheet, what string, at []int) {
	root := s.Key("strategy")
	way := []*rules.Sheet{root} // From the root to the node.
	for _, i := range at {
		items := way[len(way)-1].Key("strategy").Items()
		if i < 0 || i >= len(items) {
			return
		}
		way = append(way, items[i])
	}
	node := way[len(way)-1]
	switch what {
	case "node-task":
		node.Append("strategy", rules.NewObject("objective_id", rules.NewText(unused(s))))
		return
	case "node-group":
		group := rules.NewList()
		if id := unused(s); id != "" {
			group = rules.NewList(rules.NewObject("objective_id", rules.NewText(id)))
		}
		node.Append("strategy", rules.NewObject("strategy", group))
		return
	case "node-wrap":
		if len(at) == 0 {
			s.Set("strategy", wrapped(root))
		}
		return
	}
	if len(at) > 0 {
		move(way, what, at)
	}
}

// wrapped is a group around the only task of a strategy; the goal stays that of the award.
func wrapped(leaf *rules.Sheet) *rules.Sheet {
	goal := leaf.Key("goal")
	leaf.Set("goal", nil)
	return rules.NewObject("goal", goal, "strategy", rules.NewList(leaf))
}

// move takes the last node of a way to another place, or away.
func move(way []*rules.Sheet, what string, at []int) {
	node, group, i := way[len(way)-1], way[len(way)-2].Key("strategy"), at[len(at)-1]
	items := group.Items()
	switch {
	case what == "node-remove":
		group.Put(slices.Delete(items, i, i+1))
	case what == "node-up" && i > 0:
		items[i-1], items[i] = items[i], items[i-1]
	case what == "node-down" && i < len(items)-1:
		items[i+1], items[i] = items[i], items[i+1]
	case what == "node-in" && i > 0 && items[i-1].Key("strategy") != nil:
		items[i-1].Append("strategy", node)
		group.Put(slices.Delete(items, i, i+1))
	case what == "node-out" && len(way) > 2:
		outer := way[len(way)-3].Key("strategy")
		group.Put(slices.Delete(items, i, i+1))
		outer.Put(slices.Insert(outer.Items(), at[len(at)-2]+1, node))
	}
}

// unused is the first task that no part of the strategy has yet, or "".
func unused(s *rules.Sheet) string {
	used := map[string]bool{}
	leaves(s.Key("strategy"), func(leaf *rules.Sheet) { used[leaf.Key("objective_id").Text()] = true })
	for _, o := range s.Key("objectives").Items() {
		if id := o.Key("id").Text(); !used[id] {
			return id
		}
	}
	return ""
}

func leaves(node *rules.Sheet, visit func(leaf *rules.Sheet)) {
	if node.Key("objective_id") != nil {
		visit(node)
	}
	for _, n := range node.Key("strategy").Items() {
		leaves(n, visit)
	}
}
