package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestTheSecretKeyIsMadeOnceAndForItsOwner(t *testing.T) {
	t.Parallel()
	b := &base{log: slog.New(slog.DiscardHandler), settings: settings{CrawlRate: 1, ClockRate: 1, Data: filepath.Join(t.TempDir(), "data")}}
	path := filepath.Join(b.Data, secretFile)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := b.readSecret(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	first, err := os.ReadFile(path)
	if err != nil || len(first) != 65 {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	if _, err := b.readSecret(); err != nil {
		t.Error(err)
	}
	if again, _ := os.ReadFile(path); string(again) != string(first) {
		t.Error("it was made again")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: want it for its owner only", info.Mode(), err)
	}
	if files, _ := os.ReadDir(b.Data); len(files) != 1 {
		t.Errorf("%d files are left, want 1", len(files))
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.readSecret(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a short key: %v", err)
	}
	b.SecretKey = "short"
	if err := b.check(); err == nil || !strings.Contains(err.Error(), "LAUREL_SECRET_KEY: ") {
		t.Errorf("a short setting: %v", err)
	}
}
