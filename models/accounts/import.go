package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/submissions"
)

// Counts says what an import changed.
type Counts struct {
	Created, Known            int      // Members.
	Added, Changed, Untouched int      // Handles.
	Names                     []string // Of all members in the file.
}

// An Mistakes is everything that is wrong with a file; nothing of it was stored.
type Mistakes struct{ Mistakes []Mistake }

// An Mistake is one of them. Column is "" where the whole line is wrong.
type Mistake struct {
	Line            int
	Column, Message string
}

func (e *Mistakes) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nothing was stored, for the file has mistakes (%d):", len(e.Mistakes))
	for _, m := range e.Mistakes {
		fmt.Fprintf(&b, "\n  line %d", m.Line)
		if m.Column != "" {
			fmt.Fprintf(&b, ", column %s", m.Column)
		}
		b.WriteString(": " + m.Message)
	}
	return b.String()
}

// Import stores the members of a CSV file with their handles, all or
// nothing; ImportError lists all mistakes at once. A member who is here already
// keeps its name, display name and zone: only the handles that the file names are added
// or changed, by the rule of SetHandles. An empty cell changes nothing.
func Import(ctx context.Context, db *gorm.DB, sites []members.Site, r io.Reader, now time.Time) (Counts, error) {
	f, err := readImport(r, sites)
	if err != nil {
		return Counts{}, fmt.Errorf("import: %w", err)
	}
	if err := f.checkZones(ctx, db); err != nil {
		return Counts{}, fmt.Errorf("import: %w", err)
	}
	var counts Counts
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := f.checkKnown(ctx, tx); err != nil {
			return err
		}
		if len(f.mistakes) > 0 {
			slices.SortStableFunc(f.mistakes, func(a, b Mistake) int { return a.Line - b.Line })
			return &Mistakes{f.mistakes}
		}
		counts, err = f.store(ctx, tx, now)
		return err
	})
	if _, mistaken := errors.AsType[*Mistakes](err); err != nil && !mistaken {
		return Counts{}, fmt.Errorf("import: %w", err)
	}
	return counts, err
}

// importRows is how a statement reads the lines of a file.
const importRows = `jsonb_to_recordset(CAST(@rows AS jsonb)) AS f(line integer, name text, display_name text, time_zone text,
	custom boolean, handles jsonb)`

// store is a few statements, whatever the size of the file.
func (f *importFile) store(ctx context.Context, tx *gorm.DB, now time.Time) (c Counts, err error) {
	text, err := json.Marshal(f.lines)
	if err != nil {
		return c, err
	}
	args := pg.Named("rows", string(text), "now", now)
	created := tx.WithContext(ctx).Exec(`
		INSERT INTO members (name, display_name, time_zone, custom, created_at, admits)
		SELECT name, display_name, time_zone, coalesce(custom, false), @now, NOT coalesce(custom, false) FROM `+importRows+` ORDER BY line
		ON CONFLICT (lower(name)) DO NOTHING`, args)
	if created.Error != nil {
		return c, fmt.Errorf("members: %w", created.Error)
	}
	const given = `(SELECT m.id AS member_id, h.site, h.handle FROM ` + importRows + `
		JOIN members m ON lower(m.name) = lower(f.name) CROSS JOIN jsonb_each_text(f.handles) AS h(site, handle)) g`
	var gone []int64
	err = tx.WithContext(ctx).Raw(`SELECT a.id FROM accounts a
		JOIN `+given+` ON a.member_id = g.member_id AND a.site = g.site AND a.handle <> g.handle FOR UPDATE OF a`, args).Scan(&gone).Error
	if err == nil {
		err = submissions.EmitGone(ctx, tx, gone, now)
	}
	if err != nil {
		return c, fmt.Errorf("changed handles: %w", err)
	}
	var left []history.LostHandle
	err = tx.WithContext(ctx).Raw(`
		DELETE
			FROM accounts a USING `+given+` JOIN members m ON m.id = g.member_id
				WHERE a.member_id = g.member_id AND a.site = g.site AND a.handle <> g.handle
		RETURNING a.member_id, m.name AS member, a.site`, args).Scan(&left).Error
	if err != nil {
		return c, fmt.Errorf("changed handles: %w", err)
	}
	var all []members.NewAccount
	err = tx.WithContext(ctx).Raw(`SELECT member_id, site, handle FROM `+given, args).Scan(&all).Error
	if err != nil {
		return c, fmt.Errorf("handles: %w", err)
	}
	added, err := members.CreateAccounts(ctx, tx, all, now)
	if err != nil {
		return c, err
	}
	c.Created = int(created.RowsAffected)
	c.Known = len(f.lines) - c.Created
	c.Changed = len(left)
	c.Added = added - c.Changed
	for _, line := range f.lines {
		c.Untouched += len(line.Handles)
		c.Names = append(c.Names, line.Name)
	}
	c.Untouched -= c.Added + c.Changed
	return c, refreshLeft(ctx, tx, left, now)
}

// refreshLeft counts again the members who lost an account. Rare: a handle with
// a history was replaced.
func refreshLeft(ctx context.Context, tx *gorm.DB, left []history.LostHandle, now time.Time) error {
	var ids []int64
	for _, l := range left {
		ids = append(ids, l.MemberID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		if err := submissions.RefreshMember(ctx, tx, id, now); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return history.RecordEdit(ctx, tx, ids, left, now)
}
