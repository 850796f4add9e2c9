package awards

import "laurel/models/awards/rules"

// settle compares what the member would have with what they have.
func (d *dryRun) settle() {
	if d.member == 0 || d.banned {
		return
	}
	held := d.holders[d.member]
	if held == nil {
		held = &heldAward{}
	}
	for period := range held.levels {
		if d.counted[period] == nil {
			d.counted[period] = []rules.Counted{}
		}
	}
	var gains, loses, keeps, near, holds, told, old bool
	best := rules.Progress{}
	for period, items := range d.counted {
		counters := countersOf(d.doc, items)
		p := d.doc.Progress(counters)
		if best.Value.Rat == nil || p.Value.Cmp(best.Value.Rat) > 0 {
			best = p
		}
		has := held.levels[period]
		holds = holds || p.Level > 0
		for level := 1; level <= p.Level; level++ {
			if _, ok := has[level]; !ok {
				gains = true
				at, crossed := d.doc.Crossed(level, items)
				fresh := crossed && d.now.Sub(at) < noticeUntil
				told, old = told || fresh, old || !fresh
			}
		}
		for level, found := range has {
			if level > p.Level && !held.locked {
				lost := d.doc.Permanence.Revokes(found, d.now)
				loses, keeps = loses || lost, keeps || !lost
			}
		}
		near = near || p.Level == 0 && oneAway(d.doc, counters)
	}
	d.note(gains, loses, keeps, near, best)
	if holds || keeps {
		d.Holders++
	}
	if told {
		d.Notices++
	} else if old {
		d.TooOld++
	}
}

// note counts a member, and keeps some as samples of each change.
func (d *dryRun) note(gains, loses, keeps, near bool, now rules.Progress) {
	for _, c := range []struct {
		is    bool
		n     *int
		words string
	}{{gains, &d.Gained, "gains"}, {loses, &d.Lost, "loses"}, {keeps, &d.Kept, "keeps"}, {near, &d.Near, "near"}} {
		if !c.is {
			continue
		}
		if *c.n++; *c.n <= dryRunSamples {
			d.Samples = append(d.Samples, DryRunSample{Member: d.name, Change: c.words, Now: now, Level: now.Level})
		}
	}
}

// countersOf are the active counters that items amount to.
func countersOf(doc *rules.Award, items []rules.Counted) map[string]rules.Amount {
	tallies := map[string]rules.Tally{}
	for _, i := range items {
		if tallies[i.Objective] == nil {
			tallies[i.Objective] = rules.Tally{}
		}
		_ = tallies[i.Objective].Move(rules.Contribution{}, i.Contribution) // Too much to count stays what it was.
	}
	counters := map[string]rules.Amount{}
	for i := range doc.Objectives {
		o := &doc.Objectives[i]
		counters[o.ID] = o.Counters(tallies[o.ID])[rules.Active]
	}
	return counters
}

// oneAway reports whether one whole unit of one objective reaches the goal.
func oneAway(doc *rules.Award, counters map[string]rules.Amount) bool {
	for _, m := range doc.Missing(counters) {
		if m.Enough && m.More <= rules.Units(1) {
			return true
		}
	}
	return false
}
