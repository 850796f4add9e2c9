package badges

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

// Samples of the pages around badges.

func sampleBadge() Badge {
	const id = "6f1c2a3e-9f0b-4a86-8a55-0d6a3f0c9b11"
	return Badge{
		Frame: viewstest.Frame("Badge", parts.BadgePath(id), ""), Now: viewstest.Now, ID: id, Slug: "smith", Title: "Smith", Text: "Two reviews or photos.", Level: "Steel", Name: "ada", DisplayName: "Ada L. (sample)",
		At: viewstest.Now.AddDate(0, -1, 0), Issuer: "Laurel at laurel.example", Address: "https://laurel.example/badges/" + id, DID: "did:web:laurel.example", List: "https://laurel.example/badges/status/1", Lookup: true, Public: true,
	}
}

// lostBadge is one that only its holder sees, and was given by hand.
func lostBadge() Badge {
	b := sampleBadge()
	b.Frame = viewstest.Frame("Badge", parts.BadgePath(b.ID), "ada")
	b.Public, b.Lookup, b.By, b.Period, b.Text, b.Level = false, false, "grace", "2026-10-01", "", ""
	b.State.Revoked, b.State.Reason = &viewstest.Now, "copied from a friend"
	return b
}

func badgePages() map[string]templ.Component {
	check := Verify{Frame: viewstest.Frame("Verify a badge", "/badges/verify", ""), Now: viewstest.Now, Issuer: "Laurel at laurel.example"}
	wrong, valid, revoked, unknown := check, check, check, check
	wrong.Wrong = "This is no valid badge of this site. The signature is wrong: the badge was changed or never issued."
	v := Verdict{Title: "Smith: Steel", DisplayName: "Ada L. (sample)", At: viewstest.Now, DID: "did:web:laurel.example", Known: true, Page: "/badges/x", Profile: "/u/ada"}
	valid.Verdict = new(v)
	v.State.Revoked, v.State.Reason = &viewstest.Now, "progress fell to 1 of 2"
	revoked.Verdict = new(v)
	v.State = State{Superseded: &viewstest.Now, Current: "/badges/y", CurrentAt: &viewstest.Now}
	superseded := check
	superseded.Verdict = new(v)
	v.Known, v.Gone, v.Page = false, true, ""
	unknown.Verdict = new(v)
	return map[string]templ.Component{
		"badge": Page(sampleBadge()), "badge-lost": Page(lostBadge()),
		"verify": VerifyPage(check), "verify-wrong": VerifyPage(wrong), "verify-valid": VerifyPage(valid), "verify-revoked": VerifyPage(revoked), "verify-unknown": VerifyPage(unknown),
		"verify-superseded": VerifyPage(superseded),
	}
}

func TestBadgeWords(t *testing.T) {
	for name, words := range map[string][]string{
		"badge":          {"Granted on 21 October 2026 by Laurel at laurel.example to", "Smith: Steel", "<strong>Valid.</strong>", `href="/badges/6f1c2a3e-9f0b-4a86-8a55-0d6a3f0c9b11.png" download`},
		"badge-lost":     {"for the period from 2026-10-01, by Laurel at laurel.example (grace, by hand) to", "Revoked</strong> on 21 November 2026: copied from a friend.", "Only you", "does not use https"},
		"verify-unknown": {"no longer has a record", "has since left"},
	} {
		html := viewstest.Rendered(t, badgePages()[name])
		for _, w := range words {
			if !strings.Contains(html, w) {
				t.Errorf("%s does not say %q", name, w)
			}
		}
	}
}

func TestBadgePages(t *testing.T) { viewstest.CheckPages(t, badgePages()) }
