package db_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
)

func TestCleanUp(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	args := map[string]any{"id": m.ID, "now": modelstest.Noon, "past": modelstest.Noon.Add(-time.Second), "day": modelstest.Noon.AddDate(0, 0, -1), "pastday": modelstest.Noon.AddDate(0, 0, -1).Add(-time.Second),
		"month": modelstest.Noon.AddDate(0, -1, 0), "pastmonth": modelstest.Noon.AddDate(0, -1, -1), "quarter": modelstest.Noon.AddDate(0, 0, -90), "pastquarter": modelstest.Noon.AddDate(0, 0, -91),
		"week": modelstest.Noon.AddDate(0, 0, -7), "pastweek": modelstest.Noon.AddDate(0, 0, -8)}
	for _, stmt := range []string{
		`INSERT INTO sessions VALUES ('kept', '', @now), ('gone', '', @past)`,
		`INSERT INTO invitations (hash, created_by, created_at, expires_at, used_at) VALUES ('kept', @id, @now, @month, NULL), ('kept, used', @id, @now, @pastmonth, @past), ('gone', @id, @now, @pastmonth, NULL)`,
		`INSERT INTO limits VALUES ('kept', 0, @day), ('gone', 0, @pastday)`,
		`INSERT INTO site_hours VALUES ('kept', @quarter, 'ok', 1, 1, 1, @now, @now, ''), ('old', @pastquarter, 'ok', 1, 1, 1, @now, @now, ''),
			('old', CAST(@pastquarter AS timestamptz) - interval '5 hours', 'ok', 1, 3, 1, @now, @now, ''), ('old', @pastquarter, 'blocked', 1, 8, 1, @now, @now, 'no')`,
		`INSERT INTO post_polls (network, host, at, asked, found, missing, outcome, took_ms) VALUES ('kept', '', @week, 1, 1, 0, 'ok', 1), ('gone', '', @pastweek, 1, 1, 0, 'ok', 1)`,
	} {
		if err := tx.Exec(stmt, args).Error; err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // A second time changes nothing.
		if err := pg.CleanUp(t.Context(), tx, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		for table, want := range map[string]string{"sessions": "kept", "invitations": "kept kept, used", "limits": "kept", "site_hours": "kept ok 1 old blocked 8 old ok 4", "post_polls": "kept"} {
			var got string
			key := map[string]string{"sessions": "token", "invitations": "convert_from(hash, 'UTF8')", "limits": "key", "site_hours": "concat_ws(' ', site, outcome, requests)", "post_polls": "network"}[table]
			if err := tx.Raw("SELECT string_agg(" + key + ", ' ' ORDER BY 1) FROM " + table).Scan(&got).Error; err != nil || got != want {
				t.Errorf("%s: %q (%v), want %q", table, got, err, want)
			}
		}
	}
	var handle string
	if err := tx.Raw("SELECT handle FROM account_details").Scan(&handle).Error; err != nil || handle != "x" {
		t.Error("an account was cleaned away")
	}
}
