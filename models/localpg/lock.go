package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A fileLock is an open file that flock works on. The kernel lets go of it when
// the process ends, however it ends.
type fileLock struct{ f *os.File }

// openLock opens a lock file beside the cluster without locking it.
func (p place) openLock(name string) (*fileLock, error) {
	file := filepath.Join(p.home, name)
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w\n  LAUREL_DATA must be a directory that this user (uid %d) can write to; "+
			"set it to another one, or run Laurel as the user who made it", err, os.Geteuid())
	}
	if os.Geteuid() == 0 { // The directory's owner must be able to run Laurel after root did.
		if st, err := os.Stat(p.home); err == nil {
			uid, gid := ownerOf(st)
			_ = f.Chown(int(uid), int(gid))
		}
	}
	return &fileLock{f}, nil
}

// lock takes a lock for itself alone, waiting for it as long as ctx allows.
func (p place) lock(ctx context.Context, name string) (*fileLock, error) {
	l, err := p.openLock(name)
	if err != nil {
		return nil, err
	}
	for {
		err := l.flock(syscall.LOCK_EX | syscall.LOCK_NB)
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			l.release()
			return nil, fmt.Errorf("lock %s: %w", l.f.Name(), err)
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			l.release()
			return nil, fmt.Errorf("another process has held %s for too long: %w", l.f.Name(), err)
		}
	}
}

// alone joins the users, if we have not yet, and says whether there are no
// others. It needs start.lock: the attempt to lock the others out gives up our
// share for an instant.
func (l *fileLock) alone() bool {
	err := l.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	_ = l.flock(syscall.LOCK_SH) // Never waits: only the holder of start.lock locks others out.
	return err == nil
}

func (l *fileLock) release() { _ = l.f.Close() }

func (l *fileLock) flock(how int) error {
	for {
		if err := syscall.Flock(int(l.f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// pause waits for d, or returns the reason why ctx ended.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
