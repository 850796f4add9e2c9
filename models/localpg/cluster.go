package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A cluster is the databases of one place and the server that runs on them. Its
// methods need start.lock.
type cluster struct {
	place
	use      *fileLock
	find     finder
	log      *slog.Logger
	volatile bool
	sock     string // The directory of the server's socket.
	child    *child // The server, where it was us who started it.
}

// claim joins the processes that use the cluster.
//
// All of them must see the same processes: to a container that shares the
// directory with another one, a server that runs over there looks dead, and a
// second server on the same files would destroy them.
func (c *cluster) claim() error {
	pids, _ := os.Readlink("/proc/self/ns/pid")
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	here := pids + " " + strings.TrimSpace(string(boot))
	if c.use.alone() {
		if err := os.WriteFile(c.use.f.Name(), []byte(here), 0o600); err != nil {
			return err
		}
	} else if there, err := os.ReadFile(c.use.f.Name()); err != nil || string(there) != here {
		return fmt.Errorf("%s is in use by a Laurel in another container, so its PostgreSQL cannot be reached from here\n"+
			"  give this one a LAUREL_DATA of its own, or give both the same DATABASE_URL", c.home)
	}
	if st, err := os.Stat(c.data()); err == nil && c.as != nil {
		if owner, _ := ownerOf(st); owner == 0 { // Restored or copied by root.
			return c.as.giveAll(c.data())
		}
	}
	return nil
}

// initialize makes the cluster under another name and renames it, so that a
// half-made one is never taken for a cluster.
func (c *cluster) initialize(ctx context.Context, b binaries) error {
	halves, _ := filepath.Glob(filepath.Join(c.home, "pg.init-*"))
	for _, half := range halves {
		_ = os.RemoveAll(half) // An initdb that outlived its Laurel may still be writing: then next time.
	}
	dir, err := os.MkdirTemp(c.home, "pg.init-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := c.as.give(dir); err != nil {
		return err
	}
	args := []string{"-D", dir, "-U", "laurel", "-A", "trust", "-E", "UTF8", "--locale=C", "--data-checksums", "--no-sync"}
	cmd := c.as.command(ctx, filepath.Join(b.dir, "initdb"), args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make a PostgreSQL cluster in %s with %s: %w\n%s", c.home, b.dir, err, tail(out))
	}
	if err := os.Rename(dir, c.data()); err != nil {
		return err
	}
	if !c.volatile {
		go syncTree(c.data())
	}
	return nil
}

// syncTree brings a new cluster to the disk while its server already answers:
// waiting for a thousand files takes seconds on a busy disk. What the server
// writes itself it syncs itself, so only a power cut in the very first seconds,
// when there is nothing to lose yet, finds the tree incomplete.
func syncTree(tree string) {
	_ = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() {
			return nil // The server may delete files meanwhile.
		}
		if f, err := os.Open(path); err == nil {
			_ = f.Sync()
			_ = f.Close()
		}
		return nil
	})
}

// major returns the version that the cluster was made by, 0 where there is none yet.
func (c *cluster) major() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.data(), "PG_VERSION"))
	if err == nil {
		return strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if !exists(c.data()) {
		return 0, nil
	}
	if os.Remove(c.data()) == nil { // Empty, so nothing is lost: somebody has prepared the directory.
		return 0, nil
	}
	return 0, fmt.Errorf("%s exists but is not a PostgreSQL cluster: %w\n  restore it from your backup, or move it away to start with "+
		"an empty database", c.data(), err)
}

// address is the URL of a database of the server whose socket is in dir.
func address(dir, database string) string {
	q := url.Values{"host": {dir}, "port": {"5432"}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.User("laurel"), Path: "/" + database, RawQuery: q.Encode()}
	return u.String()
}

// query runs one statement, or none, on a connection of its own.
func (c *cluster) query(ctx context.Context, database, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := pgconn.Connect(ctx, address(c.sock, database))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	return conn.Exec(ctx, sql).Close()
}

// createDatabase creates the database that URL names, if it is missing.
func (c *cluster) createDatabase(ctx context.Context) error {
	err := c.query(ctx, "laurel", "")
	if code(err) != "3D000" { // invalid_catalog_name
		return err
	}
	err = c.query(ctx, "postgres", "CREATE DATABASE laurel")
	if code(err) == "42P04" { // duplicate_database: an earlier attempt came through.
		return nil
	}
	return err
}

// code is PostgreSQL's word for an error, "" for one that the server did not make.
func code(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}
