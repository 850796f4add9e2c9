package openbadge

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// base64url is how JSON Web Signatures write bytes (RFC 7515, 2). Strict: no
// two texts mean the same bytes.
var base64url = base64.RawURLEncoding.Strict()

// A JWK is a public Ed25519 key as JSON (RFC 8037, 2). It has no room for a
// private one.
type JWK struct {
	Crv string `json:"crv"`
	Kty string `json:"kty"`
	X   string `json:"x"`
}

// NewJWK writes a public key as JSON.
func NewJWK(key ed25519.PublicKey) JWK {
	return JWK{Crv: "Ed25519", Kty: "OKP", X: base64url.EncodeToString(key)}
}

// KeyID names a public key by its hash (RFC 7638 and RFC 8037, A.3), so that
// no two keys share a name and none needs to be made up.
func KeyID(key ed25519.PublicKey) string {
	text, _ := json.Marshal(NewJWK(key)) // The members are in the order that RFC 7638 wants; three texts can always be written.
	sum := sha256.Sum256(text)
	return base64url.EncodeToString(sum[:])
}

// Keys are what a site is known by.
type Keys struct {
	Site   string              // Its address, e.g. https://laurel.example.
	Public []ed25519.PublicKey // All that ever signed and are still believed, in any order.
}

// Document is the site's did.json (DID, Target System; JOSE, 4 Key Discovery). A key that no
// longer signs stays in it, for what it signed stays valid; a key that was
// stolen is left out, and so is everything it signed.
func (k Keys) Document() ([]byte, error) {
	type method struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Controller string `json:"controller"`
		Key        *JWK   `json:"publicKeyJwk,omitempty"`
		Multibase  string `json:"publicKeyMultibase,omitempty"`
	}
	contexts := []string{"https://www.w3.org/ns/did/v1", "https://w3id.org/security/jwk/v1", "https://w3id.org/security/multikey/v1"}
	did, err := DID(k.Site)
	if err != nil {
		return nil, err
	}
	methods, ids := []method{}, []string{}
	for _, key := range k.Public {
		if len(key) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("a public key of %d bytes, not %d", len(key), ed25519.PublicKeySize)
		}
		id := did + "#" + KeyID(key)
		proof := multikeyID(did, key) // The same key as proofs want it.
		methods, ids = append(methods, method{id, "JsonWebKey", did, new(NewJWK(key)), ""},
			method{proof, "Multikey", did, nil, multikey(key)}), append(ids, id, proof)
	}
	return json.MarshalIndent(struct {
		Context []string `json:"@context"`
		ID      string   `json:"id"`
		Methods []method `json:"verificationMethod"`
		Assert  []string `json:"assertionMethod"`
	}{contexts, did, methods, ids}, "", "  ")
}

// find returns the key of this id, which is the site's DID, # and KeyID.
func (k Keys) find(did, id string) (ed25519.PublicKey, bool) {
	for _, key := range k.Public {
		if len(key) == ed25519.PublicKeySize && id == did+"#"+KeyID(key) {
			return key, true
		}
	}
	return nil, false
}
