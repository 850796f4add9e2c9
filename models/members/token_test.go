package members_test

import (
	"errors"
	"strings"
	"testing"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestToken(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := modelstest.Admin(t, tx)
	plain, err := members.CreateToken(ctx, tx, m.ID, "plotting", false, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	full, err := members.CreateToken(ctx, tx, m.ID, "backups", true, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain) != len("laurel_")+43 || !strings.HasPrefix(plain, "laurel_") || plain == full {
		t.Errorf("tokens %q and %q", plain, full)
	}
	for token, role := range map[string]string{plain: members.RoleMember, full: members.RoleAdmin} {
		if got, err := members.ByToken(ctx, tx, token); err != nil || got.ID != m.ID || got.Role != role {
			t.Errorf("token of %s as %s, error %v; want root as %s", got.Name, got.Role, err, role)
		}
	}
	for _, bad := range []string{"", "laurel_", full + "x", "a\x00", strings.ToLower(full)} {
		if _, err := members.ByToken(ctx, tx, bad); !errors.Is(err, pg.ErrNotFound) {
			t.Errorf("token %q: %v, want ErrNotFound", bad, err)
		}
	}
	if got := modelstest.Field(t, second(members.CreateToken(ctx, tx, m.ID, " \x00", false, modelstest.Noon))); got != "label" {
		t.Errorf("an empty label is a mistake in %q", got)
	}
	list, err := members.TokensOf(ctx, tx, m.ID)
	if err != nil || len(list) != 2 || list[0].Label != "backups" {
		t.Fatal(list, err)
	}
	if err := members.RevokeToken(ctx, tx, m.ID+1, list[0].ID); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("somebody else revokes: %v, want ErrNotFound", err)
	}
	if err := members.RevokeToken(ctx, tx, m.ID, list[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := members.ByToken(ctx, tx, full); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("a revoked token: %v, want ErrNotFound", err)
	}
}
