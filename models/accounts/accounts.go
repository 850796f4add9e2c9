// Package accounts changes members and their handles with all that follows from
// it: renaming, deleting, importing, exporting.
package accounts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
)

// A New is a member to be added: a registered one without a password, or a custom
// one that By follows.
type New struct {
	*members.Member
	Handles map[string]string // By site.
	By      *members.Member
}

// Add creates a member with its handles, all or nothing.
func Add(ctx context.Context, db *gorm.DB, sites []members.Site, m New, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if m.Custom {
			if err := m.follow(ctx, tx); err != nil {
				return err
			}
		}
		if err := members.Create(ctx, tx, m.Member, now); err != nil {
			return err
		}
		if m.By != nil && m.By.Role == members.RoleAdmin && !m.Custom {
			if err := members.Admit(ctx, tx, m.ID); err != nil {
				return err
			}
		}
		return SetHandles(ctx, tx, sites, m.ID, m.Handles, now)
	})
}

// A MemberEdit says what to change of a member; what is nil stays.
type MemberEdit struct {
	DisplayName, TimeZone *string
	Handles               map[string]string // By site, as SetHandles wants them.
	Role                  *string           // Only admins decide.
}

// Edit changes a member, all or nothing.
func Edit(ctx context.Context, db *gorm.DB, sites []members.Site, id int64, e MemberEdit, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.DisplayName != nil {
			m.DisplayName = *e.DisplayName
		}
		if e.TimeZone != nil {
			m.TimeZone = *e.TimeZone
		}
		if err := editPerson(ctx, tx, id, m.DisplayName, m.TimeZone, now); err != nil {
			return err
		}
		if e.Role != nil {
			if err := SetRole(ctx, tx, id, *e.Role); err != nil {
				return err
			}
		}
		lost, err := setHandles(ctx, tx, sites, id, e.Handles, now)
		if err != nil {
			return err
		}
		return history.RecordEdit(ctx, tx, []int64{id}, lost, now)
	})
}

// MemberAccounts is a member with its accounts, by site name.
type MemberAccounts struct {
	members.Member
	Accounts []members.Account
	Wanted   map[int64]Wanted // By the account that is to be replaced.
}

// Named returns a member with its accounts, or ErrNotFound.
func Named(ctx context.Context, db *gorm.DB, name string) (MemberAccounts, error) {
	m, err := members.ByName(ctx, db, name)
	if err != nil {
		return MemberAccounts{}, err
	}
	accounts, err := members.AccountsOf(ctx, db, m.ID)
	if err != nil {
		return MemberAccounts{}, err
	}
	wanted, err := WantedBy(ctx, db, m.ID)
	return MemberAccounts{m, accounts, wanted}, err
}

// After returns at most limit members with their accounts by name, those
// behind cursor, and the cursor to go on with: "" at the end.
func After(ctx context.Context, db *gorm.DB, cursor string, limit int) (people []MemberAccounts, next string, err error) {
	after, err := pg.ParseListCursor(cursor, "members", 1)
	if err != nil {
		return nil, "", err
	}
	ms, err := gorm.G[members.Member](db).Where("lower(name) > lower(?) AND visible_to(?, id, audience)", after[0], members.Asking(ctx)).
		Order("lower(name)").Limit(limit + 1).Find(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("members: %w", err)
	}
	if len(ms) > limit {
		ms = ms[:limit]
		next = pg.ListCursor("members", ms[limit-1].Name)
	}
	ids := make([]int64, len(ms))
	at := map[int64]int{}
	for i, m := range ms {
		ids[i], at[m.ID] = m.ID, i
	}
	wanted, err := WantedBy(ctx, db, ids...)
	if err != nil {
		return nil, "", err
	}
	for _, m := range ms {
		people = append(people, MemberAccounts{Member: m, Wanted: wanted})
	}
	accounts, err := gorm.G[members.Account](db).Where("member_id IN ?", ids).Order("site").Find(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("accounts of members: %w", err)
	}
	for _, a := range accounts {
		m := &people[at[a.MemberID]]
		m.Accounts = append(m.Accounts, a)
	}
	return people, next, nil
}
