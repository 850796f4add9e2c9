package retrieval

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"time"

	"laurel/jobs/sites"
	"laurel/models/responses"
)

// errNotKept says that a reader asks for what was not asked then: it goes no further.
var errNotKept = errors.New("there is no raw answer to this request")

// A replay gives the answers of a fetch that was made before, each once and in the order of
// the requests for its address. A reader that lost rows went on elsewhere in the list: where no answer
// begins at the place that is asked for, the next one of the same list is given.
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
	i := slices.IndexFunc(p.answers, func(a responses.Answer) bool { return a.Address == r.Address && a.Question == r.Body })
	if list := places.ReplaceAllString(r.Address, "$1"); i < 0 && list != r.Address {
		i = slices.IndexFunc(p.answers, func(a responses.Answer) bool {
			return places.ReplaceAllString(a.Address, "$1") == list && a.Question == r.Body
		})
	}
	if i < 0 {
		return sites.Page{}, nil, errNotKept
	}
	a := p.answers[i]
	p.answers = append(p.answers[:i:i], p.answers[i+1:]...)
	p.at, p.given, p.from, p.page = a.RetrievedAt, append(p.given, a), r.Address, cmp.Or(r.Page, r.Address)
	return sites.Page{Status: a.Status, Body: a.Body}, a.Header, nil
}

// places are what addresses of lists call the place where a page begins, if that follows from the rows of
// the page before, and how many rows are asked for.
var places = regexp.MustCompile(`\b(from_second|from|start|count)=[0-9]+`)

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
