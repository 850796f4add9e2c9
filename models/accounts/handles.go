package accounts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/submissions"
)

// SetHandles makes a member's accounts what handles says, site by site: an
// empty handle removes the account, a site that is not named stays as it is.
// An unchanged handle keeps its account untouched. A changed one is another
// person's record for all we know: once the site knows the new handle (see Replace), the
// account goes with its submissions, which can come back for 30 days (see Restore), and a
// new one is due at once. An account without submissions is replaced at once. All mistakes
// are returned, joined, and then nothing is stored.
func SetHandles(ctx context.Context, db *gorm.DB, sites []members.Site, memberID int64, handles map[string]string, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		lost, err := setHandles(ctx, tx, sites, memberID, handles, now)
		if err != nil || len(lost) == 0 {
			return err
		}
		return history.RecordEdit(ctx, tx, []int64{memberID}, lost, now)
	})
}

func setHandles(ctx context.Context, tx *gorm.DB, sites []members.Site, memberID int64, given map[string]string,
	now time.Time) ([]history.LostHandle, error) {
	handles, err := checkHandles(sites, given)
	if err != nil {
		return nil, err
	}
	if err := refuseLeftOut(ctx, tx, handles); err != nil {
		return nil, err
	}
	m, err := members.Lock(ctx, tx, memberID)
	if err != nil {
		return nil, err
	}
	accounts, err := members.AccountsOf(ctx, tx, memberID)
	if err != nil {
		return nil, err
	}
	if handles, err = want(ctx, tx, accounts, handles, now); err != nil {
		return nil, err
	}
	return changeHandles(ctx, tx, &m, accounts, handles, now)
}

// checkHandles returns what is meant by what was typed, or all mistakes in it.
func checkHandles(sites []members.Site, given map[string]string) (map[string]string, error) {
	handles := map[string]string{}
	for site, text := range given {
		handles[site] = members.HandleIn(sites, site, text)
	}
	var mistakes []error
	for _, site := range slices.Sorted(maps.Keys(handles)) {
		if handle := pg.CleanText(handles[site]); handle != "" {
			mistakes = append(mistakes, members.CheckHandle(sites, site, handle))
		} else if _, err := members.SiteNamed(sites, site, "accounts."+site); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	return handles, errors.Join(mistakes...)
}

// A Loss is an account whose submissions leave a profile when its handle is changed or removed.
type Loss struct {
	members.Account
	Next string // The handle that replaces it; "" for none.
}

// LossesBy returns what SetHandles would take from a member's accounts, so that they can be asked first.
func LossesBy(sites []members.Site, accounts []members.Account, given map[string]string) (losses []Loss, err error) {
	handles, err := checkHandles(sites, given)
	if err != nil {
		return nil, err
	}
	for i := range accounts {
		if a := &accounts[i]; changes(a, handles) && a.Submissions > 0 {
			losses = append(losses, Loss{*a, pg.CleanText(handles[a.Site])})
		}
	}
	return losses, nil
}

func changeHandles(ctx context.Context, tx *gorm.DB, m *members.Member, accounts []members.Account, handles map[string]string,
	now time.Time) (lost []history.LostHandle, err error) {
	has := map[string]string{}
	gone := goneOf(accounts, handles)
	if err := submissions.EmitGone(ctx, tx, gone, now); err != nil {
		return nil, err
	}
	if err := keepRemoved(ctx, tx, gone, now); err != nil {
		return nil, err
	}
	answers, err := responses.Release(ctx, tx, nil, gone)
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if !changes(&a, handles) {
			has[a.Site] = a.Handle
			continue
		}
		if err := tx.WithContext(ctx).Exec(`DELETE FROM accounts WHERE id = @id`, pg.Named("id", a.ID)).Error; err != nil {
			return nil, fmt.Errorf("remove %s: %w", &a, err)
		}
		lost = append(lost, history.LostHandle{MemberID: m.ID, Member: m.Name, Site: a.Site})
	}
	var added []members.NewAccount
	for site, handle := range handles {
		if handle = pg.CleanText(handle); handle != "" && has[site] == "" {
			added = append(added, members.NewAccount{MemberID: m.ID, Site: site, Handle: handle})
		}
	}
	if _, err := members.CreateAccounts(ctx, tx, added, now); err != nil {
		return nil, err
	}
	if err := responses.DropUnused(ctx, tx, answers); err != nil {
		return nil, err
	}
	if len(lost) > 0 {
		return lost, submissions.RefreshMember(ctx, tx, m.ID, now)
	}
	return nil, nil
}

// changes reports whether an account is to have another handle, or none.
func changes(a *members.Account, handles map[string]string) bool {
	handle, asked := handles[a.Site]
	handle = pg.CleanText(handle)
	// A list may still have the former one.
	return asked && handle != a.Handle && (a.FormerHandle == "" || !strings.EqualFold(handle, a.FormerHandle))
}

func goneOf(accounts []members.Account, handles map[string]string) (ids []int64) {
	for i := range accounts {
		if changes(&accounts[i], handles) {
			ids = append(ids, accounts[i].ID)
		}
	}
	return ids
}
