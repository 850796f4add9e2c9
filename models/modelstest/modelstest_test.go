package modelstest_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"laurel/models/modelstest"
)

const add = "INSERT INTO settings (key, value) VALUES ('color', 'green')"

func TestTxLeavesNothing(t *testing.T) {
	for range 3 {
		t.Run("", func(t *testing.T) {
			tx := modelstest.Tx(t)
			var n int64
			if err := tx.Raw("SELECT count(*) FROM settings").Scan(&n).Error; err != nil || n != 0 {
				t.Fatalf("rows before = %d, %v", n, err)
			}
			if err := tx.Exec(add).Error; err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestTwoTxDoNotWaitForEachOther(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for range 2 { // The same key: on a common database the second would wait.
		if err := modelstest.Tx(t).WithContext(ctx).Exec(add).Error; err != nil {
			t.Fatal(err)
		}
	}
}

// recorder is a test that is run by a test, and may fail.
type recorder struct {
	testing.TB
	failed   bool
	cleanups []func()
}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Error(...any)     { r.failed = true }
func (r *recorder) end() {
	for _, f := range r.cleanups {
		f()
	}
	r.cleanups = nil
}

func TestStarsAreRefused(t *testing.T) {
	for sql, want := range map[string]bool{"SELECT * FROM settings": true, "SELECT count(*) FROM settings": false} {
		for _, open := range []func(testing.TB) *gorm.DB{modelstest.Tx, modelstest.DB} {
			r := &recorder{TB: t}
			if err := open(r).Exec(sql).Error; err != nil {
				t.Error(err)
			}
			r.end()
			if r.failed != want {
				t.Errorf("the test failed after %q: %t, want %t", sql, r.failed, want)
			}
		}
	}
}

func TestTxThatWasEnded(t *testing.T) {
	for sql, want := range map[string]bool{add: false, "SELECT 1/0": false, "COMMIT": true, "ROLLBACK": true} {
		r := &recorder{TB: t}
		tx := modelstest.Tx(r)
		_ = tx.Exec(sql).Error
		r.end()
		if r.failed != want {
			t.Errorf("the test failed after %q: %t, want %t", sql, r.failed, want)
		}
	}
	r := &recorder{TB: t}
	tx := modelstest.Tx(r)
	if err := tx.Exec(add).Commit().Error; err != nil {
		t.Fatal(err)
	}
	r.end()
	if !r.failed {
		t.Error("a test that commits did not fail")
	}
	for range 4 { // Among them the slot of before.
		if err := modelstest.Tx(t).Exec(add).Error; err != nil {
			t.Errorf("a slot was not emptied: %v", err)
		}
	}
}

func TestConnectionsOfDBMeet(t *testing.T) {
	url := modelstest.URL(t)
	for i, sql := range []string{add, "DELETE FROM settings"} {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		tag, err := conn.Exec(t.Context(), sql)
		if err != nil || tag.RowsAffected() != 1 {
			t.Errorf("connection %d changed %d rows, %v", i, tag.RowsAffected(), err)
		}
	}
}

func TestDBIsDropped(t *testing.T) {
	var name string
	t.Run("uses it", func(t *testing.T) {
		if err := modelstest.DB(t).Raw("SELECT current_database()").Scan(&name).Error; err != nil {
			t.Fatal(err)
		}
	})
	if databases(t)[name] {
		t.Errorf("%s is still there", name)
	}
}

// databases are those on the server.
func databases(t *testing.T) map[string]bool {
	t.Helper()
	var names []string
	if err := modelstest.Tx(t).Raw("SELECT datname FROM pg_database").Scan(&names).Error; err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, n := range names {
		there[n] = true
	}
	return there
}

// TestProcess is another test process for the tests below.
func TestProcess(t *testing.T) {
	if os.Getenv("MODELSTEST_PROCESS") == "" {
		t.Skip("is run by other tests")
	}
	var name string
	if err := modelstest.DB(t).Raw("SELECT current_database()").Scan(&name).Error; err != nil {
		t.Fatal(err)
	}
	fmt.Println("database", name)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// process runs TestProcess, up to its database's name, and returns how to end it.
func process(t *testing.T, env ...string) (database string, cmd *exec.Cmd) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^TestProcess$")
	cmd.Env = append(append(os.Environ(), "MODELSTEST_PROCESS=1"), env...)
	cmd.Stderr = t.Output()
	_, err1 := cmd.StdinPipe() // Open until we end.
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "database "); ok {
			return name, cmd
		}
		said = append(said, lines.Text())
	}
	t.Fatalf("the process says: %q", said)
	return "", nil
}

func TestLeftoversOfAKilledProcessAreDropped(t *testing.T) {
	left, killed := process(t)
	kept, _ := process(t)
	_ = killed.Process.Kill()
	_ = killed.Wait()
	deadline := time.Now().Add(20 * time.Second)
	for { // PostgreSQL notices in its own time that the process is gone.
		_, next := process(t)
		_ = next.Process.Kill()
		there := databases(t)
		if !there[kept] {
			t.Fatalf("%s was dropped while its process lives", kept)
		}
		if !there[left] {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there", left)
		}
	}
}

func TestStaleTemplatesAreDropped(t *testing.T) {
	own := modelstest.DB(t)
	const stale, foreign = "laureltest_template_00000000beef", "laureltest_db_of_somebody"
	for _, name := range []string{stale, foreign} {
		if err := own.Exec("CREATE DATABASE " + name).Error; err != nil && !strings.Contains(err.Error(), "already exists") {
			t.Fatal(err)
		}
	}
	defer own.Exec("DROP DATABASE IF EXISTS " + foreign)
	process(t)
	if there := databases(t); there[stale] || !there[foreign] {
		t.Errorf("stale template there: %t, want false; foreign database there: %t, want true", there[stale], there[foreign])
	}
}

func TestAnotherServerIsUsedWhenNamed(t *testing.T) {
	url := modelstest.URL(t)
	name, _ := process(t, "LAUREL_TEST_DATABASE_URL="+url, "TMPDIR=/nonexistent")
	if !databases(t)[name] {
		t.Errorf("%s is not on the named server", name)
	}
}

func BenchmarkTx(b *testing.B) {
	for b.Loop() {
		r := &recorder{TB: b}
		modelstest.Tx(r)
		r.end()
	}
}

func BenchmarkDB(b *testing.B) {
	for b.Loop() {
		r := &recorder{TB: b}
		modelstest.URL(r)
		r.end()
	}
}
