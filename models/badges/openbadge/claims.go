package openbadge

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// claims say again in a token's words what its credential says (OB, 8.2.4.1
// JWT Payload Format; JOSE, 3.1).
type claims struct {
	Issuer  string `json:"iss"`
	ID      string `json:"jti"`
	Subject string `json:"sub"`
	From    *int64 `json:"nbf"`
	Until   *int64 `json:"exp,omitempty"`
}

func newClaims(issuer, id, subject string, from, until time.Time) claims {
	c := claims{Issuer: issuer, ID: id, Subject: subject, From: new(from.Unix())}
	if !until.IsZero() {
		c.Until = new(until.Unix())
	}
	return c
}

// seal signs a credential, which is in the payload beside its claims.
func (c claims) seal(key ed25519.PrivateKey, typ string, credential any) (string, error) {
	if len(key) != ed25519.PrivateKeySize {
		return "", fmt.Errorf("a private key of %d bytes, not %d", len(key), ed25519.PrivateKeySize)
	}
	first, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	second, err := json.Marshal(credential)
	if err != nil {
		return "", err
	}
	public := key.Public().(ed25519.PublicKey)
	payload := slices.Concat(first[:len(first)-1], []byte{','}, second[1:]) // Two objects become one.
	return seal(key, header{Alg: "EdDSA", Typ: typ, Kid: c.Issuer + "#" + KeyID(public), JWK: new(NewJWK(public))}, payload)
}

// check compares the claims of a payload with those that its credential
// should have, and with the time (OB, 8.2.6.1).
func (c claims) check(payload []byte, now time.Time) error {
	var got claims
	if err := json.Unmarshal(payload, &got); err != nil {
		return errors.New("the badge's claims are not of the right form")
	}
	switch {
	case got.Issuer != c.Issuer:
		return errors.New("the badge's iss is not its issuer")
	case got.ID != c.ID:
		return errors.New("the badge's jti is not its id")
	case got.Subject != c.Subject:
		return errors.New("the badge's sub is not its recipient")
	case got.From == nil || *got.From != *c.From:
		return errors.New("the badge's nbf is not its validFrom")
	case (got.Until == nil) != (c.Until == nil) || c.Until != nil && *got.Until != *c.Until:
		return errors.New("the badge's exp is not its validUntil")
	case now.Unix() < *c.From:
		return fmt.Errorf("not valid before %s", time.Unix(*c.From, 0).UTC().Format(time.RFC3339))
	case c.Until != nil && now.Unix() >= *c.Until:
		return fmt.Errorf("no longer valid since %s", time.Unix(*c.Until, 0).UTC().Format(time.RFC3339))
	}
	return nil
}
