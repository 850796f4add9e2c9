package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// An account is who runs the server when root started Laurel: PostgreSQL
// refuses to run as root.
type account struct {
	name     string
	uid, gid uint32
}

// accountFor returns the owner of an existing cluster, or else postgres, or else
// nobody; nil where we run the server as ourselves. Only named users will do:
// initdb must be able to look up its own.
func accountFor(data string) (*account, error) {
	owner := uint32(0)
	if st, err := os.Stat(data); err == nil {
		owner, _ = ownerOf(st)
		if me := os.Geteuid(); me != 0 && int(owner) != me {
			return nil, fmt.Errorf("%s belongs to uid %d and Laurel runs as uid %d\n  run Laurel as that user or as root, or set "+
				"LAUREL_DATA to a directory of your own", data, owner, me)
		}
	}
	if os.Geteuid() != 0 {
		return nil, nil
	}
	if owner != 0 {
		u, err := user.LookupId(strconv.Itoa(int(owner)))
		if err != nil {
			return nil, fmt.Errorf("%s belongs to uid %d, which is not a user of this machine: %w\n  chown -R postgres %s",
				data, owner, err, data)
		}
		return toAccount(u)
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return toAccount(u)
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody to run it\n" +
		"  useradd --system postgres, or run Laurel as an ordinary user, or set DATABASE_URL")
}

func toAccount(u *user.User) (*account, error) {
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	return &account{name: u.Username, uid: uint32(uid), gid: uint32(gid)}, errors.Join(err1, err2)
}

// blockedAt returns the first directory on the way to dir, or dir itself, that
// the account may not pass through; "" when the way is free.
func (a *account) blockedAt(dir string) string {
	if a == nil {
		return ""
	}
	at := string(filepath.Separator)
	for part := range strings.SplitSeq(dir, at) {
		at = filepath.Join(at, part)
		st, err := os.Stat(at)
		if err != nil {
			return at
		}
		pass := fs.FileMode(0o001)
		if uid, gid := ownerOf(st); uid == a.uid {
			pass = 0o100
		} else if gid == a.gid {
			pass = 0o010
		}
		if st.Mode()&pass == 0 {
			return at
		}
	}
	return ""
}

// uidOrOurs is who owns the server's files.
func (a *account) uidOrOurs() uint32 {
	if a == nil {
		return uint32(os.Geteuid())
	}
	return a.uid
}

// give hands a file of ours to the account.
func (a *account) give(path string) error {
	if a == nil {
		return nil
	}
	return os.Lchown(path, int(a.uid), int(a.gid))
}

// giveAll hands over a whole tree, such as a cluster that root has restored.
func (a *account) giveAll(tree string) error {
	return filepath.WalkDir(tree, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return a.give(path)
	})
}

// command prepares a PostgreSQL program to run as the account.
//
// It gets a process group of its own, or Ctrl-C would stop the server while
// Laurel is still answering its last requests; a directory everybody may be in;
// and an environment without PG*, and with messages in English, which we read.
func (a *account) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = string(filepath.Separator)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return cmd
}

func ownerOf(st fs.FileInfo) (uid, gid uint32) {
	s, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return s.Uid, s.Gid
}
