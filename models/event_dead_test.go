package models_test

import (
	"strings"
	"testing"

	"laurel/models"
	"laurel/models/awards/rules"
)

// huge is an event with nearly all that a counter holds.
func huge(id string) rules.Event {
	return item("navi", id, 1, "active", 0, rules.Facts{"metres": rules.Units(9_000_000_000_000)})
}

const endless = `{"slug":"endless","title":"E","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["navi"]}}],"rule":{"name":"SumRule","config":{"fact":"metres","max_per_event":9000000000000}}}],
	"strategy":{"objective_id":"o","goal":9000000000000}}`

// What cannot be counted is put aside with the reason, whatever comes with it,
// and is counted when there is room.
func TestEventsThatCannotBeCounted(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(endless)
	w.sends(huge("a"), huge("b"), huge("c"), item("navi", "d", 1, "active", 0, rules.Facts{"metres": rules.Units(1)}))
	w.wants("ada", "endless", "9000000000000 of 9000000000000, 1 since 12:00")
	dead, total, err := models.DeadEvents(t.Context(), w.db, 10)
	if err != nil || total != 2 || dead[0].EventID != "c.1" || !strings.Contains(dead[0].Reason, "range") && !strings.Contains(dead[0].Reason, "too large") {
		t.Fatalf("%d put aside, %v: %+v", total, err, dead)
	}
	w.sends(item("navi", "a", 2, "deleted", 0, nil))
	if n, err := models.ReplayDead(t.Context(), w.db, dead[1].ID, w.now); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	w.works()
	w.wants("ada", "endless", "9000000000000 of 9000000000000, 1 since 12:00")
	if _, total, err := models.DeadEvents(t.Context(), w.db, 10); err != nil || total != 1 {
		t.Errorf("%d put aside, %v; want the one that has no room", total, err)
	}
}

// One member's items do not keep an award from being counted for the others.
func TestARecountOfWhatCannotBeCounted(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada", "grace")
	other := huge("x")
	other.Member = "grace"
	w.sends(huge("a"), huge("b"), huge("c"), other)
	w.runs(endless)
	w.works()
	w.wants("grace", "endless", "9000000000000 of 9000000000000, 1 since 12:00")
	a, err := models.AwardNamed(t.Context(), w.db, "endless")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := models.RecountOf(t.Context(), w.db, a.ID); err != nil || r.Failed != 1 || r.FinishedAt == nil {
		t.Errorf("%+v, %v", r, err)
	}
	w.sends(item("navi", "a", 2, "deleted", 0, nil))
	if err := models.DeleteAward(t.Context(), w.db, "endless"); err == nil {
		t.Error("an award that somebody has was deleted")
	}
}
