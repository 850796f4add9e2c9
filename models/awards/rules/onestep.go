package rules

import "maps"

// OneStep reports whether one more of a single objective reaches the next level.
// It asks only where a step can be seen coming: of objectives that count whole
// things, for levels above 2. It is Missing without the search, for the worker.
func (a *Award) OneStep(counters map[string]Amount) bool {
	value := a.Strategy.value(counters)
	for _, l := range a.levels() {
		if value.Cmp(l.Goal.Rat) < 0 {
			return l.Goal.Cmp(Units(2).rat()) > 0 && a.oneMore(counters, &l)
		}
	}
	return false
}

func (a *Award) oneMore(counters map[string]Amount, l *Level) bool {
	for _, o := range a.Objectives {
		if !o.Rule.Config.Whole() {
			continue
		}
		then := map[string]Amount{}
		maps.Copy(then, counters)
		then[o.ID] += unit
		if a.Strategy.value(then).Cmp(l.Goal.Rat) >= 0 {
			return true
		}
	}
	return false
}
