package localpg

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory returns how many bytes this machine has, or the container that we are
// in where that is less; 0 if neither says so.
func Memory() int64 {
	all := memTotal("/proc/meminfo")
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// "max", or a number beyond all memory, is no limit.
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && n < all {
			all = n
		}
	}
	return all
}

// memTotal reads the kernel's own account: a line "MemTotal:  24683724 kB".
func memTotal(name string) int64 {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n * 1024
		}
	}
	return 0
}

// buffers is PostgreSQL's shared_buffers for so much memory: an eighth, for
// Laurel itself and the system's cache want some, too. It is only taken as it is
// filled.
func buffers(memory int64) string {
	const least, most = 64 << 20, 1 << 30
	return fmt.Sprintf("%dMB", min(max(memory/8, least), most)>>20)
}
