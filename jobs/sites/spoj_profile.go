package sites

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// Profile reads the user's page: world rank, problems solved, solutions submitted,
// name, country and institution.
func (spoj) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	if err := checkHandle(spojInfo, a.Handle); err != nil {
		return Profile{}, err
	}
	doc, err := spojUser(ctx, get, a.Handle)
	if err != nil {
		return Profile{}, err
	}
	box := doc.Find("#user-profile-left").First()
	if name := strings.TrimPrefix(words(box.Find("h4").First()), "@"); name != "" && !strings.EqualFold(name, a.Handle) {
		return Profile{}, fmt.Errorf("users/%s: %w: a page about %q", a.Handle, ErrFormat, name)
	}
	p := Profile{Name: &NameView{shown(words(box.Find("h3").First()))}, Rank: &RankView{}, Place: spojPlace(box)}
	if m := spojRank.FindStringSubmatch(words(box)); m != nil {
		if n, ok := grouped(m[1]); ok && *n > 0 {
			p.Rank.Rank = n
		}
	}
	solved, submitted := spojCount(doc, "Problems solved"), spojCount(doc, "Solutions submitted")
	if solved == nil || submitted == nil {
		return Profile{}, fmt.Errorf("users/%s: %w: a page without its counts", a.Handle, ErrFormat)
	}
	p.Counts = &CountsView{solved, submitted}
	return p, nil
}

var spojRank = regexp.MustCompile(`World Rank: #([0-9,]{1,12})`)

// spojPlace reads the country, behind which a town may stand, and the institution.
func spojPlace(box *goquery.Selection) *PlaceView {
	place := &PlaceView{}
	for _, line := range box.Find("p").EachIter() {
		text := words(line)
		if line.Find(".fa-map-marker").Length() > 0 {
			country, _, _ := strings.Cut(text, ",")
			place.Country = shown(country)
		}
		if school, ok := strings.CutPrefix(text, "Institution:"); ok {
			place.Organisation = shown(school)
		}
	}
	return place
}

// spojCount is the number behind a label.
func spojCount(doc *goquery.Document, label string) *int {
	for _, dt := range doc.Find("dt").EachIter() {
		if strings.Contains(words(dt), label) {
			n, _ := grouped(words(dt.NextFiltered("dd")))
			return n
		}
	}
	return nil
}
