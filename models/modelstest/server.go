package modelstest

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"sync"

	"github.com/jackc/pgx/v5"

	pg "laurel/models/db"
	"laurel/models/localpg"
)

// A server is this process's share in the PostgreSQL server for tests.
//
// Its one connection to the database "postgres" holds the advisory locks that
// say what is in use: the template, the slots of Tx, and the process's own
// databases. They go when the process goes, so what a killed test has left
// behind is found and dropped by the next.
type server struct {
	base     string // The address of the server's database "postgres".
	template string
	hash     string
	key      string // Of this process's own databases.

	mu    sync.Mutex // Guards the rest.
	admin *pgx.Conn
	names int
	free  []*slot
	taken int // Slots ever tried, so that the next one begins there.
}

// Classes of advisory locks, first of their two numbers.
const (
	lockSetup   = 1281455980 + iota // One process at a time makes templates and sweeps.
	lockHash                        // Shared by the users of a template.
	lockProcess                     // By the process that owns databases laureltest_db_KEY_N.
	lockSlot                        // By the process that uses laureltest_tx_HASH_N.
)

func openServer(ctx context.Context) (*server, error) {
	if measured() {
		debug.SetGCPercent(pg.GCPercent)
	}
	s := &server{base: os.Getenv("LAUREL_TEST_DATABASE_URL"), hash: hashMigrations(), key: fmt.Sprintf("%08x", rand.Uint32())}
	s.template = "laureltest_template_" + s.hash
	if s.base == "" {
		private, err := localpg.Open(ctx, localpg.Options{Dir: dir(), Volatile: !measured(), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return nil, fmt.Errorf("%w\n  the server for tests holds nothing of worth: removing %s is a way out", err, dir())
		}
		s.base = private.URL() // Never closed: see the package comment.
	}
	s.base = s.url("postgres")
	var err error
	if s.admin, err = pgx.Connect(ctx, s.base); err != nil {
		return nil, err
	}
	return s, s.setup(ctx)
}

// url is the address of a database of the server.
func (s *server) url(database string) string {
	u, err := url.Parse(s.base)
	if err != nil || u.Scheme == "" {
		return s.base + " dbname=" + database // key=value: the last one counts.
	}
	u.Path = "/" + database
	return u.String()
}

// setup makes the template if it is missing and drops what nobody uses any more.
func (s *server) setup(ctx context.Context) error {
	if _, err := s.admin.Exec(ctx, "SELECT pg_advisory_lock($1, 0)", int32(lockSetup)); err != nil {
		return err
	}
	defer func() { _, _ = s.admin.Exec(ctx, "SELECT pg_advisory_unlock($1, 0)", int32(lockSetup)) }()
	if _, err := s.admin.Exec(ctx, "SELECT pg_advisory_lock_shared($1, $2), pg_advisory_lock($3, $4)",
		int32(lockHash), number(s.hash), int32(lockProcess), number(s.key)); err != nil {
		return err
	}
	if err := s.sweep(ctx); err != nil {
		return err
	}
	return s.makeTemplate(ctx)
}

// ours are the names that this package gives, so that nothing else is ever
// dropped: kind, then hash or key.
var ours = regexp.MustCompile(`^laureltest_(template|making|tx|db)_([0-9a-f]+)(_[0-9]+)?$`)

// sweep drops databases of processes that are gone, and templates and slots of
// other migrations. Other checkouts may be testing at this moment: only what
// nobody has locked goes.
func (s *server) sweep(ctx context.Context) error {
	rows, err := s.admin.Query(ctx, "SELECT datname FROM pg_database WHERE datname LIKE 'laureltest%' ORDER BY datname")
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		m := ours.FindStringSubmatch(name)
		if m == nil || m[2] == s.hash {
			continue
		}
		class := int32(lockHash)
		if m[1] == "db" {
			class = lockProcess
		}
		if err := s.dropUnused(ctx, name, class, number(m[2])); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) dropUnused(ctx context.Context, name string, class, num int32) error {
	var unused bool
	err := s.admin.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, $2)", class, num).Scan(&unused)
	if err != nil || !unused {
		return err
	}
	defer func() { _, _ = s.admin.Exec(ctx, "SELECT pg_advisory_unlock($1, $2)", class, num) }()
	return s.exec(ctx, "DROP DATABASE IF EXISTS %s WITH (FORCE)", name)
}

// number makes an advisory lock's number of a hash.
func number(hash string) int32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(hash))
	return int32(h.Sum32())
}
