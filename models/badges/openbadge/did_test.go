package openbadge

import (
	"crypto/ed25519"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestDID(t *testing.T) {
	for _, tt := range []struct{ site, want string }{
		{"https://laurel.example", "did:web:laurel.example"},
		{"https://Laurel.Example/", "did:web:laurel.example"},
		{"https://laurel.example:8443", "did:web:laurel.example%3A8443"},
		{"http://127.0.0.1:8080", "did:web:127.0.0.1%3A8080"},
		{"http://[::1]:8080", "did:web:%5B%3A%3A1%5D%3A8080"},
		{"https://example.org/clubs/chess", "did:web:example.org:clubs:chess"},
		{"", ""},
		{"laurel.example", ""},
		{"ftp://laurel.example", ""},
		{"https://:80", ""},
		{"https://ada@laurel.example", ""},
		{"https://laurel.example?a", ""},
	} {
		got, err := DID(tt.site)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("DID(%q) = %q, %v, want %q", tt.site, got, err, tt.want)
		}
	}
}

func TestDocumentHasAllKeysThatAreBelieved(t *testing.T) {
	older, newer := rfcKey(t), ed25519.NewKeyFromSeed(make([]byte, 32))
	keys := Keys{"https://laurel.example", []ed25519.PublicKey{newer.Public().(ed25519.PublicKey), older.Public().(ed25519.PublicKey)}}
	text, err := keys.Document()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Context []string `json:"@context"`
		ID      string
		Methods []map[string]any `json:"verificationMethod"`
		Assert  []string         `json:"assertionMethod"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	id := "did:web:laurel.example#" + rfcThumb
	if got.ID != "did:web:laurel.example" || len(got.Methods) != 4 || len(got.Assert) != 4 || got.Assert[2] != id {
		t.Fatalf("document:\n%s", text)
	}
	if want := (map[string]any{
		"id": id, "type": "JsonWebKey", "controller": "did:web:laurel.example",
		"publicKeyJwk": map[string]any{"kty": "OKP", "crv": "Ed25519", "x": rfcPublic},
	}); !reflect.DeepEqual(got.Methods[2], want) {
		t.Errorf("the key is %v, want %v", got.Methods[2], want)
	}
	if strings.Contains(string(text), `"d"`) {
		t.Errorf("a private key in public:\n%s", text)
	}
	if _, err := (Keys{"https://laurel.example", []ed25519.PublicKey{nil}}).Document(); err == nil {
		t.Error("an empty key was published")
	}
}
