package db_test

import (
	"strings"
	"testing"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// A session that sleeps in a transaction holds up nobody for long: here what waits
// for its lock would wait for ever.
func TestSleepersInTransactionsAreEnded(t *testing.T) {
	t.Parallel()
	address := modelstest.URL(t)
	if !strings.Contains(address, "://") {
		t.Skip("the test database's address is no URL")
	}
	mark := "?"
	if strings.Contains(address, "?") {
		mark = "&"
	}
	asleep, err := pg.Open(t.Context(), address+mark+"idle_in_transaction_session_timeout=50", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer asleep.Close()
	awake, err := pg.Open(t.Context(), address, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer awake.Close()
	const lock = `SELECT pg_advisory_lock(1, 1)`
	err = asleep.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(lock).Error; err != nil {
			t.Fatal(err)
		}
		if err := awake.Exec(lock).Error; err != nil {
			t.Fatal(err)
		}
		return tx.Exec(`SELECT 1`).Error
	})
	if err == nil {
		t.Error("the session that slept goes on")
	}
	var shown string
	if err := awake.Raw(`SHOW idle_in_transaction_session_timeout`).Row().Scan(&shown); err != nil || shown != "30s" {
		t.Errorf("sessions may sleep for %s, %v", shown, err)
	}
}
