package events_test

import (
	"errors"
	"fmt"
	"testing"

	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/modelstest"
)

func TestAPausedSourceLosesNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(threePhotos)
	w.Sends(modelstest.Item("photo", "p0", 1, "active", 0, nil))
	if s, err := events.Pause(t.Context(), w.DB, "photo", true, w.Now); err != nil || s.PausedAt == nil || s.Handled != 1 || s.Waiting != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range 5 {
		w.Sends(modelstest.Item("photo", fmt.Sprint("p", i), 2, "active", i, nil))
	}
	w.Wants("ada", "three", "1 of 3, 1 since 12:00")
	if s := w.Source("photo"); s.Waiting != 5 || s.Handled != 1 || s.HandledAt == nil || s.Dead != 0 {
		t.Errorf("%+v, want 5 that wait", s)
	}
	if s, err := events.Pause(t.Context(), w.DB, "photo", false, w.Now); err != nil || s.PausedAt != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	w.Works()
	w.Wants("ada", "three", "3 of 3, 1 since 12:00, 2 since 12:02")
	if s := w.Source("photo"); s.Waiting != 0 || s.Handled != 6 {
		t.Errorf("%+v, want all handled", s)
	}
	if _, err := events.Pause(t.Context(), w.DB, "nothing", true, w.Now); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("an unknown source: %v", err)
	}
}
