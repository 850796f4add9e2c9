package archive

import (
	"fmt"
	"strings"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// rows compares the rows of a shard with each other and with the log.
func (k *checker) rows(tx *gorm.DB, s *Shard) error {
	st := s.statements()
	statements := []string{k.periods(st), k.unseen(st)}
	for i, u := range st.Uniques {
		statements = append(statements, k.overlaps(st, u, strings.Join(s.Unique[i], ", ")))
	}
	for _, f := range s.Data {
		if f.Type == shards.ListType {
			statements = append(statements, k.lostLists(st, quote(f.Name)))
		}
	}
	err := k.foundBy(tx, s.Name, strings.Join(statements, " UNION ALL "))
	if err == nil {
		err = k.reasons(tx, s)
	}
	return err
}

// lostLists looks for rows that name lists which are not there.
func (k *checker) lostLists(st *statements, field string) string {
	key := st.columns("", upTo(0, st.Keys))
	return fmt.Sprintf(`
		SELECT 'list', 'the row of ' || CAST(ROW(%[1]s) AS text) || ' from ' || _from || ' names list ' || x.%[2]s || ', which is not there'
		FROM %[3]s x WHERE x.%[2]s IS NOT NULL AND %[4]s AND NOT EXISTS (SELECT FROM archive_lists l WHERE l.id = x.%[2]s)`,
		key, field, st.checked(), k.sliceOf(key))
}

// checked are all rows with what a check needs of them.
func (st *statements) checked() string {
	fields := st.columns("", upTo(0, len(st.Fields)))
	return fmt.Sprintf(`(SELECT %[1]s, _from, CAST(NULL AS timestamptz) AS _until, CAST(NULL AS boolean) AS _goes_on, _seen,
			_aside FROM %[2]s
		UNION ALL SELECT %[1]s, _from, _until, _goes_on, _seen, _aside FROM %[3]s)`, fields, st.table, st.past)
}

// periods looks at the rows of each key one after the other. Whether a key went on is said
// exactly of rows that were seen since responses have sums.
func (k *checker) periods(st *statements) string {
	key, uniques := st.columns("", upTo(0, st.Keys)), "1"
	for _, u := range st.Uniques {
		uniques += ", " + st.columns("", u)
	}
	return fmt.Sprintf(`
		SELECT _kind, 'the row of ' || _row || ' from ' || _from || CASE
			WHEN _kind = 'overlap' THEN ' begins before the one before it ends, ' || _before
			WHEN _until <= _from THEN ' ends before it begins, ' || _until
			WHEN _alike THEN ' ended, and the next one says the same'
			WHEN _goes_on THEN ' is said to go on with the same unique values, and does not'
			ELSE ' is said to go on with other unique values, and does not' END AS _message
		FROM (SELECT CAST(ROW(%[1]s) AS text) AS _row, _from, _until, _goes_on, _seen,
				lag(coalesce(_until, 'infinity')) OVER w AS _before,
				coalesce(lead(_from) OVER w = _until AND lead(ROW(%[2]s)) OVER w IS NOT DISTINCT FROM ROW(%[2]s), false) AS _goes,
				coalesce(lead(_from) OVER w = _until AND lead(ROW(%[3]s)) OVER w IS NOT DISTINCT FROM ROW(%[3]s), false) AS _alike
			FROM %[4]s x WHERE %[5]s WINDOW w AS (PARTITION BY %[1]s ORDER BY _from, _until)) o,
		LATERAL (SELECT CASE WHEN _before > _from THEN 'overlap' WHEN _until <= _from OR _alike OR _goes_on AND NOT _goes OR
			NOT _goes_on AND _goes AND NOT EXISTS (SELECT FROM archive_retrievals r WHERE r.id = _seen[cardinality(_seen)] AND r.altered)
			THEN 'period' END AS _kind) c
		WHERE _kind IS NOT NULL`, key, uniques, st.columns("", upTo(0, len(st.Fields))), st.checked(), k.sliceOf(key))
}

// overlaps looks at the rows of each value of a unique key one after the other.
func (k *checker) overlaps(st *statements, u []int, name string) string {
	cols, filled := st.columns("", u), "true"
	for _, i := range u {
		filled += " AND " + quote(st.Fields[i].Name) + " IS NOT NULL"
	}
	return fmt.Sprintf(`
		SELECT 'overlap', 'of %[1]s ' || CAST(ROW(%[2]s) AS text) || ' one row is valid from ' || _from
			|| ' and the one before until ' || _before
		FROM (SELECT %[2]s, _from, lag(coalesce(_until, 'infinity')) OVER (PARTITION BY %[2]s ORDER BY _from, _until) AS _before
			FROM %[3]s x WHERE %[4]s AND %[5]s) o
		WHERE _before > _from`, name, cols, st.checked(), filled, k.sliceOf(cols))
}

// unseen looks for rows that were not seen when they begin.
func (k *checker) unseen(st *statements) string {
	key := st.columns("", upTo(0, st.Keys))
	return fmt.Sprintf(`
		SELECT 'evidence', 'the row of ' || CAST(ROW(%s) AS text) || ' was not seen when it begins, ' || _from
		FROM %s x WHERE %s AND NOT EXISTS (SELECT FROM archive_retrievals r WHERE r.at = x._from AND r.withdrawn_at IS NULL
			AND (coalesce(r.same_as, r.id) = ANY(x._seen)
			OR EXISTS (SELECT FROM archive_seen s WHERE s.aside = x._aside AND coalesce(r.same_as, r.id) = ANY(s.seen))))`,
		key, st.checked(), k.sliceOf(key))
}
