// Package rules is the arithmetic of awards: what an event means to an
// objective, what counters come of it, and how far a strategy says they reach.
//
// It is pure: no database, no clock, no network. What it says depends on its
// arguments alone, so the same events give the same awards in whatever order
// they come, however often they come, and on every machine. All that changes
// is kept by package models/awards, which moves contributions through its ledger.
package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"regexp"
)

// An Award is the document an admin writes.
type Award struct {
	Slug       string      `json:"slug" help:"The award's address: lower-case letters, digits and single hyphens."`
	Title      string      `json:"title" help:"What members call it."`
	Text       string      `json:"text,omitempty" help:"One or two sentences for members."`
	Picture    *Picture    `json:"picture,omitempty" help:"How it looks; made of the address when left out."`
	Objectives []Objective `json:"objectives" help:"The tasks."`
	Strategy   Node        `json:"strategy" help:"How the tasks come to one number, and the goal."`
	Permanence Permanence  `json:"permanence" optional:"confirmed_after:7d" help:"permanent, live, or confirmed_after: and a time."`
	Backfill   Backfill    `json:"backfill" optional:"all" help:"all, none, or since: and a day: which earlier events count."`
	Window     *Window     `json:"window,omitempty" help:"When events count; always when left out."`
	Levels     []Level     `json:"levels,omitempty" help:"Steps with rising goals; the last has the goal of the strategy."`
}

// A Level is a goal on the way to that of the strategy, which is the last one.
type Level struct {
	Title string  `json:"title" help:"What members call the level."`
	Goal  Decimal `json:"goal" help:"The progress at which it is reached."`
}

const (
	maxObjectives = 20
	maxFilters    = 20
)

var (
	slugs        = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	objectiveIDs = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
)

// Parse reads an award and reports all its mistakes. One with a mistake
// must not run.
func Parse(doc []byte) (Award, Mistakes) {
	var m Mistakes
	a := Award{Permanence: defaultPermanence, Backfill: defaultBackfill}
	v := parse(doc, &m)
	if v.kind == 0 {
		return a, m
	}
	fill(v, reflect.ValueOf(&a).Elem(), &m)
	if v.kind == '{' {
		a.check(&m)
	}
	return a, m
}

func (a *Award) check(m *Mistakes) {
	if a.Slug != "" && (len(a.Slug) > 64 || !slugs.MatchString(a.Slug)) {
		m.add("slug", "must be lower-case letters and digits with single hyphens between them, at most 64")
	}
	if len(a.Objectives) > maxObjectives {
		m.add("objectives", "has %d entries; the limit is %d", len(a.Objectives), maxObjectives)
	}
	a.checkObjectives(m)
	if !m.at("strategy") {
		checkStrategy(&a.Strategy, a.Objectives, m)
	}
	a.checkLevels(m)
	if a.Picture != nil && !m.at("picture") {
		a.Picture.check("picture", m)
	}
	if a.Window != nil && !m.at("window") {
		a.Window.check("window", m)
	}
}

func (a *Award) checkObjectives(m *Mistakes) {
	first := map[string]string{}
	for i, o := range a.Objectives {
		at := element("objectives", i)
		if o.ID != "" && !objectiveIDs.MatchString(o.ID) {
			m.add(join(at, "id"), "must begin with a letter and have letters, digits, _ and - only, at most 64")
		}
		if there, ok := first[o.ID]; ok && o.ID != "" {
			m.add(join(at, "id"), "%q is already %s", o.ID, there)
		}
		first[o.ID] = at
		if len(o.Filters) > maxFilters {
			m.add(join(at, "filters"), "has %d entries; the limit is %d", len(o.Filters), maxFilters)
		}
	}
}

func (a *Award) checkLevels(m *Mistakes) {
	for i, l := range a.Levels {
		at := join(element("levels", i), "goal")
		switch {
		case l.Goal.Rat == nil: // Reported when it was read.
			return
		case l.Goal.Sign() <= 0:
			m.add(at, "must be more than 0, not %s", l.Goal)
		case i > 0 && l.Goal.Cmp(a.Levels[i-1].Goal.Rat) <= 0:
			m.add(at, "is %s; it must be more than the level before it", l.Goal)
		case i == len(a.Levels)-1 && a.Strategy.Goal != nil && a.Strategy.Goal.Rat != nil && l.Goal.Cmp(a.Strategy.Goal.Rat) != 0:
			m.add(at, "is %s; the last level must equal the goal of the strategy, %s", l.Goal, a.Strategy.Goal)
		}
	}
}

// levels are those of the document, or the one that every award has.
func (a *Award) levels() []Level {
	if len(a.Levels) > 0 {
		return a.Levels
	}
	return []Level{{a.Title, *a.Strategy.Goal}}
}

// Canonical is the document as it is kept: every default written out, numbers
// and keys in one form, lists in the admin's order. Parsing it gives the same.
func (a *Award) Canonical() []byte {
	doc, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		panic("awards: an award that was checked can be written: " + err.Error())
	}
	return doc
}

// Version names the content of the document: two that mean the same to every
// reader have one version.
func (a *Award) Version() string {
	sum := sha256.Sum256(a.Canonical())
	return hex.EncodeToString(sum[:])
}
