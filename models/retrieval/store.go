package retrieval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/submissions"
)

// A Found submission is one row of a site's list, before it is stored.
type Found = submissions.Found

// Stored says what a page changed.
type Stored struct {
	Inserted, Revised int
	Requested         bool // The button was pressed: somebody waits for the rest.
}

// A Page is what one request for an account's list gave.
type Page struct {
	Rows   []Found
	Unread []Unread
	Next   int           // The number of the page that comes next.
	Lease  time.Duration // Renewed from now on.

	Fetch   *responses.Fetch
	Answers []responses.Answer // From which the rows were read.
}

// StorePage stores a page and the number of the next one in one transaction, so a crash loses no
// page. Rows that are stored already are revised where they differ. It renews the lease;
// ErrLeaseLost means that the lease is lost and nothing was stored.
func StorePage(ctx context.Context, db *gorm.DB, a *members.Account, p Page, now time.Time) (s Stored, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var from *time.Time
		if len(p.Rows) > 0 {
			err := restoreTimes(ctx, tx, a, p.Rows)
			if err != nil {
				return err
			}
			if s, from, err = storeRows(ctx, tx, a, p.Rows, time.Time{}, now); err != nil {
				return err
			}
		}
		if err := noteListed(ctx, tx, a, p.Rows); err != nil {
			return err
		}
		if err := storeUnread(ctx, tx, a.ID, p.Rows, p.Unread, now); err != nil {
			return err
		}
		if _, err := responses.Store(ctx, tx, responses.Owner{Fetch: p.Fetch}, p.Answers, now); err != nil {
			return err
		}
		res := tx.Raw(`
			UPDATE account_schedule SET page = @page, leased_until = @until WHERE account_id = @id AND lease_id = @lease
			RETURNING requested_at IS NOT NULL AS requested`,
			pg.Named("page", p.Next, "until", now.Add(p.Lease), "id", a.ID, "lease", a.LeaseID)).Scan(&s.Requested)
		if err := pg.Touched(res, pg.ErrLeaseLost); err != nil { // Rolls the rows back.
			return err
		}
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

// noteStored notes what was stored of an account, what of that is not counted yet (from), and where
// its fetch goes on. Its schedule is locked.
func noteStored(ctx context.Context, tx *gorm.DB, a *members.Account, inserted int, from *time.Time) error {
	return tx.WithContext(ctx).Exec(queries.Must("note_stored"), pg.Named("id", a.ID, "cursor", a.Cursor, "open", a.OpenAt,
		"new", inserted, "from", from, "progress", pg.ChannelProgress, "member", a.MemberID)).Error
}
