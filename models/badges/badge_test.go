package badges

import (
	"testing"

	"laurel/models/badges/openbadge"
)

func TestShuffledGivesEveryPlaceOnce(t *testing.T) {
	t.Parallel()
	for _, key := range [][]byte{[]byte("a key of 16 byte")} {
		taken := make([]bool, openbadge.ListSize)
		near := 0
		for n := range openbadge.ListSize {
			place := shuffled(key, n)
			if place < 0 || place >= openbadge.ListSize || taken[place] {
				t.Fatalf("badge %d gets place %d, which is taken or is none", n, place)
			}
			taken[place] = true
			if n > 0 && max(place-shuffled(key, n-1), shuffled(key, n-1)-place) < openbadge.ListSize/64 {
				near++
			}
		}
		if part := float64(near) / openbadge.ListSize; part > 0.05 { // 1/32 by chance.
			t.Errorf("%.3f of all badges stand near the one before: the places tell their order", part)
		}
	}
}
