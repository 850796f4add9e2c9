// Package modelstest gives tests a real PostgreSQL with Laurel's tables.
//
// Every test sees an empty, migrated database that no other test touches: Tx is
// a transaction that is rolled back, DB and URL are databases that are dropped.
// One server serves all test processes at once; it forgets on a power cut and
// is therefore fast. It stays when the tests end, for go test does not say which
// process is the last, and the next run adopts it within milliseconds. It can
// be thrown away at any time: remove its directory and it stops by itself.
//
// LAUREL_TEST_DATABASE_URL names another server to make the databases on.
package modelstest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
)

// Tx returns a transaction on a migrated database, rolled back when the test
// ends. It costs about a millisecond.
//
// The database is nobody else's meanwhile: on a common one, two tests that add
// the same name would wait for each other, and sometimes for ever.
func Tx(t testing.TB) *gorm.DB {
	t.Helper()
	sl := the(t).takeSlot(t)
	tx := sl.db.DB.Begin() // Not with t's context: it ends before the cleanup.
	if tx.Error != nil {
		t.Fatal("modelstest: ", tx.Error)
	}
	t.Cleanup(func() {
		err := tx.Rollback().Error
		the(t).giveSlot(sl, err == nil)
		if err != nil {
			t.Errorf("modelstest: the transaction was ended by the test: %v", err)
		}
	})
	return tx
}

// DB returns a database of the test's own, for what needs two connections that
// meet. It is dropped when the test ends.
func DB(t testing.TB) *gorm.DB {
	t.Helper()
	return Open(t).DB
}

// Open is DB with its pgx pool, for LISTEN and for libraries that want one.
func Open(t testing.TB) *models.DB {
	t.Helper()
	db, err := models.Open(context.Background(), URL(t), 8)
	if err != nil {
		t.Fatal("modelstest: ", err)
	}
	t.Cleanup(db.Close)
	return db
}

// URL returns the address of a database of the test's own, for real processes.
// It is dropped when the test ends, with whatever is still connected to it.
func URL(t testing.TB) string {
	t.Helper()
	s := the(t)
	name := s.newName()
	if err := s.create(name); err != nil {
		t.Fatal("modelstest: ", err)
	}
	t.Cleanup(func() {
		if err := s.drop(name); err != nil {
			t.Error("modelstest: ", err)
		}
	})
	return s.url(name)
}

var open = sync.OnceValues(func() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return openServer(ctx)
})

// the returns this process's share in the server.
func the(t testing.TB) *server {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal("modelstest: ", err)
	}
	return s
}

// dir is where the server of this user's tests lives. Not in the home directory:
// HOME may be unset, and root's cannot be entered by PostgreSQL's user.
func dir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("laurel-test-%d", os.Geteuid()))
}
