package localpg

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"MemTotal:       24683724 kB\nMemFree: 1 kB\n": 24683724 << 10,
		"MemFree: 1 kB\n":     0,
		"MemTotal: many kB\n": 0,
	} {
		name := filepath.Join(t.TempDir(), "meminfo")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := memTotal(name); got != want {
			t.Errorf("%q is %d bytes, want %d", text, got, want)
		}
	}
	if n := memTotal(filepath.Join(t.TempDir(), "none")); n != 0 {
		t.Errorf("no file tells of %d bytes", n)
	}
	for memory, want := range map[int64]string{0: "64MB", 512 << 20: "64MB", 4 << 30: "512MB", 64 << 30: "1024MB"} {
		if got := buffers(memory); got != want {
			t.Errorf("%d bytes of memory have %s of buffers, want %s", memory, got, want)
		}
	}
}
