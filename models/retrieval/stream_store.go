package retrieval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A StreamRow is a submission in an activity stream.
type StreamRow struct {
	Handle string `json:"handle"`
	Found
}

// A StreamSource is where the rows of a stream come from.
type StreamSource struct {
	Site    string
	Address string // What the archive calls the page.
}

// StoreStream stores the rows of a page that are of accounts and are new or changed, as fetches of
// these accounts would.
//
// Each account is a transaction of its own, as in fetches: to hold several would deadlock with
// those. The stream moves afterwards (MoveStream), so a process that dies in between reads the page
// again.
func StoreStream(ctx context.Context, db *gorm.DB, from StreamSource, rows []StreamRow, now time.Time) (sum Stored, err error) {
	of, err := matchStream(ctx, db, from.Site, rows)
	if err != nil {
		return sum, err
	}
	for _, m := range of {
		s, err := storeStreamRows(ctx, db, m, from.Address, now)
		if err != nil {
			return sum, fmt.Errorf("stream of %s: %w", from.Site, err)
		}
		sum.Inserted, sum.Revised = sum.Inserted+s.Inserted, sum.Revised+s.Revised
	}
	return sum, nil
}

// matched are rows of a page that are of an account which does not have them as they are.
type matched struct {
	ID, MemberID int64
	Found        []Found
}

func matchStream(ctx context.Context, db *gorm.DB, site string, rows []StreamRow) (of []matched, err error) {
	text, err := submissions.Encode(rows)
	if err != nil {
		return nil, err
	}
	var list []struct {
		ID, MemberID int64
		N            int // The place of the row on the page.
	}
	err = db.WithContext(ctx).Raw(queries.Must("match_stream"), pg.Named("site", site, "rows", text)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("match the stream of %s: %w", site, err)
	}
	for _, m := range list {
		if n := len(of); n == 0 || of[n-1].ID != m.ID {
			of = append(of, matched{ID: m.ID, MemberID: m.MemberID})
		}
		last := &of[len(of)-1]
		last.Found = append(last.Found, rows[m.N].Found)
	}
	return of, nil
}

// A PastPage is what today's reader makes of a page of a stream that came some time ago.
type PastPage struct {
	Site   string
	Rows   []StreamRow
	At     time.Time // When it came.
	DryRun bool
}

// An AccountChange is what reading again changed of one account.
type AccountChange struct {
	AccountID int64
	Changes
}

// RereadStream stores the rows of a page as if they had been read when it came, and returns what
// changed.
func RereadStream(ctx context.Context, db *gorm.DB, p PastPage, now time.Time) (changed []AccountChange, err error) {
	of, err := matchStream(ctx, db, p.Site, p.Rows)
	if err != nil {
		return nil, err
	}
	for _, m := range of {
		page := func(yield func(Rereading, error) bool) { yield(Rereading{At: p.At, Rows: m.Found}, nil) }
		c, err := Reread(ctx, db, m.ID, page, p.DryRun, now)
		if err != nil {
			return nil, err
		}
		if c != (Changes{}) {
			changed = append(changed, AccountChange{m.ID, c})
		}
	}
	return changed, nil
}

// storeStreamRows stores rows of one account, counts them, and brings the next fetch forward. It
// does so also for accounts that are paused or were never fetched completely, because a fetch that
// is under way could miss the rows.
func storeStreamRows(ctx context.Context, db *gorm.DB, of matched, address string, now time.Time) (s Stored, err error) {
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
		if s, from, err = storeRows(ctx, tx, a, of.Found, time.Time{}, now); err != nil || s.Inserted+s.Revised == 0 {
			return err
		}
		if err := noteStored(ctx, tx, a, s.Inserted, nil); err != nil {
			return err
		}
		if err := submissions.RefreshSums(ctx, tx, &m, a.ID, from, now); err != nil {
			return err
		}
		if err := learnHour(ctx, tx, a, now); err != nil {
			return err
		}
		if err := observe(ctx, tx, &m, a, Result{Outcome: pg.OutcomeOK, Address: address, changed: true}, now); err != nil {
			return err
		}
		if s.Inserted == 0 {
			return nil
		}
		news := Evidence{AccountID: a.ID, Source: SourceStream, HasNews: true, SeenAt: now}
		if _, err := note(ctx, tx, []Evidence{news}, 1, now); err != nil || !quiet {
			return err
		}
		return returned(ctx, tx, of.MemberID, SourceReturn, now)
	})
	if err != nil {
		return Stored{}, fmt.Errorf("account %d: %w", of.ID, err)
	}
	return s, nil
}
