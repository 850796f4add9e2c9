package archive

import (
	"errors"
	"fmt"
	"strings"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
)

// violations looks for rows that a new unique key forbids: of two keys, with one value, valid at one time. What
// gave way counts, too: a lower response of its instant would overrule rows by the new key.
func (v *evolution) violations() error {
	st := v.to.statements()
	for i, u := range st.Uniques[len(st.Uniques)-len(v.step.Unique):] {
		key := upTo(0, st.Keys)
		var values []string
		for k, f := range st.Fields {
			values = append(values, fmt.Sprintf("CAST(y.fact ->> %d AS %s) AS _v%d", k, f.SQLType(), k))
		}
		same := func(of []int) string {
			parts := make([]string, len(of))
			for i, k := range of {
				parts[i] = fmt.Sprintf("y._v%d = a.%s", k, quote(st.Fields[k].Name))
			}
			return strings.Join(parts, " AND ")
		}
		var found []struct{ A, B string }
		err := v.tx.Raw(fmt.Sprintf(`
			SELECT CAST(ROW(%[1]s) AS text) AS a, CAST(ROW(%[2]s) AS text) AS b
			FROM %[3]s a JOIN %[3]s b ON %[4]s AND ROW(%[1]s) < ROW(%[2]s)
				AND a._from < coalesce(b._until, 'infinity') AND b._from < coalesce(a._until, 'infinity')
			UNION ALL
			SELECT CAST(ROW(%[1]s) AS text), CAST(y.key AS text) || ', set aside'
			FROM %[3]s a JOIN (SELECT y.at, y.key, %[5]s FROM archive_yielded y WHERE y.shard = @shard AND NOT y.withdrawn) y
				ON %[6]s AND NOT (%[7]s) AND a._from <= y.at AND coalesce(a._until, 'infinity') > y.at
			LIMIT 3`, st.columns("a.", key), st.columns("b.", key), v.to.Rows(), st.match("a", "b", u, "="), strings.Join(values, ", "),
			same(u), same(key)),
			pg.Named("shard", v.to.Stored())).Scan(&found).Error
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		var pairs []string
		for _, f := range found {
			pairs = append(pairs, f.A+" and "+f.B)
		}
		return &shards.InputError{Shard: v.to.Name, Row: -1, Field: "unique", Message: fmt.Sprintf("rows share a value of %s at one time, "+
			"for example those of %s; retract what is wrong, or leave this key out", strings.Join(v.step.Unique[i], ", "),
			strings.Join(pairs, "; "))}
	}
	return nil
}

// scope sees that no page was complete for the former scope: what it ended is known by the values of that.
func (v *evolution) scope() error {
	if fmt.Sprint(v.from.renamed(v.step).Scope) == fmt.Sprint(v.to.Scope) {
		return nil
	}
	var n int64
	err := v.tx.Raw(`SELECT count(*) FROM archive_endings WHERE shard = @shard`, pg.Named("shard", v.to.Stored())).Scan(&n).Error
	if err == nil && n > 0 {
		return &shards.InputError{Shard: v.to.Name, Row: -1, Field: "scope", Message: fmt.Sprintf("%d responses were complete for the "+
			"scope that it has, so it cannot change in place; declare another shard", n)}
	}
	return err
}

// refold folds all rows once more, without the unique keys that are dropped: what they displaced goes on. New ones
// displace nothing: see violations.
func (v *evolution) refold() error {
	kept := v.to.Declaration
	kept.Unique = kept.Unique[:len(kept.Unique)-len(v.step.Unique)]
	s := &Shard{Declaration: kept}
	st := s.statements()
	b := &believing{Shard: s, st: st, tx: v.tx, known: endOfTime, meant: map[string]bool{}, rows: map[place]*stored{}}
	err := b.read(members.As(v.tx.Statement.Context, members.Everything), Query{})
	if input, ok := errors.AsType[*shards.InputError](err); ok {
		input.Field, input.Message = "unique", fmt.Sprintf("the shard has more than %d rows: declare another one without this key",
			maxBelieved)
	}
	if err != nil {
		return err
	}
	endings, err := b.endings()
	if err != nil {
		return err
	}
	spans, yielded := shards.Refold(b.observations(), endings, nil)
	m := &mending{writer: &writer{parsed: &parsed{}, tx: v.tx, dead: map[int64]bool{}}, part: &part{shard: s}, st: st, rows: b.rows}
	if err := m.saveRows(spans); err != nil {
		return err
	}
	err = v.tx.Exec(`DELETE FROM archive_yielded WHERE shard = @shard AND NOT withdrawn`, pg.Named("shard", s.Stored())).Error
	if err != nil {
		return err
	}
	list := make([]asideFact, len(yielded))
	for i := range yielded {
		list[i].Observation = yielded[i]
	}
	if err := setAside(v.tx, s, list); err != nil {
		return err
	}
	all := s.stripes()
	return v.tx.Exec(`UPDATE archive_pages SET base = NULL
		WHERE base IN (SELECT id FROM archive_retrievals WHERE locks && CAST(@locks AS bigint[]))`, pg.Named("locks", &all)).Error
}

// goesOn says of all past rows whether their key went on with the same values of the unique keys there are now.
func (v *evolution) goesOn() error {
	st := v.to.statements()
	goes := st.goesOn(st.table) + " OR " + st.goesOn(st.past)
	return v.tx.Exec(fmt.Sprintf(`UPDATE %s t SET _goes_on = %s WHERE _goes_on <> (%s)`, st.past, goes, goes)).Error
}
