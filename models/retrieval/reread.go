package retrieval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/standings"
	"laurel/models/submissions"
)

// A Rereading is what today's reader makes of an answer that came some time ago.
type Rereading struct {
	At          time.Time // When it came.
	Rows        []Found
	Ratings     []submissions.RatingFound
	RatingsRead bool
	// RatingsAddress is the page of the ratings as the archive has it, and Handle whose it was.
	RatingsAddress, Handle string
	Reported               *Counted // What the site counted; nil where it lists all.
	Understood             []int64  // Answers that were not understood before.
	// Unread are the rows that cannot be read today either, of an answer that was not understood before.
	Unread []Unread
	// From is when the fetch began, UnreadKeys what its reader could not read until now. It is zero
	// of a stream, which says nothing of unread rows.
	From       time.Time
	UnreadKeys []string
}

// Changes says what reading again changed of an account.
type Changes struct {
	Inserted, Revised int // Submissions.
	Ratings           bool
	Counts            bool // What the site counted by day, or in all.
	Answers           int  // That are understood now.
	Rows              int  // That were unread and are read now.
	Superseded        int  // Responses of the archive that say something else now.
}

var errDryRun = errors.New("dry run")

// Reread stores what today's reader makes of an account's answers, oldest first, as if it had
// read them when they came: what a newer answer showed stays as it is. In a dry run all is
// undone at the end. A response of the archive that says something else now is superseded. Schedule and
// cursor are left alone.
func Reread(ctx context.Context, db *gorm.DB, account int64, read iter.Seq2[Rereading, error], dry bool, now time.Time) (
	c Changes, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, a, err := lockStored(ctx, tx, account)
		if err != nil || a == nil {
			return err
		}
		var since *time.Time
		var counts *Rereading // The newest.
		var ratings []Rereading
		for r, err := range read {
			if err != nil {
				return err
			}
			from, err := reread(ctx, tx, a, &r, &c, now)
			if err != nil {
				return err
			}
			if r.RatingsRead {
				ratings = append(ratings, r)
			}
			if r.Reported != nil {
				counts = &r
			}
			since = earlier(since, from)
		}
		if err := rereadRatings(ctx, tx, a, ratings, &c, now); err != nil {
			return err
		}
		if since, err = rereadCounts(ctx, tx, a, counts, since, &c); err != nil {
			return err
		}
		if err := refreshSums(ctx, tx, &m, account, since, now); err != nil {
			return err
		}
		if c.Superseded, err = supersede(ctx, tx, &m, a, ratings, now); err == nil && dry {
			err = errDryRun
		}
		return err
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return c, fmt.Errorf("read account %d again: %w", account, err)
	}
	return c, nil
}

// refreshSums sums up from a day on; without one only ratings may have changed.
func refreshSums(ctx context.Context, tx *gorm.DB, m *members.Member, account int64, since *time.Time, now time.Time) error {
	if since == nil {
		return standings.Refresh(ctx, tx, []int64{m.ID}, now)
	}
	return submissions.RefreshSums(ctx, tx, m, account, since, now)
}

// earlier returns the earlier one of two moments, of which either may be nil.
func earlier(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

// lockStored locks an account with its member; nil where it is gone.
func lockStored(ctx context.Context, tx *gorm.DB, id int64) (m members.Member, a *members.Account, err error) {
	found, err := gorm.G[members.Account](tx).Table("account_details").Where("id = ?", id).Find(ctx)
	if err != nil || len(found) == 0 {
		return m, nil, err
	}
	if m, err = members.Lock(ctx, tx, found[0].MemberID); err != nil {
		return m, nil, err
	}
	list, err := lockAccounts(ctx, tx, []int64{id})
	if err != nil || len(list) == 0 {
		return m, nil, err
	}
	return m, &list[0].Account, nil
}

// reread stores one answer, and returns the first moment whose day changed.
func reread(ctx context.Context, tx *gorm.DB, a *members.Account, r *Rereading, c *Changes, now time.Time) (*time.Time, error) {
	var from *time.Time
	if len(r.Rows) > 0 {
		if err := restoreTimes(ctx, tx, a, r.Rows); err != nil {
			return nil, err
		}
		s, first, err := storeRows(ctx, tx, a, r.Rows, r.At, now)
		if err != nil {
			return nil, err
		}
		from, c.Inserted, c.Revised = first, c.Inserted+s.Inserted, c.Revised+s.Revised
	}
	if !r.From.IsZero() {
		if err := rereadUnread(ctx, tx, a, r, c); err != nil {
			return nil, err
		}
	}
	c.Answers += len(r.Understood)
	return from, responses.MarkRead(ctx, tx, r.Understood)
}

// rereadRatings stores the newest ratings that were read again, unless newer ones are stored.
func rereadRatings(ctx context.Context, tx *gorm.DB, a *members.Account, list []Rereading, c *Changes, now time.Time) (err error) {
	if len(list) == 0 {
		return nil
	}
	r := &list[len(list)-1]
	if a.RatingsAt != nil && r.At.Before(*a.RatingsAt) {
		return nil
	}
	c.Ratings, err = storeRatings(ctx, tx, a, r.Ratings, now)
	if err == nil {
		_, err = gorm.G[members.Coverage](tx).Table("account_coverage").Where("account_id = ?", a.ID).Update(ctx, "ratings_at", r.At)
	}
	return err
}

// rereadCounts stores what the site counted when it was fetched last, unless that fetch is not among
// those that were read again. It returns since when sums are to be counted again.
func rereadCounts(ctx context.Context, tx *gorm.DB, a *members.Account, r *Rereading, since *time.Time, c *Changes) (*time.Time, error) {
	if r == nil || a.StartedAt == nil || r.From.Before(*a.StartedAt) {
		return since, nil
	}
	was, pending := a.Coverage, a.PendingFrom
	a.PendingFrom, a.CompleteUntil = since, &r.From // The next fetch says how complete it is.
	res := Result{Reported: r.Reported}
	if err := measureShortfall(ctx, tx, a, &res, r.At); err != nil {
		return nil, err
	}
	since, a.PendingFrom, a.CompleteUntil = a.PendingFrom, pending, was.CompleteUntil
	c.Counts = res.changed || was.Missing != a.Missing || was.ReportedSubmissions != a.ReportedSubmissions // Equal ones stay the same.
	if !c.Counts {
		return since, nil
	}
	_, err := gorm.G[members.Coverage](tx).Table("account_coverage").Where("account_id = ?", a.ID).
		Select("missing", "missing_from", "missing_until").Updates(ctx, a.Coverage)
	return since, err
}

// rereadUnread forgets the unread rows of an answer that are read now, and notes those of an answer
// that was not understood at all before.
func rereadUnread(ctx context.Context, tx *gorm.DB, a *members.Account, r *Rereading, c *Changes) error {
	keys := pg.Column(r.UnreadKeys, func(key *string) string { return pg.CleanText(*key) })
	res := tx.WithContext(ctx).Exec(`
		DELETE FROM unread_rows WHERE account_id = @id AND last_seen_at BETWEEN @from AND @at AND NOT key = ANY(CAST(@keys AS text[]))`,
		pg.Named("id", a.ID, "from", r.From, "at", r.At, "keys", keys))
	if res.Error != nil {
		return fmt.Errorf("unread rows that are read now: %w", res.Error)
	}
	c.Rows += int(res.RowsAffected)
	added, err := insertUnread(ctx, tx, a.ID, r.Unread, r.At)
	if err != nil || added == 0 && res.RowsAffected == 0 {
		return err
	}
	_, err = countUnread(ctx, tx, a)
	return err
}
