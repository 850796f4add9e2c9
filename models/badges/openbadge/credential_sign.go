package openbadge

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// The types of tokens. OB, 8.2.3 allows no other for a badge; JOSE, 3.1 asks
// for the other one, which is used for lists, so that neither passes for the
// other.
const (
	typBadge = "JWT"
	typList  = "vc+jwt"
)

// Sign makes the badge: the credential as a signed text (OB, 8.2 JSON Web
// Token Proof Format). It is what a file badge.jwt holds and what is baked
// into pictures.
func Sign(key ed25519.PrivateKey, c Credential) (string, error) {
	return c.claims().seal(key, typBadge, c)
}

// Verify says what a badge of this site says, or in plain words why it is not
// to be believed (OB, 8.2.6). It does not say whether the badge was revoked:
// look up the credential's Status for that.
func Verify(jwt string, keys Keys, now time.Time) (Credential, error) {
	payload, did, err := open(strings.TrimSpace(jwt), typBadge, keys)
	if err != nil {
		return Credential{}, err
	}
	var c Credential
	if err := json.Unmarshal(payload, &c); err != nil {
		return Credential{}, errors.New("signed by this site, but not a badge of the right form")
	}
	if err := c.check(did); err != nil {
		return Credential{}, err
	}
	if err := c.claims().check(payload, now); err != nil {
		return Credential{}, err
	}
	return c, nil
}

func (c *Credential) claims() claims {
	return newClaims(c.Issuer.ID, c.ID, c.Subject.ID, c.ValidFrom, c.ValidUntil)
}

// check looks at the form of a credential that this site is said to have
// issued (VC, 4; OB, B.1).
func (c *Credential) check(did string) error {
	switch {
	case len(c.Context) < 2 || c.Context[0] != contextVC || !slices.Contains(c.Context, contextOB):
		return errors.New("not an Open Badge 3.0: wrong @context")
	case !slices.Contains(c.Type, "VerifiableCredential") || !slices.Contains(c.Type, "OpenBadgeCredential"):
		return errors.New("not an Open Badge: wrong type")
	case c.Issuer.ID != did:
		return errors.New("issuer and signer differ")
	case c.ID == "" || c.Name == "" || c.Subject.ID == "" || c.ValidFrom.IsZero():
		return errors.New("the badge lacks its id, its recipient or its date")
	case !c.Subject.Achievement.whole():
		return errors.New("the badge lacks its achievement")
	case !c.Status.whole():
		return errors.New("the badge lacks its revocation list")
	}
	return nil
}

// whole reports whether an achievement says what had to be done.
func (a *Achievement) whole() bool {
	return a.ID != "" && a.Name != "" && a.Criteria.Narrative != "" && slices.Contains(a.Type, "Achievement")
}

// whole reports whether a status names a list of revocations and a place in it.
func (s *Status) whole() bool {
	_, err := s.Bit()
	return err == nil && s.Type == "BitstringStatusListEntry" && s.Purpose == "revocation" && s.List != ""
}
