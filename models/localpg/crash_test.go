package localpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestKilledAppLeavesTheServerToTheNext(t *testing.T) {
	dir := clusterDir(t)
	app := startProcess(t, dir)
	pid := app.open(t)
	app.kill()

	next := mustOpen(t, dir)
	if got, _ := running(t, dir); got != pid {
		t.Errorf("server of the next = %d, want the killed one's, %d", got, pid)
	}
	mustClose(t, next)
	if alive(pid) {
		t.Error("the server still runs after the last one left")
	}
}

func TestCtrlCDoesNotReachTheServer(t *testing.T) {
	dir := clusterDir(t)
	app := startProcess(t, dir)
	pid := app.open(t)
	s := mustOpen(t, dir)
	if err := syscall.Kill(-app.cmd.Process.Pid, syscall.SIGINT); err != nil { // To the group, as a terminal does.
		t.Fatal(err)
	}
	app.close(t) // It had the signal before its input ended, and so would the server.
	mustAsk(t, s, "SELECT 'still here'")
	if got, _ := running(t, dir); got != pid {
		t.Errorf("server after Ctrl-C = %d, want the same as before, %d", got, pid)
	}
}

func TestKilledServerComesBackWhileTheAppLives(t *testing.T) {
	dir := clusterDir(t)
	app := startProcess(t, dir) // Two are watching, and only one may start it.
	app.open(t)
	s := mustOpen(t, dir)
	mustAsk(t, s, "CREATE TABLE kept AS SELECT 'yes' AS answer")
	for range 3 {
		pid, _ := running(t, dir)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		until(t, "the server is back", func() bool {
			got, err := ask(s.URL(), "SELECT answer FROM kept")
			return err == nil && got == "yes" && !alive(pid)
		})
	}
}

// The children of a killed server hold its memory for a moment, and a new one
// refuses to start meanwhile. Here a child is stopped, and so it is a long moment.
func TestAppAndServerKilledTogether(t *testing.T) {
	dir := clusterDir(t)
	app := startProcess(t, dir)
	pid := app.open(t)
	_, sock := running(t, dir)
	conn, err := pgx.Connect(t.Context(), address(sock, "laurel"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	kid := int(conn.PgConn().PID())
	defer syscall.Kill(kid, syscall.SIGCONT)
	app.kill()
	if err := errors.Join(syscall.Kill(kid, syscall.SIGSTOP), syscall.Kill(pid, syscall.SIGKILL)); err != nil {
		t.Fatal(err)
	}

	go func() {
		refused := func() bool {
			log, _ := os.ReadFile(filepath.Join(dir, "pg.log"))
			return bytes.Contains(log, []byte("shared memory block"))
		}
		for end := time.Now().Add(20 * time.Second); !refused() && time.Now().Before(end); {
			_ = pause(t.Context(), time.Millisecond)
		}
		_ = syscall.Kill(kid, syscall.SIGCONT)
	}()
	s := mustOpen(t, dir)
	mustAsk(t, s, "SELECT 'ready'")
	log, _ := os.ReadFile(filepath.Join(dir, "pg.log"))
	if !bytes.Contains(log, []byte("shared memory block")) {
		t.Error("the server was never refused: this test tests nothing")
	}
}

func TestHalfMadeClusterIsMadeAgain(t *testing.T) {
	dir := dataDir(t)
	app := startProcess(t, dir)
	until(t, "a cluster is being made", func() bool {
		halves, _ := filepath.Glob(filepath.Join(dir, "pg.init-*", "base"))
		return len(halves) > 0
	})
	app.kill()
	if exists(filepath.Join(dir, "pg")) {
		t.Skip("the cluster was made too fast to be killed half-made")
	}
	s := mustOpen(t, dir) // While the first initdb may still be writing.
	mustAsk(t, s, "SELECT 'ready'")
}

// In a container, process numbers are small and come again: the one in an old
// postmaster.pid may now be a stranger's.
func TestNumberOfADeadServerIsAStrangersNow(t *testing.T) {
	dir := clusterDir(t)
	s := mustOpen(t, dir)
	file := filepath.Join(dir, "pg", "postmaster.pid")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	as, data := s.cluster.as, s.cluster.data()
	mustClose(t, s)

	stranger := as.command(t.Context(), "sleep", "600")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = stranger.Process.Kill()
		_ = stranger.Wait()
	}()
	_, rest, _ := strings.Cut(string(text), "\n")
	for _, stale := range []string{fmt.Sprintf("%d\n%s", stranger.Process.Pid, rest), ""} {
		if err := os.WriteFile(file, []byte(stale), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := as.give(file); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		s := mustOpen(t, dir)
		if mustAsk(t, s, "SHOW data_directory") != data || time.Since(began) > retryFor {
			t.Errorf("opened after %v", time.Since(began))
		}
		mustClose(t, s)
	}
}

func TestDeletedSocketIsMadeAgain(t *testing.T) {
	defer func(was time.Duration) { silence = was }(silence)
	silence = time.Second
	dir := clusterDir(t)
	app := startProcess(t, dir)
	pid := app.open(t)
	app.kill()
	_, sock := running(t, dir)
	if err := os.RemoveAll(sock); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir)
	mustAsk(t, s, "SELECT 'ready'")
	if got, _ := running(t, dir); got == pid {
		t.Error("a server without a socket was kept")
	}
}

func TestSixProcessesShareOneServer(t *testing.T) {
	dir := dataDir(t)
	var apps []*process
	for range 6 {
		apps = append(apps, startProcess(t, dir))
	}
	pid := apps[0].open(t)
	for _, app := range apps[1:] {
		if got := app.open(t); got != pid {
			t.Errorf("server = %d, want the one of all, %d", got, pid)
		}
	}
	apps[3].kill()
	for i, app := range apps {
		if !alive(pid) {
			t.Fatalf("the server stopped when %d processes were left", len(apps)-i)
		}
		if i != 3 {
			app.close(t)
		}
	}
	if alive(pid) {
		t.Error("the server still runs after the last one left")
	}
}

// One leaves and, being the last, stops the server, while another comes in.
func TestComingAndGoing(t *testing.T) {
	dir := clusterDir(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 8 {
				s, err := Open(t.Context(), Options{Dir: dir, Volatile: true, Log: discard})
				if err != nil {
					t.Errorf("%d.%d: %v", i, j, err)
					return
				}
				if _, err := ask(s.URL(), "SELECT 'ready'"); err != nil {
					t.Errorf("%d.%d: the server is not there for one who has opened it: %v", i, j, err)
				}
				if err := s.Close(); err != nil {
					t.Errorf("%d.%d: %v", i, j, err)
				}
			}
		})
	}
	wg.Wait()
	if out, _ := exec.Command("pgrep", "-f", filepath.Join(dir, "pg")).Output(); len(out) > 0 {
		t.Errorf("servers left running: %s", out)
	}
}
