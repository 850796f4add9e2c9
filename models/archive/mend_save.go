package archive

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// countFacts counts what became of the facts.
func (m *mending) countFacts(added []shards.Observation, spans []shards.Span, yielded []shards.Observation) {
	gone := map[string]bool{}
	for _, o := range yielded {
		gone[o.Fact.ID] = true
	}
	at := map[string]*shards.Span{}
	ended := 0
	for i := range spans {
		p := &spans[i]
		if !p.Until.IsZero() {
			ended++
		}
		if slices.ContainsFunc(p.Seen, m.At.Equal) {
			at[p.Fact.ID] = p
		}
	}
	for _, r := range m.rows {
		if !r.Until.IsZero() {
			ended--
		}
	}
	m.res.Ended += max(ended, 0)
	for i := range added {
		f := &added[i].Fact
		p := at[f.ID]
		switch {
		case gone[f.ID]:
			m.res.Yielded++
		case len(p.Seen) > 1:
			m.res.Confirmed++
		default:
			m.res.Inserted++
		}
		if p == nil || !p.Until.IsZero() {
			m.holds = false
		}
	}
}

// save replaces the loaded rows that are different now.
func (m *mending) save(spans []shards.Span, yielded []shards.Observation) error {
	if err := m.saveRows(spans); err != nil {
		return err
	}
	return m.putYielded(yielded)
}

func (m *mending) saveRows(spans []shards.Span) error {
	byFact := map[string][]*stored{}
	for _, r := range m.rows {
		byFact[r.Fact.ID] = append(byFact[r.Fact.ID], r)
	}
	var fresh []shards.Span
	for _, p := range spans {
		slices.Sort(p.Retrievals)
		rows := byFact[p.Fact.ID]
		if i := slices.IndexFunc(rows, func(r *stored) bool { return r.same(&p) }); i >= 0 {
			rows[i].unchanged = true
		} else {
			fresh = append(fresh, p)
		}
	}
	open, past := []string{}, []string{}
	for where, r := range m.rows {
		if !r.unchanged {
			if where.open {
				open = append(open, where.tid)
			} else {
				past = append(past, where.tid)
			}
			for _, id := range r.Retrievals {
				m.dead[id] = true
			}
		}
	}
	if err := m.tx.Exec(m.st.drop, pg.Named("open", &open, "past", &past)).Error; err != nil {
		return err
	}
	return m.insert(fresh)
}

func (m *mending) insert(spans []shards.Span) error {
	ended := slices.DeleteFunc(slices.Clone(spans), func(p shards.Span) bool { return p.Until.IsZero() })
	open := slices.DeleteFunc(spans, func(p shards.Span) bool { return !p.Until.IsZero() })
	if err := m.add(m.st.close, ended, true); err != nil {
		return err
	}
	if err := m.add(m.st.reopen, open, false); err != nil {
		return err
	}
	return m.goOn(append(ended, open...))
}

// goOn says of past rows whether their key went on with the same unique values: of those
// that were added, and of those before them.
func (m *mending) goOn(spans []shards.Span) error {
	if len(spans) == 0 {
		return nil
	}
	facts, from := make([]shards.Fact, len(spans)), make([]time.Time, len(spans))
	for i, p := range spans {
		facts[i], from[i] = p.Fact, p.From
	}
	args := arguments(m.st, facts, upTo(0, m.st.Keys))
	args["c"+strconv.Itoa(m.st.Keys)] = &from
	return m.tx.Exec(m.st.goOn, args).Error
}

// add adds rows to the table of the past or to that of the open ones.
func (m *mending) add(sql string, spans []shards.Span, past bool) error {
	if len(spans) == 0 {
		return nil
	}
	facts, from, until := make([]shards.Fact, len(spans)), make([]time.Time, len(spans)), make([]time.Time, len(spans))
	reasons, seen := make([]string, len(spans)), make([]string, len(spans))
	for i, p := range spans {
		facts[i], from[i], seen[i], until[i], reasons[i] = p.Fact, p.From, braces(p.Retrievals), p.Until, p.Reason
	}
	lists := []any{&from, &seen}
	if past {
		lists = append(lists, &until, &reasons)
	}
	n := len(m.st.Fields)
	args := arguments(m.st, facts, upTo(0, n))
	for i, list := range lists {
		args["c"+strconv.Itoa(n+i)] = list
	}
	return m.tx.Exec(sql, args).Error
}

// braces writes a list as PostgreSQL reads one.
func braces(ids []int64) string {
	var words []string
	for _, id := range ids {
		words = append(words, strconv.FormatInt(id, 10))
	}
	return "{" + strings.Join(words, ",") + "}"
}

func (m *mending) putYielded(yielded []shards.Observation) error {
	err := m.tx.Exec(`DELETE FROM archive_yielded WHERE shard = @shard AND at = @at AND NOT withdrawn`,
		pg.Named("shard", m.shard.Stored(), "at", m.At)).Error
	if err != nil {
		return err
	}
	list := make([]asideFact, len(yielded))
	for i := range yielded {
		list[i].Observation = yielded[i]
	}
	return setAside(m.tx, m.shard, list)
}
