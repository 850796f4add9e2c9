package openbadge

import (
	"fmt"
	"strconv"
	"time"
)

// A Credential is an OpenBadgeCredential (OB, B.1 AchievementCredential) of
// the form that this package writes.
type Credential struct {
	Context    []string  `json:"@context"`
	ID         string    `json:"id"` // The address of the badge's page.
	Type       []string  `json:"type"`
	Name       string    `json:"name"`
	Issuer     Issuer    `json:"issuer"`
	ValidFrom  time.Time `json:"validFrom"`
	ValidUntil time.Time `json:"validUntil,omitzero"`
	AwardedAt  time.Time `json:"awardedDate,omitzero"`
	Subject    Subject   `json:"credentialSubject"`
	Status     Status    `json:"credentialStatus"`
	Schema     []Schema  `json:"credentialSchema,omitempty"`
	// Evidence is what counted for it.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Evidence is a page that shows why the award was granted (OB, B.1 Evidence).
type Evidence struct {
	ID        string   `json:"id"`
	Type      []string `json:"type"`
	Name      string   `json:"name"`
	Narrative string   `json:"narrative"`
}

// An Issuer is the site (OB, B.1 Profile).
type Issuer struct {
	ID   string   `json:"id"` // Its DID.
	Type []string `json:"type"`
	Name string   `json:"name"`
	URL  string   `json:"url,omitempty"`
}

// A Subject is the member and what was reached (OB, B.1 AchievementSubject).
type Subject struct {
	ID          string      `json:"id"` // The address of the member's profile.
	Type        []string    `json:"type"`
	Identifier  []Identity  `json:"identifier,omitempty"`
	Achievement Achievement `json:"achievement"`
	Result      []Result    `json:"result,omitempty"`
	Term        string      `json:"term,omitempty"` // The period of an award that is granted again in each.
}

// An Identity is one more way to know the member (OB, B.1 IdentityObject).
// Nothing is hashed: all of it is on the profile whose address the badge
// gives.
type Identity struct {
	Type   string `json:"type"`
	Hashed bool   `json:"hashed"`
	Value  string `json:"identityHash"`
	Kind   string `json:"identityType"` // userName or name.
}

// An Achievement is the award (OB, B.1 Achievement).
type Achievement struct {
	ID          string              `json:"id"` // The address of the award's page.
	Type        []string            `json:"type"`
	Kind        string              `json:"achievementType,omitempty"`
	Code        string              `json:"humanCode,omitempty"` // The slug.
	Name        string              `json:"name"`
	Description string              `json:"description"`
	Criteria    Criteria            `json:"criteria"`
	Image       *Image              `json:"image,omitempty"`
	Version     string              `json:"version,omitempty"`
	Results     []ResultDescription `json:"resultDescription,omitempty"`
}

// Criteria say what one must do (OB, B.1 Criteria).
type Criteria struct {
	ID        string `json:"id,omitempty"`
	Narrative string `json:"narrative"`
}

// An Image is a picture by its address (OB, B.1 Image).
type Image struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Caption string `json:"caption,omitempty"`
}

// A ResultDescription says that the award has levels, and a Result which one
// was reached (OB, B.1 ResultDescription and Result).
type ResultDescription struct {
	ID   string   `json:"id"`
	Type []string `json:"type"`
	Name string   `json:"name"`
	Kind string   `json:"resultType"`
}

// A Result is the level.
type Result struct {
	Type        []string `json:"type"`
	Description string   `json:"resultDescription"`
	Value       string   `json:"value"`
}

// A Status says where one learns whether the badge was revoked (STATUS, 2.1
// BitstringStatusListEntry).
type Status struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Purpose string `json:"statusPurpose"`
	Index   string `json:"statusListIndex"` // A number, written as the specification wants it.
	List    string `json:"statusListCredential"`
}

// Bit is the badge's place in its list.
func (s Status) Bit() (int, error) {
	bit, err := strconv.Atoi(s.Index)
	if err != nil || bit < 0 || bit >= ListSize || strconv.Itoa(bit) != s.Index {
		return 0, fmt.Errorf("%.20q is not an index in a list of %d", s.Index, ListSize)
	}
	return bit, nil
}

// A Schema is what others may check the form with (OB, B.1 CredentialSchema).
type Schema struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}
