package retrieval

import (
	"cmp"
	"context"
	"errors"
	"time"

	"laurel/jobs/sites"
	"laurel/models/responses"
)

// errNotKept says that a reader asks for what was not asked then: it goes no further.
var errNotKept = errors.New("there is no raw answer to this request")

// A replay gives the answers of a fetch that was made before, each once and in the order of
// the requests for its address.
type replay struct {
	answers []responses.Answer // Those that were not given yet.
	at      time.Time          // When the newest given one came.
	given   []responses.Answer // Since the last page.
	from    string
	page    string // What the archive calls the last page.
}

// Get implements sites.Getter.
func (p *replay) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := p.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (p *replay) Ask(_ context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	for i, a := range p.answers {
		if a.Address == r.Address && a.Question == r.Body {
			p.answers = append(p.answers[:i:i], p.answers[i+1:]...)
			p.at, p.given, p.from, p.page = a.RetrievedAt, append(p.given, a), r.Address, cmp.Or(r.Page, r.Address)
			return sites.Page{Status: a.Status, Body: a.Body}, a.Header, nil
		}
	}
	return sites.Page{}, nil, errNotKept
}

// PageAddress implements sites.Follower.
func (p *replay) PageAddress() string { return p.from }

// understood returns those of the given answers that no reader understood before.
func (p *replay) understood() (ids []int64) {
	for _, a := range p.given {
		if !a.Readable {
			ids = append(ids, a.ID)
		}
	}
	p.given = nil
	return ids
}
