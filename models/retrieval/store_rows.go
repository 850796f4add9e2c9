package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// storeRows stores the problems, the submissions of them, new terms and the events about the
// submissions. It returns the first moment whose day changed. shown is when rows were shown that are
// read again, else zero.
func storeRows(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found, shown, now time.Time) (Stored, *time.Time, error) {
	text, err := submissions.Encode(rows)
	if err != nil {
		return Stored{}, nil, err
	}
	of := submissions.Origin{AccountID: a.ID, MemberID: a.MemberID, Site: a.Site, Source: submissions.SourceSite, ShownAt: shown}
	if err := submissions.StoreProblems(ctx, tx, of, text); err != nil {
		return Stored{}, nil, err
	}
	if slices.ContainsFunc(rows, func(f Found) bool { return f.Formerly != "" }) {
		if err := renumber(ctx, tx, a.ID, text, now); err != nil {
			return Stored{}, nil, err
		}
	}
	stored, err := submissions.Store(ctx, tx, of, text, now)
	if err != nil {
		return Stored{}, nil, err
	}
	if err := noteTerms(ctx, tx, a, stored.Terms, now); err != nil {
		return Stored{}, nil, err
	}
	noteOpen(a, rows, now)
	return Stored{Inserted: stored.Inserted, Revised: stored.Revised}, stored.First, nil
}

// renumber gives submissions that were stored without the site's number the one that it shows now,
// so that they are not stored twice. Events name a submission by its number, so the former one is
// deleted.
func renumber(ctx context.Context, tx *gorm.DB, account int64, rows string, now time.Time) error {
	var found struct{ IDs, Numbers string }
	err := tx.WithContext(ctx).Raw(queries.Must("numbered"), pg.Named("rows", rows, "account", account)).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("numbers of submissions: %w", err)
	}
	if found.IDs == "" {
		return nil
	}
	if err := submissions.EmitDeleted(ctx, tx, found.IDs, now); err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE submissions s SET site_id = n.number FROM jsonb_to_recordset(CAST(@numbers AS jsonb)) AS n(id bigint, number text)
		WHERE s.account_id = @account AND s.id = n.id`, pg.Named("numbers", found.Numbers, "account", account)).Error
	if err != nil {
		return fmt.Errorf("numbers of submissions: %w", err)
	}
	return nil
}

// restoreTimes puts the stored time into rows whose own is approximate. The first one is the best,
// because "2 hours ago" gets coarser with time; a time that is exact to the minute replaces it.
func restoreTimes(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found) error {
	var about []string
	for i := range rows {
		if rows[i].About {
			about = append(about, rows[i].ID)
		}
	}
	if len(about) == 0 {
		return nil
	}
	var stored []submissions.Submission
	err := tx.WithContext(ctx).Raw(`
		SELECT site_id, submitted_at, to_minute FROM submissions WHERE account_id = @account AND site_id = ANY(CAST(@ids AS text[]))`,
		pg.Named("account", a.ID, "ids", &about)).Scan(&stored).Error
	if err != nil {
		return fmt.Errorf("times of submissions: %w", err)
	}
	known := map[string]*submissions.Submission{}
	for i := range stored {
		known[stored[i].SiteID] = &stored[i]
	}
	for i := range rows {
		if s := known[rows[i].ID]; s != nil && rows[i].About {
			rows[i].At, rows[i].ToMinute = s.SubmittedAt, s.ToMinute
		}
	}
	return nil
}

// noteOpen notes until when verdicts may change. One that is still judged is read again every day.
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
