package openbadge

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The example of Data Integrity EdDSA Cryptosuites v1.0, appendix B.2 (eddsa-jcs-2022): key, credential, hashes and proof.
func TestProofOfTheSpecification(t *testing.T) {
	const (
		secret   = "c96ef9ea10c5e414c471723aff9de72c35fa5b70fae97e8832ecac7d2e2b8ed6"
		public   = "z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"
		document = `{"validFrom": "2023-01-01T00:00:00Z", "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
			"id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33", "type": ["VerifiableCredential", "AlumniCredential"], "name": "Alumni Credential",
			"description": "A minimum viable example of an Alumni Credential.", "issuer": "https://vc.example/issuers/5678",
			"credentialSubject": {"id": "did:example:abcdefgh", "alumniOf": "The School of Examples"}}`
	)
	seed, err := hex.DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	if got := multikey(key.Public().(ed25519.PublicKey)); got != public {
		t.Errorf("the key is %s, want %s", got, public)
	}
	p := Proof{Type: proofType, Suite: proofSuite, Created: "2023-02-24T23:36:38Z", Method: "did:key:" + public + "#" + public, Purpose: proofPurpose,
		Context: json.RawMessage(`["https://www.w3.org/ns/credentials/v2","https://www.w3.org/ns/credentials/examples/v2"]`)}
	signed, err := p.hash([]byte(document))
	if want := "66ab154f5c2890a140cb8388a22a160454f80575f6eae09e5a097cabe539a1db" +
		"59b7cb6251b8991add1ce0bc83107e3db9dbbab5bd2c28f687db1a03abc92f19"; err != nil || hex.EncodeToString(signed) != want {
		t.Errorf("what is signed is %x, %v, want %s", signed, err, want)
	}
	if err := p.sign(key, []byte(document)); err != nil ||
		p.Value != "z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX" {
		t.Errorf("the proof is %s, %v", p.Value, err)
	}
}

func TestMultibase(t *testing.T) {
	for data, want := range map[string]string{"": "z", "00": "z1", "0000287fb4cd": "z11233QC4", "48656c6c6f20576f726c6421": "z2NEpo7TZRRrLZSi2U"} {
		b, _ := hex.DecodeString(data)
		if got := multibase(b); got != want {
			t.Errorf("%s is written %s, want %s", data, got, want)
		}
		if got, ok := fromMultibase(want); data != "" && (!ok || !bytes.Equal(got, b)) {
			t.Errorf("%s is read as %x, %v", want, got, ok)
		}
	}
	for _, wrong := range []string{"", "z", "m123", "z0", "zI", "z" + strings.Repeat("2", 100)} {
		if _, ok := fromMultibase(wrong); ok {
			t.Errorf("%q is read", wrong)
		}
	}
}

// A badge with its proof is verified by a script that shares nothing with this package, and refused when anything changed.
func TestProofsAreVerifiedElsewhere(t *testing.T) {
	key := rfcKey(t)
	keys := Keys{"https://laurel.example", []ed25519.PublicKey{key.Public().(ed25519.PublicKey)}}
	g := grant()
	g.Title, g.DisplayName, g.Why = "Ünï “codé” \u2028 </script> 𝄞", "Åda & Co", "https://laurel.example/u/ada/awards/solver"
	c, err := g.Credential()
	if err != nil {
		t.Fatal(err)
	}
	text, err := SignJSON(key, c)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := SignJSON(key, c); !bytes.Equal(text, again) {
		t.Error("signed twice, it is not the same")
	}
	now := c.ValidFrom.Add(time.Hour)
	if got, err := VerifyJSON(text, keys, now); err != nil || got.Evidence[0].ID != g.Why || got.Name != c.Name {
		t.Errorf("%+v, %v", got, err)
	}
	did, err := keys.Document()
	if err != nil {
		t.Fatal(err)
	}
	if said := byNode(t, text, did); said != "verified" {
		t.Errorf("elsewhere: %s", said)
	}
	other := Keys{keys.Site, []ed25519.PublicKey{ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey)}}
	for what, change := range map[string]func(string) string{
		"another name":    func(s string) string { return strings.Replace(s, "Co", "Ca", 1) },
		"one more member": func(s string) string { return strings.Replace(s, "{", `{"x":1,`, 1) },
		"another purpose": func(s string) string { return strings.Replace(s, proofPurpose, "authentication", 1) },
		"another time": func(s string) string {
			return strings.Replace(s, `"proofPurpose"`, `"created":"2020-01-01T00:00:00Z","proofPurpose"`, 1)
		},
		"no proof":         func(s string) string { return strings.Replace(s, `"proof"`, `"prof"`, 1) },
		"another evidence": func(s string) string { return strings.Replace(s, "/u/ada/", "/u/eve/", 1) },
	} {
		changed := change(string(text))
		if _, err := VerifyJSON([]byte(changed), keys, now); err == nil || changed == string(text) {
			t.Errorf("%s: passes", what)
		}
	}
	if _, err := VerifyJSON(text, other, now); err == nil {
		t.Error("passes with another key")
	}
	if _, err := VerifyJSON(text, keys, c.ValidFrom.Add(-time.Second)); err == nil {
		t.Error("passes before its time")
	}
	if said := byNode(t, []byte(strings.Replace(string(text), "Co", "Ca", 1)), did); said != "refused" {
		t.Errorf("elsewhere, changed: %s", said)
	}
}

func byNode(t *testing.T, badge, did []byte) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	files := []string{t.TempDir() + "/badge.json", t.TempDir() + "/did.json"}
	for i, text := range [][]byte{badge, did} {
		if err := os.WriteFile(files[i], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), node, "testdata/verify.mjs", files[0], files[1]).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}
