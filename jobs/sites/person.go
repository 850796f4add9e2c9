package sites

import (
	"context"
	"fmt"

	"github.com/PuerkitoBio/goquery"
)

// A personPage is a page about somebody on a site that shows a page of its own,
// with nobody on it, where there is no such person.
type personPage struct {
	name        string // For errors.
	address     string
	longest     int
	goneIsProof bool                         // Status 404 proves absence, too.
	shows       func(*goquery.Document) bool // The page is about somebody.
	own         func(*goquery.Document) bool // The page is one of the site's.
}

// fetchPerson returns the page, or ErrNoHandle where the site proves that there is nobody.
func fetchPerson(ctx context.Context, get Getter, p personPage) (*goquery.Document, error) {
	page, err := get.Get(ctx, p.address)
	if err != nil {
		return nil, err
	}
	if p.goneIsProof && page.Status == statusNotFound {
		return nil, fmt.Errorf("%w: the site has no page %s", ErrNoHandle, p.name)
	}
	if err := found(page); err != nil {
		return nil, err
	}
	doc, err := document(page.Body, p.longest)
	if err != nil {
		return nil, err
	}
	if err := whole(page.Body); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	if p.shows(doc) {
		return doc, nil
	}
	if err := resting(doc); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	if p.own(doc) {
		return nil, fmt.Errorf("%w: the site shows a page of its own for %s", ErrNoHandle, p.name)
	}
	return nil, fmt.Errorf("%s: %w: not a page of the site", p.name, ErrFormat)
}
