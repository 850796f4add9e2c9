package sites

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// A dmojUser is what a host says of a person.
type dmojUser struct {
	Username string
	Solved   *int `json:"problem_count"`
	Rating   *int
	Contests []struct {
		Key    string
		Rating *int // null where it was not rated.
	}
}

// user asks for a person. The interface's own 404 is the proof of absence.
func (d dmoj) user(ctx context.Context, get Getter, a Account) (u dmojUser, err error) {
	if err := checkHandle(d.Info(), a.Handle); err != nil {
		return u, err
	}
	var data struct{ Object *dmojUser }
	err = d.ask(ctx, get, Request{Address: d.address("user/" + url.PathEscape(a.Handle))}, &data)
	switch {
	case errors.Is(err, errDmojAbsent):
		return u, fmt.Errorf("%w: %s has nobody of this name", ErrNoHandle, d.Base)
	case err == nil && (data.Object == nil || !strings.EqualFold(data.Object.Username, a.Handle)):
		return u, fmt.Errorf("user: %w: not about %s", ErrFormat, a.Handle)
	case err != nil:
		return u, in("user", err)
	}
	return *data.Object, nil
}

// Profile implements Profiler.
func (d dmoj) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	u, err := d.user(ctx, get, a)
	if err != nil {
		return Profile{}, err
	}
	return Profile{Rating: &RatingView{Rating: u.Rating}, Counts: &CountsView{Solved: u.Solved}}, nil
}

// Written implements Prover: what somebody says of themselves is on their page alone.
func (d dmoj) Written(ctx context.Context, get Getter, a Account) (string, error) {
	page, err := fetch(ctx, get, d.Info(), a, d.Info().Profile(a.Handle))
	if err != nil {
		return "", err
	}
	if page.Status == statusNotFound {
		return "", fmt.Errorf("%w: %s has no page of this user", ErrNoHandle, d.Base)
	}
	doc, err := wholeDocument(page, dmojLongest)
	if err != nil {
		return "", in("user page", err)
	}
	about := doc.Find(".user-content .content-description").First()
	if about.Length() == 0 {
		return "", fmt.Errorf("user page: %w: no description", ErrFormat)
	}
	var words []string // Those of different elements must not run together.
	for _, part := range about.Find("*").AddSelection(about).Contents().EachIter() {
		if goquery.NodeName(part) == "#text" {
			words = append(words, textOf(part))
		}
	}
	return strings.Join(words, " "), nil
}

const (
	dmojKeys  = 50  // Contests that one question is about.
	dmojPages = 100 // More than any host has of anything.

	dmojLongest = 1 << 20 // Of a page about somebody.
)
