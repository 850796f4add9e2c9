package awards_test

import (
	"strings"
	"testing"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/modelstest"
)

// huge is an event with nearly all that a counter holds.
func huge(id string) rules.Event {
	return modelstest.Item("navi", id, 1, "active", 0, rules.Facts{"metres": rules.Units(9_000_000_000_000)})
}

const endless = `{"slug":"endless","title":"E","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["navi"]}}],"rule":{"name":"SumRule","config":{"fact":"metres","max_per_event":9000000000000}}}],
	"strategy":{"objective_id":"o","goal":9000000000000}}`

// What cannot be counted is put aside with the reason, whatever comes with it,
// and is counted when there is room.
func TestEventsThatCannotBeCounted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(endless)
	w.Sends(huge("a"), huge("b"), huge("c"), modelstest.Item("navi", "d", 1, "active", 0, rules.Facts{"metres": rules.Units(1)}))
	w.Wants("ada", "endless", "9000000000000 of 9000000000000, 1 since 12:00")
	dead, err := events.DeadEventsBefore(t.Context(), w.DB, "", 0, 10)
	if err != nil || len(dead) != 2 || dead[0].EventID != "c.1" || !strings.Contains(dead[0].Reason, "range") && !strings.Contains(dead[0].Reason, "too large") {
		t.Fatalf("put aside, %v: %+v", err, dead)
	}
	w.Sends(modelstest.Item("navi", "a", 2, "deleted", 0, nil))
	if n, err := awards.ReplayDead(t.Context(), w.DB, dead[1].ID, w.Now); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	w.Works()
	w.Wants("ada", "endless", "9000000000000 of 9000000000000, 1 since 12:00")
	if dead, err := events.DeadEventsBefore(t.Context(), w.DB, "", 0, 10); err != nil || len(dead) != 1 {
		t.Errorf("put aside %+v, %v; want the one that has no room", dead, err)
	}
}

// One member's items do not keep an award from being counted for the others.
func TestARecountOfWhatCannotBeCounted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace")
	other := huge("x")
	other.Member = "grace"
	w.Sends(huge("a"), huge("b"), huge("c"), other)
	w.Runs(endless)
	w.Works()
	w.Wants("grace", "endless", "9000000000000 of 9000000000000, 1 since 12:00")
	var failed int
	if err := w.DB.Raw(`SELECT failed FROM award_recounts WHERE finished_at IS NOT NULL`).Scan(&failed).Error; err != nil || failed != 1 {
		t.Errorf("the recount failed for %d members, %v; want 1", failed, err)
	}
	w.Sends(modelstest.Item("navi", "a", 2, "deleted", 0, nil))
	if err := awards.Delete(t.Context(), w.DB, "endless"); err == nil {
		t.Error("an award that somebody has was deleted")
	}
}
