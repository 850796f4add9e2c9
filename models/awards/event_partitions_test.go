package awards_test

import (
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/modelstest"
)

func TestRollEvents(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	partitions := func() string {
		t.Helper()
		var names []string
		if err := w.DB.Raw(`SELECT relname FROM pg_class WHERE relname ~ '^events_([0-9]{8}|other)$' AND relkind = 'r' ORDER BY 1`).Scan(&names).Error; err != nil {
			t.Fatal(err)
		}
		return strings.Join(names, " ")
	}
	roll := func(day int, want string) {
		t.Helper()
		w.Now = modelstest.Noon.AddDate(0, 0, day)
		if err := events.Roll(t.Context(), w.DB, w.Now); err != nil {
			t.Fatal(err)
		}
		if got := partitions(); got != want {
			t.Errorf("on day %d: %s, want %s", day, got, want)
		}
	}
	left := func(want int) {
		t.Helper()
		var n int
		if err := w.DB.Raw(`SELECT count(*) FROM events`).Scan(&n).Error; err != nil || n != want {
			t.Errorf("%d events are on the bus, %v; want %d", n, err, want)
		}
	}
	w.Sends(modelstest.Item("photo", "a", 1, "active", 0, nil)) // Before there is any day.
	roll(0, "events_20261122 events_20261123 events_other")     // Of today there is something in the last one already.
	roll(1, "events_20261122 events_20261123 events_20261124 events_other")
	w.Sends(modelstest.Item("photo", "b", 1, "active", 0, nil))
	if _, err := events.Pause(t.Context(), w.DB, "reviews", true, w.Now); err == nil {
		t.Error("a source that nobody knows was paused")
	}
	w.Sends(modelstest.Item("reviews", "c", 1, "active", 0, nil))
	if _, err := events.Pause(t.Context(), w.DB, "reviews", true, w.Now); err != nil {
		t.Fatal(err)
	}
	if _, err := events.Append(t.Context(), w.DB, []rules.Event{modelstest.Item("reviews", "d", 1, "active", 0, nil)}, w.Now); err != nil {
		t.Fatal(err)
	}
	left(4)
	roll(9, "events_20261122 events_20261123 events_20261124 events_20261130 events_20261201 events_20261202 events_other") // One still waits in the oldest.
	left(3)
	if _, err := events.Pause(t.Context(), w.DB, "reviews", false, w.Now); err != nil {
		t.Fatal(err)
	}
	w.Works()
	roll(9, "events_20261123 events_20261124 events_20261130 events_20261201 events_20261202 events_other")
	left(0)
}

// A database that was restored elsewhere has transactions with smaller numbers
// than its events.
func TestTheBusAfterARestore(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(counting("photos", `{"name":"SourceFilter","config":{"sources":["photo"]}}`, `{"name":"CountRule"}`))
	w.Sends(modelstest.Item("photo", "a", 1, "active", 0, nil), modelstest.Item("photo", "b", 1, "active", 0, nil))
	if _, err := events.Append(t.Context(), w.DB, []rules.Event{modelstest.Item("photo", "c", 1, "active", 0, nil)}, w.Now); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{`UPDATE events SET txid = txid + 4000000000000`, `UPDATE event_positions SET txid = txid + 4000000000000 WHERE txid > 0`} {
		if err := w.DB.Exec(stmt).Error; err != nil {
			t.Fatal(err)
		}
	}
	if n, err := awards.Apply(t.Context(), w.DB, w.Ruleset, 100, w.Now); err != nil || n != 0 {
		t.Fatalf("%d events of the future were handled, %v", n, err)
	}
	if err := events.Roll(t.Context(), w.DB, w.Now); err != nil {
		t.Fatal(err)
	}
	w.Sends(modelstest.Item("photo", "d", 1, "active", 0, nil))
	w.Wants("ada", "photos", "4 of 100")
}

func TestCountersOfRetiredObjectivesAreCleared(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	for _, filter := range []string{"photo", "reviews"} {
		w.Runs(counting("a", `{"name":"SourceFilter","config":{"sources":["`+filter+`"]}}`, `{"name":"UniqueByObjectRule"}`))
		w.Sends(modelstest.Item("photo", "p", 1, "active", 0, nil), modelstest.Item("reviews", "r", 1, "active", 0, nil))
	}
	count := func(want int) {
		t.Helper()
		var n int
		if err := w.DB.Raw(`SELECT (SELECT count(*) FROM objective_cells) + (SELECT count(*) FROM objective_counters)`).Scan(&n).Error; err != nil || n != want {
			t.Errorf("%d rows, %v; want %d", n, err, want)
		}
	}
	count(4)
	for range 2 {
		if err := pg.CleanUp(t.Context(), w.DB, w.Now.Add(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
		count(2)
	}
	w.Wants("ada", "a", "1 of 100")
}

// Today's first event is on its way while its day is being made: the day is not
// made, and nothing is lost.
func TestRollEventsBesideTheFirstOfTheDay(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	late := w.DB.Begin()
	defer late.Rollback()
	if _, err := events.Append(t.Context(), late, []rules.Event{modelstest.Item("photo", "a", 1, "active", 0, nil)}, w.Now); err != nil {
		t.Fatal(err)
	}
	rolled := make(chan error, 1)
	go func() { rolled <- events.Roll(t.Context(), w.DB, w.Now) }()
	for waits := false; !waits && t.Context().Err() == nil; {
		if err := w.DB.Raw(`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := late.Commit().Error; err != nil {
		t.Fatal(err)
	}
	if err := <-rolled; err != nil {
		t.Fatal(err)
	}
	w.Runs(counting("photos", `{"name":"SourceFilter","config":{"sources":["photo"]}}`, `{"name":"CountRule"}`))
	w.Works()
	w.Wants("ada", "photos", "1 of 100")
}
