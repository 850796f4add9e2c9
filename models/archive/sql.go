package archive

import (
	"fmt"
	"slices"
	"strings"

	"laurel/models/archive/shards"
)

// write makes the texts of the shard's statements. Values are always parameters;
// only names, which the declaration was checked for, become part of a text.
//
// Rows are given as one list per field: @c0, @c1, ... in the order of fields.
func (st *statements) write() {
	all := upTo(0, len(st.Fields))
	fields := st.columns("", all)
	st.given = st.unnest(all)
	st.row = "ctid, " + fields + ", _from, _until, _reason, _seen, _aside"
	st.opened = fmt.Sprintf(`SELECT x.ctid, %s, x._from, CAST(NULL AS timestamptz) AS _until, CAST(NULL AS text) AS _reason, x._seen,
		x._aside FROM %s x`, st.columns("x.", all), st.table)
	st.ended = fmt.Sprintf(`SELECT x.ctid, %s, x._from, x._until, x._reason, x._seen, x._aside FROM %s x`, st.columns("x.", all), st.past)
	st.rows = st.rowOf("t")
	st.writeUpsert(all)
	st.writeEnds()
	st.writeNear()
	own := []string{"_from", "timestamptz", "_seen", "text", "_until", "timestamptz", "_reason", "text"}
	for i := 1; i < len(own); i += 2 {
		own[i] = fmt.Sprintf("CAST(@c%d AS %s[])", len(all)+i/2, own[i])
	}
	st.reopen = fmt.Sprintf(`INSERT INTO %s (%s, _from, _seen) SELECT %s, _from, CAST(_seen AS bigint[]) FROM (%s) g`,
		st.table, fields, fields, st.unnest(all, own[:4]...))
	st.close = fmt.Sprintf(`INSERT INTO %s (%s, _from, _until, _reason, _seen, _goes_on) SELECT %s, _from, _until, _reason,
		CAST(_seen AS bigint[]), false FROM (%s) g`,
		st.past, fields, fields, st.unnest(all, own...))
	st.writeGoOn()
}

// goesOn is true for a past row t after which its key went on with the same unique values.
func (st *statements) goesOn(rows string) string {
	return fmt.Sprintf(`EXISTS (SELECT FROM %s n WHERE %s AND n._from = t._until AND %s)`, rows,
		st.match("n", "t", upTo(0, st.Keys), "="), st.match("n", "t", slices.Concat(st.Uniques...), "IS NOT DISTINCT FROM"))
}

// writeGoOn makes the statement that says so of rows by key and beginning, and of those before them.
func (st *statements) writeGoOn() {
	key := upTo(0, st.Keys)
	match := st.match("x", "g", key, "=")
	st.goOn = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%[1]s),
		found AS MATERIALIZED (
			SELECT DISTINCT _tid FROM given g, LATERAL (
				SELECT ctid AS _tid FROM %[2]s x WHERE %[3]s AND x._from = g._begin
				UNION ALL (SELECT ctid FROM %[2]s x WHERE %[3]s AND x._from < g._begin ORDER BY x._from DESC LIMIT 1)) p)
		UPDATE %[2]s t SET _goes_on = true FROM found WHERE t.ctid = found._tid AND NOT t._goes_on AND (%[4]s OR %[5]s)`,
		st.unnest(key, "_begin", fmt.Sprintf("CAST(@c%d AS timestamptz[])", len(key))), st.past, match,
		st.goesOn(st.table), st.goesOn(st.past))
}

// unnest turns the lists of some fields, and more lists by name, into rows
// numbered by _n from 1.
func (st *statements) unnest(at []int, more ...string) string {
	var lists, names, cols []string
	for n, i := range at {
		f := st.Fields[i]
		kind, col := f.SQLType(), quote(f.Name)
		names = append(names, col)
		if f.Type == shards.JSON {
			kind, col = "text", fmt.Sprintf("CAST(%s AS jsonb) AS %s", col, col)
		}
		cols = append(cols, col)
		lists = append(lists, fmt.Sprintf("CAST(@c%d AS %s[])", n, kind))
	}
	for i := 0; i+1 < len(more); i += 2 {
		names, cols, lists = append(names, more[i]), append(cols, more[i]), append(lists, more[i+1])
	}
	return fmt.Sprintf("SELECT %s, _n FROM unnest(%s) WITH ORDINALITY AS g(%s, _n)", strings.Join(cols, ", "), strings.Join(lists, ", "),
		strings.Join(names, ", "))
}

// scopeRows are the values of scopes; the one scope without fields is one row.
func (st *statements) scopeRows() string {
	if len(st.Scope) == 0 {
		return "SELECT 1"
	}
	return st.unnest(st.Scope)
}

// deadOf are the responses that rows name which are no longer as they were.
func deadOf(rows string) string {
	return fmt.Sprintf("(SELECT array_to_json(array_agg(DISTINCT b)) FROM (SELECT DISTINCT _seen FROM %s) s, unnest(_seen) b)", rows)
}

// listings is a statement that gives, for all rows t of a table or of Rows, some columns
// and, as b, each response that listed the row, also those that were put aside.
func listings(table, columns string) string {
	return fmt.Sprintf(`
		SELECT %[2]s, unnest(t._seen) AS b FROM %[1]s t
		UNION ALL SELECT %[2]s, unnest(c.seen) FROM archive_seen c JOIN %[1]s t ON t._aside = c.aside`, table, columns)
}

// rowOf is a row t, by whatever name, as a JSON list.
func (st *statements) rowOf(t string) string {
	return fmt.Sprintf(`json_build_array(CAST(%[1]s.ctid AS text), %[1]s._from, %[1]s._until, %[1]s._reason, %[1]s._seen, %[1]s._aside,
		json_build_array(%[2]s))`, t, st.columns(t+".", upTo(0, len(st.Fields))))
}

// writeUpsert makes the upsert of a response that is newer than all that its
// groups have seen. An open row is rewritten in its place: seen once more
// (seen), or seen once more or with new data (renew), and then what it was is added
// to the past. A row whose unique values change is none of these, for another one
// may have taken them: it ends, and opens with those of new keys.
func (st *statements) writeUpsert(all []int) {
	key := st.match("t", "g", upTo(0, st.Keys), "=")
	same := st.match("t", "g", upTo(st.Keys, len(all)), "IS NOT DISTINCT FROM")
	st.sample = fmt.Sprintf(`SELECT EXISTS (SELECT FROM (%s) g JOIN %s t ON %s WHERE %s)`, st.given, st.table, key, same)
	st.seen = fmt.Sprintf(`
		UPDATE %s t SET _seen = t._seen || ARRAY[CAST(@r AS bigint)] FROM (%s) g
		WHERE %s AND %s AND cardinality(t._seen) < @chunk`, st.table, st.given, key, same)
	st.seenWhich = fmt.Sprintf(`SELECT array_to_json(array_agg(_n)) FROM (%s) g JOIN %s t ON %s WHERE t._seen[cardinality(t._seen)] = @r`,
		st.given, st.table, key)
	st.writeRenew(all, same)
	const places = `CASE WHEN count(*) < @given THEN array_to_json(array_agg(_n)) END`
	st.confirm = fmt.Sprintf(`
		WITH confirmed AS (
			UPDATE %s t SET _seen = t._seen || CAST(@r AS bigint) FROM (%s) g
			WHERE %s AND t._from <= @at AND %s
			RETURNING g._n, cardinality(t._seen) AS n)
		SELECT count(*), 0, %s, coalesce(max(n), 0), 0, NULL FROM confirmed`, st.table, st.given, key, same, places)
	st.aside = fmt.Sprintf(`
		WITH long AS (
			SELECT t.ctid AS _tid, _seen, coalesce(_aside, nextval('archive_aside')) AS _put FROM %[1]s t JOIN (%[2]s) g ON %[3]s
			WHERE cardinality(_seen) > @chunk AND _seen[cardinality(_seen)] = @r),
		put AS (INSERT INTO archive_seen (aside, seen) SELECT _put, _seen[1:cardinality(_seen) - 1] FROM long RETURNING seen),
		cut AS (UPDATE %[1]s t SET _seen = ARRAY[CAST(@r AS bigint)], _aside = _put FROM long WHERE t.ctid = _tid RETURNING 1)
		SELECT array_to_json(array_agg(DISTINCT b)) FROM put, unnest(seen) b WHERE (SELECT count(*) FROM cut) >= 0`,
		st.table, st.unnest(upTo(0, st.Keys)), key)
	st.insert = fmt.Sprintf(`INSERT INTO %s (%s, _from, _seen) SELECT %s, @at, ARRAY[CAST(@r AS bigint)] FROM (%s) g`,
		st.table, st.columns("", all), st.columns("", all), st.given)
}

// writeRenew makes the statement that writes open rows again. An update returns
// only what a row is now, so it is joined with what the row was.
func (st *statements) writeRenew(all []int, same string) {
	var given, set string
	for _, i := range upTo(st.Keys, len(all)) {
		n := quote(st.Fields[i].Name)
		given += fmt.Sprintf("g.%s AS _g%d, ", n, i)
		set += fmt.Sprintf("%s = f._g%d, ", n, i)
	}
	st.renew = fmt.Sprintf(`
		WITH renewed AS (
			UPDATE %[1]s x SET %[2]s _from = CASE WHEN _same THEN f._from ELSE CAST(@at AS timestamptz) END,
				_seen = CASE WHEN _same THEN f._seen ELSE '{}' END || ARRAY[CAST(@r AS bigint)], _aside = CASE WHEN _same THEN f._aside END,
				_tx = CASE WHEN _same THEN x._tx ELSE pg_current_xact_id() END
			FROM (
				SELECT g._n, %[3]s t.ctid AS _tid, %[11]s, t._from, t._seen, t._aside, %[4]s AS _same
				FROM (%[5]s) g JOIN %[1]s t ON %[6]s WHERE %[7]s OFFSET 0) f -- The same is found out once.
			WHERE x.ctid = f._tid
			RETURNING %[8]s, f._from, f._seen, f._aside, _n, _same, CASE WHEN _same THEN cardinality(x._seen) END AS _many),
		%[9]s
		SELECT count(*) FILTER (WHERE _same), count(*) FILTER (WHERE NOT _same),
			CASE WHEN count(*) < @given THEN array_to_json(array_agg(_n)) END,
			coalesce(max(_many), 0), count(*) FILTER (WHERE NOT _same), %[10]s FROM renewed`,
		st.table, set, given, same, st.given, st.match("t", "g", upTo(0, st.Keys), "="),
		st.match("t", "g", slices.Concat(st.Uniques...), "IS NOT DISTINCT FROM"),
		st.columns("f.", all), st.toPast("renewed WHERE NOT _same", "'"+shards.Changed+"'", true), deadOf("renewed WHERE NOT _same"),
		st.columns("t.", all))
}

// toPast is the step that adds rows to the past, ended at @at.
func (st *statements) toPast(rows, reason string, goesOn bool) string {
	fields := st.columns("", upTo(0, len(st.Fields)))
	return fmt.Sprintf(`ended AS (INSERT INTO %s (%s, _from, _until, _reason, _seen, _aside, _goes_on) SELECT %s, _from,
		CAST(@at AS timestamptz), %s, _seen, _aside, %t FROM %s)`,
		st.past, fields, fields, reason, goesOn, rows)
}

// writeEnds makes what ends rows.
func (st *statements) writeEnds() {
	fields := st.columns("t.", upTo(0, len(st.Fields)))
	end := func(given, which, reason string) string {
		return fmt.Sprintf(`
			WITH given AS MATERIALIZED (%s),
			gone AS (DELETE FROM %s t USING given g WHERE %s RETURNING %s, t._from, t._seen, t._aside),
			%s
			SELECT count(*), %s FROM gone`, given, st.table, which, fields, st.toPast("gone", reason, false), deadOf("gone"))
	}
	key := upTo(0, st.Keys)
	st.move = end(st.unnest(key), st.match("t", "g", key, "="), "'"+shards.Changed+"'")
	for _, u := range st.Uniques {
		st.displace = append(st.displace, end(st.unnest(u), st.match("t", "g", u, "="), "'"+shards.Displaced+"'"))
	}
	scope := st.match("t", "g", st.Scope, "=")
	st.remove = end(st.scopeRows(), scope+" AND t._from < @at AND t._seen[cardinality(t._seen)] <> @r", "CAST(@reason AS text)")
	scope = st.match("x", "g", st.Scope, "=")
	st.inScopes = fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s)
		SELECT coalesce(json_agg(%s), '[]') FROM (%s, given g WHERE %s AND x._from <= @at UNION ALL %s, given g
			WHERE %s AND x._from <= @at AND x._until >= @at) t`,
		st.scopeRows(), st.rows, st.opened, scope, st.ended, scope)
	// What went on before a row that is dropped goes on no more.
	st.drop = fmt.Sprintf(`
		WITH open AS (DELETE FROM %[1]s WHERE ctid = ANY(CAST(@open AS tid[])) RETURNING %[3]s, _from, _aside),
		past AS (DELETE FROM %[2]s WHERE ctid = ANY(CAST(@past AS tid[])) RETURNING %[3]s, _from, _aside),
		gone AS MATERIALIZED (SELECT %[3]s, _from, _aside FROM open UNION ALL SELECT %[3]s, _from, _aside FROM past),
		cut AS (UPDATE %[2]s t SET _goes_on = false FROM gone g
			WHERE %[4]s AND t._until = g._from AND t._goes_on AND NOT t.ctid = ANY(CAST(@past AS tid[]))),
		told AS (INSERT INTO archive_dropped (shard, row_from, row_key) SELECT '%[5]s', _from, jsonb_build_array(%[3]s) FROM gone)
		DELETE FROM archive_seen WHERE aside IN (SELECT _aside FROM gone)`, st.table, st.past, st.columns("", key),
		st.match("t", "g", key, "="), st.stored)
}

// writeNear finds the rows that facts of one instant may touch: by the key and
// by each further unique key, those whose period reaches the instant, and the
// first after it. Of past rows that went on with the same unique values only the
// last is found by them, and the others by its key.
func (st *statements) writeNear() {
	key := upTo(0, st.Keys)
	match := st.match("x", "g", key, "=")
	open := []string{fmt.Sprintf(`SELECT ctid AS _tid FROM %s x WHERE %s`, st.table, match)}
	past := []string{fmt.Sprintf(`
		(SELECT ctid AS _tid FROM %[1]s x WHERE %[2]s AND _from <= @at ORDER BY _from DESC LIMIT 2)
		UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _from > @at ORDER BY _from LIMIT 1)`, st.past, match)}
	for _, u := range st.Uniques {
		match := st.match("x", "g", u, "=")
		open = append(open, fmt.Sprintf(`SELECT ctid FROM %s x WHERE %s`, st.table, match))
		past = append(past, fmt.Sprintf(`
			SELECT p.ctid FROM (
				SELECT %[3]s, _from > @at AS _later FROM %[1]s x WHERE %[4]s
				UNION ALL (SELECT %[3]s, false FROM %[2]s x WHERE %[4]s AND NOT _goes_on AND _from <= @at ORDER BY _from DESC LIMIT 2)
				UNION ALL (SELECT %[3]s, true FROM %[2]s x WHERE %[4]s AND NOT _goes_on AND _from > @at ORDER BY _from LIMIT 1)) h,
					LATERAL (
				SELECT ctid FROM (SELECT ctid, %[6]s FROM %[2]s x WHERE %[5]s AND _from <= @at ORDER BY _from DESC LIMIT 2) x WHERE %[4]s
				UNION ALL (SELECT ctid FROM %[2]s x WHERE _later AND %[5]s AND %[4]s AND _from > @at ORDER BY _from LIMIT 1)) p`,
			st.table, st.past, st.columns("", key), match, st.match("x", "h", key, "="), st.columns("", u)))
	}
	st.near = st.around(st.given, strings.Join(open, " UNION ALL "), strings.Join(past, " UNION ALL "))
}

// around reads the rows, oldest first, that are found for each of what is given (g):
// open and past say where they are in their tables.
func (st *statements) around(given, open, past string) string {
	return fmt.Sprintf(`
		WITH given AS MATERIALIZED (%s),
		open AS (SELECT DISTINCT _tid FROM given g, LATERAL (%s) p),
		past AS (SELECT DISTINCT _tid FROM given g, LATERAL (%s) p)
		SELECT coalesce(json_agg(%s ORDER BY t._from), '[]')
			FROM (%s JOIN open ON x.ctid = _tid UNION ALL %s JOIN past ON x.ctid = _tid) t`,
		given, open, past, st.rows, st.opened, st.ended)
}
