package modelstest

import (
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/notices"
)

// Heard lets out the notices that are due, and returns what a member reads.
func Heard(t testing.TB, db *gorm.DB, memberID int64, now time.Time) (sentences []string) {
	t.Helper()
	if _, err := notices.Settle(t.Context(), db, notices.Ways{}, 100, now); err != nil {
		t.Fatal(err)
	}
	lines, _, err := notices.Of(t.Context(), db, memberID, pg.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		sentences = append(sentences, l.Sentence())
	}
	return sentences
}
