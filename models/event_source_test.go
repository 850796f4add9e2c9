package models_test

import (
	"errors"
	"fmt"
	"testing"

	"laurel/models"
	pg "laurel/models/db"
)

func (w *awardWorld) source(name string) models.EventSource {
	w.Helper()
	list, err := models.EventSources(w.Context(), w.db, name)
	if err != nil || len(list) != 1 {
		w.Fatalf("sources %+v, %v", list, err)
	}
	return list[0]
}

func TestAPausedSourceLosesNothing(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(threePhotos)
	w.sends(item("photo", "p0", 1, "active", 0, nil))
	if s, err := models.PauseSource(t.Context(), w.db, "photo", true, w.now); err != nil || s.PausedAt == nil || s.Handled != 1 || s.Waiting != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range 5 {
		w.sends(item("photo", fmt.Sprint("p", i), 2, "active", i, nil))
	}
	w.wants("ada", "three", "1 of 3, 1 since 12:00")
	if s := w.source("photo"); s.Waiting != 5 || s.Handled != 1 || s.HandledAt == nil || s.Dead != 0 {
		t.Errorf("%+v, want 5 that wait", s)
	}
	if s, err := models.PauseSource(t.Context(), w.db, "photo", false, w.now); err != nil || s.PausedAt != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	w.works()
	w.wants("ada", "three", "3 of 3, 1 since 12:00, 2 since 12:02")
	if s := w.source("photo"); s.Waiting != 0 || s.Handled != 6 {
		t.Errorf("%+v, want all handled", s)
	}
	if _, err := models.PauseSource(t.Context(), w.db, "nothing", true, w.now); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("an unknown source: %v", err)
	}
}
