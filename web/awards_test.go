package main

import (
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

// A counter that somebody else has changed is found.
func TestAwardsCheck(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	m := modelstest.Member(t, db.DB, "ada", map[string]string{"codeforces": "ada"}, modelstest.Noon)
	err := db.Exec(`
		WITH p AS (INSERT INTO problems (site, key, url) VALUES ('codeforces', '1A', '') RETURNING id)
		INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
		SELECT a.id, a.member_id, a.site, '1', p.id, 'AC', 'OK', 'Go', @now, '', @now FROM accounts a, p WHERE a.member_id = @id`,
		map[string]any{"now": modelstest.Noon, "id": m.ID}).Error
	if err != nil {
		t.Fatal(err)
	}
	doc := rules.Starter()[0]
	if _, err := awards.Save(t.Context(), db.DB, doc, awards.Edit{Author: "root", Basis: -1}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := awards.Activate(t.Context(), db.DB, doc.Slug, 0, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	scheme := new(awards.Ruleset)
	for counted := false; !counted && t.Context().Err() == nil; {
		for _, work := range []func() error{
			func() error {
				_, err := awards.RecountPending(t.Context(), db.DB, scheme, 10, modelstest.Noon)
				return err
			},
			func() error {
				_, err := awards.Apply(t.Context(), db.DB, scheme, 10, modelstest.Noon)
				return err
			},
			func() error {
				_, err := awards.Evaluate(t.Context(), db.DB, scheme, 10, modelstest.Noon)
				return err
			},
			func() error { return db.Raw(`SELECT count(*) > 0 FROM user_awards`).Scan(&counted).Error },
		} {
			if err := work(); err != nil {
				t.Fatal(err)
			}
		}
		<-time.After(time.Millisecond)
	}
	var out strings.Builder
	if err := checkAwards(t.Context(), db, &out, modelstest.Noon); err != nil || out.String() != "1 members and 1 items recounted, 0 differences\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := db.Exec(`UPDATE objective_counters SET amount = 3000000`).Error; err != nil {
		t.Fatal(err)
	}
	out.Reset()
	err = checkAwards(t.Context(), db, &out, modelstest.Noon)
	if err == nil || !strings.Contains(out.String(), "ada: counter active of objective accepted of award first-accepted is 3 and should be 1\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
	mend := func(yes bool, want string) {
		t.Helper()
		out.Reset()
		if err := mendAwards(t.Context(), db, &out, yes, modelstest.Noon); err != nil || !strings.HasSuffix(out.String(), want) {
			t.Errorf("%q, %v; want %q", out.String(), err, want)
		}
	}
	mend(false, "1 member mended\n")
	mend(false, "0 members mended\n")
	if err := db.Exec(`INSERT INTO award_grants (award_id, member_id, period, level, award_version, granted_at, found_at)
		SELECT id, 1, 'forged', 1, 1, now(), now() FROM awards LIMIT 1`).Error; err != nil {
		t.Fatal(err)
	}
	mend(false, "0 members mended; left as is, because a grant would go: 1 member (--mend --yes mends them, too)\n")
	mend(true, "1 member mended\n")
	mend(true, "0 members mended\n")
}
