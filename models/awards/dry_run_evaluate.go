package awards

import (
	"slices"
	"time"

	"laurel/models/awards/rules"
)

// An outcome is what a version would change for a member.
type outcome struct {
	gains, loses, keeps, near, holds bool
	fresh, old                       bool // A level that is gained was reached lately, or long ago.
	best                             rules.Progress
}

// evaluate compares what the member would have with what they have.
func (d *dryRun) evaluate() {
	if d.member == 0 || d.banned {
		return
	}
	held := d.holders[d.member]
	if held == nil {
		held = &heldLevels{}
	}
	for period := range held.levels {
		d.items[period] = append([]rules.Counted{}, d.items[period]...)
	}
	var o outcome
	for period, items := range d.items {
		d.evaluatePeriod(&o, items, held.levels[period], held.locked)
	}
	d.note(&o)
}

func (d *dryRun) evaluatePeriod(o *outcome, items []rules.Counted, held map[int]time.Time, locked bool) {
	counters := d.doc.CountersOf(items)
	p := d.doc.Progress(counters)
	if o.best.Value.Rat == nil || p.Value.Cmp(o.best.Value.Rat) > 0 {
		o.best = p
	}
	o.holds = o.holds || p.Level > 0
	for level := 1; level <= p.Level; level++ {
		if _, ok := held[level]; !ok {
			at, crossed := d.doc.Crossed(level, items)
			fresh := crossed && d.now.Sub(at) < noticeUntil
			o.gains, o.fresh, o.old = true, o.fresh || fresh, o.old || !fresh
		}
	}
	o.near = o.near || p.Level == 0 && oneAway(d.doc, counters)
	if !locked {
		d.losses(o, held, p.Level)
	}
}

// losses notes the levels above the one reached that are held.
func (d *dryRun) losses(o *outcome, held map[int]time.Time, reached int) {
	for level, found := range held {
		if level > reached {
			lost := d.doc.Permanence.Revokes(found, d.now)
			o.loses, o.keeps = o.loses || lost, o.keeps || !lost
		}
	}
}

// oneAway reports whether one whole unit of one objective reaches the goal.
func oneAway(doc *rules.Award, counters map[string]rules.Amount) bool {
	return slices.ContainsFunc(doc.Missing(counters), func(m rules.Missing) bool { return m.Enough && m.More <= rules.Units(1) })
}

// note counts a member, and keeps some as samples of each change.
func (d *dryRun) note(o *outcome) {
	for _, c := range []struct {
		is     bool
		n      *int
		sample string // "" takes none.
	}{
		{o.gains, &d.Gained, "gains"}, {o.loses, &d.Lost, "loses"}, {o.keeps, &d.Kept, "keeps"}, {o.near, &d.Near, "near"},
		{o.holds || o.keeps, &d.Holders, ""}, {o.fresh, &d.Notices, ""}, {o.old && !o.fresh, &d.TooOld, ""},
	} {
		if !c.is {
			continue
		}
		if *c.n++; c.sample != "" && *c.n <= dryRunSamples {
			d.Samples = append(d.Samples, DryRunSample{d.name, c.sample, o.best.Value, o.best.Goal, o.best.Level})
		}
	}
}
