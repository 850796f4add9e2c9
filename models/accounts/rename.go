package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
)

// ErrHandleTaken means that another account here has the handle.
var ErrHandleTaken = errors.New("another account has this handle")

// Rename gives an account that is being fetched the handle that its site has renamed it to. It stays
// the same account with all its rows, ratings and profile are read again, and the member is notified. Its proof
// was of the former name and goes.
// ErrHandleTaken means that another account has the new handle, unless that one had the old one, too,
// because both follow one person. title is the site's.
func Rename(ctx context.Context, db *gorm.DB, a *members.Account, title, handle string, now time.Time) error {
	handle = pg.CleanText(handle)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// One at a time, so that no two accounts come to a handle at once.
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended('rename ' || @site,
			0))`, pg.Named("site", a.Site)).Error; err != nil {
			return err
		}
		if _, err := members.Lock(ctx, tx, a.MemberID); errors.Is(err, pg.ErrNotFound) {
			return pg.ErrLeaseLost
		} else if err != nil {
			return err
		}
		var taken bool
		err := tx.Raw(`
			SELECT EXISTS (SELECT FROM accounts WHERE site = @site AND lower(handle) = lower(@new) AND id <> @id
				AND lower(former_handle) <> lower(@old))`,
			pg.Named("site", a.Site, "new", handle, "old", a.Handle, "id", a.ID)).Scan(&taken).Error
		if err != nil {
			return err
		}
		if taken {
			return ErrHandleTaken
		}
		res := tx.Exec(`
			WITH leased AS (SELECT account_id FROM account_schedule WHERE account_id = @id AND lease_id = @lease FOR NO KEY UPDATE),
			unread AS (UPDATE account_coverage c SET ratings_at = NULL, profile_at = NULL FROM leased
				WHERE c.account_id = leased.account_id)
			UPDATE accounts a SET handle = @new, former_handle = handle, renamed_at = @now, proved_at = NULL
			FROM leased WHERE a.id = leased.account_id AND handle = @old`,
			pg.Named("new", handle, "now", now, "id", a.ID, "lease", a.LeaseID, "old", a.Handle))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost
		}
		if res.Error != nil {
			return res.Error
		}
		return noticeRename(ctx, tx, a, title, handle, now)
	})
	if err != nil {
		return fmt.Errorf("rename %s: %w", a, err)
	}
	a.FormerHandle, a.Handle, a.RenamedAt, a.ProvedAt, a.RatingsAt, a.ProfileAt = a.Handle, handle, &now, nil, nil, nil
	return nil
}

// noticeRename moves alarms and failures of the old handle to the new one, and notifies the member.
func noticeRename(ctx context.Context, tx *gorm.DB, a *members.Account, title, handle string, now time.Time) error {
	text := fmt.Sprintf("%s has renamed %s to %s. Your submissions stay, and Laurel goes on with the new handle.", title, a.Handle, handle)
	return tx.WithContext(ctx).Exec(`
		WITH alarms AS (UPDATE site_alarms SET subject = @new
			WHERE site = @site AND kind = 'emptied' AND subject = @old AND closed_at IS NULL),
		suspects AS (UPDATE site_suspects SET handle = @new WHERE site = @site AND account_id = @id AND handle = @old)
		INSERT INTO notices (member_id, text, period, level, kind, created_at, due_at)
		SELECT id, @text, '', 0, 'renamed', CAST(@now AS timestamptz), CAST(@due AS timestamptz) FROM members
			WHERE id = @member AND NOT custom`,
		pg.Named("site", a.Site, "old", a.Handle, "new", handle, "id", a.ID, "member", a.MemberID, "text", text, "now", now, "due",
			now.Add(notices.Delay))).Error
}
