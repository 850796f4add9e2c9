package localpg

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var discard = slog.New(slog.DiscardHandler)

// TestMain also is the other Laurel process of the tests: it opens the server,
// says so, and closes it when its input ends.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LOCALPG_TEST_DIR"); dir != "" {
		os.Exit(otherProcess(dir))
	}
	status := m.Run()
	if pattern != "" {
		_ = os.RemoveAll(pattern)
	}
	os.Exit(status)
}

func otherProcess(dir string) int {
	signal.Ignore(syscall.SIGINT) // As one that is still answering its last requests.
	s, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	pid, _ := s.cluster.pidFile()
	fmt.Println("open", pid)
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Close(); err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	return 0
}

// A process is another Laurel on the same data directory.
type process struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Reader
}

func startProcess(t *testing.T, dir string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LOCALPG_TEST_DIR="+dir)
	cmd.Stderr = t.Output()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd, stdin, bufio.NewReader(stdout)}
	t.Cleanup(p.kill)
	return p
}

// open waits until the process has the server, and returns the server's pid.
func (p *process) open(t *testing.T) (pid int) {
	t.Helper()
	line, _ := p.out.ReadString('\n')
	if _, err := fmt.Sscanf(line, "open %d", &pid); err != nil || pid == 0 {
		rest, _ := io.ReadAll(p.out)
		t.Fatalf("the other process says: %s%s", line, rest)
	}
	return pid
}

func (p *process) close(t *testing.T) {
	t.Helper()
	_ = p.stdin.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Fatal("the other process: ", err)
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// dataDir returns a directory that the server's account can reach, and sees to
// it that nothing runs there afterwards.
func dataDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "laurel-localpg-")
	if err == nil {
		err = os.Chmod(parent, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s, err := findPlace(filepath.Join(parent, "data"), discard); err == nil {
			c := cluster{place: s, log: slog.Default()}
			_ = c.stop()
		}
		_ = os.RemoveAll(parent)
	})
	return filepath.Join(parent, "data")
}

// clusterDir is a dataDir with a cluster in it, a copy: making one costs seconds
// on a busy machine, and most tests are about what comes after.
func clusterDir(t *testing.T) string {
	t.Helper()
	if pattern == "" {
		dir, err := os.MkdirTemp("", "laurel-localpg-")
		if err == nil {
			err = os.Chmod(dir, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, mustOpen(t, dir))
		pattern = dir
	}
	dir := dataDir(t)
	if out, err := exec.Command("cp", "-pR", pattern, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

var pattern string // What clusterDir copies.

func mustOpen(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func mustClose(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// running returns the server of a data directory as any process finds it, and
// where its socket is.
func running(t *testing.T, dir string) (pid int, sock string) {
	t.Helper()
	p, err := findPlace(dir, discard)
	if err != nil {
		t.Fatal(err)
	}
	c := cluster{place: p}
	pid = c.pid()
	return pid, c.sock
}

// ask runs one query on a connection of its own.
func ask(url, sql string) (answer string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return "", err
	}
	answers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(answers, ","), err
}

func mustAsk(t *testing.T, s *Server, sql string) string {
	t.Helper()
	answer, err := ask(s.URL(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return answer
}

// until waits for a condition that must come true.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); {
		if time.Now().After(end) {
			t.Fatal("waited in vain until ", what)
		}
		_ = pause(t.Context(), time.Millisecond)
	}
}

func TestLastOneOutStopsTheServer(t *testing.T) {
	dir := clusterDir(t)
	first := mustOpen(t, dir)
	mustAsk(t, first, "CREATE TABLE kept AS SELECT 'yes' AS answer")
	second := mustOpen(t, dir)
	pid, _ := running(t, dir)
	if second.URL() != first.URL() {
		t.Fatalf("the second has a server at %s, want the first's at %s", second.URL(), first.URL())
	}

	mustClose(t, first)
	if got := mustAsk(t, second, "SELECT answer FROM kept"); got != "yes" {
		t.Errorf("answer after the first one left = %q", got)
	}
	mustClose(t, second)
	if alive(pid) {
		t.Error("the server still runs after the last one left")
	}
	if got := mustAsk(t, mustOpen(t, dir), "SELECT answer FROM kept"); got != "yes" {
		t.Errorf("answer after a restart = %q", got)
	}
}

func TestServerIsPrivate(t *testing.T) {
	dir := clusterDir(t)
	s := mustOpen(t, dir)
	for sql, want := range map[string]string{
		"SHOW listen_addresses":           "",
		"SHOW server_encoding":            "UTF8",
		"SHOW timezone":                   "UTC",
		"SHOW data_checksums":             "on",
		"SELECT current_database()::text": "laurel",
	} {
		if got := mustAsk(t, s, sql); got != want {
			t.Errorf("%s = %q, want %q", sql, got, want)
		}
	}
	_, sock := running(t, dir)
	st, err := os.Stat(sock)
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("directory of the socket: %v %v, want mode 0700", st, err)
	}
}
