package localpg

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wants fails unless the error's text has all the words.
func wants(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
}

func TestLongDataPath(t *testing.T) {
	dir := filepath.Join(dataDir(t), strings.Repeat("long", 40))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir)
	mustAsk(t, s, "SELECT 'ready'")
	mustClose(t, s)
}

func TestSomebodyElseHasTheSocketDirectory(t *testing.T) {
	dir := clusterDir(t)
	s := mustOpen(t, dir)
	_, taken := running(t, dir)
	mustClose(t, s)
	if err := os.Mkdir(taken, 0o777); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(taken)
	s = mustOpen(t, dir)
	mustAsk(t, s, "SELECT 'ready'")
	if _, sock := running(t, dir); sock == taken {
		t.Errorf("the socket is in %s, which others may enter", taken)
	}
}

// root's home has mode 700, and whoever runs PostgreSQL for root cannot enter it.
func TestDataBelowADirectoryThatIsClosed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	useSharedHome(t)
	closed := dataDir(t)
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(closed, "data")
	s := mustOpen(t, dir)
	home := s.cluster.home
	if filepath.Dir(home) != sharedHome {
		t.Fatalf("the cluster is in %s, want it below %s", home, sharedHome)
	}
	mustAsk(t, s, "CREATE TABLE kept AS SELECT 'yes' AS answer")
	mustClose(t, s)

	moved := filepath.Join(closed, "moved") // The link goes with the directory.
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, moved)
	if got := mustAsk(t, s, "SELECT answer FROM kept"); got != "yes" {
		t.Errorf("answer after the directory moved = %q", got)
	}
	mustClose(t, s)

	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: moved, Log: discard})
	wants(t, err, home, "backup", "remove the link")
}

func TestClusterThatBecameUnreachable(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	useSharedHome(t)
	dir := clusterDir(t)
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: dir, Log: discard})
	wants(t, err, "chmod o+x "+dir)
}

// A backup that root has put back belongs to root.
func TestClusterRestoredByRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := clusterDir(t)
	root := &account{name: "root"}
	if err := root.giveAll(filepath.Join(dir, "pg")); err != nil {
		t.Fatal(err)
	}
	mustAsk(t, mustOpen(t, dir), "SELECT 'ready'")
}

func TestInUseInAnotherContainer(t *testing.T) {
	dir := clusterDir(t)
	p, err := findPlace(dir, discard)
	if err != nil {
		t.Fatal(err)
	}
	use, err := p.openLock("use.lock")
	if err != nil || !use.alone() {
		t.Fatal("use.lock: ", err)
	}
	defer use.release()
	if err := os.WriteFile(use.f.Name(), []byte("pid:[1] elsewhere"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{Dir: dir, Log: discard})
	wants(t, err, "another container", "DATABASE_URL")
}

func TestDataDirectoryOfAnotherUser(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	_, err := Open(t.Context(), Options{Dir: "/usr/laurel", Log: discard})
	wants(t, err, "LAUREL_DATA", "/usr/laurel")
}

func useSharedHome(t *testing.T) {
	t.Helper()
	was := sharedHome
	sharedHome = dataDir(t)
	t.Cleanup(func() { sharedHome = was })
}
