package members

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// An InvitedMember is a member with the code of a link to choose a password.
type InvitedMember struct {
	Name, Code string
}

// InviteAll makes links for those of the named members who have an account and no password yet, such
// as a class that was just imported. Each takes the place of the member's former link. They come by name.
func InviteAll(ctx context.Context, db *gorm.DB, by int64, names []string, now time.Time) (list []InvitedMember, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var found []struct {
			ID   int64
			Name string
		}
		err := tx.Raw(`
			SELECT id, name FROM members
			WHERE lower(name) IN (SELECT lower(unnest(CAST(@names AS text[])))) AND NOT custom AND password_hash = ''
			ORDER BY lower(name) FOR UPDATE`, pg.Named("names", &names)).Scan(&found).Error
		if err != nil || len(found) == 0 {
			return err
		}
		var ids []int64
		var hashes [][]byte
		for _, m := range found {
			code := pg.NewToken("")
			list = append(list, InvitedMember{m.Name, code})
			ids, hashes = append(ids, m.ID), append(hashes, pg.HashToken(code))
		}
		args := pg.Named("ids", &ids, "hashes", &hashes, "by", by, "now", now, "until", now.Add(InvitationFor))
		err = tx.Exec(`DELETE FROM invitations WHERE member_id = ANY(CAST(@ids AS bigint[])) AND used_at IS NULL`, args).Error
		if err != nil {
			return err
		}
		return tx.Exec(`
			INSERT INTO invitations (hash, member_id, created_by, created_at, expires_at)
			SELECT unnest(CAST(@hashes AS bytea[])), unnest(CAST(@ids AS bigint[])), @by, @now, @until`, args).Error
	})
	if err != nil {
		return nil, fmt.Errorf("invite %d members: %w", len(names), err)
	}
	return list, nil
}
