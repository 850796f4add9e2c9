package accounts_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// A renamed account has its rows, and its member is notified once.
func TestRenameAccount(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	ada := modelstest.Member(t, tx, "ada", map[string]string{"judge": "old"}, modelstest.Noon)
	d := modelstest.Claim(t, tx, "judge", modelstest.Noon)
	modelstest.StorePage(t, tx, d, modelstest.Noon, found("1", modelstest.Noon, "AC"), found("2", modelstest.Noon, "WA"))
	modelstest.Finish(t, tx, d, retrieval.Result{Requests: 1, RatingsRead: true}, modelstest.Noon)
	if err := tx.Exec(`UPDATE account_schedule SET due_at = ?`, modelstest.Noon).Error; err != nil {
		t.Fatal(err)
	}
	d = modelstest.Claim(t, tx, "judge", modelstest.Noon)
	if err := accounts.Rename(t.Context(), tx, &d.Account, "Judge", "new", modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if d.Handle != "new" || d.FormerHandle != "old" {
		t.Errorf("the fetch goes on with %+v", d.Account)
	}
	a := modelstest.AccountOn(t, tx, ada.ID, "judge")
	if a.ID != d.ID || a.Handle != "new" || a.FormerHandle != "old" || a.RenamedAt == nil || !a.RenamedAt.Equal(modelstest.Noon) || a.Submissions != 2 || a.RatingsAt != nil || a.CoveredAt == nil {
		t.Errorf("stored %+v", a)
	}
	if got := modelstest.Heard(t, tx, ada.ID, modelstest.Noon.Add(time.Hour)); len(got) != 1 || got[0] != "Judge has renamed old to new. Your submissions stay, and Laurel goes on with the new handle." {
		t.Errorf("notified of %q", got)
	}
	lost := *d
	lost.LeaseID = "another"
	if err := accounts.Rename(t.Context(), tx, &lost.Account, "Judge", "newer", modelstest.Noon); !errors.Is(err, pg.ErrLeaseLost) || lost.Handle != "new" {
		t.Errorf("without the lease: %v", err)
	}
	// A list that still has the former handle leaves the account as it is.
	if err := accounts.SetHandles(t.Context(), tx, []members.Site{judgeSite}, ada.ID, map[string]string{"judge": "old"}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if b := modelstest.AccountOn(t, tx, ada.ID, "judge"); b.ID != a.ID || b.Handle != "new" {
		t.Errorf("after the former handle was given again: %+v", b)
	}
	if err := accounts.SetHandles(t.Context(), tx, []members.Site{judgeSite}, ada.ID, map[string]string{"judge": "other"}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := accounts.Replace(t.Context(), tx, &d.Account, "other", modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if b := modelstest.AccountOn(t, tx, ada.ID, "judge"); b.ID == a.ID || b.Handle != "other" || b.FormerHandle != "" {
		t.Errorf("after another handle was given: %+v", b)
	}
}

// Nobody is renamed to what another account has, however it is written; but two
// that followed one person go on to do so.
func TestRenameToWhatAnotherHas(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	modelstest.Member(t, tx, "eve", map[string]string{"judge": "New"}, modelstest.Noon.AddDate(0, 0, 1))
	modelstest.Member(t, tx, "fay", map[string]string{"other": "new"}, modelstest.Noon.AddDate(0, 0, 1))
	ada := modelstest.Member(t, tx, "ada", map[string]string{"judge": "old"}, modelstest.Noon.Add(-time.Hour))
	bob := modelstest.Member(t, tx, "bob", map[string]string{"judge": "OLD"}, modelstest.Noon)
	d := modelstest.Claim(t, tx, "judge", modelstest.Noon)
	if err := accounts.Rename(t.Context(), tx, &d.Account, "Judge", "new", modelstest.Noon); !errors.Is(err, accounts.ErrHandleTaken) {
		t.Fatalf("renamed to what eve has: %v", err)
	}
	if a := modelstest.AccountOn(t, tx, ada.ID, "judge"); a.Handle != "old" || a.FormerHandle != "" {
		t.Errorf("%+v", a)
	}
	for _, tt := range []struct {
		m members.Member
		d *retrieval.Due
	}{{ada, d}, {bob, modelstest.Claim(t, tx, "judge", modelstest.Noon)}} {
		if err := accounts.Rename(t.Context(), tx, &tt.d.Account, "Judge", "free", modelstest.Noon); err != nil {
			t.Errorf("%s, who had it, too: %v", tt.m.Name, err)
		}
		if a := modelstest.AccountOn(t, tx, tt.m.ID, "judge"); a.Handle != "free" || !strings.EqualFold(a.FormerHandle, "old") {
			t.Errorf("%+v", a)
		}
	}
}
