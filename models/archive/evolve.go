package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// An Evolution is what an admin wants a declared shard to be.
type Evolution struct {
	shards.Change
	Version int // The one that was changed, so that nobody overwrites another's change; 0 is any.
	Note    string
	By      int64 // A member.
}

// A Version is a declaration as it was kept.
type Version struct {
	Number      int
	Declaration shards.Declaration
	At          time.Time
	By          string // The member's name; "" where nobody is known.
	Note        string
}

// Versions returns the declarations that a shard had, the newest first. A built-in shard has none.
func Versions(ctx context.Context, db *gorm.DB, s *Shard) ([]Version, error) {
	var rows []struct {
		Number                int
		Declaration, By, Note string
		At                    time.Time
	}
	err := db.WithContext(ctx).Raw(`
		SELECT v.number, v.declaration, v.at, v.note, coalesce(m.name, '') AS by
		FROM archive_shard_versions v LEFT JOIN members m ON m.id = v.member_id
		WHERE v.shard = @shard ORDER BY v.number DESC`, pg.Named("shard", s.Stored())).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("versions of shard %s: %w", s.Name, err)
	}
	out := make([]Version, len(rows))
	for i, r := range rows {
		then, err := known.shard(r.Declaration)
		if err != nil {
			return nil, err
		}
		out[i] = Version{r.Number, then.Declaration, r.At.UTC(), r.By, r.Note}
	}
	return out, nil
}

// keepVersion keeps the declaration as a version.
func (s *Shard) keepVersion(tx *gorm.DB, number int, e *Evolution, now time.Time) error {
	return tx.Exec(`
		INSERT INTO archive_shard_versions (shard, number, declaration, at, member_id, note)
		VALUES (@shard, @number, CAST(@text AS jsonb), @now, nullif(@by, 0), @note)`,
		pg.Named("shard", s.Stored(), "number", number, "text", s.text(), "now", shards.Instant(now), "by", e.By, "note", e.Note)).Error
}

// evolving is the number of the lock that who stores rows of declared shards shares, and who changes a declaration has alone.
var evolving = number("", "evolve")

// holdDeclarations keeps declarations as they are until the transaction ends. Built-in shards never change.
func holdDeclarations(tx *gorm.DB, rs []Response) error {
	any := len(rs) == 0
	for _, r := range rs {
		for _, name := range append(mapKeys(r.Shards), mapKeys(r.Complete)...) {
			any = any || builtIn()[name] == nil
		}
		any = any || r.Supersedes != 0
	}
	if !any {
		return nil
	}
	return tx.Exec(`SELECT pg_advisory_xact_lock_shared(@lock)`, pg.Named("lock", evolving)).Error
}

func mapKeys[V any](m map[string]V) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// widened are the locks of responses, sorted, and all of each shard that is locked as a whole.
func widened(ctx context.Context, tx *gorm.DB, locks []int64) ([]int64, error) {
	all, err := Shards(ctx, tx)
	x := &logged{locks: slices.Sorted(slices.Values(locks))}
	locks = slices.Clone(x.locks)
	for _, s := range x.touched(all) {
		if s.Wide {
			locks = append(locks, s.stripes()...)
		}
	}
	slices.Sort(locks)
	return slices.Compact(locks), err
}

// stripes are the numbers of all locks of the shard.
func (s *Shard) stripes() []int64 {
	out := make([]int64, stripes)
	for i := range out {
		out[i] = stripe(s, i)
	}
	return out
}

// Evolve changes the declaration of a shard in place and keeps it as a version. Where nothing changes, there is none.
func Evolve(ctx context.Context, db *gorm.DB, name string, e Evolution, now time.Time) (out *Shard, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`SET LOCAL lock_timeout = '5s'`).Error; err != nil { // Readers queue behind who waits to change a table.
			return err
		}
		if err := lockAll(tx, []int64{evolving}); err != nil {
			return err
		}
		from, err := Lookup(ctx, tx, name)
		if err != nil {
			return err
		}
		v := &evolution{tx: tx, from: from}
		if err := v.plan(&e, shards.Instant(now)); err != nil || v.step.Same() {
			out = from
			return err
		}
		out = v.to
		if err := v.apply(); err != nil {
			return err
		}
		err = tx.Exec(`UPDATE archive_shards SET declaration = CAST(@text AS jsonb) WHERE name = @shard`,
			pg.Named("text", v.to.text(), "shard", v.to.Stored())).Error
		if err == nil {
			err = v.to.keepVersion(tx, v.version+1, &e, now)
		}
		if err == nil {
			err = execAll(tx, []string{v.to.makeView(), `SET LOCAL lock_timeout = 0`})
		}
		return err
	})
	if pg.LockTimeout(err) {
		err = &pg.Error{Code: pg.CodeUnavailable, Message: "the shard is in use; nothing was changed", After: 10 * time.Second}
	}
	if err != nil {
		return nil, fmt.Errorf("change shard %s: %w", name, err)
	}
	return out, nil
}

// An evolution is one in the making.
type evolution struct {
	tx       *gorm.DB
	from, to *Shard
	version  int
	step     *shards.Step
}

// plan finds out what changes, and refuses what cannot.
func (v *evolution) plan(e *Evolution, now time.Time) error {
	name := v.from.Stored()
	if builtIn()[name] != nil {
		return &pg.Error{Code: pg.CodeConflict, Message: "shard " + name + " is built in: Laurel itself declares it."}
	}
	var newest *time.Time
	err := v.tx.Raw(`SELECT
		(SELECT max(number) FROM archive_shard_versions WHERE shard = @shard), (SELECT max(at) FROM archive_retrievals)`,
		pg.Named("shard", name)).Row().Scan(&v.version, &newest)
	if err != nil {
		return err
	}
	if e.Version != 0 && e.Version != v.version {
		return &pg.Error{Code: pg.CodeConflict, Field: "version", Message: fmt.Sprintf(
			"version %d was changed meanwhile, to version %d: read that one, and change it", e.Version, v.version)}
	}
	from := now // What was stored before was not asked for a new field, whatever its instant.
	if newest != nil && !newest.Before(now) {
		from = shards.Instant(newest.Add(time.Microsecond))
	}
	if v.step, err = v.from.Next(e.Change, now, from); err != nil {
		return err
	}
	v.to = &Shard{Declaration: v.step.To}
	if v.to.Name == v.from.Name {
		return nil
	}
	there, err := Lookup(v.tx.Statement.Context, v.tx, v.to.Name)
	if err == nil && there.Stored() != name {
		return &pg.Error{Code: pg.CodeConflict, Field: "name",
			Message: "another shard has the name " + v.to.Name + ", or had it; choose another."}
	}
	if errors.Is(err, ErrNoShard) {
		err = nil
	}
	return err
}

// apply changes tables, indexes and rows.
func (v *evolution) apply() error {
	if err := v.columns(); err != nil {
		return err
	}
	if err := v.scope(); err != nil {
		return err
	}
	drop, create := v.indexes()
	if err := execAll(v.tx, drop); err != nil {
		return err
	}
	if v.step.Refold {
		if err := v.refold(); err != nil {
			return err
		}
	}
	if err := v.violations(); err != nil {
		return err
	}
	if v.step.Refold || len(v.step.Unique) > 0 {
		if err := v.goesOn(); err != nil {
			return err
		}
	}
	return execAll(v.tx, create)
}

// columns renames and adds columns. Two fields may swap their names.
func (v *evolution) columns() error {
	var ddl, last []string
	st := v.from.statements()
	for _, table := range []string{st.table, st.past} {
		i := 0
		for old, name := range v.step.Renamed {
			i++
			ddl = append(ddl, fmt.Sprintf(`ALTER TABLE %s RENAME COLUMN %s TO _renamed%d`, table, quote(old), i))
			last = append(last, fmt.Sprintf(`ALTER TABLE %s RENAME COLUMN _renamed%d TO %s`, table, i, quote(name)))
		}
		if len(v.step.Added) == 0 {
			continue
		}
		var add []string
		for _, f := range v.step.Added {
			add = append(add, fmt.Sprintf("ADD COLUMN %s %s", quote(f.Name), f.SQLType()))
		}
		if len(v.from.Since) == 0 {
			add = append(add, "ADD COLUMN "+askedColumn)
		}
		last = append(last, "ALTER TABLE "+table+" "+strings.Join(add, ", "))
	}
	if n := len(v.step.Added); n > 0 { // What was set aside is written in the order of fields, and which of them it has.
		asked := "fact -> -1"
		kept := "fact - -1"
		if len(v.from.Since) == 0 {
			asked, kept = "CAST('0' AS jsonb)", "fact"
		}
		last = append(last, fmt.Sprintf(`
			UPDATE archive_yielded SET fact = (%s) || CAST('[%s]' AS jsonb) || jsonb_build_array(%s) WHERE shard = '%s'`,
			kept, strings.Join(slices.Repeat([]string{"null"}, n), ","), asked, v.from.Stored()))
	}
	return execAll(v.tx, append(ddl, last...))
}

// indexes are the statements that drop what is not wanted any more, and create what is new.
func (v *evolution) indexes() (drop, create []string) {
	there := map[string]string{}
	for _, past := range []bool{false, true} {
		for _, x := range (&Shard{Declaration: v.from.renamed(v.step)}).indexes() {
			_, name, _, _ := x.parts(past)
			there[name] = x.shape(past)
		}
		for _, x := range v.to.indexes() {
			_, name, _, _ := x.parts(past)
			if there[name] != x.shape(past) {
				create = append(create, x.ddl(past))
			} else {
				delete(there, name)
			}
		}
	}
	for name := range there {
		drop = append(drop, "DROP INDEX "+name)
	}
	return drop, create
}

// renamed is the declaration with the names that its fields have now.
func (s *Shard) renamed(step *shards.Step) shards.Declaration {
	return s.Renamed(step.Renamed)
}
