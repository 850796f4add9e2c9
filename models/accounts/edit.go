package accounts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/submissions"
)

// EditPerson stores a member's display name and time zone. In another zone the
// days are other days, so they are counted again.
func EditPerson(ctx context.Context, db *gorm.DB, id int64, displayName, zone string, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := editPerson(ctx, tx, id, displayName, zone, now); err != nil {
			return err
		}
		return history.RecordEdit(ctx, tx, []int64{id}, nil, now)
	})
}

func editPerson(ctx context.Context, tx *gorm.DB, id int64, displayName, zone string, now time.Time) error {
	m, err := members.Lock(ctx, tx, id)
	if err != nil {
		return err
	}
	moved := zone != m.TimeZone
	if moved {
		if err := members.LeaveZone(ctx, tx, &m, now); err != nil {
			return err
		}
	}
	m.DisplayName, m.TimeZone = displayName, zone
	if err := m.CheckPerson(ctx, tx); err != nil {
		return err
	}
	if _, err := gorm.G[members.Member](tx).Where("id = ?", id).Select("display_name", "time_zone").Updates(ctx, m); err != nil {
		return fmt.Errorf("edit member %d: %w", id, err)
	}
	if !moved {
		return nil
	}
	if err := submissions.RefreshMember(ctx, tx, id, now); err != nil {
		return err
	}
	return submissions.EmitMoved(ctx, tx, id, now)
}

// SetRole makes a member an admin or support, or takes that, but never from the last admin.
func SetRole(ctx context.Context, db *gorm.DB, id int64, role string) error {
	if role != members.RoleMember && role != members.RoleSupport && role != members.RoleAdmin {
		return &pg.InputError{Field: "role", Message: "a role is member, support or admin"}
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.ByID(ctx, tx, id)
		if err != nil {
			return err
		}
		if m.Custom {
			return &pg.InputError{Field: "role", Message: m.Name + " is a custom member and cannot sign in, so it has no role"}
		}
		if role != members.RoleAdmin {
			if err := notLastAdmin(ctx, tx, id); err != nil {
				return err
			}
		}
		if _, err := gorm.G[members.Member](tx).Where("id = ?", id).Update(ctx, "role", role); err != nil {
			return fmt.Errorf("role of member %d: %w", id, err)
		}
		return nil
	})
}

// Delete deletes a member with all that belongs to it: accounts,
// submissions, tokens, its figures in the archive, its awards, and the custom
// members it follows. The last admin stays.
func Delete(ctx context.Context, db *gorm.DB, id int64) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := awards.LockRuleset(tx); err != nil {
			return fmt.Errorf("delete member %d: %w", id, err)
		}
		if err := notLastAdmin(ctx, tx, id); err != nil {
			return err
		}
		var gone []members.Member
		err := tx.WithContext(ctx).Raw(`SELECT id, name FROM members WHERE id = @id OR owner_id = @id
			ORDER BY id FOR UPDATE`, pg.Named("id", id)).Scan(&gone).Error
		if err != nil {
			return fmt.Errorf("delete member %d: %w", id, err)
		}
		ids, names := make([]int64, len(gone)), make([]string, len(gone))
		for i, m := range gone {
			ids[i], names[i] = m.ID, m.Name
		}
		answers, err := responses.Release(ctx, tx, ids, nil)
		if err != nil {
			return err
		}
		n, err := gorm.G[members.Member](tx).Where("id = ?", id).Delete(ctx)
		if err == nil && n == 0 {
			err = pg.ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("delete member %d: %w", id, err)
		}
		if err := awards.Forget(ctx, tx, ids); err != nil {
			return err
		}
		if err := history.ForgetMembers(ctx, tx, names); err != nil {
			return err
		}
		return responses.DropUnused(ctx, tx, answers) // What others were sent, too, stays.
	})
}

// notLastAdmin returns an InputError where id is the only admin who can sign in. It locks
// the admins, so that two who leave at once leave one after the other.
func notLastAdmin(ctx context.Context, tx *gorm.DB, id int64) error {
	var ids []int64
	err := tx.WithContext(ctx).Raw(`SELECT id FROM members WHERE role = @role AND suspended_at IS NULL
		ORDER BY id FOR UPDATE`, pg.Named("role", members.RoleAdmin)).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("lock admins: %w", err)
	}
	if len(ids) == 1 && ids[0] == id {
		return &pg.InputError{Field: "role", Message: "this is the only admin; make somebody else an admin first"}
	}
	return nil
}
