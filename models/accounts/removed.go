package accounts

import (
	"context"
	"embed"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/db/sqlfile"
	"laurel/models/members"
	"laurel/models/submissions"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the long statements, by the names of their files.
var queries = sqlfile.Read(files)

// removedFor is how long a removed account can come back.
const removedFor = 30 * 24 * time.Hour

// A Removed account is one that its member removed or replaced, and may want back.
type Removed struct {
	ID          int64
	Site        string
	Handle      string
	Submissions int
	RemovedAt   time.Time
}

// Until is when it is gone for good.
func (r *Removed) Until() time.Time { return r.RemovedAt.Add(removedFor) }

// RemovedOf returns a member's accounts that can come back, the newest first.
func RemovedOf(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) ([]Removed, error) {
	list, err := gorm.G[Removed](db).Table("removed_accounts").
		Where("member_id = ? AND removed_at > ?", memberID, now.Add(-removedFor)).Order("removed_at DESC, id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("removed accounts of member %d: %w", memberID, err)
	}
	return list, nil
}

// Restore brings a removed account back with all its rows. An account that the member has on the
// site meanwhile takes its place among the removed ones.
func Restore(ctx context.Context, db *gorm.DB, sites []members.Site, memberID, id int64, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, memberID)
		if err != nil {
			return err
		}
		r, err := gorm.G[Removed](tx).Table("removed_accounts").
			Where("id = ? AND member_id = ? AND removed_at > ?", id, memberID, now.Add(-removedFor)).Take(ctx)
		if err != nil {
			return err
		}
		if err := SetHandles(ctx, tx, sites, memberID, map[string]string{r.Site: ""}, now); err != nil {
			return err
		}
		if err := restore(ctx, tx, &m, &r, now); err != nil {
			return fmt.Errorf("restore account %d: %w", id, err)
		}
		_, err = gorm.G[Removed](tx).Table("removed_accounts").Where("id = ?", id).Delete(ctx)
		return err
	})
}

func restore(ctx context.Context, tx *gorm.DB, m *members.Member, r *Removed, now time.Time) error {
	if _, err := members.CreateAccounts(ctx, tx, []members.NewAccount{{MemberID: m.ID, Site: r.Site, Handle: r.Handle}}, now); err != nil {
		return err
	}
	var account int64
	err := tx.WithContext(ctx).Raw(`SELECT id FROM accounts WHERE member_id = @member AND site = @site`,
		pg.Named("member", m.ID, "site", r.Site)).Scan(&account).Error
	if err != nil {
		return err
	}
	var back struct{ Submissions, Contests string }
	err = tx.WithContext(ctx).Raw(queries.Must("restore_account"), pg.Named("removed", r.ID, "id", account)).Scan(&back).Error
	if err != nil {
		return err
	}
	if err := submissions.EmitSubmissions(ctx, tx, m.ID, back.Submissions, now); err != nil {
		return err
	}
	if back.Contests != "" {
		if err := submissions.EmitRatings(ctx, tx, account, back.Contests, now); err != nil {
			return err
		}
	}
	return submissions.RefreshSums(ctx, tx, m, account, &time.Time{}, now)
}

// keepRemoved keeps accounts that are about to be removed.
func keepRemoved(ctx context.Context, tx *gorm.DB, ids []int64, now time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(queries.Must("keep_removed"), pg.Named("ids", &ids, "now", now)).Error
	if err != nil {
		return fmt.Errorf("keep removed accounts: %w", err)
	}
	return nil
}
