package retrieval

import (
	"cmp"
	"context"
	"errors"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
)

// A fetcher asks one site and counts the requests. It knows no database.
type fetcher struct {
	client   *polite.Client
	site     sites.Info
	urgent   bool // Somebody waits.
	requests int
	page     string // What the archive calls the last page.
	from     string // Its address after redirects.
}

func (r *Jobs) fetcher(site sites.Info) *fetcher { return &fetcher{client: r.Client, site: site} }

// Get implements sites.Getter.
func (f *fetcher) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := f.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (f *fetcher) Ask(ctx context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	f.page = cmp.Or(r.Page, r.Address)
	f.requests++
	page, err := f.client.Get(ctx, polite.Request{Address: r.Address, Header: r.Header, Body: r.Body,
		Source: f.site.Name, Gap: f.site.Gap, Urgent: f.urgent})
	if e, ok := errors.AsType[*polite.Error](err); ok && e.NotSent {
		f.requests--
	}
	f.from = page.Address
	return sites.Page{Status: page.Status, Body: page.Body}, sites.Header(page.Header), err
}

// PageAddress implements sites.Follower.
func (f *fetcher) PageAddress() string { return f.from }
