package retrieval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A StreamRow submission is one row of what everybody has submitted.
type StreamRow struct {
	Handle string
	Found
}

// A StreamSource is where rows of everybody come from.
type StreamSource struct {
	Site    string
	Address string // What the archive calls the page.
}

// StoreStream stores those rows of a page that are of accounts, and are new or other
// than they were, as fetches of these accounts would.
//
// Each account is a transaction of its own, as with fetches: who holds several waits
// in circles with those. The stream moves afterwards (MoveStream), so that a process
// that dies in between reads the page again.
func StoreStream(ctx context.Context, db *gorm.DB, from StreamSource, rows []StreamRow, now time.Time) (Stored, error) {
	var sum Stored
	of, err := matchStreamRows(ctx, db, from.Site, rows)
	if err != nil {
		return sum, fmt.Errorf("stream of %s: %w", from.Site, err)
	}
	for i := 0; i < len(of); {
		first, found := of[i], []Found(nil)
		for ; i < len(of) && of[i].ID == first.ID; i++ {
			found = append(found, rows[of[i].N].Found)
		}
		s, err := storeStreamRows(ctx, db, first, from.Address, found, now)
		if err != nil {
			return sum, fmt.Errorf("stream of %s: %w", from.Site, err)
		}
		sum.Inserted, sum.Revised = sum.Inserted+s.Inserted, sum.Revised+s.Revised
	}
	return sum, nil
}

// A matched row is the nth of a page, of an account that does not have it as it is.
type matched struct {
	ID, MemberID int64
	N            int
}

// matchStreamRows finds the accounts of a page, also those that are paused or were never
// read to the end: a fetch that is under way would else not know of the row. Most
// rows are of strangers, or were on the page before.
func matchStreamRows(ctx context.Context, db *gorm.DB, site string, rows []StreamRow) (of []matched, err error) {
	type row struct {
		Handle   string    `json:"handle"`
		ID       string    `json:"id"`
		At       time.Time `json:"at"`
		Status   string    `json:"status"`
		Verdict  string    `json:"verdict"`
		Language string    `json:"language"`
		Points   *float64  `json:"points"`
		URL      string    `json:"url"`
	}
	list := make([]row, len(rows))
	for i := range rows {
		f := &rows[i]
		list[i] = row{pg.CleanText(f.Handle), pg.CleanText(f.ID), f.At, f.Status,
			pg.CleanText(f.Verdict), pg.CleanText(f.Language), f.Points, pg.CleanText(f.URL)}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	err = db.WithContext(ctx).Raw(queries.Must("match_stream"), pg.Named("site", site, "rows", string(text))).Scan(&of).Error
	if err != nil {
		return nil, fmt.Errorf("whose rows: %w", err)
	}
	return of, nil
}

// storeStreamRows stores rows of one account, counts them, and brings the next fetch forward.
func storeStreamRows(ctx context.Context, db *gorm.DB, of matched, address string, found []Found, now time.Time) (s Stored, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, of.MemberID)
		if errors.Is(err, pg.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		list, err := lockAccounts(ctx, tx, []int64{of.ID})
		if err != nil || len(list) == 0 {
			return err
		}
		a := &list[0].Account
		quiet := wasQuiet(a, now)
		var from *time.Time
		if s, from, err = storeRows(ctx, tx, a, found, now); err != nil || s.Inserted+s.Revised == 0 {
			return err
		}
		if err := noteStored(ctx, tx, a, s.Inserted, nil); err != nil {
			return err
		}
		if err := submissions.RefreshSums(ctx, tx, &m, a.ID, from, now); err != nil {
			return err
		}
		if err := observe(ctx, tx, &m, a, Result{Outcome: pg.OutcomeOK, Address: address, changed: true}, now); err != nil {
			return err
		}
		if err := reportStored(ctx, tx, a, s, now); err != nil || !quiet || s.Inserted == 0 {
			return err
		}
		return returned(ctx, tx, of.MemberID, SourceReturn, now)
	})
	if err != nil {
		return Stored{}, fmt.Errorf("account %d: %w", of.ID, err)
	}
	return s, nil
}

// reportStored notes rows that no fetch brought: they count as news of the next one.
func reportStored(ctx context.Context, tx *gorm.DB, a *members.Account, s Stored, now time.Time) error {
	if err := learnHour(ctx, tx, a, now); err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`SELECT pg_notify(@progress, CAST(CAST(@member AS bigint) AS text))`,
		pg.Named("progress", pg.ChannelProgress, "member", a.MemberID)).Error; err != nil || s.Inserted == 0 {
		return err
	}
	err := tx.WithContext(ctx).Exec(`UPDATE account_stats SET new_rows = new_rows + @new WHERE account_id = @id`,
		pg.Named("id", a.ID, "new", s.Inserted)).Error
	if err != nil {
		return err
	}
	_, err = note(ctx, tx, []Evidence{{AccountID: a.ID, Source: SourceStream, HasNews: true, SeenAt: now}}, 1, now)
	return err
}
