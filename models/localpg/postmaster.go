package localpg

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A child is a server that this process started. It lives on when we are killed.
type child struct {
	pid    int
	exited chan struct{} // Closed when it has ended and was waited for.
}

func (c *child) gone() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// launch starts the server. It writes to pg.log, not to us: it may outlive us.
func (c *cluster) launch(b binaries) (logged int64, err error) {
	out, err := c.openLog()
	if err != nil {
		return 0, err
	}
	defer func() { _ = out.Close() }()
	st, err := out.Stat()
	if err != nil {
		return 0, err
	}
	set := []string{
		"listen_addresses=", "port=5432", "unix_socket_directories=" + c.sock, "unix_socket_permissions=0700",
		"timezone=UTC", "log_timezone=UTC", "log_checkpoints=off", "jit=off", "shared_buffers=" + buffers(Memory()),
	}
	if c.volatile {
		set = append(set, "max_connections=300", "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	} else {
		set = append(set, "max_connections=100")
	}
	args := []string{"-D", c.data()}
	for _, s := range set {
		args = append(args, "-c", s)
	}
	cmd := c.as.command(context.Background(), filepath.Join(b.dir, "postgres"), args...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start PostgreSQL: %w", err)
	}
	c.child = &child{pid: cmd.Process.Pid, exited: make(chan struct{})}
	go func(ended chan struct{}) {
		_ = cmd.Wait() // Or it stays a zombie, which looks alive to the next server.
		close(ended)
	}(c.child.exited)
	return st.Size(), nil
}

// pid returns the server's process, 0 when none runs, and notes where its
// socket is.
func (c *cluster) pid() int {
	if c.child != nil && !c.child.gone() {
		return c.child.pid
	}
	pid, sock := c.pidFile()
	if pid == 0 || !c.isServer(pid) {
		return 0
	}
	if sock != "" {
		c.sock = sock
	}
	return pid
}

// pidFile reads postmaster.pid: line 1 is the process, line 5 the directory of
// its socket once there is one.
func (c *cluster) pidFile() (pid int, sock string) {
	text, err := os.ReadFile(c.pidPath())
	if err != nil {
		return 0, ""
	}
	lines := strings.Split(string(text), "\n")
	pid, _ = strconv.Atoi(lines[0])
	if len(lines) > 5 { // Complete, for a line follows it.
		sock = lines[4]
	}
	return pid, sock
}

func (c *cluster) pidPath() string { return filepath.Join(c.data(), "postmaster.pid") }

// isServer distinguishes our server from a process that got its number after a restart
// of the machine or of the container, where numbers are small and come again.
func (c *cluster) isServer(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil && !exists("/proc/self") {
		line, _ = exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	}
	words := string(bytes.ReplaceAll(bytes.TrimSpace(line), []byte{0}, []byte{' '})) + " "
	return strings.Contains(words, "postgres") && strings.Contains(words, " -D "+c.data()+" ")
}

// unstick makes lock files with a stranger's number harmless. PostgreSQL takes
// its parent's number, ours, for stale, and still reads in the rest of
// postmaster.pid whether processes of the old server hold its memory. So that
// file is changed and not removed.
func (c *cluster) unstick() error {
	if !c.use.alone() {
		return nil // PostgreSQL must judge by itself.
	}
	_ = os.Remove(filepath.Join(c.sock, ".s.PGSQL.5432.lock"))
	text, err := os.ReadFile(c.pidPath())
	if err != nil {
		return nil
	}
	first, rest, found := strings.Cut(string(text), "\n")
	if !found { // Made and not written: the machine stopped between the two.
		return os.Remove(c.pidPath())
	}
	if pid, err := strconv.Atoi(first); err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
		return nil
	}
	changed := c.pidPath() + ".laurel"
	if err := os.WriteFile(changed, fmt.Appendf(nil, "%d\n%s", os.Getpid(), rest), 0o600); err != nil {
		return err
	}
	if err := c.as.give(changed); err != nil {
		return err
	}
	return os.Rename(changed, c.pidPath())
}

// stop shuts the server down in order, and harder if that takes too long. What
// was committed is safe in any case.
func (c *cluster) stop() error {
	pid := c.pid()
	if pid == 0 {
		return nil
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		if err := syscall.Kill(pid, sig); err != nil && err != syscall.ESRCH {
			return fmt.Errorf("stop PostgreSQL (pid %d): %w", pid, err)
		}
		for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
			if !alive(pid) {
				_ = os.Remove(c.sock)
				return nil
			}
		}
		c.log.Warn("PostgreSQL does not stop", "pid", pid, "signal", sig)
	}
	return fmt.Errorf("PostgreSQL (pid %d) does not stop", pid)
}

// alive says whether a process exists and is more than a zombie.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil && !exists("/proc/self") {
		return syscall.Kill(pid, 0) != syscall.ESRCH
	}
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

// openLog opens the server's log, beginning a new one when it has grown large.
func (c *cluster) openLog() (*os.File, error) {
	name := filepath.Join(c.home, "pg.log")
	if st, err := os.Stat(name); err == nil && st.Size() > 8<<20 {
		_ = os.Rename(name, name+".1")
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
}

// loggedSince returns what the server has written to its log from an offset on.
func (c *cluster) loggedSince(offset int64) []byte {
	f, err := c.openLog()
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, _ := io.ReadAll(io.NewSectionReader(f, offset, 1<<20))
	return text
}

// tail is the end of a program's output, for an error message.
func tail(out []byte) string {
	out = bytes.TrimSpace(out)
	return string(out[max(0, len(out)-2000):])
}
