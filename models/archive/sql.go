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
	st.writeUpsert(all)
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
	return fmt.Sprintf("(SELECT array_to_json(array_agg(DISTINCT b)) FROM (SELECT DISTINCT _seen FROM %s) s, unnest(_seen) b)", name)
}

// writeUpsert makes the upsert of a response that is newer than all that its
// groups have seen: the open rows of its keys are confirmed or end, then those
// that still hold one of the unique values of what is fresh end, then the fresh
// rows open. That is a fixed number of statements of one step each: one statement
// of many steps was slower, for it finds each row twice.
func (st *statements) writeUpsert(all []int) {
	key := st.match("t", "g", upTo(0, st.keys), "=")
	same := st.match("t", "g", upTo(st.keys, len(all)), "IS NOT DISTINCT FROM")
	st.renew = fmt.Sprintf(`
		WITH renewed AS (
			UPDATE %[1]s t SET
				_seen = CASE WHEN %[2]s THEN t._seen || CAST(@r AS bigint) ELSE t._seen END,
				_until = CASE WHEN NOT (%[2]s) THEN CAST(@at AS timestamptz) END, _reason = CASE WHEN NOT (%[2]s) THEN '%[3]s' END
			FROM (%[4]s) g WHERE %[5]s AND t._until IS NULL
			RETURNING g._n, t._seen, t._until IS NULL AS same),
		ended AS (SELECT _seen FROM renewed WHERE NOT same)
		SELECT coalesce(json_agg(_n) FILTER (WHERE same), '[]') AS places, coalesce(max(cardinality(_seen)) FILTER (WHERE same), 0) AS longest,
			count(*) FILTER (WHERE NOT same) AS ended, %[6]s AS dead FROM renewed`, st.table, same, Changed, st.given, key, deadOf("ended"))
	st.confirm = fmt.Sprintf(`
		WITH confirmed AS (
			UPDATE %s t SET _seen = t._seen || CAST(@r AS bigint) FROM (%s) g
			WHERE %s AND t._until IS NULL AND t._from <= @at AND %s
			RETURNING g._n, cardinality(t._seen) AS n)
		SELECT coalesce(json_agg(_n), '[]') AS places, coalesce(max(n), 0) AS longest, 0 AS ended, NULL AS dead FROM confirmed`, st.table, st.given, key, same)
	for _, u := range st.uniques {
		st.displace = append(st.displace, fmt.Sprintf(`
			WITH ended AS (
				UPDATE %s t SET _until = @at, _reason = '%s' FROM (%s) g
				WHERE %s AND t._until IS NULL RETURNING t._seen)
			SELECT count(*) AS ended, %s AS dead FROM ended`, st.table, Displaced, st.unnest(u), st.match("t", "g", u, "="), deadOf("ended")))
	}
	st.insert = fmt.Sprintf(`INSERT INTO %s (%s, _from, _seen) SELECT %s, @at, ARRAY[CAST(@r AS bigint)] FROM (%s) g`,
		st.table, st.columns("", all), st.columns("", all), st.given)
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
