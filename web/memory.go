package main

import (
	"os"
	"runtime/debug"

	pg "laurel/models/db"
	"laurel/models/localpg"
)

// collectLess lets garbage lie for longer than a Go program does by itself: what
// Laurel keeps in memory is little, and tidying up after every few requests took
// a fifth of the processor time of storing. A quarter of the machine's memory is
// the limit, from where on it tidies up as often as it must. Whoever sets GOGC
// or GOMEMLIMIT decides.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(pg.GCPercent)
	}
	if all := localpg.Memory(); all > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(all / 4)
	}
}
