package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"laurel/models/modelstest"
)

// A river runs the program in the folder river, which is a module of its own.
type river struct {
	b    *testing.B
	url  string
	path string // Of the program; "" where it cannot be built.

	later string
}

// riverResult is what the program prints.
type riverResult struct {
	Runs []riverRun
	Idle riverIdle
}

type riverRun struct {
	Way               string // As in river/main.go.
	Posts             int
	Seconds, CoreSecs float64
}

type riverIdle struct {
	Passes        int
	WallMS, CPUMS float64
}

func (r riverRun) wallRate(n int) float64 { return float64(n) / r.Seconds }
func (r riverRun) coreRate(n int) float64 { return float64(n) / r.CoreSecs }

func newRiver(b *testing.B) *river {
	b.Helper()
	r := &river{b: b, url: modelstest.URL(b), path: b.TempDir() + "/river"}
	cmd := exec.CommandContext(b.Context(), "go", "build", "-o", r.path, ".")
	cmd.Dir = "river"
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Printf("nothing is compared with River, which cannot be built here: %v\n%s\n", err, out)
		r.path = ""
	}
	r.later = "0"
	return r
}

// fill lets so many jobs be due later.
func (r *river) fill(later int) {
	r.later = fmt.Sprint(later)
	start := time.Now()
	r.program("-workers", "0")
	fmt.Printf("%d jobs of River's are due later (filled in %s)\n", later, time.Since(start).Round(time.Second))
}

func (r *river) run(workers int) []riverRun { return r.program("-workers", fmt.Sprint(workers)).Runs }

// idle measures the leader's pass that finds nothing due.
func (r *river) idle() riverIdle { return r.program("-workers", "0", "-idle", "15").Idle }

func (r *river) program(args ...string) (res riverResult) {
	r.b.Helper()
	if r.path == "" {
		return riverResult{}
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(r.b.Context(), r.path, append(args, "-url", r.url, "-later", r.later, "-due", fmt.Sprint(duePosts))...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &res)
	}
	if err != nil {
		r.b.Fatalf("River's program: %v\n%s%s", err, out, &stderr)
	}
	return res
}
