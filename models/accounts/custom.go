package accounts

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// customAtMost is how many custom members one member may follow. Each costs the
// judge sites a retrieval a day.
const customAtMost = 50

// follow makes a new member a custom one, if its follower may have one more.
func (m *New) follow(ctx context.Context, tx *gorm.DB) error {
	m.Role, m.OwnerID, m.PasswordHash = members.RoleMember, &m.By.ID, ""
	if _, err := members.Lock(ctx, tx, m.By.ID); err != nil {
		return err
	}
	n, err := gorm.G[members.Member](tx).Where("owner_id = ?", m.By.ID).Count(ctx, "*")
	if err != nil {
		return fmt.Errorf("count custom members of %d: %w", m.By.ID, err)
	}
	if n >= customAtMost && m.By.Role != members.RoleAdmin {
		return &pg.InputError{Field: "name", Message: fmt.Sprintf(
			"you follow %d custom members already, which is the most; delete one first or ask an admin", n)}
	}
	return nil
}

// A Followed is a custom member with its handles, by site.
type Followed struct {
	members.Member
	Accounts map[string]string
}

// CustomOf returns the custom members that a member follows, by name.
func CustomOf(ctx context.Context, db *gorm.DB, ownerID int64) ([]Followed, error) {
	ms, err := gorm.G[members.Member](db).Where("owner_id = ?", ownerID).Order("lower(name)").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("custom members of %d: %w", ownerID, err)
	}
	accounts, err := gorm.G[members.Account](db).Select("member_id, site, handle").
		Where("member_id IN (SELECT id FROM members WHERE owner_id = ?)", ownerID).Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("handles of custom members of %d: %w", ownerID, err)
	}
	handles := map[int64]map[string]string{}
	for _, a := range accounts {
		if handles[a.MemberID] == nil {
			handles[a.MemberID] = map[string]string{}
		}
		handles[a.MemberID][a.Site] = a.Handle
	}
	followed := make([]Followed, len(ms))
	for i, m := range ms {
		followed[i] = Followed{m, handles[m.ID]}
	}
	return followed, nil
}
