// Package bench holds what the benchmarks share: how much processor time this
// process and the database took.
//
// A benchmark prints ratios against a named alternative that was measured in
// the same run, because the times of a machine mean little elsewhere.
package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// CPU returns the processor time this process has taken.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // It has no reason to fail for oneself.
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PostgresCPU returns the processor time that all PostgreSQL processes of this
// machine took, those that have ended included, as Linux's /proc reports it; 0
// elsewhere. Take the difference of two while nothing else uses PostgreSQL.
func PostgresCPU() time.Duration {
	const tick = time.Second / 100 // USER_HZ, which is 100 on all of Linux's platforms.
	var sum time.Duration
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // It has ended; its parent counts it.
		}
		_, after, ok := bytes.Cut(text, []byte("(postgres) "))
		if !ok {
			continue
		}
		// proc(5): utime, stime, cutime and cstime are fields 14 to 17; after begins with field 3.
		fields := strings.Fields(string(after))
		for _, f := range fields[11:15] {
			n, _ := strconv.Atoi(f)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// Ratio prints one line of a result: a and b with their unit, and a/b.
func Ratio(what string, a, b float64, unit, against string) {
	fmt.Printf("%-58s %10.4g %-12s %10.4g %-12s ratio %8.3g  (%s)\n", what, a, unit, b, unit, a/b, against)
}

// BackendCPU returns the processor time that these processes took so far, as
// Linux's /proc reports it; 0 elsewhere. It is for backends of one database, while
// others use the same server.
func BackendCPU(pids []int) time.Duration {
	const tick = time.Second / 100 // USER_HZ, as above.
	var sum time.Duration
	for _, pid := range pids {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, after, ok := bytes.Cut(text, []byte(") "))
		if !ok {
			continue
		}
		fields := strings.Fields(string(after))
		for _, f := range fields[11:13] {
			n, _ := strconv.Atoi(f)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}
