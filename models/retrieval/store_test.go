package retrieval_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestStorePage(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	d := modelstest.Claim(t, tx, "judge", noon)
	old := noon.AddDate(0, 0, -9)
	steps := []struct {
		name  string
		rows  []retrieval.Found
		want  retrieval.Stored
		dirty *time.Time // From when on the sums are stale.
	}{
		{"nothing", nil, retrieval.Stored{}, nil},
		{"two new ones", []retrieval.Found{found("1", noon, "PENDING"), found("2", noon.Add(-time.Hour), "WA")}, retrieval.Stored{Inserted: 2}, ptr(noon.Add(-time.Hour))},
		{"the same again", []retrieval.Found{found("1", noon, "PENDING"), found("2", noon.Add(-time.Hour), "WA")}, retrieval.Stored{}, nil},
		{"judged", []retrieval.Found{found("1", noon, "AC"), found("2", noon.Add(-time.Hour), "WA")}, retrieval.Stored{Revised: 1}, &noon},
		{"twice in a page", []retrieval.Found{found("3", noon, "AC"), found("3", noon, "PENDING"), found("3", noon, "AC")}, retrieval.Stored{Inserted: 1}, &noon},
		{"pending first", []retrieval.Found{found("4", noon, "PENDING"), found("4", noon, "AC")}, retrieval.Stored{Inserted: 1}, &noon},
		{"moved back", []retrieval.Found{found("2", old, "WA")}, retrieval.Stored{Revised: 1}, &old},
		{"moved forth", []retrieval.Found{found("2", noon, "WA")}, retrieval.Stored{Revised: 1}, &old},
	}
	inserted := 0
	for i, tt := range steps {
		if err := tx.Exec(`UPDATE account_stats SET pending_from = NULL`).Error; err != nil {
			t.Fatal(err)
		}
		now := noon.Add(time.Duration(i) * time.Minute)
		if got := modelstest.StorePage(t, tx, d, now, tt.rows...); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
		inserted += tt.want.Inserted
		a := modelstest.AccountOn(t, tx, m.ID, "judge")
		if !equal(a.PendingFrom, tt.dirty) || a.NewRows != inserted || a.Page != 2 || !equal(a.LeasedUntil, ptr(now.Add(modelstest.Lease.For))) {
			t.Errorf("%s: sums are stale from %v, want %v; %d new, want %d; page %d, leased until %s", tt.name, a.PendingFrom, tt.dirty, a.NewRows, inserted, a.Page, a.LeasedUntil)
		}
	}
	rows := modelstest.Stored(t, tx, m.ID)
	if len(rows) != 4 || rows["1"].Status != "AC" || rows["3"].Status != "AC" || rows["4"].Status != "AC" || !rows["2"].SubmittedAt.Equal(noon) {
		t.Errorf("stored %+v", rows)
	}
	var revised int
	if err := tx.Raw(`SELECT count(*) FROM submissions WHERE revised_at IS NOT NULL AND first_seen_at < revised_at`).Scan(&revised).Error; err != nil || revised != 2 {
		t.Errorf("%d rows say when they were revised, want 2", revised)
	}
}

// Whatever field a site changes, the row follows, also to and from nothing.
func TestStorePageRevises(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	d := modelstest.Claim(t, tx, "judge", noon)
	f := found("1", noon, "WA")
	modelstest.StorePage(t, tx, d, noon, f)
	for name, change := range map[string]func(){
		"status": func() { f.Status = "OTH" }, "verdict": func() { f.Verdict = "BAD" }, "language": func() { f.Language = "C" }, "url": func() { f.URL = "https://x/" },
		"points": func() { f.Points = ptr(0.5) }, "time": func() { f.At = f.At.Add(-time.Microsecond) }, "problem": func() { f.ProblemKey = "other" },
	} {
		change()
		if got := modelstest.StorePage(t, tx, d, noon, f); got.Revised != 1 || got.Inserted != 0 {
			t.Errorf("another %s: %+v", name, got)
		}
		if got := modelstest.StorePage(t, tx, d, noon, f); got.Revised != 0 {
			t.Errorf("the same %s again: %+v", name, got)
		}
	}
	f.Points = nil
	if got := modelstest.StorePage(t, tx, d, noon, f); got.Revised != 1 {
		t.Errorf("points taken back: %+v", got)
	}
	f.At = f.At.Add(300 * time.Nanosecond) // Less than PostgreSQL stores.
	if got := modelstest.StorePage(t, tx, d, noon, f); got.Revised != 0 {
		t.Errorf("a fraction of a microsecond: %+v", got)
	}
	if got := modelstest.Stored(t, tx, m.ID)["1"]; got.ProblemKey != "other" || got.Verdict != "BAD" || got.Points != nil {
		t.Errorf("stored %+v", got)
	}
}

// Whoever lost the lease stores nothing at all: no row, no problem, no page.
func TestStorePageWithoutLease(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]string{
		"taken over": `UPDATE account_schedule SET lease_id = 'other'`, "paused": `UPDATE account_schedule SET lease_id = '', leased_until = NULL, state = 'paused'`,
		"removed": `DELETE FROM accounts`, "its member is deleted": `DELETE FROM members`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
			d := modelstest.Claim(t, tx, "judge", noon)
			if err := tx.Exec(lose).Error; err != nil {
				t.Fatal(err)
			}
			_, err := retrieval.StorePage(t.Context(), tx, &d.Account, retrieval.Page{Rows: []retrieval.Found{found("1", noon, "AC")}, Next: 2, Lease: time.Minute}, noon)
			if !errors.Is(err, pg.ErrLeaseLost) {
				t.Errorf("store: got %v, want ErrLeaseLost", err)
			}
			err = retrieval.Finish(t.Context(), tx, d, retrieval.Result{Outcome: pg.OutcomeOK, RatingsRead: true}, modelstest.Rule, noon)
			if !errors.Is(err, pg.ErrLeaseLost) {
				t.Errorf("finish: got %v, want ErrLeaseLost", err)
			}
			for _, table := range []string{"submissions", "problems", "ratings", "days", "member_stats", "site_hours"} {
				var n int
				if err := tx.Table(table).Select("count(*)").Scan(&n).Error; err != nil || n > 0 {
					t.Errorf("%d rows of %s were stored (%v)", n, table, err)
				}
			}
		})
	}
}

// A problem's name may come later, from a list that has it; it is never taken away.
func TestStorePageNamesProblems(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	d := modelstest.Claim(t, tx, "judge", noon)
	for _, tt := range []struct{ given, want string }{{"", ""}, {"Watermelon", "Watermelon"}, {"", "Watermelon"}, {"Water Melon", "Water Melon"}} {
		f := found("1", noon, "AC")
		f.ProblemName = tt.given
		modelstest.StorePage(t, tx, d, noon, f)
		if got := modelstest.Stored(t, tx, m.ID)["1"].ProblemName; got != tt.want {
			t.Errorf("given %q it is named %q, want %q", tt.given, got, tt.want)
		}
	}
	one, two := found("2", noon, "AC"), found("3", noon, "AC") // One problem twice in a page, named once.
	one.ProblemKey, two.ProblemKey, one.ProblemName = "same", "same", ""
	modelstest.StorePage(t, tx, d, noon, one, two)
	if got := modelstest.Stored(t, tx, m.ID)["2"].ProblemName; got != two.ProblemName {
		t.Errorf("of no name and %q the page stored %q", two.ProblemName, got)
	}
}

// Text is stored as it came; what cannot be stored is left out, and no page is lost.
func TestStorePageHostileText(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	d := modelstest.Claim(t, tx, "judge", noon)
	texts := []string{
		`'; DROP TABLE submissions; --`, `"}]`, `\`, `\u0000`, `\\u0000`, "@rows ? $1 :now", "<script>alert(1)</script>", "\u202egnirts", "😀 ряд 日本", "\x01\x1f\u2028",
		strings.Repeat("long ", 20_000), "", " ", "NULL", "%_",
	}
	for i, text := range texts {
		f := found("1", noon.Add(time.Duration(i)*time.Second), "AC")
		f.Verdict, f.Language, f.ProblemName, f.URL = text, text, text, text
		modelstest.StorePage(t, tx, d, noon, f)
		got := modelstest.Stored(t, tx, m.ID)["1"]
		if got.Verdict != text || got.Language != text || got.URL != text || text != "" && got.ProblemName != text {
			t.Errorf("%.40q came back as %.40q %.40q %.40q %.40q", text, got.Verdict, got.Language, got.URL, got.ProblemName)
		}
	}
	f := found("n\x00ul", noon, "A\x00C")
	f.ProblemKey, f.Verdict, f.Language = "k\x00ey", "\x00", "bad \xff bytes"
	modelstest.StorePage(t, tx, d, noon, f)
	if got := modelstest.Stored(t, tx, m.ID)["nul"]; got.Status != "AC" || got.ProblemKey != "key" || got.Verdict != "" || got.Language != "bad \ufffd bytes" {
		t.Errorf("with what cannot be stored: %+v", got)
	}
	if len(f.Verdict) != 1 {
		t.Error("the caller's row was changed")
	}
}

// A team's submission belongs to each of its members, and one number to each site.
func TestStorePageSharesNumbers(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	ada := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x", "other": "x"}, noon)
	eve := modelstest.Member(t, tx, "eve", map[string]string{"third": "x"}, noon)
	if err := tx.Exec(`WITH a AS (UPDATE accounts SET site = 'judge' WHERE member_id = ? RETURNING id) UPDATE account_schedule s SET site = 'judge' FROM a WHERE s.account_id = a.id`, eve.ID).Error; err != nil {
		t.Fatal(err)
	}
	for _, site := range []string{"judge", "judge", "other"} {
		if got := modelstest.StorePage(t, tx, modelstest.Claim(t, tx, site, noon), noon, found("1", noon, "AC")); got.Inserted != 1 {
			t.Errorf("submission 1 on %s: %+v", site, got)
		}
	}
	for name, tt := range map[string]struct{ got, want int }{"ada": {len(modelstest.Stored(t, tx, ada.ID)), 1}, "eve": {len(modelstest.Stored(t, tx, eve.ID)), 1}} {
		if tt.got != tt.want {
			t.Errorf("%s has %d submission numbers, want %d", name, tt.got, tt.want)
		}
	}
	var problems int
	if err := tx.Raw(`SELECT count(*) FROM problems`).Scan(&problems).Error; err != nil || problems != 2 {
		t.Errorf("%d problems, want one on each site", problems)
	}
}
