package members_test

import (
	"errors"
	"strings"
	"testing"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// visible_to, Sees and ByName say the same, and what the table says.
func TestVisible(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, tx, "ada", nil, modelstest.Noon), modelstest.Member(t, tx, "bob", nil, modelstest.Noon)
	custom := func(proved bool) string {
		if proved {
			return "custom = true, seen_by = 'everyone', proved_at = created_at"
		}
		return "custom = true, seen_by = 'everyone', proved_at = NULL"
	}
	readers := []members.Viewer{members.Visitor, members.Viewer(bob.ID), members.Viewer(ada.ID), members.Everything}
	for _, tt := range []struct {
		set  string
		seen [4]bool // By a visitor, bob, ada herself, an admin.
	}{
		{"seen_by = 'everyone'", [4]bool{true, true, true, true}},
		{"seen_by = 'members'", [4]bool{false, true, true, true}},
		{"seen_by = 'self'", [4]bool{false, false, true, true}},
		{custom(false), [4]bool{false, true, true, true}},
		{custom(true), [4]bool{true, true, true, true}},
	} {
		if err := tx.Exec("UPDATE members SET "+tt.set+" WHERE id = @id", pg.Named("id", ada.ID)).Error; err != nil {
			t.Fatal(err)
		}
		for i, v := range readers {
			m, err := members.ByName(members.As(t.Context(), v), tx, "ADA")
			if found := err == nil; found != tt.seen[i] || err != nil && !errors.Is(err, pg.ErrNotFound) {
				t.Errorf("%s: found by %d: %t (%v), want %t", tt.set, v, found, err, tt.seen[i])
			}
			var said bool
			if err := tx.Raw(`SELECT visible_to(@v, id, audience) FROM members WHERE id = @id`, pg.Named("v", v, "id", ada.ID)).Row().Scan(&said); err != nil {
				t.Fatal(err)
			}
			if said != tt.seen[i] || err == nil && !v.Sees(m.ID, m.Audience) {
				t.Errorf("%s: visible_to %d: %t, want %t", tt.set, v, said, tt.seen[i])
			}
		}
	}
	if v := members.Asking(t.Context()); v != members.Everything {
		t.Errorf("the program asks as %d", v)
	}
	if field := modelstest.Field(t, members.SetVisibility(t.Context(), tx, ada.ID, "nobody", false)); field != "seen_by" {
		t.Errorf("field %q", field)
	}
}

// A clause that is inlined lets indexes be used: no function is called for each row.
func TestVisibleToIsInlined(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	var plan string
	if err := tx.Raw(`EXPLAIN (FORMAT JSON) SELECT id FROM members WHERE visible_to(7, id, audience)`).Row().Scan(&plan); err != nil {
		t.Fatal(err)
	}
	if want := "audience = 1"; !strings.Contains(plan, want) || strings.Contains(plan, "visible_to") {
		t.Errorf("the plan calls it, or lacks %q:\n%s", want, plan)
	}
}
