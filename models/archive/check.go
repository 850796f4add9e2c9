package archive

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
)

// A Finding is a way in which the archive is not what it should be.
type Finding struct {
	Shard   string `json:"shard"`
	Kind    string `json:"kind"` // overlap, evidence, lost, reason.
	Message string `json:"message"`
}

// maxFindings bounds the findings of one kind and shard.
const maxFindings = 20

// Check looks through all rows for what the indexes of the tables cannot forbid:
// periods of one key or one unique value that overlap, evidence outside of its
// period, and observations in the log that no row has. To find nothing is the proof
// that nothing is lost.
func Check(ctx context.Context, db *gorm.DB) ([]Finding, error) {
	shards, err := Shards(ctx, db)
	if err != nil {
		return nil, err
	}
	var out []Finding
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// One snapshot for all: writers go on meanwhile. A caller's transaction has its own.
		if !inTransaction(db) {
			if err := tx.Exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`).Error; err != nil {
				return err
			}
		}
		for _, s := range shards {
			found, err := s.findings(tx)
			if err != nil {
				return fmt.Errorf("check shard %s: %w", s.Name, err)
			}
			out = append(out, found...)
		}
		lost, err := lostFacts(tx, shards)
		out = append(out, lost...)
		return err
	})
	return out, err
}

func (s *Shard) findings(tx *gorm.DB) ([]Finding, error) {
	st := s.statements()
	queries := []struct{ kind, sql string }{}
	for _, u := range append([][]int{upTo(0, st.keys)}, st.uniques...) {
		cols := st.columns("", u)
		queries = append(queries, struct{ kind, sql string }{"overlap", fmt.Sprintf(`
			SELECT 'of ' || CAST(ROW(%[1]s) AS text) || ' one row is valid from ' || _from
				|| ' and the one before until ' || coalesce(CAST(before AS text), 'now')
			FROM (SELECT %[1]s, _from, lag(coalesce(_until, 'infinity')) OVER (PARTITION BY %[1]s ORDER BY _from, _until) AS before
				FROM %[2]s x WHERE %[3]s) o
			WHERE before > _from LIMIT %[4]d`, cols, s.Rows(), st.filled(u), maxFindings)})
	}
	key := st.columns("t.", upTo(0, st.keys))
	retrievals := "(" + listings(s.Rows(), key+", t.ctid, t._from, t._until") + ")"
	instants := `(SELECT id AS b, at FROM archive_retrievals WHERE same_as IS NULL UNION ALL SELECT same_as, at FROM archive_retrievals
		WHERE same_as IS NOT NULL)`
	queries = append(queries, []struct{ kind, sql string }{
		{"evidence", fmt.Sprintf(`
			SELECT 'the row of ' || CAST(ROW(%s) AS text) || ' from ' || t._from || ' names response ' || t.b
				|| ', which was not seen in its period'
			FROM %s t WHERE NOT EXISTS (SELECT FROM %s r WHERE r.b = t.b AND r.at >= t._from
				AND (t._until IS NULL OR r.at < t._until)) LIMIT %d`, key, retrievals, instants, maxFindings)},
		{"evidence", fmt.Sprintf(`
			SELECT 'the row of ' || CAST(ROW(%s) AS text) || ' was not seen when it begins, ' || t._from
			FROM %s t WHERE NOT EXISTS (SELECT FROM %s l JOIN %s r ON r.b = l.b
				WHERE l.ctid = t.ctid AND (l._until IS NULL) = (t._until IS NULL) AND r.at = t._from) LIMIT %d`,
			key, s.Rows(), retrievals, instants, maxFindings)},
		{"overlap", fmt.Sprintf(`
			SELECT 'the row of ' || CAST(ROW(%s) AS text) || ' until ' || t._until
				|| ' is said to go on with the same unique values, and does not'
			FROM %s t WHERE _goes_on AND NOT EXISTS (SELECT FROM %s n WHERE %s AND n._from = t._until AND %s) LIMIT %d`,
			key, st.past, s.Rows(), st.match("n", "t", upTo(0, st.keys), "="),
			st.match("n", "t", slices.Concat(st.uniques...), "IS NOT DISTINCT FROM"), maxFindings)},
		{"reason", fmt.Sprintf(`
			SELECT 'the row of ' || CAST(ROW(%s) AS text) || ' from ' || t._from || ' ended without a known reason'
			FROM %s t WHERE _reason NOT IN ('changed', 'displaced', 'removed', 'source gone') LIMIT %d`, key, st.past, maxFindings)},
	}...)
	var out []Finding
	for _, q := range queries {
		var texts []string
		if err := tx.Raw(q.sql).Scan(&texts).Error; err != nil {
			return nil, err
		}
		for _, text := range texts {
			out = append(out, Finding{s.Name, q.kind, text})
		}
	}
	return out, nil
}

// filled is true for rows that a unique key is about.
func (st *statements) filled(at []int) string {
	out := "true"
	for _, i := range at {
		out += " AND " + quote(st.fields[i].Name) + " IS NOT NULL"
	}
	return out
}

// lostFacts counts, for every retrieval that went well, the rows that were seen by it
// and the facts that gave way: together they are the facts that it gave.
func lostFacts(tx *gorm.DB, shards []*Shard) ([]Finding, error) {
	all := `SELECT CAST(NULL AS bigint) AS b, CAST(NULL AS timestamptz) AS at WHERE false`
	for _, s := range shards {
		all += fmt.Sprintf(`
			UNION ALL SELECT r.id, r.at FROM (%s) l
			JOIN archive_retrievals r ON coalesce(r.same_as, r.id) = l.b AND r.at >= l._from AND (l._until IS NULL OR r.at < l._until)`,
			listings(s.Rows(), "t._from, t._until"))
	}
	var texts []string
	err := tx.Raw(fmt.Sprintf(`
		WITH seen AS (SELECT b, count(*) AS n FROM (%s) s GROUP BY b)
		SELECT 'retrieval ' || r.id || ' at ' || p.source || ' ' || p.address || ' gave ' || r.facts || ' facts, and ' || coalesce(s.n,
			0) || ' are in rows'
		FROM archive_retrievals r JOIN archive_pages p ON p.id = r.page_id LEFT JOIN seen s ON s.b = r.id
		WHERE r.outcome = '%s' AND r.facts <> coalesce(s.n, 0) + (
			SELECT count(*) FROM archive_yielded y WHERE y.retrieval_id = coalesce(r.same_as, r.id) AND y.at = r.at)
		LIMIT %d`, all, OutcomeOK, maxFindings)).Scan(&texts).Error
	var out []Finding
	for _, text := range texts {
		out = append(out, Finding{"", "lost", text})
	}
	return out, err
}
