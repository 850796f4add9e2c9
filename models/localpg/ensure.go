package localpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// retryFor is how long the remains of a killed server may be in the way.
const retryFor = 10 * time.Second

// silence is how long a living server may say nothing at all. A variable,
// because a test waits for its end.
var silence = 10 * time.Second

var (
	errGone   = errors.New("PostgreSQL ended")
	errSilent = errors.New("PostgreSQL runs but does not answer")
)

// ensure brings about, from whatever it finds, a server that answers and has the
// database.
func (c *cluster) ensure(ctx context.Context) error {
	began, started, stopped, logged := time.Now(), false, false, int64(0)
	for {
		if c.pid() == 0 {
			var err error
			if logged, err = c.start(ctx); err != nil {
				return err
			}
			started = true
		}
		err := c.await(ctx)
		switch {
		case err == nil:
			c.log.Info("private PostgreSQL is ready", "data", c.data(), "started", started, "took",
				time.Since(began).Round(time.Millisecond))
			return c.makeLink()
		case errors.Is(err, errSilent) && !stopped && c.use.alone(): // Its socket was deleted, or it hangs.
			stopped = true
			if err := c.stop(); err != nil {
				return err
			}
		case errors.Is(err, errGone) && !started: // It was stopping when we came.
		case errors.Is(err, errGone):
			if err := c.waitForRoom(ctx, c.loggedSince(logged), began); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// waitForRoom lets a server that was killed go away, and returns an error where something else is wrong.
func (c *cluster) waitForRoom(ctx context.Context, log []byte, began time.Time) error {
	if !inTheWay(log) || time.Since(began) >= retryFor {
		return fmt.Errorf("PostgreSQL does not start on %s; the end of pg.log:\n%s", c.data(), tail(log))
	}
	return pause(ctx, 100*time.Millisecond)
}

// inTheWay says whether the server did not start because one that was killed has
// not quite gone: its children need a moment to notice.
func inTheWay(log []byte) bool {
	return bytes.Contains(log, []byte("lock file")) && bytes.Contains(log, []byte("already exists")) ||
		bytes.Contains(log, []byte("shared memory block"))
}

// start starts a server, on a new cluster if there is none. The log grows from
// the returned offset on.
func (c *cluster) start(ctx context.Context) (logged int64, err error) {
	major, err := c.major()
	if err != nil {
		return 0, err
	}
	b, err := c.binaries(ctx, major)
	if err != nil {
		return 0, err
	}
	if major == 0 {
		if err := c.initialize(ctx, b); err != nil {
			return 0, err
		}
	}
	if c.sock, err = c.socketDir(); err != nil {
		return 0, err
	}
	if err := c.unstick(); err != nil {
		return 0, err
	}
	return c.launch(b)
}

// await waits until the server answers and has the database. One that says it is
// starting, recovering or stopping may take as long as ctx allows.
func (c *cluster) await(ctx context.Context) error {
	for heard := time.Now(); ; {
		if c.pid() == 0 {
			return errGone
		}
		err := c.createDatabase(ctx)
		switch code(err) {
		case "57P01", "57P02", "57P03": // Shutting down, crashing, starting up.
			heard = time.Now()
		case "":
			if err == nil {
				return nil
			}
		case "53300": // too_many_connections: a sign of life.
			return nil
		default:
			return fmt.Errorf("the PostgreSQL on %s refuses us: %w", c.data(), err)
		}
		if time.Since(heard) > silence {
			return fmt.Errorf("%w on the socket in %s (pid %d): %w\n"+
				"  a service with a private /tmp hides the socket: run this command within the service, or set DATABASE_URL", errSilent,
				c.sock, c.pid(), err)
		}
		if err := pause(ctx, 3*time.Millisecond); err != nil {
			return fmt.Errorf("wait for PostgreSQL: %w", err)
		}
	}
}

// socketDir makes the directory of the socket: the same one for all processes
// and after each restart, and with a short name, for the path of a socket must
// not exceed 103 bytes.
func (c *cluster) socketDir() (string, error) {
	var errs []error
	for _, tmp := range []string{"/tmp", os.TempDir(), "/var/tmp"} {
		dir := filepath.Join(tmp, "laurel-pg-"+hash(fmt.Sprint(c.home, c.as.uidOrOurs())))
		if err := c.makePrivate(dir); err == nil {
			return dir, nil
		} else {
			errs = append(errs, err)
		}
	}
	return "", fmt.Errorf("no place for PostgreSQL's socket: %w", errors.Join(errs...))
}

// makePrivate makes a directory for the server's account alone, or sees that an
// existing one is such: anybody may have put it into /tmp.
func (c *cluster) makePrivate(dir string) error {
	if at := c.as.blockedAt(filepath.Dir(dir)); at != "" {
		return fmt.Errorf("%s: user %s cannot pass %s", dir, c.as.name, at)
	}
	if err := os.Mkdir(dir, 0o700); err == nil {
		return c.as.give(dir)
	} else if !errors.Is(err, os.ErrExist) {
		return err
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if owner, _ := ownerOf(st); !st.IsDir() || owner != c.as.uidOrOurs() || st.Mode().Perm() != 0o700 {
		return fmt.Errorf("%s belongs to somebody else; remove it", dir)
	}
	return nil
}
