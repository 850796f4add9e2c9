package history_test

import (
	"testing"
	"time"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/history"
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
		want          history.Certainty
	}{
		{"nothing was ever seen", nil, nil, history.ClassNever},
		{"seen at this instant", &archive.Snapshot{SeenBefore: &at}, nil, history.ClassKnown},
		{"seen at this instant, and after", &archive.Snapshot{SeenBefore: &at, SeenAfter: &after}, ended(shards.Changed), history.ClassKnown},
		{"seen on both sides", &archive.Snapshot{SeenBefore: &before, SeenAfter: &after}, nil, history.ClassConfirmed},
		{"seen on both sides, and ended since", &archive.Snapshot{SeenBefore: &before, SeenAfter: &after, ValidUntil: new(after.Add(time.Hour))}, nil, history.ClassConfirmed},
		{"another at the next fetch", &archive.Snapshot{SeenBefore: &before, ValidUntil: &after, EndReason: shards.Changed}, nil, history.ClassLastKnown},
		{"not seen since", &archive.Snapshot{SeenBefore: &before}, ended(shards.Changed), history.ClassOpen},
		{"another has its place", nil, ended(shards.Displaced), history.ClassDisplaced},
		{"the list is without it", nil, ended(shards.Removed), history.ClassRemoved},
		{"the source is no more", nil, ended(shards.SourceGone), history.ClassRemoved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := history.CertaintyOf(tt.valid, tt.before, at); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
