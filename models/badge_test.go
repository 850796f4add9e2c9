package models

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"laurel/models/badges/openbadge"
)

func TestShuffledGivesEveryPlaceOnce(t *testing.T) {
	t.Parallel()
	for _, key := range [][]byte{bytes.Repeat([]byte{1}, 16), []byte("another key of a")} {
		taken := make([]bool, openbadge.ListSize)
		near := 0
		for n := range openbadge.ListSize {
			place := shuffled(key, n)
			if place < 0 || place >= openbadge.ListSize || taken[place] {
				t.Fatalf("badge %d gets place %d, which is taken or is none", n, place)
			}
			taken[place] = true
			if n > 0 && max(place-shuffled(key, n-1), shuffled(key, n-1)-place) < openbadge.ListSize/64 {
				near++
			}
		}
		if part := float64(near) / openbadge.ListSize; part > 0.05 { // 1/32 by chance.
			t.Errorf("%.3f of all badges stand near the one before: the places tell their order", part)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	one, err := NewSecret(strings.Repeat("1", 32) + "\n")
	if err != nil {
		t.Fatal(err)
	}
	same, _ := NewSecret(strings.Repeat("1", 32))
	other, _ := NewSecret(strings.Repeat("2", 32))
	if _, err := NewSecret("short"); err == nil || !strings.Contains(err.Error(), "openssl") {
		t.Errorf("a short secret key: %v", err)
	}
	sealed, err := one.seal("x", []byte("text"))
	if err != nil || bytes.Contains(sealed, []byte("text")) {
		t.Fatalf("sealed %q, %v", sealed, err)
	}
	if text, err := same.open("x", sealed); err != nil || string(text) != "text" {
		t.Errorf("opened %q, %v", text, err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"another secret": func() ([]byte, error) { return other.open("x", sealed) },
		"another name":   func() ([]byte, error) { return one.open("y", sealed) },
		"changed":        func() ([]byte, error) { return one.open("x", append([]byte{0}, sealed[1:]...)) },
		"cut":            func() ([]byte, error) { return one.open("x", sealed[:5]) },
		"none":           func() ([]byte, error) { return Secret{}.open("x", sealed) },
	} {
		if text, err := open(); err == nil {
			t.Errorf("%s opens it: %q", name, text)
		}
	}
	if words := fmt.Sprintf("%v %+v %#v %s", one, one, &one, struct{ S Secret }{one}); strings.Contains(words, "key:") || strings.Contains(words, "0x") {
		t.Errorf("a secret shows itself: %s", words)
	}
}
