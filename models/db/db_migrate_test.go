package db_test

import (
	"strings"
	"testing"

	"laurel/migrations"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

func TestMigrateRefusesForeignVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		versions string // That the database says it has run.
		want     string // In the message; "" is none.
	}{
		{"the newest", `SELECT version_id AS version FROM goose_db_version`, ""},
		{"before the first release", `SELECT generate_series(1, 35) AS version`, "start with an empty database"},
		{"the newest before the first release", `SELECT 100 AS version`, "start with an empty database"},
		{"of a newer program", `SELECT 9999 AS version`, "newer than this program"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := modelstest.Open(t)
			err := db.Exec(`
				CREATE TEMP TABLE versions AS ` + tt.versions + `;
				DELETE FROM goose_db_version WHERE version_id > 0;
				INSERT INTO goose_db_version (version_id, is_applied) SELECT version, true FROM versions WHERE version > 0`).Error
			if err != nil {
				t.Fatal(err)
			}
			switch err := pg.Migrate(t.Context(), db, migrations.FS); {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error is %v, want one that says %q", err, tt.want)
			}
		})
	}
}
