package db

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

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
	sealed, err := one.Seal("x", []byte("text"))
	if err != nil || bytes.Contains(sealed, []byte("text")) {
		t.Fatalf("sealed %q, %v", sealed, err)
	}
	if text, err := same.Open("x", sealed); err != nil || string(text) != "text" {
		t.Errorf("opened %q, %v", text, err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"another secret": func() ([]byte, error) { return other.Open("x", sealed) },
		"another name":   func() ([]byte, error) { return one.Open("y", sealed) },
		"changed":        func() ([]byte, error) { return one.Open("x", append([]byte{sealed[0] ^ 1}, sealed[1:]...)) },
		"cut":            func() ([]byte, error) { return one.Open("x", sealed[:5]) },
		"none":           func() ([]byte, error) { return Secret{}.Open("x", sealed) },
	} {
		if text, err := open(); err == nil {
			t.Errorf("%s opens it: %q", name, text)
		}
	}
	if words := fmt.Sprintf("%v %+v %#v %s", one, one, &one, struct{ S Secret }{one}); strings.Contains(words, "key:") || strings.Contains(words, "0x") {
		t.Errorf("a secret shows itself: %s", words)
	}
}
