// Package modelstest gives tests a real PostgreSQL with Laurel's tables.
//
// Every test sees an empty, migrated database that no other test touches: Tx is
// a transaction that is rolled back, DB and URL are databases that are dropped.
// One server serves all test processes at once; it forgets on a power cut and
// is therefore fast. It stays when the tests end, for go test does not say which
// process is the last, and the next run adopts it within milliseconds. It can
// be thrown away at any time: remove its directory and it stops by itself.
//
// Benchmarks (LAUREL_BENCH) have a server of their own that forgets nothing, as
// users have it.
//
// LAUREL_TEST_DATABASE_URL names another server to make the databases on.
package modelstest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/localpg"
)

// Tx returns a transaction on a migrated database, rolled back when the test
// ends. It costs about a millisecond.
//
// The database is nobody else's meanwhile: on a common one, two tests that add
// the same name would wait for each other, and sometimes for ever.
func Tx(t testing.TB) *gorm.DB {
	t.Helper()
	s := the(t)
	sl := s.takeSlot(t)
	tx := sl.db.DB.Begin() // Not with t's context: it ends before the cleanup.
	if err := tx.Exec(mark).Error; err != nil {
		t.Fatal("modelstest: ", err)
	}
	t.Cleanup(func() {
		sl.stars.report(t)
		err := errors.Join(marked(tx), tx.Rollback().Error)
		s.giveSlot(sl, err == nil)
		if errors.Is(err, errEnded) || errors.Is(err, sql.ErrTxDone) {
			t.Error("modelstest: the test ended its transaction; use modelstest.DB where something is to be committed")
		}
	})
	return tx
}

// A transaction is marked by a setting that ends with it: a database in which
// something was committed must not be given to the next test.
const mark = "SET LOCAL laureltest.tx = 'open'"

var errEnded = errors.New("the transaction has ended")

func marked(tx *gorm.DB) error {
	var value string
	err := tx.Raw("SELECT coalesce(current_setting('laureltest.tx', true), '')").Scan(&value).Error
	if err == nil && value != "open" {
		return errEnded
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "25P02" {
		return nil // A statement failed, which only a rollback ends.
	}
	return err
}

// DB returns a database of the test's own, for what needs two connections that
// meet. It is dropped when the test ends.
func DB(t testing.TB) *gorm.DB {
	t.Helper()
	return Open(t).DB
}

// Open is DB with its pgx pool, for LISTEN and for libraries that want one.
func Open(t testing.TB) *pg.DB {
	t.Helper()
	stars := new(starReader)
	db, err := pg.Open(context.Background(), URL(t), 8, stars.trace)
	if err != nil {
		t.Fatal("modelstest: ", err)
	}
	t.Cleanup(func() {
		db.Close()
		stars.report(t)
	})
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

// measured reports whether benchmarks run. They have a server that forgets
// nothing on a power cut and the settings of the program, as users have them.
func measured() bool { return os.Getenv("LAUREL_BENCH") != "" }

// dir is where the server of this user's tests lives. Not in the home directory:
// HOME may be unset, and root's cannot be entered by PostgreSQL's user. A database
// is some 800 files, of which a file system on a disk makes heavy work, so they are
// in memory where there is enough.
func dir() string {
	name := fmt.Sprintf("laurel-test-%d", os.Geteuid())
	if measured() {
		return filepath.Join(os.TempDir(), name+"-durable")
	}
	const shm = "/dev/shm"
	if os.Getenv("TMPDIR") == "" && localpg.Memory() >= 8<<30 && room(shm) >= 4<<30 {
		return filepath.Join(shm, name)
	}
	return filepath.Join(os.TempDir(), name)
}

// room is how many bytes may be written to a directory; 0 where there is none.
func room(dir string) uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
