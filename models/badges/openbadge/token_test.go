package openbadge

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"
)

// The example of RFC 8037, appendix A.
const (
	rfcPrivate   = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
	rfcPublic    = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
	rfcThumb     = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
	rfcPayload   = "Example of Ed25519 signing"
	rfcSigned    = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
	rfcSignature = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
)

func rfcKey(t testing.TB) ed25519.PrivateKey {
	t.Helper()
	seed, err := base64url.DecodeString(rfcPrivate)
	if err != nil {
		t.Fatal(err)
	}
	return ed25519.NewKeyFromSeed(seed)
}

func TestRFC8037(t *testing.T) {
	key := rfcKey(t)
	public := key.Public().(ed25519.PublicKey)
	if got, _ := json.Marshal(NewJWK(public)); string(got) != `{"crv":"Ed25519","kty":"OKP","x":"`+rfcPublic+`"}` {
		t.Errorf("the public key of A.1 is %s", got)
	}
	if got := KeyID(public); got != rfcThumb {
		t.Errorf("the thumbprint of A.3 is %s, want %s", got, rfcThumb)
	}
	got, err := seal(key, header{Alg: "EdDSA"}, []byte(rfcPayload))
	if want := rfcSigned + "." + rfcSignature; err != nil || got != want {
		t.Errorf("the token of A.4 is %s, %v, want %s", got, err, want)
	}
	parsed, err := parse(rfcSigned + "." + rfcSignature)
	if err != nil || !parsed.signedBy(public) || string(parsed.payload) != rfcPayload {
		t.Errorf("reading A.5: %q, %v", parsed.payload, err)
	}
	if parsed, err = parse(strings.Replace(rfcSigned, "RXhh", "RXhi", 1) + "." + rfcSignature); err != nil || parsed.signedBy(public) {
		t.Errorf("a changed text passes: %q, %v", parsed.payload, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, jwt, want string }{
		{"nothing", "", "three parts"},
		{"two parts", "a.b", "three parts"},
		{"four parts", "a.b.c.d", "three parts"},
		{"a longer one", strings.Repeat("a", maxToken) + ".b.c", "too long"},
		{"padding", "eyJhbGciOiJFZERTQSJ9==.aaaa.aaaa", "header: not base64url"},
		{"other letters", "eyJhbGciOiJFZERTQSJ9.a+/a.aaaa", "text: not base64url"},
		{"a line break", "eyJhbGciOiJFZERTQSJ9.aa\naa.aaaa", "text: not base64url"},
		{"loose last bits", "eyJhbGciOiJFZERTQSJ9.aaaa.aaaaab", "signature: not base64url"},
		{"a header that is a list", base64url.EncodeToString([]byte(`[]`)) + ".aaaa.aaaa", "not JSON of the right form"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parse(tt.jwt); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%.80q: %v, want %q", tt.jwt, err, tt.want)
			}
		})
	}
}

func TestSealRefusesWhatCouldNotBeRead(t *testing.T) {
	if _, err := seal(rfcKey(t), header{Alg: "EdDSA"}, bytes.Repeat([]byte("a"), maxToken)); err == nil {
		t.Error("a token was written that is too long to read")
	}
	if _, err := (claims{}).seal(nil, typBadge, struct{}{}); err == nil {
		t.Error("signed without a key")
	}
}
