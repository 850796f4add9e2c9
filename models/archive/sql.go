package archive

import (
	"fmt"
	"strings"
)

// write makes the texts of the shard's statements. Values are always parameters;
// only names, which the declaration was checked for, become part of a text.
//
// Rows are given as one list per field: @c0, @c1, ... in the order of fields.
func (st *statements) write(s *Shard) {
	all := upTo(0, len(st.fields))
	st.given = st.givenRows()
	st.rows = fmt.Sprintf(`json_build_array(CAST(t.ctid AS text), t._id, t._from, t._until, t._reason, t._seen, t._chunks, json_build_array(%s))`, st.columns("t.", all))
	st.writeApply(all)
	st.writeNear()
	scope := st.match("t", "s", st.scope, "=")
	st.remove = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s),
		ended AS (
			UPDATE %s t SET _until = @at, _reason = @reason FROM given s
			WHERE %s AND t._until IS NULL AND t._from < @at AND t._seen[cardinality(t._seen)] <> @r
			RETURNING t._seen)
		SELECT count(*) AS ended, %s AS dead FROM ended`, st.scopeRows(), st.table, scope, deadOf("ended"))
	st.inScopes = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s)
		SELECT coalesce(json_agg(%s), '[]') FROM %s t, given s
		WHERE %s AND t._from <= @at AND (t._until IS NULL OR t._until >= @at)`, st.scopeRows(), st.rows, st.table, scope)
	st.drop = fmt.Sprintf(`
		WITH gone AS (DELETE FROM %s WHERE ctid = ANY(CAST(@tids AS tid[])) RETURNING _id, _chunks)
		DELETE FROM archive_seen WHERE shard = @shard AND row_id IN (SELECT _id FROM gone WHERE _chunks > 0)`, st.table)
	values := len(st.fields)
	st.open = fmt.Sprintf(`
		INSERT INTO %s (%s, _from, _until, _reason, _seen)
		SELECT %s, _from, _until, _reason, CAST(_seen AS bigint[]) FROM (%s) g`, st.table, st.columns("", all), st.columns("", all),
		st.unnest(all, "_from", fmt.Sprintf("CAST(@c%d AS timestamptz[])", values), "_until", fmt.Sprintf("CAST(@c%d AS timestamptz[])", values+1),
			"_reason", fmt.Sprintf("CAST(@c%d AS text[])", values+2), "_seen", fmt.Sprintf("CAST(@c%d AS text[])", values+3)))
}

// unnest turns the lists of some fields, and more lists by name, into rows
// numbered by _n from 1.
func (st *statements) unnest(at []int, more ...string) string {
	var lists, names, cols []string
	for n, i := range at {
		f := st.fields[i]
		kind, col := sqlTypes[f.Type], quote(f.Name)
		names = append(names, col)
		if f.Type == JSON {
			kind, col = "text", fmt.Sprintf("CAST(%s AS jsonb) AS %s", col, col)
		}
		cols = append(cols, col)
		lists = append(lists, fmt.Sprintf("CAST(@c%d AS %s[])", n, kind))
	}
	for i := 0; i+1 < len(more); i += 2 {
		names, cols, lists = append(names, more[i]), append(cols, more[i]), append(lists, more[i+1])
	}
	return fmt.Sprintf("SELECT %s, _n FROM unnest(%s) WITH ORDINALITY AS g(%s, _n)", strings.Join(cols, ", "), strings.Join(lists, ", "), strings.Join(names, ", "))
}

func (st *statements) givenRows() string { return st.unnest(upTo(0, len(st.fields))) }

// scopeRows are the values of scopes; the one scope without fields is one row.
func (st *statements) scopeRows() string {
	if len(st.scope) == 0 {
		return "SELECT 1"
	}
	return st.unnest(st.scope)
}

// deadOf are the responses that rows name which are no longer as they were.
func deadOf(name string) string {
	return fmt.Sprintf("(SELECT array_to_json(array_agg(DISTINCT b)) FROM %s, unnest(_seen) b)", name)
}

// writeApply is the upsert of a response that is newer than all that its shard's
// groups have seen: one statement. It runs under the lock of those groups, so
// the ctid of a row stays what it was found to be. The rows that end are counted
// before any opens, which makes them end first: the indexes of the open rows
// are checked at once.
func (st *statements) writeApply(all []int) {
	key := st.match("t", "g", upTo(0, st.keys), "=")
	same := st.match("t", "g", upTo(st.keys, len(all)), "IS NOT DISTINCT FROM")
	ending := `SELECT tid, 'changed' AS reason FROM hit WHERE NOT same`
	if len(st.uniques) > 0 {
		parts := []string{ending}
		for _, u := range st.uniques {
			parts = append(parts, fmt.Sprintf(`SELECT t.ctid, 'displaced' FROM hit h JOIN %s t ON %s AND t._until IS NULL WHERE h.same IS NOT TRUE`,
				st.table, st.match("t", "h", u, "=")))
		}
		ending = "SELECT tid, min(reason) AS reason FROM (" + strings.Join(parts, " UNION ALL ") + ") e GROUP BY tid"
	}
	st.apply = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s),
		hit AS MATERIALIZED (
			SELECT g.*, t.ctid AS tid, t.ctid IS NOT NULL AND %s AS same
			FROM given g LEFT JOIN %s t ON %s AND t._until IS NULL),
		confirmed AS (
			UPDATE %s t SET _seen = t._seen || CAST(@r AS bigint) FROM hit h WHERE t.ctid = h.tid AND h.same
			RETURNING cardinality(t._seen) AS n),
		ended AS (
			UPDATE %s t SET _until = @at, _reason = e.reason FROM (%s) e WHERE t.ctid = e.tid
			RETURNING t._seen),
		inserted AS (
			INSERT INTO %s (%s, _from, _seen)
			SELECT %s, @at, ARRAY[CAST(@r AS bigint)] FROM hit h WHERE same IS NOT TRUE AND (SELECT count(*) FROM ended) >= 0
			RETURNING 1)
		SELECT (SELECT count(*) FROM confirmed) AS confirmed, (SELECT coalesce(max(n), 0) FROM confirmed) AS longest,
			(SELECT count(*) FROM inserted) AS inserted, (SELECT count(*) FROM ended) AS ended, %s AS dead`,
		st.given, same, st.table, key, st.table, st.table, ending, st.table, st.columns("", all), st.columns("h.", all), deadOf("ended"))
	st.confirm = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s),
		confirmed AS (
			UPDATE %s t SET _seen = t._seen || CAST(@r AS bigint) FROM given g
			WHERE %s AND t._until IS NULL AND t._from <= @at AND %s
			RETURNING g._n, cardinality(t._seen) AS n)
		SELECT coalesce(json_agg(_n), '[]') AS places, coalesce(max(n), 0) AS longest FROM confirmed`, st.given, st.table, key, same)
}

// writeNear finds the rows that facts of one instant may touch: by the key and
// by each further unique key, those whose period reaches the instant, and the
// first after it.
func (st *statements) writeNear() {
	var probes []string
	for _, u := range append([][]int{upTo(0, st.keys)}, st.uniques...) {
		where := st.match("x", "g", u, "=")
		probes = append(probes, fmt.Sprintf(`
			(SELECT ctid AS tid FROM %[1]s x WHERE %[2]s AND _until IS NULL)
			UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _until IS NOT NULL AND _from <= @at ORDER BY _from DESC LIMIT 2)
			UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _until IS NOT NULL AND _from > @at ORDER BY _from LIMIT 1)`, st.table, where))
	}
	st.near = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s), near AS (SELECT DISTINCT tid FROM given g, LATERAL (%s) p)
		SELECT coalesce(json_agg(%s), '[]') FROM near JOIN %s t ON t.ctid = near.tid`,
		st.given, strings.Join(probes, " UNION ALL "), st.rows, st.table)
}
