package retrieval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Found submission is one row of a site's list, before it is stored.
type Found = submissions.Found

// Stored says what a page changed.
type Stored struct {
	Inserted, Revised int
	Asked             bool // The button was pressed: somebody waits for the rest.
}

// A Page is what one request for an account's list gave.
type Page struct {
	Rows  []Found
	Next  int           // The number of the page that comes next.
	Lease time.Duration // Renewed from now on.
}

// StorePage stores what was found so far and says which page comes next, in one
// transaction, so that a crash keeps every page read before it. Rows that are
// there already are revised where they differ. It also renews the lease, and is
// refused with ErrLeaseLost where the lease is gone.
func StorePage(ctx context.Context, db *gorm.DB, a *members.Account, p Page, now time.Time) (Stored, error) {
	var s Stored
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var from *time.Time
		if len(p.Rows) > 0 {
			err := restoreTimes(ctx, tx, a, p.Rows)
			if err != nil {
				return err
			}
			if s, from, err = storeRows(ctx, tx, a, p.Rows, now); err != nil {
				return err
			}
		}
		var leased struct{ Asked bool }
		res := tx.Raw(`
			WITH leased AS (
				UPDATE account_schedule SET page = @page, leased_until = @until WHERE account_id = @id AND lease_id = @lease
				RETURNING requested_at IS NOT NULL AS asked)
			SELECT asked, CAST(pg_notify(@progress, CAST(CAST(@member AS bigint) AS text)) AS text) FROM leased`,
			pg.Named("page", p.Next, "until", now.Add(p.Lease), "id", a.ID, "member", a.MemberID, "lease", a.LeaseID,
				"progress", pg.ChannelProgress)).Scan(&leased)
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost // Rolls the rows back.
		}
		if res.Error != nil {
			return res.Error
		}
		s.Asked = leased.Asked
		return noteStored(ctx, tx, a, s.Inserted, from)
	})
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "23503" { // foreign_key_violation
		err = pg.ErrLeaseLost // The account was removed meanwhile.
	}
	if err != nil {
		return Stored{}, fmt.Errorf("store page of %s: %w", a, err)
	}
	a.Page, a.NewRows = p.Next, a.NewRows+s.Inserted
	return s, nil
}

// noteStored notes of an account what was stored of it and is not counted yet, and where its
// fetch goes on. Its schedule is locked.
func noteStored(ctx context.Context, tx *gorm.DB, a *members.Account, inserted int, from *time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE account_coverage SET cursor = @cursor, open_at = greatest(open_at, CAST(@open AS timestamptz)) WHERE account_id = @id`,
		pg.Named("cursor", a.Cursor, "open", a.OpenAt, "id", a.ID)).Error
	if err != nil || from == nil {
		return err
	}
	return tx.WithContext(ctx).Exec(`
		UPDATE account_stats SET new_rows = new_rows + @new, pending_from = least(pending_from, CAST(@from AS timestamptz))
		WHERE account_id = @id`,
		pg.Named("new", inserted, "from", from, "id", a.ID)).Error
}

// storeRows stores the problems, the submissions that point to them, terms that
// are new, and the events that tell of the submissions.
func storeRows(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found, now time.Time) (s Stored, from *time.Time, err error) {
	text, err := submissions.Encode(rows)
	if err != nil {
		return s, nil, err
	}
	of := submissions.Origin{AccountID: a.ID, MemberID: a.MemberID, Site: a.Site, Source: submissions.SourceSite}
	if err := submissions.StoreProblems(ctx, tx, of, text); err != nil {
		return s, nil, err
	}
	if slices.ContainsFunc(rows, func(f Found) bool { return f.Formerly != "" }) {
		if err := renumber(ctx, tx, a.ID, text, now); err != nil {
			return s, nil, err
		}
	}
	stored, err := submissions.Store(ctx, tx, of, text, now)
	if err != nil {
		return s, nil, err
	}
	if err := noteTerms(ctx, tx, a, stored.Terms, now); err != nil {
		return s, nil, err
	}
	noteOpen(a, rows, now)
	return Stored{Inserted: stored.Inserted, Revised: stored.Revised}, stored.First, nil
}

// noteOpen notes until when verdicts may still change. One that is still judged is looked up
// again every day.
func noteOpen(a *members.Account, rows []Found, now time.Time) {
	for i := range rows {
		f := &rows[i]
		if !f.FinalAt.IsZero() {
			a.OpenAt = later(a.OpenAt, &f.FinalAt)
		}
		if f.Status == "PENDING" && f.At.After(now.Add(-finalAfter)) {
			a.OpenAt = later(a.OpenAt, new(now.Add(Day)))
		}
	}
}

// later returns the later one of two moments, of which the first may be nil.
func later(a, b *time.Time) *time.Time {
	if a == nil || b.After(*a) {
		return b
	}
	return a
}
