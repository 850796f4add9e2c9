package localpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// sharedHome is where clusters live that cannot be in their data directory. A
// variable, because tests must not write there.
var sharedHome = "/var/lib/laurel"

// A place is where a cluster lives and whose it is.
type place struct {
	home string   // Holds pg, pgbin, pg.log and the locks.
	link string   // What shall point to pg once it is there; "" when pg needs no link.
	as   *account // Who runs the server; nil means ourselves.
}

func (p place) data() string { return filepath.Join(p.home, "pg") }

// findPlace decides where the cluster of a data directory is or shall be.
//
// It is dir/pg. Only when root starts Laurel and the account that runs the
// server cannot walk to dir (root's home has mode 700), it is kept in
// sharedHome, and dir/pg becomes a link to it: a link is seen by whoever backs
// up or moves dir, and is followed from then on.
func findPlace(dir string, log *slog.Logger) (place, error) {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711 // So that the account which runs the server can pass.
	}
	if err := makeDir(dir, mode); err != nil {
		return place{}, fmt.Errorf("%w\n  set LAUREL_DATA to a directory that this user (uid %d) can write to", err, os.Geteuid())
	}
	dir, err := realPath(dir)
	if err != nil {
		return place{}, err
	}
	p := place{home: dir}
	if target, err := os.Readlink(p.data()); err == nil {
		if _, err := os.Stat(target); err != nil {
			return place{}, fmt.Errorf("the database of %s was in %s: %w\n  restore it from your backup; to start with an empty  "+
				"one, remove the link %s", dir, target, err, p.data())
		}
		p.home = filepath.Dir(target)
	}
	if p.as, err = accountFor(p.data()); err != nil || p.as == nil {
		return p, err
	}
	blocked := p.as.blockedAt(p.home)
	if blocked == "" {
		return p, nil
	}
	if exists(p.data()) {
		return place{}, fmt.Errorf("user %s, who runs PostgreSQL for root, cannot reach %s: %s must be passable\n  chmod o+x %s",
			p.as.name, p.data(), blocked, blocked)
	}
	return p.moved(dir, blocked, log)
}

// moved makes the home in sharedHome. A cluster that is found there was made for
// this very directory and lost its link.
func (p place) moved(dir, blocked string, log *slog.Logger) (place, error) {
	p.home, p.link = filepath.Join(sharedHome, hash(dir)), p.data()
	if err := errors.Join(makeDir(sharedHome, 0o711), makeDir(p.home, 0o711)); err != nil {
		return place{}, err
	}
	if at := p.as.blockedAt(p.home); at != "" {
		return place{}, fmt.Errorf("user %s, who runs PostgreSQL for root, can pass neither %s nor %s\n  set LAUREL_DATA to a "+
			"directory outside, such as /srv/laurel", p.as.name, blocked, at)
	}
	log.Info("the database is outside the data directory, because the user who runs PostgreSQL for root cannot reach that",
		"database", p.data(), "user", p.as.name, "blocked", blocked)
	return p, nil
}

// makeLink is called when the cluster is there, so that a link which points to
// nothing always means a cluster that was lost.
func (p place) makeLink() error {
	if p.link == "" {
		return nil
	}
	if err := os.Symlink(p.data(), p.link); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// makeDir makes a directory with the very mode, whatever the umask: root's often
// shuts out everybody else. One that is there keeps its mode.
func makeDir(dir string, mode fs.FileMode) error {
	if exists(dir) {
		return nil
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return err
	}
	return os.Chmod(dir, mode)
}

// realPath is the one name of a directory, so that all processes agree on it.
func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:5])
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
