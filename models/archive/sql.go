package archive

import (
	"fmt"
	"strings"
)

// write makes the texts of the shard's statements. Values are always parameters;
// only names, which the declaration was checked for, become part of a text.
//
// Rows are given as one list per field: @c0, @c1, ... in the order of fields.
func (st *statements) write() {
	all := upTo(0, len(st.fields))
	st.given = st.unnest(all)
	st.rows = fmt.Sprintf(`json_build_array(CAST(t.ctid AS text), t._from, t._until, t._reason, t._seen, t._aside, json_build_array(%s))`, st.columns("t.", all))
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
		WITH gone AS (DELETE FROM %s WHERE ctid = ANY(CAST(@tids AS tid[])) RETURNING _aside)
		DELETE FROM archive_seen WHERE aside IN (SELECT _aside FROM gone)`, st.table)
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
		kind, col := f.SQLType(), quote(f.Name)
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

// scopeRows are the values of scopes; the one scope without fields is one row.
func (st *statements) scopeRows() string {
	if len(st.scope) == 0 {
		return "SELECT 1"
	}
	return st.unnest(st.scope)
}

// deadOf are the responses that rows name which are no longer as they were.
func deadOf(name string) string {
	return fmt.Sprintf("(SELECT array_to_json(array_agg(DISTINCT b)) FROM (SELECT DISTINCT _seen FROM %s WHERE _seen IS NOT NULL) s, unnest(_seen) b)", name)
}

// listings is a statement that gives, for all rows t of a table, some columns
// and, as b, each response that listed the row, also those that were put aside.
func listings(table, columns string) string {
	return fmt.Sprintf(`
		SELECT %[2]s, unnest(t._seen) AS b FROM %[1]s t
		UNION ALL SELECT %[2]s, unnest(c.seen) FROM archive_seen c JOIN %[1]s t ON t._aside = c.aside`, table, columns)
}

// writeUpsert makes the upsert of a response that is newer than all that its
// groups have seen: the open rows of its keys are confirmed or end, then those
// that still hold one of the unique values of what is fresh end, then the fresh
// rows open. That is a fixed number of statements of one step each: one statement
// of many steps was slower, for it finds each row twice.
func (st *statements) writeUpsert(all []int) {
	key := st.match("t", "g", upTo(0, st.keys), "=")
	same := st.match("t", "g", upTo(st.keys, len(all)), "IS NOT DISTINCT FROM")
	var unique []int
	for _, u := range st.uniques {
		unique = append(unique, u...)
	}
	const places = `CASE WHEN count(*) FILTER (WHERE same) < @given THEN array_to_json(array_agg(_n) FILTER (WHERE same)) END`
	const kept = `count(*) FILTER (WHERE kept), CASE WHEN count(*) FILTER (WHERE same OR kept) < @given THEN array_to_json(array_agg(_n) FILTER (WHERE kept)) END`
	st.renew = fmt.Sprintf(`
		WITH renewed AS (
			UPDATE %[1]s t SET
				_seen = CASE WHEN %[2]s THEN t._seen || CAST(@r AS bigint) ELSE t._seen END,
				_until = CASE WHEN NOT (%[2]s) THEN CAST(@at AS timestamptz) END, _reason = CASE WHEN NOT (%[2]s) THEN '%[3]s' END
			FROM (%[4]s) g WHERE %[5]s AND t._until IS NULL
			RETURNING g._n, t._until IS NULL AS same, t._until IS NOT NULL AND %[8]s AS kept, cardinality(t._seen) AS n, CASE WHEN t._until IS NOT NULL THEN t._seen END AS _seen)
		SELECT count(*) FILTER (WHERE same), %[7]s, %[9]s,
			coalesce(max(n) FILTER (WHERE same), 0), count(*) FILTER (WHERE NOT same), %[6]s FROM renewed`,
		st.table, same, Changed, st.given, key, deadOf("renewed"), places, st.match("t", "g", unique, "IS NOT DISTINCT FROM"), kept)
	st.confirm = fmt.Sprintf(`
		WITH confirmed AS (
			UPDATE %s t SET _seen = t._seen || CAST(@r AS bigint) FROM (%s) g
			WHERE %s AND t._until IS NULL AND t._from <= @at AND %s
			RETURNING g._n, true AS same, cardinality(t._seen) AS n)
		SELECT count(*) FILTER (WHERE same), %s, 0, NULL, coalesce(max(n), 0), 0, NULL FROM confirmed`, st.table, st.given, key, same, places)
	st.aside = fmt.Sprintf(`
		WITH long AS (
			SELECT t.ctid AS _tid, _seen, coalesce(_aside, nextval('archive_aside')) AS _put FROM %[1]s t JOIN (%[2]s) g ON %[3]s
			WHERE _until IS NULL AND cardinality(_seen) > @chunk AND _seen[cardinality(_seen)] = @r),
		put AS (INSERT INTO archive_seen (aside, seen) SELECT _put, _seen[1:cardinality(_seen) - 1] FROM long RETURNING seen),
		cut AS (UPDATE %[1]s t SET _seen = ARRAY[CAST(@r AS bigint)], _aside = _put FROM long WHERE t.ctid = _tid RETURNING 1)
		SELECT array_to_json(array_agg(DISTINCT b)) FROM put, unnest(seen) b WHERE (SELECT count(*) FROM cut) >= 0`,
		st.table, st.unnest(upTo(0, st.keys)), key)
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
			(SELECT ctid AS _tid FROM %[1]s x WHERE %[2]s AND _until IS NULL)
			UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _until IS NOT NULL AND _from <= @at ORDER BY _from DESC LIMIT 2)
			UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _until IS NOT NULL AND _from > @at ORDER BY _from LIMIT 1)`, st.table, where))
	}
	st.near = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s), near AS (SELECT DISTINCT _tid FROM given g, LATERAL (%s) p)
		SELECT coalesce(json_agg(%s), '[]') FROM near JOIN %s t ON t.ctid = near._tid`,
		st.given, strings.Join(probes, " UNION ALL "), st.rows, st.table)
}
