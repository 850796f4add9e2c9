package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/notices"
)

// A Wanted handle is to replace an account's once its site knows it. Until then, and if the site
// does not, the account stays as it is.
type Wanted struct {
	AccountID int64
	Handle    string
	AskedAt   time.Time
	RefusedAt *time.Time // The site does not know it.
}

// WantedBy returns the wanted handles of members, by the account that each is to replace.
func WantedBy(ctx context.Context, db *gorm.DB, memberIDs ...int64) (map[int64]Wanted, error) {
	var list []Wanted
	err := db.WithContext(ctx).Raw(`
		SELECT w.account_id, w.handle, w.asked_at, w.refused_at FROM wanted_handles w JOIN accounts a ON a.id = w.account_id
		WHERE a.member_id = ANY(CAST(@ids AS bigint[]))`, pg.Named("ids", &memberIDs)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("wanted handles: %w", err)
	}
	by := map[int64]Wanted{}
	for _, w := range list {
		by[w.AccountID] = w
	}
	return by, nil
}

// ChangesOf returns what a member has changed of the handles, in one question: those that are looked
// up, by the account that each is to replace, and those that went since a moment, the newest first.
func ChangesOf(ctx context.Context, db *gorm.DB, member int64, since time.Time) (wanted map[int64]Wanted, removed []Removed, err error) {
	var rows []struct {
		Removed
		RefusedAt *time.Time
	}
	err = db.WithContext(ctx).Raw(`
		SELECT a.id, '' AS site, w.handle, 0 AS submissions, w.asked_at AS removed_at, w.refused_at
		FROM wanted_handles w JOIN accounts a ON a.id = w.account_id WHERE a.member_id = @member
		UNION ALL SELECT id, site, handle, submissions, removed_at, NULL FROM removed_accounts
		WHERE member_id = @member AND removed_at > @since ORDER BY removed_at DESC, id`,
		pg.Named("member", member, "since", since)).Scan(&rows).Error
	if err != nil {
		return nil, nil, fmt.Errorf("changed handles of member %d: %w", member, err)
	}
	wanted = map[int64]Wanted{}
	for _, r := range rows {
		if r.Site == "" {
			wanted[r.ID] = Wanted{r.ID, r.Handle, r.RemovedAt, r.RefusedAt}
			continue
		}
		removed = append(removed, r.Removed)
	}
	return wanted, removed, nil
}

// WantedOf returns the handle that is to be looked up for an account; "" where there is none.
func WantedOf(ctx context.Context, db *gorm.DB, account int64) (handle string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT handle FROM wanted_handles WHERE account_id = @id AND refused_at IS NULL`,
		pg.Named("id", account)).Scan(&handle).Error
	if err != nil {
		return "", fmt.Errorf("wanted handle of account %d: %w", account, err)
	}
	return handle, nil
}

// want keeps of new handles those that replace an account with submissions, so that they are looked
// up first, and returns the others. Nobody looks up what is paused.
func want(ctx context.Context, tx *gorm.DB, accounts []members.Account, handles map[string]string, now time.Time) (
	atOnce map[string]string, err error) {
	type row struct {
		Account int64  `json:"account"`
		Handle  string `json:"handle"`
	}
	rows, settled := []row{}, []int64{}
	atOnce = map[string]string{}
	for site, handle := range handles {
		atOnce[site] = handle
	}
	for i := range accounts {
		a := &accounts[i]
		handle, given := handles[a.Site]
		handle = pg.CleanText(handle)
		switch {
		case !given:
		case !changes(a, handles) || handle == "":
			settled = append(settled, a.ID)
		case a.Submissions > 0 && a.State != members.StatePaused:
			rows = append(rows, row{a.ID, handle})
			delete(atOnce, a.Site)
		}
	}
	err = tx.WithContext(ctx).Exec(`DELETE FROM wanted_handles WHERE account_id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &settled)).Error
	if err != nil || len(rows) == 0 {
		return atOnce, err
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	err = tx.WithContext(ctx).Exec(queries.Must("want_handles"),
		pg.Named("rows", string(text), "now", now, "asked", pg.ChannelAsked)).Error
	if err != nil {
		return nil, fmt.Errorf("want handles: %w", err)
	}
	return atOnce, nil
}

// Replace gives an account that is being fetched up for a new one with the wanted handle, which its
// site knows. The old one can come back (see Restore). pg.ErrLeaseLost means that the handle is not
// wanted any more, or somebody else reads the account.
func Replace(ctx context.Context, db *gorm.DB, a *members.Account, handle string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, a.MemberID)
		if errors.Is(err, pg.ErrNotFound) {
			return pg.ErrLeaseLost
		}
		if err != nil {
			return err
		}
		var wanted string
		err = tx.Raw(`
			SELECT w.handle FROM wanted_handles w JOIN account_schedule s USING (account_id)
			WHERE account_id = @id AND s.lease_id = @lease AND w.refused_at IS NULL`,
			pg.Named("id", a.ID, "lease", a.LeaseID)).Scan(&wanted).Error
		if err != nil {
			return err
		}
		if wanted != handle {
			return pg.ErrLeaseLost
		}
		accounts, err := members.AccountsOf(ctx, tx, m.ID)
		if err != nil {
			return err
		}
		lost, err := changeHandles(ctx, tx, &m, accounts, map[string]string{a.Site: handle}, now)
		if err != nil {
			return err
		}
		if err := history.RecordEdit(ctx, tx, []int64{m.ID}, lost, now); err != nil {
			return err
		}
		return tx.Exec(`SELECT pg_notify(@progress, CAST(CAST(@member AS bigint) AS text))`,
			pg.Named("progress", pg.ChannelProgress, "member", m.ID)).Error
	})
	if err != nil {
		return fmt.Errorf("replace %s: %w", a, err)
	}
	return nil
}

// Refuse notes that the site does not know a wanted handle, and notifies the member. title is the
// site's.
func Refuse(ctx context.Context, db *gorm.DB, a *members.Account, title, handle string, now time.Time) error {
	text := fmt.Sprintf("There is no %s on %s. %s stays, with its submissions.", handle, title, a.Handle)
	err := db.WithContext(ctx).Exec(`
		WITH refused AS (UPDATE wanted_handles SET refused_at = @now WHERE account_id = @id AND handle = @handle AND refused_at IS NULL
			RETURNING account_id)
		INSERT INTO notices (member_id, text, period, level, kind, created_at, due_at)
		SELECT id, @text, '', 0, 'renamed', CAST(@now AS timestamptz), CAST(@due AS timestamptz) FROM members
			WHERE id = @member AND NOT custom AND EXISTS (SELECT FROM refused)`,
		pg.Named("id", a.ID, "handle", handle, "text", text, "member", a.MemberID, "now", now, "due", now.Add(notices.Delay))).Error
	if err != nil {
		return fmt.Errorf("refuse %q for %s: %w", handle, a, err)
	}
	return nil
}
