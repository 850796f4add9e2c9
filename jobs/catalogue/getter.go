package catalogue

import (
	"context"
	"errors"
	"net/http"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/problems"
)

// A getter asks for one list, and for its address only whether it has changed.
type getter struct {
	client         *polite.Client
	site           sites.Info
	list           *sites.List
	row            *problems.List
	etag, modified string // Of the answer to the list's address.
	requests       int
}

// Get implements sites.Getter.
func (g *getter) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := g.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (g *getter) Ask(ctx context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	request := polite.Request{Address: r.Address, Header: r.Header, Body: r.Body, Source: g.site.Name, Gap: g.site.Gap}
	first := r.Address == g.list.Address && r.Body == ""
	if first && g.row.ReadAt != nil {
		request.ETag, request.LastModified = g.row.Etag, g.row.LastModified
	}
	g.requests++
	page, err := g.client.Get(ctx, request)
	if err != nil {
		return sites.Page{}, nil, err
	}
	if first {
		if page.Status == http.StatusNotModified && g.row.ReadAt != nil {
			return sites.Page{}, nil, sites.ErrUnchanged
		}
		g.etag, g.modified = page.Header.Get("ETag"), page.Header.Get("Last-Modified")
	}
	return sites.Page{Status: page.Status, Body: page.Body}, sites.Header(page.Header), nil
}

// outcome is what became of a list that could not be read.
func outcome(err error) string {
	if refused, ok := errors.AsType[*polite.Error](err); ok {
		return refused.Kind
	}
	switch {
	case errors.Is(err, sites.ErrRateLimited):
		return pg.OutcomeRateLimited
	case errors.Is(err, sites.ErrBlocked):
		return pg.OutcomeBlocked
	case errors.Is(err, sites.ErrServer):
		return pg.OutcomeServerError
	}
	return pg.OutcomeParseError
}
