package openbadge

import (
	"crypto/ed25519"
	"time"
)

// listCredential is a list as it is published (STATUS, 2.2
// BitstringStatusListCredential).
type listCredential struct {
	Context    []string    `json:"@context"`
	ID         string      `json:"id"`
	Type       []string    `json:"type"`
	Issuer     string      `json:"issuer"`
	ValidFrom  time.Time   `json:"validFrom"`
	ValidUntil time.Time   `json:"validUntil,omitzero"`
	Subject    listSubject `json:"credentialSubject"`
}

type listSubject struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Purpose string `json:"statusPurpose"`
	List    string `json:"encodedList"`
}

// Sign publishes the list of this address as it is at an instant. Until says
// how long it may be believed, so that an old one cannot be shown for ever; a
// zero time sets no limit.
func (l *List) Sign(key ed25519.PrivateKey, site, address string, at, until time.Time) (string, error) {
	did, err := DID(site)
	if err != nil {
		return "", err
	}
	packed, err := l.encode()
	if err != nil {
		return "", err
	}
	c := listCredential{
		Context:   []string{contextVC},
		ID:        address,
		Type:      []string{"VerifiableCredential", "BitstringStatusListCredential"},
		Issuer:    did,
		ValidFrom: at.UTC().Truncate(time.Second),
		Subject:   listSubject{address + "#list", "BitstringStatusList", "revocation", packed},
	}
	if !until.IsZero() {
		c.ValidUntil = until.UTC().Truncate(time.Second)
	}
	return c.claims().seal(key, typList, c)
}

func (c *listCredential) claims() claims {
	return newClaims(c.Issuer, c.ID, c.Subject.ID, c.ValidFrom, c.ValidUntil)
}
