package sites

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// Profile reads the user's page, in English: the words in it name the rows and
// are the title, and must not change with the language the site takes us to speak.
func (s atcoder) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	counts := s.Counts(ctx, get, a) // First: the page asked for last is what the archive calls it.
	page, err := fetch(ctx, get, atcoderInfo, a, atcoderInfo.Profile(a.Handle)+"?lang=en")
	if err != nil {
		return Profile{}, err
	}
	if page.Status == statusNotFound {
		return Profile{}, fmt.Errorf("%w: atcoder.jp has no page of this user", ErrNoHandle)
	}
	p, err := atcoderProfile(page, a.Handle)
	p.Counts = counts
	return p, in("users/"+a.Handle, err)
}

// Counts asks AtCoder Problems how many submissions it has; nil where it does not say:
// then there is nothing to compare, and nothing wrong with the profile.
func (atcoder) Counts(ctx context.Context, get Getter, a Account) *CountsView {
	until := time.Now()
	if a.Now != nil {
		until = a.Now()
	}
	address := fmt.Sprintf("https://kenkoooo.com/atcoder/atcoder-api/v3/user/submission_count?user=%s&from_second=0&to_second=%d",
		url.QueryEscape(a.Handle), until.Unix())
	page, err := fetch(ctx, get, atcoderInfo, a, address)
	var answer struct{ Count *int }
	if err != nil || page.Status != statusOK || decode(page.Body, &answer) != nil || answer.Count == nil {
		return nil
	}
	return &CountsView{Submitted: answer.Count}
}

// atcoderUnrated begins what is shown where the table of the contests would be.
const atcoderUnrated = "This user has not competed"

// atcoderLongest is more than a user page with a long history of contests has.
const atcoderLongest = 1 << 20

// atcoderProfile reads a whole user page and nothing else. A page of another
// shape must not pass for somebody who has lost rating and country.
func atcoderProfile(page Page, handle string) (Profile, error) {
	doc, err := wholeDocument(page, atcoderLongest)
	if err != nil {
		return Profile{}, err
	}
	user := doc.Find("h3 a.username").First()
	if name := textOf(user); !strings.EqualFold(name, handle) {
		return Profile{}, fmt.Errorf("%w: a page about %q", ErrFormat, name)
	}
	p := Profile{Title: &TitleView{shown(textOf(user.Closest("h3").Find("b").First()))}}
	for _, table := range doc.Find("table.dl-table").EachIter() {
		rows := atcoderTable(table)
		switch {
		case rows["Rating"] != nil:
			if err := rows.contests(&p); err != nil {
				return Profile{}, err
			}
		case p.Place == nil:
			p.Place = &PlaceView{rows.text("Country/Region"), rows.text("Affiliation")}
		}
	}
	if p.Rating != nil {
		return p, nil
	}
	if !strings.Contains(textOf(doc.Find("body")), atcoderUnrated) {
		return Profile{}, fmt.Errorf("%w: neither a rating nor that there is none", ErrFormat)
	}
	p.Rating, p.Rank = &RatingView{}, &RankView{}
	return p, nil
}

// textOf returns the text of elements with its white space as a browser shows it.
func textOf(s *goquery.Selection) string { return strings.Join(strings.Fields(clean(s.Text())), " ") }

// atcoderRows are the cells of a table by what comes before them.
type atcoderRows map[string]*goquery.Selection

func atcoderTable(table *goquery.Selection) atcoderRows {
	rows := atcoderRows{}
	for _, tr := range table.Find("tr").EachIter() {
		label, cell := textOf(tr.ChildrenFiltered("th").First()), tr.ChildrenFiltered("td").First()
		if rows[label] == nil && cell.Length() > 0 {
			rows[label] = cell
		}
	}
	return rows
}

// text returns a cell; a row that a person has left empty is not there at all.
func (r atcoderRows) text(label string) *string {
	if r[label] == nil {
		return nil
	}
	return shown(textOf(r[label]))
}

// contests reads the table of the algorithm contests: the only one with a rating.
func (r atcoderRows) contests(p *Profile) error {
	if r["Highest Rating"] == nil {
		return fmt.Errorf("%w: a rating without the highest", ErrFormat)
	}
	rating, err := r.number("Rating")
	if err != nil {
		return err
	}
	best, err := r.number("Highest Rating")
	if err != nil {
		return err
	}
	p.Rating = &RatingView{rating, best}
	p.Title.Title = cmp.Or(p.Title.Title, shown(textOf(r["Highest Rating"].Find(".bold").First())))
	if r["Rank"] == nil {
		return nil
	}
	rank, err := r.number("Rank")
	if err != nil {
		return err
	}
	p.Rank = &RankView{rank}
	return nil
}

// atcoderNumber is what a cell begins with, in "12747th" and "2062 (Provisional)".
// More than that many digits are something else.
var atcoderNumber = regexp.MustCompile(`^([0-9]{1,9})(st|nd|rd|th)?( |$)`)

// number reads a cell that is a number, or a dash or nothing where there is none.
func (r atcoderRows) number(label string) (*int, error) {
	text := textOf(r[label])
	switch text {
	case "", "-", "―", "—":
		return nil, nil
	}
	found := atcoderNumber.FindStringSubmatch(text)
	if found == nil {
		return nil, fmt.Errorf("%w: %s is %q", ErrFormat, label, text)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return &n, nil
}
