package openbadge

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	contextVC = "https://www.w3.org/ns/credentials/v2"
	contextOB = "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"
	// contextMore has the type of the schema.
	contextMore = "https://purl.imsglobal.org/spec/ob/v3p0/extensions.json"
	schemaOB    = "https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json"
)

// A Grant is all that a badge says. The addresses are whole ones, for they are
// read far away from the site.
type Grant struct {
	Site   string // The site's address: LAUREL_URL.
	Issuer string // The site's name.

	ID        string // The address of this grant's badge page; it never changes.
	GrantedAt time.Time
	Period    string // Which week, month or year, if the award has one each.
	Level     string // The title of the level reached, if the award has levels.

	Award   string // The address of the award's page.
	Slug    string
	Title   string
	Text    string // What one must do.
	Version string // Of the award's document.
	Image   string // The address of the award's picture, if there is one.
	Why     string // The address of the page that shows what counted, if there is one.

	Member      string // The name that the profile has in its address.
	DisplayName string // May be empty.
	Profile     string // The address of the member's profile.

	List  string // The address of the list of revocations
	Index int    // and the badge's place in it, which no other badge ever gets.
}

// Credential says what the grant is in the words of Open Badges. It does not
// ask whether the grant was revoked: that is what the list is for, and the
// document stays the same.
func (g Grant) Credential() (Credential, error) {
	did, err := DID(g.Site)
	if err != nil {
		return Credential{}, err
	}
	if err := g.check(); err != nil {
		return Credential{}, fmt.Errorf("badge: %w", err)
	}
	at := g.GrantedAt.UTC().Truncate(time.Second)
	c := Credential{
		Context:   []string{contextVC, contextOB, contextMore},
		ID:        g.ID,
		Type:      []string{"VerifiableCredential", "OpenBadgeCredential"},
		Name:      g.Title,
		Issuer:    Issuer{did, []string{"Profile"}, g.Issuer, g.Site},
		ValidFrom: at,
		AwardedAt: at,
		Subject: Subject{
			ID:          g.Profile,
			Type:        []string{"AchievementSubject"},
			Identifier:  []Identity{{"IdentityObject", false, g.Member, "userName"}},
			Achievement: g.achievement(),
			Term:        g.Period,
		},
		Status: Status{g.List + "#" + strconv.Itoa(g.Index), "BitstringStatusListEntry", "revocation", strconv.Itoa(g.Index), g.List},
		Schema: []Schema{{schemaOB, "1EdTechJsonSchemaValidator2019"}},
	}
	if g.Why != "" {
		c.Evidence = []Evidence{{g.Why, []string{"Evidence"}, "What counted", "What the member did for this award, with the time of each."}}
	}
	if g.DisplayName != "" {
		c.Subject.Identifier = append(c.Subject.Identifier, Identity{"IdentityObject", false, g.DisplayName, "name"})
	}
	if g.Level != "" {
		c.Name += ": " + g.Level
		c.Subject.Result = []Result{{[]string{"Result"}, c.Subject.Achievement.Results[0].ID, g.Level}}
	}
	return c, nil
}

func (g Grant) achievement() Achievement {
	a := Achievement{
		ID:          g.Award,
		Type:        []string{"Achievement"},
		Kind:        "Award",
		Code:        g.Slug,
		Name:        g.Title,
		Description: g.Text,
		Criteria:    Criteria{g.Award, g.Text},
		Version:     g.Version,
	}
	if g.Text == "" {
		a.Description, a.Criteria.Narrative = g.Title, g.Title // Neither may be missing.
	}
	if g.Image != "" {
		a.Image = &Image{g.Image, "Image", g.Title}
	}
	if g.Level != "" {
		a.Results = []ResultDescription{{g.Award + "#level", []string{"ResultDescription"}, "Level", "PerformanceLevel"}}
	}
	return a
}

// check names the first thing that is missing or wrong.
func (g Grant) check() error {
	for _, text := range []struct{ name, value string }{
		{"issuer", g.Issuer}, {"title", g.Title}, {"slug", g.Slug}, {"member", g.Member},
	} {
		if strings.TrimSpace(text.value) == "" {
			return fmt.Errorf("%s is missing", text.name)
		}
	}
	for _, address := range []struct {
		name, value string
		may         bool // Be missing.
	}{
		{"id", g.ID, false}, {"award", g.Award, false}, {"profile", g.Profile, false}, {"list", g.List, false}, {"image", g.Image, true},
		{"why", g.Why, true},
	} {
		if !full(address.value) && (!address.may || address.value != "") {
			return fmt.Errorf("%s: %q is not a full URL", address.name, address.value)
		}
	}
	if y := g.GrantedAt.UTC().Year(); g.GrantedAt.IsZero() || y < 1 || y > 9999 {
		return fmt.Errorf("granted at %s is not a time that can be written", g.GrantedAt)
	}
	if g.Index < 0 || g.Index >= ListSize {
		return fmt.Errorf("index %d is not in a list of %d", g.Index, ListSize)
	}
	return nil
}

// full says whether an address can be followed from anywhere.
func full(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
