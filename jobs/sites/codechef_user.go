package sites

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// codechefUser fetches a user's page. CodeChef has no page that says that there is
// no such user: it leads to its front page, and that, or 404, is the proof.
func codechefUser(ctx context.Context, get Getter, a Account) (Page, error) {
	page, err := fetch(ctx, get, codechefInfo, a, codechefInfo.Profile(a.Handle))
	if err != nil {
		return page, err
	}
	if page.Status == statusNotFound {
		return page, fmt.Errorf("%w: codechef.com has no page of this user", ErrNoHandle)
	}
	if err := found(page); err != nil {
		return page, err
	}
	if f, ok := get.(Follower); ok {
		if at, err := url.Parse(f.PageAddress()); err == nil && at.Host != "" && strings.Trim(at.Path, "/") == "" {
			return page, fmt.Errorf("%w: codechef.com leads from the user's page to its front page", ErrNoHandle)
		}
	}
	for _, mark := range []string{"all_rating", "date_versus_rating", "rating-number", "Total Problems Solved", "user-details"} {
		if bytes.Contains(page.Body, []byte(mark)) {
			return page, nil
		}
	}
	return page, fmt.Errorf("users/%s: %w: not the page of a user", a.Handle, ErrFormat)
}

// A codechefChange is one rated contest in the script of a user's page.
type codechefChange struct {
	Code, Name   string
	EndDate      string `json:"end_date"` // In India.
	Rank, Rating loose
}

func (codechef) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	page, err := codechefUser(ctx, get, a)
	if err != nil {
		return nil, err
	}
	ratings, err := codechefRatings(page.Body)
	return ratings, in("users/"+a.Handle, err)
}

// codechefLists is what comes before the list of rated contests.
var codechefLists = []*regexp.Regexp{
	regexp.MustCompile(`\ball_rating\s*=\s*`), regexp.MustCompile(`"date_versus_rating"\s*:\s*\{\s*"all"\s*:\s*`),
}

func codechefRatings(body []byte) ([]Rating, error) {
	body = bytes.ToValidUTF8(body, nil)
	var rows []codechefChange
	for _, list := range codechefLists {
		at := list.FindIndex(body)
		if at == nil {
			continue
		}
		if err := json.NewDecoder(bytes.NewReader(body[at[1]:])).Decode(&rows); err != nil { // Stops behind the list.
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		return codechefRated(rows)
	}
	return nil, fmt.Errorf("%w: no list of ratings", ErrFormat)
}

// codechefRated leaves out contests without a rating: those that did not count.
func codechefRated(rows []codechefChange) ([]Rating, error) {
	var ratings []Rating
	for _, r := range rows {
		if r.Rating.value == nil {
			continue
		}
		at, err := codechefZone.at(clean(r.EndDate), time.Time{}, time.DateTime, "2006-1-2 15:04:05", "2006-01-02T15:04:05")
		if err != nil {
			return nil, err
		}
		code, name := clean(r.Code), clean(r.Name)
		rated := Rating{Contest: cmp.Or(code, name, r.EndDate), Name: cmp.Or(name, code), Rank: r.Rank.known(), Rating: r.Rating.known(),
			At: at}
		if codechefCell.MatchString(code) {
			rated.URL = codechefHome + "/" + code
		}
		ratings = append(ratings, rated)
	}
	return oldestFirst(ratings), nil
}

// Profile reads the user's page: rating and best, rank, problems solved, name,
// country, institution and stars.
func (codechef) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	page, err := codechefUser(ctx, get, a)
	if err != nil {
		return Profile{}, err
	}
	if err := whole(page.Body); err != nil {
		return Profile{}, fmt.Errorf("users/%s: %w", a.Handle, err)
	}
	doc, err := document(page.Body, codechefLongest)
	if err != nil {
		return Profile{}, fmt.Errorf("users/%s: %w", a.Handle, err)
	}
	if name := textOf(doc.Find(".m-username--link").First()); name != "" && !strings.EqualFold(name, a.Handle) {
		return Profile{}, fmt.Errorf("users/%s: %w: a page about %q", a.Handle, ErrFormat, name)
	}
	return codechefProfile(doc), nil
}

var (
	codechefNumber = regexp.MustCompile(`^([0-9]{1,5})\s*(?:\?i?)?$`) // "1218?" is provisional.
	codechefBest   = regexp.MustCompile(`Highest Rating\s+([0-9]{1,5})`)
	codechefSolved = regexp.MustCompile(`Total Problems Solved:?\s*([0-9,]{1,12})`)
)

func codechefProfile(doc *goquery.Document) Profile {
	var p Profile
	if box := doc.Find(".rating-number").First(); box.Length() > 0 {
		p.Rating = &RatingView{}
		if m := codechefNumber.FindStringSubmatch(textOf(box)); m != nil {
			p.Rating.Rating = atoi(m[1])
		}
		if m := codechefBest.FindStringSubmatch(textOf(doc.Find(".rating-header, .widget-rating").First())); m != nil {
			p.Rating.Best = atoi(m[1])
		}
		p.Title = &TitleView{}
		if stars := strings.Count(textOf(doc.Find(".rating-star").First()), "★"); stars > 0 {
			p.Title.Title = shown(strconv.Itoa(stars) + "★")
		}
	}
	for _, strong := range doc.Find("strong").EachIter() {
		behind := textOf(strong.Parent())
		if strong.Parent().Is("a") {
			behind = textOf(strong.Parent().Parent())
		}
		if !strings.Contains(behind, "Global Rank") || p.Rank != nil {
			continue
		}
		p.Rank = &RankView{}
		if n, ok := grouped(textOf(strong)); ok && *n > 0 { // Else "Inactive".
			p.Rank.Rank = n
		}
	}
	if m := codechefSolved.FindStringSubmatch(textOf(doc.Find("body"))); m != nil {
		if n, ok := grouped(m[1]); ok {
			p.Counts = &CountsView{Solved: n}
		}
	}
	if name := doc.Find("h1.h2-style").First(); name.Length() > 0 {
		p.Name = &NameView{shown(textOf(name))}
	}
	country, school := doc.Find(".user-country-name").First(), codechefLabel(doc, "Institution")
	if country.Length()+school.Length() > 0 {
		p.Place = &PlaceView{shown(textOf(country)), shown(textOf(school))}
	}
	return p
}

// codechefLabel is what follows a label.
func codechefLabel(doc *goquery.Document, label string) *goquery.Selection {
	for _, li := range doc.Find("li").EachIter() {
		if strings.HasPrefix(textOf(li.ChildrenFiltered("label").First()), label) {
			return li.ChildrenFiltered("span").First()
		}
	}
	return &goquery.Selection{}
}

func atoi(digits string) *int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return &n
}
