package accounts_test

import (
	"testing"

	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// A suspension hides, and what the member had chosen holds again when it is lifted.
func TestSuspend(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	admin := modelstest.Admin(t, tx)
	ann := modelstest.Member(t, tx, "ann", nil, modelstest.Noon)
	if err := members.SetVisibility(ctx, tx, ann.ID, members.SeenByMembers, false); err != nil {
		t.Fatal(err)
	}
	token, err := members.CreateToken(ctx, tx, ann.ID, "script", false, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	now := func() members.Member {
		m, err := members.ByID(ctx, tx, ann.ID)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, note := range []string{"", " \x00 "} {
		if got := modelstest.Field(t, accounts.Suspend(ctx, tx, ann.ID, "root", note, modelstest.Noon)); got != "note" {
			t.Errorf("without a reason: field %q", got)
		}
	}
	if got := modelstest.Field(t, accounts.Suspend(ctx, tx, admin.ID, "root", "all", modelstest.Noon)); got != "role" {
		t.Errorf("the only admin: field %q", got)
	}
	if err := accounts.Suspend(ctx, tx, ann.ID, "root", "spam", modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if m := now(); m.SuspendedAt == nil || m.Audience != members.AudienceSelf || !m.OffBoards {
		t.Errorf("suspended: %+v", m)
	}
	if _, err := members.ByToken(ctx, tx, token); err == nil {
		t.Error("a token of a suspended member works")
	}
	if got := modelstest.Field(t, accounts.Suspend(ctx, tx, ann.ID, "root", "again", modelstest.Noon)); got != "note" {
		t.Errorf("twice: field %q", got)
	}
	if err := accounts.Lift(ctx, tx, ann.ID, "root", "she apologised", modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if m := now(); m.SuspendedAt != nil || m.Audience != members.AudienceMembers || m.OffBoards {
		t.Errorf("lifted: %+v", m)
	}
	if list, err := accounts.SuspensionsOf(ctx, tx, ann.ID); err != nil || len(list) != 2 || list[1].Note != "spam" || list[0].Suspended {
		t.Errorf("log %+v, error %v", list, err)
	}
}
