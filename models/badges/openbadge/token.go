package openbadge

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// header is the first part of a token: what it is signed with (OB, 8.2.3 JOSE
// Header).
type header struct {
	Alg  string          `json:"alg"`
	Typ  string          `json:"typ,omitempty"`
	Kid  string          `json:"kid,omitempty"`
	JWK  *JWK            `json:"jwk,omitempty"`
	Crit json.RawMessage `json:"crit,omitempty"`
}

// A token is a signed text in three parts: header, payload and signature,
// each in base64url (RFC 7515, 3.1 Compact Serialization).
type token struct {
	header    header
	payload   []byte
	signed    string // What the signature is of.
	signature []byte
}

// seal signs a payload with a whole key.
func seal(key ed25519.PrivateKey, h header, payload []byte) (string, error) {
	first, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	signed := base64url.EncodeToString(first) + "." + base64url.EncodeToString(payload)
	jwt := signed + "." + base64url.EncodeToString(ed25519.Sign(key, []byte(signed)))
	if len(jwt) > maxToken {
		return "", fmt.Errorf("the badge is too long: %d bytes, at most %d", len(jwt), maxToken)
	}
	return jwt, nil
}

// parse takes a token apart. It believes nothing yet.
func parse(jwt string) (token, error) {
	if len(jwt) > maxToken {
		return token{}, fmt.Errorf("too long for a badge: %d bytes, at most %d", len(jwt), maxToken)
	}
	if strings.Count(jwt, ".") != 2 {
		return token{}, errors.New("not a signed badge: it must have three parts separated by dots")
	}
	end := strings.LastIndexByte(jwt, '.')
	first, second, _ := strings.Cut(jwt[:end], ".")
	t := token{signed: jwt[:end]}
	text, err := decodePart(first)
	if err != nil {
		return token{}, fmt.Errorf("the badge's header: %w", err)
	}
	if err := json.Unmarshal(text, &t.header); err != nil {
		return token{}, errors.New("the badge's header is not JSON of the right form")
	}
	if t.payload, err = decodePart(second); err != nil {
		return token{}, fmt.Errorf("the badge's text: %w", err)
	}
	if t.signature, err = decodePart(jwt[end+1:]); err != nil {
		return token{}, fmt.Errorf("the badge's signature: %w", err)
	}
	return t, nil
}

// decodePart refuses line breaks, too, which Go's decoder passes over.
func decodePart(text string) ([]byte, error) {
	part, err := base64url.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("not base64url")
	}
	return part, nil
}

func (t *token) signedBy(key ed25519.PublicKey) bool {
	return len(key) == ed25519.PublicKeySize && ed25519.Verify(key, []byte(t.signed), t.signature)
}

// open returns the payload of a token of this type that one of the site's keys
// has signed, and the site's DID.
func open(jwt, typ string, keys Keys) (payload []byte, did string, err error) {
	if did, err = DID(keys.Site); err != nil {
		return nil, "", err
	}
	t, err := parse(jwt)
	if err != nil {
		return nil, "", err
	}
	switch h := t.header; {
	case h.Alg != "EdDSA":
		return nil, "", fmt.Errorf("signed with %.20q; this site signs with EdDSA only", h.Alg)
	case h.Crit != nil:
		return nil, "", errors.New("the badge requires extensions that this site does not know (crit)")
	case h.Typ != typ:
		return nil, "", fmt.Errorf("of the type %.20q, not %q", h.Typ, typ)
	case !strings.HasPrefix(h.Kid, did+"#"):
		return nil, "", errors.New("signed by another site; verify it there")
	}
	key, ok := keys.find(did, t.header.Kid)
	switch {
	case !ok:
		return nil, "", errors.New("signed with a key that this site does not have or no longer trusts")
	case t.header.JWK != nil && *t.header.JWK != NewJWK(key):
		return nil, "", errors.New("the badge contains a different key than it names")
	case !t.signedBy(key):
		return nil, "", errors.New("the signature is wrong: the badge was changed or never issued")
	}
	return t.payload, did, nil
}
