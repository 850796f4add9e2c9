package modelstest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"testing"

	"github.com/jackc/pgx/v5"

	"laurel/migrations"
	pg "laurel/models/db"
)

// hashMigrations names a template by all that it is made from.
func hashMigrations() string {
	h := sha256.New()
	files, err := fs.Glob(migrations.FS, "*.sql")
	for _, name := range files {
		text, readErr := migrations.FS.ReadFile(name)
		if err = readErr; err != nil {
			break
		}
		_, _ = fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	if err != nil {
		panic(err) // An embedded file cannot fail to be read.
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// makeTemplate migrates under another name and renames, so that a half-migrated
// template is never copied.
func (s *server) makeTemplate(ctx context.Context) error {
	var done bool
	err := s.admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", s.template).Scan(&done)
	if err != nil || done {
		return err
	}
	making := "laureltest_making_" + s.hash
	if err := s.exec(ctx, "DROP DATABASE IF EXISTS %s WITH (FORCE)", making); err != nil {
		return err
	}
	if err := s.exec(ctx, "CREATE DATABASE %s TEMPLATE template0", making); err != nil {
		return err
	}
	db, err := pg.Open(ctx, s.url(making), 2)
	if err != nil {
		return err
	}
	err = pg.Migrate(ctx, db, migrations.FS)
	db.Close()
	if err != nil {
		return err
	}
	return s.exec(ctx, "ALTER DATABASE %s RENAME TO %s", making, s.template)
}

// exec runs a statement with names of databases in it.
func (s *server) exec(ctx context.Context, sql string, names ...string) error {
	quoted := make([]any, len(names))
	for i, n := range names {
		quoted[i] = pgx.Identifier{n}.Sanitize()
	}
	_, err := s.admin.Exec(ctx, fmt.Sprintf(sql, quoted...))
	return err
}

// newName returns a name for a database that is this process's own.
func (s *server) newName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names++
	return fmt.Sprintf("laureltest_db_%s_%d", s.key, s.names)
}

// create copies the template.
func (s *server) create(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec(context.Background(), "CREATE DATABASE %s TEMPLATE %s", name, s.template)
}

func (s *server) drop(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec(context.Background(), "DROP DATABASE IF EXISTS %s WITH (FORCE)", name)
}

// A slot is a database that one transaction at a time uses. It is empty before
// and after, so it stays for the next test, also of another process.
type slot struct {
	name  string
	db    *pg.DB
	stars starReader
}

func (s *server) takeSlot(t testing.TB) *slot {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		sl := s.free[n-1]
		s.free = s.free[:n-1]
		return sl
	}
	sl, err := s.newSlot(context.Background())
	if err != nil {
		t.Fatal("modelstest: ", err)
	}
	return sl
}

// newSlot takes the first slot that no process has, and makes its database if it
// is new.
func (s *server) newSlot(ctx context.Context) (*slot, error) {
	for ours := false; !ours; {
		s.taken++
		err := s.admin.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, $2)", int32(lockSlot),
			number(fmt.Sprint(s.hash, s.taken))).Scan(&ours)
		if err != nil {
			return nil, err
		}
	}
	sl := &slot{name: fmt.Sprintf("laureltest_tx_%s_%d", s.hash, s.taken)}
	var there bool
	err := s.admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", sl.name).Scan(&there)
	if err == nil && !there {
		err = s.exec(ctx, "CREATE DATABASE %s TEMPLATE %s", sl.name, s.template)
	}
	if err != nil {
		return nil, err
	}
	sl.db, err = pg.Open(ctx, s.url(sl.name), 1, sl.stars.trace)
	return sl, err
}

// giveSlot takes a slot back. One that a test has spoilt is rebuilt.
func (s *server) giveSlot(sl *slot, clean bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if clean {
		s.free = append(s.free, sl)
		return
	}
	sl.db.Close()
	_ = s.exec(context.Background(), "DROP DATABASE IF EXISTS %s WITH (FORCE)", sl.name)
}
