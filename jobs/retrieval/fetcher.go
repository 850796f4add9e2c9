package retrieval

import (
	"cmp"
	"context"
	"errors"
	"time"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	"laurel/models/responses"
)

// A fetcher asks one site and collects what it answers. It knows no database.
type fetcher struct {
	client   *polite.Client
	site     sites.Info
	urgent   bool // Somebody waits.
	requests int
	sign     func(address string) string // With the member's own key; nil: nothing is signed.
	page     string                      // What the archive calls the last page.
	from     string                      // Its address after redirects.
	answers  responses.Collected
}

func (r *Jobs) fetcher(site sites.Info) *fetcher { return &fetcher{client: r.Client, site: site} }

// keep stores the raw answers that were not stored yet, of a question about many or nobody. failed
// is how reading them ended.
func (r *Jobs) keep(ctx context.Context, get *fetcher, kind string, failed error, now time.Time) error {
	if errors.Is(failed, sites.ErrFormat) {
		get.answers.Unreadable()
	}
	_, err := responses.Store(ctx, r.DB.DB, responses.Owner{Kind: kind}, get.answers.Take(), now)
	return err
}

// Get implements sites.Getter.
func (f *fetcher) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := f.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (f *fetcher) Ask(ctx context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	f.page = cmp.Or(r.Page, r.Address)
	f.requests++
	address := r.Address
	if f.sign != nil {
		address = f.sign(address)
	}
	page, err := f.client.Get(ctx, polite.Request{Address: address, Header: r.Header, Body: r.Body,
		Source: f.site.Name, Gap: f.site.Gap, Urgent: f.urgent})
	if e, ok := errors.AsType[*polite.Error](err); ok && e.NotSent {
		f.requests--
	}
	f.from = page.Address
	if err == nil {
		f.answers.Add(responses.Answer{Source: f.site.Name, Address: r.Address, Question: r.Body, Status: page.Status,
			Header: page.Header, Body: page.Body})
	}
	return sites.Page{Status: page.Status, Body: page.Body}, sites.Header(page.Header), err
}

// PageAddress implements sites.Follower.
func (f *fetcher) PageAddress() string { return f.from }
