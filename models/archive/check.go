package archive

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Finding is a way in which the archive is not what it should be.
type Finding struct {
	Shard   string `json:"shard"`
	Kind    string `json:"kind"` // One of Kinds.
	Message string `json:"message"`
}

// Kinds of findings.
const (
	KindTable    = "table"    // Tables, columns, indexes and triggers are not as declared.
	KindOverlap  = "overlap"  // Two rows of a key or a unique value are valid at once.
	KindPeriod   = "period"   // A period, or what is said of the one after it, cannot be.
	KindEvidence = "evidence" // A row says that it was seen, and the log does not.
	KindReason   = "reason"   // A row did not end for the reason that it gives.
	KindComplete = "complete" // A row outlived a page that was complete without it.
	KindLost     = "lost"     // A response gave more facts, or fewer, than rows have of it.
	KindContent  = "content"  // A response gave other facts than rows have of it.
	KindPage     = "page"     // What is remembered of a page is not what it showed.
	KindLog      = "log"      // The log was changed.
	KindList     = "list"     // A list is not what its name says.
)

// Kinds are all of them.
var Kinds = []string{KindTable, KindOverlap, KindPeriod, KindEvidence, KindReason, KindComplete, KindLost, KindContent, KindPage, KindLog,
	KindList}

// A Report is what a check found: no finding is the proof that nothing is lost.
type Report struct {
	Findings         []Finding // The first of them.
	Total            int
	Rows, Retrievals int64 // That there are. Rows are not counted where only what is new is checked.
	Newest           int64 // The newest response of the log.
}

// maxFindings is how many findings of a check are kept.
const maxFindings = 1000

// Slices is in how many nights everything is checked.
const Slices = 30

// A Part is what a check looks at: what was stored after a response, or one slice of all.
type Part struct {
	Since     int64
	Slice, Of int // Of 0 is everything.
}

// perStatement is how many shards one statement is about.
const perStatement = 20

// perSlice bounds the responses of one slice: what was read of it is in memory at once.
const perSlice = 20_000

// Check looks through the whole archive, in parts with short transactions: the content of
// every response is put together again from the rows and compared with its hash, rows are
// compared with each other and with what ended them, the log with its sums, lists with
// their names, and the tables with their declarations. Writers go on meanwhile.
func Check(ctx context.Context, db *gorm.DB) (Report, error) {
	var n int64
	if err := db.WithContext(ctx).Raw(`SELECT count(*) FROM archive_retrievals`).Scan(&n).Error; err != nil {
		return Report{}, fmt.Errorf("check: %w", err)
	}
	of := int(min(1+n/perSlice, Slices))
	parts := make([]Part, of)
	for i := range parts {
		parts[i] = Part{Slice: i, Of: of}
	}
	return CheckParts(ctx, db, parts...)
}

// CheckParts checks some parts.
func CheckParts(ctx context.Context, db *gorm.DB, parts ...Part) (Report, error) {
	k := &checker{db: db.WithContext(ctx), broken: map[string]bool{}}
	err := k.begin(ctx, parts)
	for _, p := range parts {
		if err == nil {
			err = k.check(p)
		}
	}
	if err != nil {
		return Report{}, fmt.Errorf("check: %w", err)
	}
	return k.Report, nil
}

// A checker collects what is found.
type checker struct {
	Report
	Part
	db     *gorm.DB
	shards []*Shard // Whose tables can be read.
	broken map[string]bool
}

// begin counts, and looks at the tables first: those that are not as declared cannot be read. For what is new alone
// it looks at the tables that this is in, and counts no rows, so the number of shards does not matter.
func (k *checker) begin(ctx context.Context, parts []Part) error {
	all, err := Shards(ctx, k.db)
	if err != nil {
		return err
	}
	since := int64(math.MaxInt64)
	for _, p := range parts {
		since = min(since, p.Since)
	}
	return k.view(func(tx *gorm.DB) error {
		some := all
		if since > 0 {
			is, err := k.touched(tx, since)
			if err != nil {
				return err
			}
			some = slices.DeleteFunc(slices.Clone(all), func(s *Shard) bool { return !is(s) })
		}
		if err := k.tables(tx, some, since == 0); err != nil {
			return err
		}
		for _, s := range all {
			if !k.broken[s.Name] {
				k.shards = append(k.shards, s)
			}
		}
		return k.count(tx, since == 0)
	})
}

// count counts what there is, rows of so many shards in one statement.
func (k *checker) count(tx *gorm.DB, rows bool) error {
	err := tx.Raw(`SELECT count(*), coalesce(max(id), 0) FROM archive_retrievals`).Row().Scan(&k.Retrievals, &k.Newest)
	if !rows {
		return err
	}
	for some := range slices.Chunk(k.shards, perStatement) {
		if err != nil {
			return err
		}
		sql := "SELECT 0"
		for _, s := range some {
			sql += fmt.Sprintf(" + (SELECT count(*) FROM %s) + (SELECT count(*) FROM %s)", s.Table(), s.PastTable())
		}
		var n int64
		err = tx.Raw(sql).Row().Scan(&n)
		k.Rows += n
	}
	return err
}

// check checks a part.
func (k *checker) check(p Part) error {
	k.Part = p
	if p.Since == 0 {
		for _, s := range k.shards {
			err := k.view(func(tx *gorm.DB) error { return k.rows(tx, s) })
			if err != nil {
				return fmt.Errorf("shard %s: %w", s.Name, err)
			}
		}
		for _, step := range []func(*gorm.DB) error{k.log, k.lists} {
			if err := k.view(step); err != nil {
				return err
			}
		}
	}
	if err := k.view(k.withdrawn); err != nil {
		return err
	}
	return k.view(k.responses)
}

// view runs a step on one view of the database. A caller's transaction has its own.
func (k *checker) view(step func(*gorm.DB) error) error {
	if inTransaction(k.db) {
		return step(k.db)
	}
	return k.db.Transaction(step, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

// found notes a finding.
func (k *checker) found(shard, kind, format string, args ...any) {
	if k.Total++; len(k.Findings) < maxFindings {
		k.Findings = append(k.Findings, Finding{shard, kind, fmt.Sprintf(format, args...)})
	}
}

// foundBy notes what a statement finds: kinds and messages.
func (k *checker) foundBy(tx *gorm.DB, shard, statement string) error {
	return k.foundWith(tx, shard, statement, pg.Named("max", maxFindings))
}

// foundWith is foundBy with arguments, of which max is one.
func (k *checker) foundWith(tx *gorm.DB, shard, statement string, args map[string]any) error {
	var rows []struct {
		Kind, Message string
		Total         int
	}
	err := tx.Raw(fmt.Sprintf(`SELECT _kind AS kind, _message AS message, count(*) OVER () AS total FROM (%s) f LIMIT @max`, statement),
		args).Scan(&rows).Error
	for _, r := range rows {
		k.found(shard, r.Kind, "%s", r.Message)
	}
	if len(rows) > 0 {
		k.Total += rows[0].Total - len(rows)
	}
	return err
}

// slice is the condition that a number is in the slice.
func (k *checker) slice(number string) string {
	if k.Of <= 1 {
		return "true"
	}
	return fmt.Sprintf("abs(%s %% %d) = %d", number, k.Of, k.Slice)
}

// sliceOf is the condition that some columns are in the slice.
func (k *checker) sliceOf(columns string) string {
	return k.slice("hashtextextended(CAST(ROW(" + columns + ") AS text), 0)")
}
