package awards_test

import (
	"strings"
	"testing"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/modelstest"
)

// An award with a window can be saved and activated, and stays as it was written.
func TestAnAwardWithAWindow(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(strings.Replace(counting("a", `{"name":"SourceFilter","config":{"sources":["photo"]}}`, `{"name":"CountRule"}`), `"permanence"`, `"window":{"from":"2026-11-21","until":"2026-11-22"},"permanence"`, 1))
	w.Sends(modelstest.Item("photo", "p", 1, "active", 0, nil), modelstest.Item("photo", "q", 1, "active", 24*60, nil))
	w.Wants("ada", "a", "1 of 100")
}

// What was taken by hand is not given back by a higher level.
func TestARevokedLevelBarsThoseAbove(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photos(3, `,"levels":[{"title":"One","goal":1},{"title":"Two","goal":2},{"title":"Three","goal":3}]`))
	w.Sends(modelstest.Item("photo", "a", 1, "active", 1, nil))
	if err := w.DB.Exec(`UPDATE award_grants SET revoked_at = ?, locked = true`, w.Now).Error; err != nil {
		t.Fatal(err)
	}
	w.Sends(modelstest.Item("photo", "b", 1, "active", 2, nil), modelstest.Item("photo", "c", 1, "active", 3, nil))
	w.Wants("ada", "photos", "3 of 3, 1 lost, was since 12:01")
}

// The nightly count sees an award that is missing altogether.
func TestTheCheckSeesWhatIsMissing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photos(3, ``))
	w.Sends(modelstest.Item("photo", "a", 1, "active", 1, nil))
	if err := w.DB.Exec(`DELETE FROM user_awards`).Error; err != nil {
		t.Fatal(err)
	}
	found := 0
	for done := false; !done; {
		var c awards.CheckResult
		var err error
		if c, done, err = awards.CheckNext(t.Context(), w.DB, w.Now); err != nil {
			t.Fatal(err)
		}
		found += len(c.Differences)
	}
	if found != 1 {
		t.Errorf("%d differences, want the one", found)
	}
}

// An award that could not be read for a while is recounted.
func TestAnAwardThatWasStopped(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photos(10, ``))
	w.Sends(modelstest.Item("photo", "a", 1, "active", 1, nil), modelstest.Item("photo", "b", 1, "active", 1, nil))
	name := func(from, to string) {
		t.Helper()
		for _, stmt := range []string{`UPDATE award_versions SET document = CAST(replace(CAST(document AS text), '` + from + `', '` + to + `') AS jsonb)`, `UPDATE award_ruleset SET generation = generation + 1`} {
			if err := w.DB.Exec(stmt).Error; err != nil {
				t.Fatal(err)
			}
		}
	}
	name("SourceFilter", "NewerFilter")
	w.Sends(modelstest.Item("photo", "a", 2, "blocked", 2, nil), modelstest.Item("photo", "b", 2, "active", 2, nil), modelstest.Item("photo", "c", 1, "active", 2, nil))
	if err := awards.ResumeStopped(t.Context(), w.DB, w.Now); err != nil {
		t.Fatal(err)
	}
	name("NewerFilter", "SourceFilter")
	if err := awards.ResumeStopped(t.Context(), w.DB, w.Now); err != nil {
		t.Fatal(err)
	}
	w.Works()
	w.Wants("ada", "photos", "2 of 10")
}

// One sender cannot make sources without end.
func TestSourcesAtMost(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	var list []rules.Event
	for i := range 201 {
		e := modelstest.Item("photo", "a", 1, "active", 1, nil)
		e.Source = "s" + strings.Repeat("x", i%50) + string(rune('a'+i/50))
		list = append(list, e)
	}
	if _, err := events.Append(t.Context(), w.DB, list, w.Now); err == nil || !strings.Contains(err.Error(), "limit of 200 sources") {
		t.Errorf("201 sources: %v", err)
	}
}
