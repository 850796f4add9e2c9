package archive

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// Wanted are keys of a shard. They all name the same key fields: all of them, or
// some, which stand for every key that has these values.
type Wanted struct {
	Shard *Shard
	Keys  []shards.Row
}

// Around returns, for each of wanted, the rows that say something about the time
// from from until until, oldest first. Of whole keys these are the rows of that
// time, the one before and the one after; of others those of that time alone.
// Retrieval instants are those of that time with the nearest ones on both sides;
// SeenBefore and SeenAfter are as seen from t, which lies in it. It is one
// statement per shard and two for the evidence, however many keys there are.
func Around(ctx context.Context, db *gorm.DB, wanted []Wanted, t, from, until time.Time) ([][]Snapshot, error) {
	db = db.WithContext(ctx)
	var all []*stored
	ends := make([]int, len(wanted))
	for i, w := range wanted {
		rows, err := w.read(db, from, until)
		if err != nil {
			return nil, fmt.Errorf("read shard %s: %w", w.Shard.Name, err)
		}
		all = append(all, rows...)
		ends[i] = len(all)
	}
	if err := addAside(db, all); err != nil {
		return nil, err
	}
	if err := addEvidenceAround(db, all, from, until); err != nil {
		return nil, err
	}
	out := make([][]Snapshot, len(wanted))
	begin := 0
	for i, w := range wanted {
		for _, r := range all[begin:ends[i]] {
			out[i] = append(out[i], w.Shard.snapshot(&r.Span, 0, shards.Instant(t)))
		}
		if err := withListsIn(db, out[i], snapshotData); err != nil {
			return nil, err
		}
		begin = ends[i]
	}
	return out, nil
}

// read is the rows alone, without evidence.
func (w Wanted) read(db *gorm.DB, from, until time.Time) ([]*stored, error) {
	if len(w.Keys) == 0 {
		return nil, nil
	}
	facts, at, err := w.keys()
	if err != nil {
		return nil, err
	}
	st := w.Shard.statements()
	match := st.match("x", "g", at, "=")
	open := fmt.Sprintf(`SELECT ctid AS _tid FROM %s x WHERE %s`, st.table, match)
	past := fmt.Sprintf(`SELECT ctid AS _tid FROM %s x WHERE %s AND _from < @until AND _until > @from`, st.past, match)
	if len(at) == st.Keys {
		past = fmt.Sprintf(`
			(SELECT ctid AS _tid FROM %[1]s x WHERE %[2]s AND _from < @from ORDER BY _from DESC LIMIT 1)
			UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _from >= @from AND _from < @until ORDER BY _from DESC LIMIT %[3]d)
			UNION ALL (SELECT ctid FROM %[1]s x WHERE %[2]s AND _from >= @until ORDER BY _from LIMIT 1)`, st.past, match, maxRows)
	} else {
		open += " AND _from < @until"
	}
	sql := st.around(st.unnest(at), open, past)
	return rowsOf(db, w.Shard, sql, arguments(st, facts, at, "from", shards.Instant(from), "until", shards.Instant(until)))
}

// keys are the wanted keys as facts that have nothing else, and which fields those are.
func (w Wanted) keys() ([]shards.Fact, []int, error) {
	st := w.Shard.statements()
	facts := make([]shards.Fact, len(w.Keys))
	var at []int
	for i := range st.Keys {
		if _, ok := w.Keys[0][st.Fields[i].Name]; ok {
			at = append(at, i)
		}
	}
	for n, key := range w.Keys {
		facts[n].Values = make([]any, len(st.Fields))
		for _, i := range at {
			v, err := shards.Clean(st.Fields[i].Type, key[st.Fields[i].Name])
			if err != nil || v == nil {
				return nil, nil, &shards.InputError{Shard: w.Shard.Name, Row: n, Field: st.Fields[i].Name,
					Message: strings.TrimSpace(fmt.Sprint("is no value of a key ", err))}
			}
			facts[n].Values[i] = v
		}
	}
	return facts, at, nil
}

// addEvidenceAround finds the instants of rows like addEvidence, but not all of
// them: those of a time, and of each response the nearest ones around it.
func addEvidenceAround(db *gorm.DB, rows []*stored, from, until time.Time) error {
	var at []int64
	var bases []int64
	var lows []time.Time
	var highs []*time.Time
	for i, r := range rows {
		var high *time.Time
		if !r.Until.IsZero() {
			high = &r.Until
		}
		for _, b := range r.Retrievals {
			at, bases, lows, highs = append(at, int64(i)), append(bases, b), append(lows, r.From), append(highs, high)
		}
	}
	if len(at) == 0 {
		return nil
	}
	const repeats = `SELECT at FROM archive_retrievals WHERE same_as = g.base AND withdrawn_at IS NULL
		AND at >= g.low AND (g.high IS NULL OR at < g.high)`
	retrievals, err := db.Raw(fmt.Sprintf(`
		SELECT g.n, r.at FROM unnest(CAST(@at AS bigint[]), CAST(@bases AS bigint[]), CAST(@lows AS timestamptz[]),
			CAST(@highs AS timestamptz[])) AS g(n, base, low, high),
		LATERAL (
			SELECT at FROM archive_retrievals WHERE id = g.base AND withdrawn_at IS NULL AND at >= g.low AND (g.high IS NULL OR at < g.high)
			UNION ALL (%[1]s AND at BETWEEN @from AND @until)
			UNION ALL (%[1]s AND at < @from ORDER BY at DESC LIMIT 1)
			UNION ALL (%[1]s AND at > @until ORDER BY at LIMIT 1)) r`, repeats),
		pg.Named("at", &at, "bases", &bases, "lows", &lows, "highs", &highs,
			"from", shards.Instant(from), "until", shards.Instant(until))).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = retrievals.Close() }()
	return scanRetrievals(retrievals, rows)
}

func scanRetrievals(retrievals *sql.Rows, rows []*stored) error {
	for retrievals.Next() {
		var n int
		var t time.Time
		if err := retrievals.Scan(&n, &t); err != nil {
			return err
		}
		rows[n].Seen = append(rows[n].Seen, t.UTC())
	}
	for _, r := range rows {
		slices.SortFunc(r.Seen, time.Time.Compare)
		r.Seen = slices.CompactFunc(r.Seen, time.Time.Equal)
	}
	return retrievals.Err()
}
