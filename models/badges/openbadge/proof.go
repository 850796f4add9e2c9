package openbadge

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A Proof secures a credential inside its JSON (PROOF, 3.3 eddsa-jcs-2022): what is signed
// is its canonical form (RFC 8785), so line breaks and the order of members do not matter.
type Proof struct {
	Context json.RawMessage `json:"@context,omitempty"` // The credential's.
	Type    string          `json:"type"`
	Suite   string          `json:"cryptosuite"`
	Created string          `json:"created,omitempty"`
	Method  string          `json:"verificationMethod"`
	Purpose string          `json:"proofPurpose"`
	Value   string          `json:"proofValue,omitempty"`
}

const (
	proofType    = "DataIntegrityProof"
	proofSuite   = "eddsa-jcs-2022"
	proofPurpose = "assertionMethod"
)

// SignJSON makes the badge as JSON that carries its proof. The same credential and key give the same text: the proof is of
// the moment from which the badge is valid. PROOF makes that optional, but wallets ask for it.
func SignJSON(key ed25519.PrivateKey, c Credential) ([]byte, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("a private key of %d bytes, not %d", len(key), ed25519.PrivateKeySize)
	}
	document, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	p := Proof{Type: proofType, Suite: proofSuite, Created: c.ValidFrom.UTC().Format(time.RFC3339),
		Method: multikeyID(c.Issuer.ID, key.Public().(ed25519.PublicKey)), Purpose: proofPurpose}
	if p.Context, err = json.Marshal(c.Context); err != nil {
		return nil, err
	}
	if err := p.sign(key, document); err != nil {
		return nil, err
	}
	return json.MarshalIndent(struct {
		Credential
		Proof Proof `json:"proof"`
	}{c, p}, "", "  ")
}

// VerifyJSON is Verify for a badge as JSON with a proof.
func VerifyJSON(text []byte, keys Keys, now time.Time) (c Credential, err error) {
	if len(text) > maxToken {
		return c, fmt.Errorf("too long for a badge: %d bytes, at most %d", len(text), maxToken)
	}
	did, err := DID(keys.Site)
	if err != nil {
		return c, err
	}
	document, p, err := apart(text)
	if err != nil {
		return c, err
	}
	n := slices.IndexFunc(keys.Public, func(k ed25519.PublicKey) bool {
		return len(k) == ed25519.PublicKeySize && multikeyID(did, k) == p.Method
	})
	if n < 0 {
		return c, errors.New("signed with a key that this site does not have or no longer trusts")
	}
	signature, ok := fromMultibase(p.Value)
	signed, err := p.hash(document)
	if err != nil || !ok || !ed25519.Verify(keys.Public[n], signed, signature) {
		return c, errors.New("the signature is wrong: the badge was changed or never issued")
	}
	if err := json.Unmarshal(document, &c); err != nil {
		return c, errors.New("signed by this site, but not a badge of the right form")
	}
	if err := c.check(did); err != nil {
		return c, err
	}
	return c, c.inTime(now)
}

// apart takes the proof out of a document.
func apart(text []byte) (document []byte, p Proof, err error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || json.Unmarshal(members["proof"], &p) != nil {
		return nil, p, errors.New("not a badge as JSON with one proof")
	}
	delete(members, "proof")
	switch {
	case p.Type != proofType || p.Suite != proofSuite || p.Purpose != proofPurpose:
		return nil, p, errors.New("the proof is of another kind than " + proofSuite)
	case !same(p.Context, members["@context"]):
		return nil, p, errors.New("the proof and the badge differ in @context")
	}
	document, err = json.Marshal(members)
	return document, p, err
}

// inTime says whether the credential is valid at a time.
func (c *Credential) inTime(now time.Time) error {
	if now.Before(c.ValidFrom) {
		return fmt.Errorf("not valid before %s", c.ValidFrom.UTC().Format(time.RFC3339))
	}
	if !c.ValidUntil.IsZero() && !now.Before(c.ValidUntil) {
		return fmt.Errorf("no longer valid since %s", c.ValidUntil.UTC().Format(time.RFC3339))
	}
	return nil
}

// sign puts the signature of a document into its proof.
func (p *Proof) sign(key ed25519.PrivateKey, document []byte) error {
	signed, err := p.hash(document)
	if err == nil {
		p.Value = multibase(ed25519.Sign(key, signed))
	}
	return err
}

// hash is what is signed: the hashes of the proof without its value and of the document without its proof.
func (p Proof) hash(document []byte) ([]byte, error) {
	p.Value = ""
	options, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	var signed []byte
	for _, text := range [][]byte{options, document} {
		v := jsontext.Value(bytes.Clone(text))
		if err := v.Canonicalize(); err != nil {
			return nil, fmt.Errorf("canonical form: %w", err)
		}
		sum := sha256.Sum256(v)
		signed = append(signed, sum[:]...)
	}
	return signed, nil
}

func same(a, b json.RawMessage) bool {
	x, y := jsontext.Value(bytes.Clone(a)), jsontext.Value(bytes.Clone(b))
	return x.Canonicalize() == nil && y.Canonicalize() == nil && bytes.Equal(x, y)
}

// multikeyID names a key in the site's did.json for proofs.
func multikeyID(did string, key ed25519.PublicKey) string { return did + "#" + multikey(key) }
