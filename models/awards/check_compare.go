package awards

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"laurel/models/awards/rules"

	"gorm.io/gorm"
)

// A recounted member is what the ledger's events come to.
type recounted struct {
	member int64
	cells  map[cellKey]int64
	dated  map[pendingKey][]rules.Counted // What counts for each award and period, with its time.
}

// countItem counts an item, and compares what the ledger says of it with what its event says.
func (k *checker) countItem(i *ledgerItem, m *recounted) {
	should, is := k.s.contributed(i)
	if was, became := i.Contributions, writeCounted(should); i.broken {
		k.differ(i.MemberID, "contributions of "+i.Source+" "+i.Key, was, became)
	} else if was := writeCounted(is); was != became {
		k.differ(i.MemberID, "contributions of "+i.Source+" "+i.Key, was, became)
	}
	if i.misread != "" {
		k.differ(i.MemberID, "state of "+i.Source+" "+i.Key, i.misread, i.state())
	}
	if i.stale() && (i.gone || len(should) > 0) {
		k.differ(i.MemberID, "member and time of "+i.Source+" "+i.Key, fmt.Sprint(i.of(), " at ", stamped(&i.keptAt)),
			fmt.Sprint(i.MemberID, " at ", stamped(&i.At)))
	}
	for _, c := range should {
		o := k.s.objectives[c.Objective]
		m.cells[cellKey{counterKey{c.Objective, i.MemberID, c.Period, c.Status}, c.Cell}] += c.Amount
		key := pendingKey{o.award.ID, i.MemberID, c.Period}
		m.dated[key] = append(m.dated[key], rules.Counted{At: i.FirstAt, Objective: o.objective.ID, Contribution: c.plain()})
	}
}

// compareMember compares what a member has with what was recounted.
func (k *checker) compareMember(m *recounted) {
	if m == nil {
		return
	}
	for key, n := range m.cells {
		if have := k.cells[key]; key.Cell != "" && have != n {
			k.differ(m.member, "cell "+key.Cell+" of "+k.s.nameOf(key.counterKey), number(have), number(n))
		}
		delete(k.cells, key)
	}
	should := map[counterKey]int64{}
	k.s.addUp(m.cells, should)
	for key, n := range should {
		if have := k.counters[key]; have != n {
			k.differ(m.member, k.s.nameOf(key), number(have), number(n))
		}
		delete(k.counters, key)
	}
	for key, counters := range k.s.byAward(should) {
		k.comparePair(key, k.s.awards[key.Award].Award.Progress(counters), m.dated[key])
		delete(k.progress, key)
		delete(k.grants, key)
	}
}

// compareRest compares what is there of what nothing in the ledger counts for.
func (k *checker) compareRest() {
	for key, n := range k.cells {
		k.differ(key.Member, "cell "+key.Cell+" of "+k.s.nameOf(key.counterKey), number(n), "0")
	}
	for key, n := range k.counters {
		k.differ(key.Member, k.s.nameOf(key), number(n), "0")
	}
	for key := range k.grants {
		if _, ok := k.progress[key]; !ok {
			k.comparePair(key, k.s.awards[key.Award].Award.Progress(map[string]rules.Amount{}), nil)
		}
	}
	for key := range k.progress {
		if a := k.s.awards[key.Award]; a != nil {
			k.comparePair(key, a.Award.Progress(map[string]rules.Amount{}), nil)
		}
	}
}

// comparePair compares a member's award of which no change waits: progress, level, grants, dates.
func (k *checker) comparePair(key pendingKey, p rules.Progress, items []rules.Counted) {
	if k.waiting[pendingKey{key.Award, key.Member, ""}] {
		return
	}
	a := k.s.awards[key.Award]
	of := " of award " + a.Award.Slug + spaced(key.Period)
	have, ok := k.progress[key]
	should := reachedRow{p.Value.String(), p.Goal.String(), p.Level, p.Started}
	if !ok {
		have = reachedRow{Progress: "0", Goal: should.Goal}
	}
	if have != should {
		k.differ(key.Member, "progress"+of, have.String(), should.String())
	}
	if !a.State.Grants() || k.barred[key.Member] {
		return
	}
	pair := &pair{pendingKey: key, award: a, progress: p, grants: k.grants[key], reached: nil}
	k.compareGrants(pair, of, items)
}

// compareGrants compares the levels that are held with those that should be, and their dates.
func (k *checker) compareGrants(p *pair, of string, items []rules.Counted) {
	if p.grants == nil {
		p.grants = map[int]*AwardGrant{}
	}
	for _, c := range p.gained(nil, k.now) {
		k.differ(p.Member, fmt.Sprint("level ", c.level, of), "not held", "held")
	}
	for _, c := range p.lost(nil, k.now) {
		k.take(p.Member, fmt.Sprint("level ", c.level, of), "held", "lost: "+c.reason)
	}
	var below *AwardGrant
	for _, level := range slices.Sorted(maps.Keys(p.grants)) {
		g := p.grants[level]
		if g.RevokedAt != nil {
			continue
		}
		if level <= p.progress.Level && p.dates(g) {
			k.compareDate(p, g, below, items)
		}
		below = g
	}
}

// compareDate compares the date of a level with when the items reached it: not before the level below.
func (k *checker) compareDate(p *pair, g, below *AwardGrant, items []rules.Counted) {
	at, ok := p.award.Award.Crossed(g.Level, items)
	if below != nil && below.Level == g.Level-1 && at.Before(below.GrantedAt) {
		at = below.GrantedAt
	}
	if ok && !g.GrantedAt.Equal(at) && !at.After(k.now) {
		k.dates[g.ID] = at
		k.differ(p.Member, fmt.Sprint("date of level ", g.Level, " of award ", p.award.Award.Slug, spaced(p.Period)),
			stamped(&g.GrantedAt), stamped(&at))
	}
}

func (k *checker) differ(member int64, what, is, should string) {
	k.Differences = append(k.Differences, Difference{Member: member, What: what, Is: is, Should: should})
}

func (k *checker) take(member int64, what, is, should string) {
	k.Differences = append(k.Differences, Difference{Member: member, What: what, Is: is, Should: should, Takes: true})
}

func number(n int64) string { return rules.Amount(n).String() }

// nameOf says which counter a key is, for people.
func (s *Ruleset) nameOf(k counterKey) string {
	o := s.objectives[k.Objective]
	return fmt.Sprintf("counter %s of objective %s of award %s%s", k.Status, o.objective.ID, o.award.Award.Slug, spaced(k.Period))
}

// byAward are the active counters of each member's award and period, by objective.
func (s *Ruleset) byAward(counters map[counterKey]int64) map[pendingKey]map[string]rules.Amount {
	all := map[pendingKey]map[string]rules.Amount{}
	for k, n := range counters {
		o := s.objectives[k.Objective]
		key := pendingKey{o.award.ID, k.Member, k.Period}
		if all[key] == nil {
			all[key] = map[string]rules.Amount{}
		}
		if k.Status == rules.Active {
			all[key][o.objective.ID] = rules.Amount(n)
		}
	}
	return all
}

// waitingPairs are the members and awards of a slice that are in the queue.
func waitingPairs(ctx context.Context, tx *gorm.DB, slice map[string]any) (map[pendingKey]bool, error) {
	var rows []struct{ AwardID, MemberID int64 }
	err := tx.WithContext(ctx).Raw(`SELECT DISTINCT award_id, member_id FROM award_pending WHERE member_id > @after AND member_id <= @last`,
		slice).Scan(&rows).Error
	waiting := make(map[pendingKey]bool, len(rows))
	for _, r := range rows {
		waiting[pendingKey{r.AwardID, r.MemberID, ""}] = true
	}
	return waiting, err
}

func spaced(period string) string {
	if period == "" {
		return ""
	}
	return " from " + period
}
