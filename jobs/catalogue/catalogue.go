// Package catalogue reads what sites list of their problems and contests.
package catalogue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/problems"
	"laurel/models/retrieval"
)

// Jobs read catalogues.
type Jobs struct {
	DB     *pg.DB
	Now    func() time.Time
	Log    *slog.Logger
	Client *polite.Client
	Rate   float64 // Divides the pauses after failures; 1 outside tests.
}

// leaseFor outlasts a list of several pages.
const leaseFor = 15 * time.Minute

// Read reads those lists of a site that are due.
func (r *Jobs) Read(ctx context.Context, site sites.Site, c sites.Cataloguer) error {
	info, read := site.Info(), false
	var errs []error
	for _, list := range c.Lists() {
		row, err := problems.Claim(ctx, r.DB.DB, info.Name, list.Name, pg.Lease{ID: uuid.NewString(), For: leaseFor}, r.Now())
		if err == nil && row != nil {
			read = true
			err = r.readList(ctx, info, &list, row)
		}
		if errors.Is(err, pg.ErrLeaseLost) {
			err = nil // Somebody else reads it now.
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	if read && ctx.Err() == nil {
		_, err := problems.Match(ctx, r.DB.DB, info.Name)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// readList reads one list. An error is one of ours; what the site does wrong is an outcome.
func (r *Jobs) readList(ctx context.Context, info sites.Info, list *sites.List, row *problems.List) error {
	get := &getter{client: r.Client, site: info, list: list, row: row}
	found, err := list.Read(ctx, get)
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), problems.Release(context.WithoutCancel(ctx), r.DB.DB, row))
	}
	now, changed := r.Now(), int64(0)
	switch {
	case errors.Is(err, sites.ErrUnchanged):
		row.ReadAt, row.Outcome, row.Message = &now, pg.OutcomeOK, ""
	case err != nil:
		row.Outcome, row.Message = outcome(err), err.Error()
	default:
		if changed, err = r.store(ctx, info, list, row, &found); err != nil {
			return errors.Join(err, problems.Release(context.WithoutCancel(ctx), r.DB.DB, row))
		}
		if row.Outcome == pg.OutcomeOK {
			row.Etag, row.LastModified = get.etag, get.modified
		}
	}
	r.Log.InfoContext(ctx, "read a list", "site", info.Name, "list", list.Name, "items", found.Items(), "changed", changed,
		"requests", get.requests, "outcome", row.Outcome, "why", row.Message)
	return problems.Finish(ctx, r.DB.DB, row, list.Contests, r.Rate, now)
}

// store stores what was read, unless the list lacks too much of what it had.
func (r *Jobs) store(ctx context.Context, info sites.Info, list *sites.List, row *problems.List, found *sites.Listing) (int64, error) {
	now, items := r.Now(), found.Items()
	if list.Extent != sites.Part && row.Shrank(items, now) {
		row.Outcome = pg.OutcomeParseError
		row.Message = fmt.Sprintf("the list has %d items and had %d; nothing of it is stored unless it stays so for two weeks",
			items, row.Items)
		return 0, retrieval.CatalogueShrank(ctx, r.DB.DB, info.Name, list.Name, row.Message, now)
	}
	changed, err := problems.Store(ctx, r.DB.DB, listing(info, list, found), now)
	if err != nil {
		return changed, err
	}
	row.Items, row.ReadAt, row.ShrunkSince, row.Outcome, row.Message = items, &now, nil, pg.OutcomeOK, ""
	return changed, retrieval.CatalogueRead(ctx, r.DB.DB, info.Name, list.Name, now)
}

// listing is what a site lists as models take it.
func listing(info sites.Info, list *sites.List, found *sites.Listing) problems.Listing {
	l := problems.Listing{Site: info.Name, Names: list.Names || list.Extent == sites.Whole, Whole: list.Extent == sites.Whole}
	for i := range found.Problems {
		p := &found.Problems[i]
		of := problems.Listed{Key: p.Key, Name: p.Name, URL: p.URL, Difficulty: p.Difficulty, Experimental: p.Experimental, Tags: p.Tags}
		if p.Difficulty != nil {
			of.Source = info.Name
			if p.Source != "" {
				of.Source = p.Source
			}
		}
		l.Problems = append(l.Problems, of)
	}
	for i := range found.Contests {
		c := &found.Contests[i]
		of := problems.ListedContest{Key: c.Key, Name: c.Name, URL: c.URL}
		if !c.Starts.IsZero() {
			of.Starts, of.Ends = &c.Starts, &c.Ends
		}
		l.Contests = append(l.Contests, of)
	}
	for _, link := range found.Links {
		l.Links = append(l.Links, problems.Link(link))
	}
	return l
}
