// Package fakesite is what the tests of all adapters share: recorded answers,
// a getter's memory, and what every text must be. Only tests import it.
package fakesite

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Recorded returns a real answer of a real site, by its path among the recorded ones.
func Recorded(t testing.TB, name string) string {
	t.Helper()
	return file(t, RecordedPath(t, name))
}

// RecordedPath returns where a file or folder of recorded answers is. They are
// other people's, so they are kept beside the project and not in it; without them
// the test is skipped.
func RecordedPath(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "..", "shared", "recorded", filepath.FromSlash(name))
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		t.Skipf("no recorded answers next to the project: %s", name)
	}
	return path
}

// Testdata returns an answer written for the tests of the package.
func Testdata(t testing.TB, name string) string {
	t.Helper()
	return file(t, filepath.Join("testdata", filepath.FromSlash(name)))
}

func file(t testing.TB, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Asked are the addresses that a fake getter was asked for, in order.
type Asked []string

// Add notes an address and returns it in parts. It fails where that is not one
// that a client could ask for as it is.
func (a *Asked) Add(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.Fragment != "" || strings.ContainsAny(address, " \n\r\t\x00") {
		t.Fatalf("address %q: %v", address, err)
	}
	*a = append(*a, address)
	return u
}

// WantText fails unless Postgres can keep every text.
func WantText(t testing.TB, of string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			t.Errorf("%s: Postgres refuses %.200q", of, text)
		}
	}
}

// UTC reads a time as tests write it: 2026-01-02T15:04:05Z. It panics where that is none.
func UTC(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return at.UTC()
}
