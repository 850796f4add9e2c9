package retrieval_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/submissions"
)

// Ratings are not dropped because the database is slow: the retrieval ends with nothing stored, and
// the next one reads everything again.
func TestFactsComeBackAfterASlowDatabase(t *testing.T) {
	t.Parallel()
	var w *world
	site := &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
		return []sites.Submission{made("1", w.Now())}, nil
	}, ratings: func(sites.Account) ([]sites.Rating, error) {
		return []sites.Rating{{Contest: "r1", Name: "Round 1", Rank: 1, Rating: 1500, At: modelstest.Noon}}, nil
	}}
	w, people := newFake(t, site, "ada")
	m := people["ada"]
	const slow = `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END $$;
		CREATE TRIGGER slow BEFORE INSERT ON ratings EXECUTE FUNCTION slow()`
	if err := w.DB.Exec(slow).Error; err != nil {
		t.Fatal(err)
	}
	if err := w.RetrieveDue(t.Context(), site); err == nil {
		t.Error("a retrieval that could not be stored ended without an error")
	}
	if a := w.account(t, m.ID, "fake"); a.RatingsAt != nil || a.LastRetrievedAt != nil {
		t.Errorf("something was stored: %+v", a)
	}
	if err := w.DB.Exec(`DROP TRIGGER slow ON ratings`).Error; err != nil {
		t.Fatal(err)
	}
	w.clock.Pass(time.Hour)
	w.round(t)
	var ratings []submissions.RatingFound
	if err := w.DB.Raw(`SELECT contest, rating FROM ratings`).Scan(&ratings).Error; err != nil || len(ratings) != 1 {
		t.Errorf("ratings: %+v (%v)", ratings, err)
	}
	if a := w.account(t, m.ID, "fake"); a.Outcome != pg.OutcomeOK || a.State != members.StateActive {
		t.Errorf("the account: %+v", a)
	}
}

// A page that the database cannot store now says nothing about the site: what was read before stays, no
// failure is counted, and the next retrieval stores it. What passes at once is not noticed.
func TestAPageThatASlowDatabaseRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, code, times string
		stored            bool // By the first retrieval.
	}{
		{"cancelled for ever", "57014", "1000", false}, {"no lock for ever", "55P03", "1000", false}, {"deadlocks for ever", "40P01", "1000", false},
		{"a deadlock", "40P01", "1", true}, {"three time limits", "57014", "3", true}, {"no room for a while", "53100", "2", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var w *world
			site := &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
				return []sites.Submission{made("1", w.Now().Add(-time.Hour))}, nil
			}}
			w, people := newFake(t, site, "ada", "bob", "carl")
			for _, stmt := range []string{`CREATE SEQUENCE refused`,
				`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
					IF nextval('refused') <= ` + tt.times + ` THEN RAISE EXCEPTION 'not now' USING ERRCODE = '` + tt.code + `'; END IF; RETURN NEW; END $$`,
				`CREATE TRIGGER refuse BEFORE INSERT ON submissions FOR EACH ROW EXECUTE FUNCTION refuse()`} {
				if err := w.DB.Exec(stmt).Error; err != nil {
					t.Fatal(err)
				}
			}
			var failed error
			for range people { // An error ends a pass; the next tick goes on.
				failed = errors.Join(failed, w.RetrieveDue(t.Context(), site))
			}
			if (failed == nil) != tt.stored {
				t.Errorf("retrieving: %v", failed)
			}
			for name, m := range people {
				a := w.account(t, m.ID, "fake")
				if tt.stored != (a.Outcome == pg.OutcomeOK) || !tt.stored && (a.Outcome != "" || a.Failures != 0 || a.LeasedUntil == nil) {
					t.Errorf("%s: outcome %q (%s), %d failures, leased until %v", name, a.Outcome, a.Message, a.Failures, a.LeasedUntil)
				}
			}
			if err := w.DB.Exec(`DROP TRIGGER refuse ON submissions`).Error; err != nil {
				t.Fatal(err)
			}
			w.clock.Pass(time.Hour)
			w.round(t)
			for name, m := range people {
				if a := w.account(t, m.ID, "fake"); a.Outcome != pg.OutcomeOK || a.Submissions != 1 || a.State != members.StateActive {
					t.Errorf("%s: outcome %q (%s), %d rows", name, a.Outcome, a.Message, a.Submissions)
				}
			}
			var opened int
			if err := w.DB.Raw(`SELECT count(*) FROM site_circuits WHERE state <> 'closed'`).Scan(&opened).Error; err != nil || opened != 0 {
				t.Errorf("%d circuits are open (%v)", opened, err)
			}
		})
	}
}
