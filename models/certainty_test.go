package models_test

import (
	"testing"
	"time"

	"laurel/models"
	"laurel/models/archive"
)

func TestClassOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 6, 12, 0, 0, 0, time.UTC)
	before, after := at.Add(-time.Hour), at.Add(time.Hour)
	ended := func(reason string) *archive.Snapshot {
		return &archive.Snapshot{ValidFrom: before.Add(-time.Hour), ValidUntil: &before, EndReason: reason}
	}
	for _, tt := range []struct {
		name          string
		valid, before *archive.Snapshot
		want          models.Class
	}{
		{"nothing was ever seen", nil, nil, models.ClassNever},
		{"seen at this instant", &archive.Snapshot{SeenBefore: &at}, nil, models.ClassKnown},
		{"seen at this instant, and after", &archive.Snapshot{SeenBefore: &at, SeenAfter: &after}, ended(archive.Changed), models.ClassKnown},
		{"seen on both sides", &archive.Snapshot{SeenBefore: &before, SeenAfter: &after}, nil, models.ClassConfirmed},
		{"seen on both sides, and ended since", &archive.Snapshot{SeenBefore: &before, SeenAfter: &after, ValidUntil: new(after.Add(time.Hour))}, nil, models.ClassConfirmed},
		{"another at the next look", &archive.Snapshot{SeenBefore: &before, ValidUntil: &after, EndReason: archive.Changed}, nil, models.ClassLastKnown},
		{"not seen since", &archive.Snapshot{SeenBefore: &before}, ended(archive.Changed), models.ClassOpen},
		{"another has its place", nil, ended(archive.Displaced), models.ClassDisplaced},
		{"the list is without it", nil, ended(archive.Removed), models.ClassRemoved},
		{"the source is no more", nil, ended(archive.SourceGone), models.ClassRemoved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := models.ClassOf(tt.valid, tt.before, at); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
