package retrieval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"laurel/jobs/sites"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// A RereadOrder says which raw answers are read again.
type RereadOrder struct {
	Site   string    // "": all.
	Since  time.Time // Of fetches that began since.
	DryRun bool
}

// Reread reads the raw answers of accounts again with today's readers, as if they came now
// but were read then, and reports each account of which something changed. It asks no site.
func (r *Jobs) Reread(ctx context.Context, o RereadOrder, report func(*members.Account, retrieval.Changes) error) error {
	all, err := r.AllSites(ctx)
	if err != nil {
		return err
	}
	for after := int64(0); ; {
		ids, err := responses.Accounts(ctx, r.DB.DB, o.Site, o.Since, after, 500)
		if err != nil || len(ids) == 0 {
			return err
		}
		list, err := members.AccountsByID(ctx, r.DB.DB, ids)
		if err != nil {
			return err
		}
		for i := range list {
			c, err := r.rereadAccount(ctx, all, &list[i], o)
			if err == nil && c != (retrieval.Changes{}) {
				err = report(&list[i], c)
			}
			if err != nil {
				return err
			}
		}
		after = ids[len(ids)-1]
	}
}

func (r *Jobs) rereadAccount(ctx context.Context, all []sites.Site, a *members.Account, o RereadOrder) (c retrieval.Changes, err error) {
	i := slices.IndexFunc(all, func(s sites.Site) bool { return s.Info().Name == a.Site })
	if i < 0 { // A site that this release does not know.
		return c, nil
	}
	fetches, err := responses.Fetches(ctx, r.DB.DB, a.ID, o.Since)
	if err != nil {
		return c, err
	}
	return retrieval.Reread(ctx, r.DB.DB, a.ID, r.readings(ctx, all[i], fetches), o.DryRun, r.Now())
}

// readings reads fetches again, one after the other.
func (r *Jobs) readings(ctx context.Context, site sites.Site, fetches []responses.Fetch) iter.Seq2[retrieval.Rereading, error] {
	return func(yield func(retrieval.Rereading, error) bool) {
		for i := range fetches {
			answers, err := responses.OfFetch(ctx, r.DB.DB, fetches[i].ID)
			if err != nil {
				yield(retrieval.Rereading{}, err)
				return
			}
			for reading, err := range readAgain(ctx, site, &fetches[i], answers) {
				if err != nil { // It is no worse than it was.
					r.Log.WarnContext(ctx, "a raw answer cannot be read", "site", site.Info().Name, "handle", fetches[i].Handle,
						"at", fetches[i].StartedAt, "why", err)
					break
				}
				if !yield(reading, nil) {
					return
				}
			}
		}
	}
}

// readAgain yields what today's reader makes of the answers of a fetch, until it asks for
// what was not asked then.
func readAgain(ctx context.Context, site sites.Site, f *responses.Fetch, answers []responses.Answer) iter.Seq2[retrieval.Rereading, error] {
	return func(yield func(retrieval.Rereading, error) bool) {
		p := &replay{answers: answers, at: f.StartedAt}
		a, err := accountThen(ctx, site, f, p)
		if err != nil {
			if !errors.Is(err, errNotKept) {
				yield(retrieval.Rereading{}, err)
			}
			return
		}
		var unread []string
		for page, err := range site.Submissions(ctx, p, a) {
			if errors.Is(err, errNotKept) {
				return
			}
			if err != nil {
				yield(retrieval.Rereading{}, fmt.Errorf("submissions: %w", err))
				return
			}
			rows := unreadRows(page.Unread)
			for i := range rows {
				unread = append(unread, rows[i].Key)
			}
			reading := retrieval.Rereading{At: p.at, Understood: p.understood(), From: f.StartedAt, UnreadKeys: unread,
				Reported: (*retrieval.Counted)(page.Reported)}
			if len(rows) > 0 && len(reading.Understood) > 0 { // It is not understood yet.
				reading.Unread, reading.Understood = rows, nil
			}
			for i := range page.Rows {
				reading.Rows = append(reading.Rows, found(site.Info(), &page.Rows[i]))
			}
			if !yield(reading, nil) {
				return
			}
		}
		p.page = ""
		ratings, err := site.Ratings(ctx, p, a)
		switch {
		case errors.Is(err, errNotKept), len(p.given) == 0:
		case err != nil:
			yield(retrieval.Rereading{}, fmt.Errorf("ratings: %w", err))
		default:
			reading := retrieval.Rereading{At: p.at, RatingsRead: true, RatingsAddress: p.page, Handle: f.Handle,
				Understood: p.understood(), From: f.StartedAt, UnreadKeys: unread}
			for _, rating := range ratings {
				reading.Ratings = append(reading.Ratings, submissions.RatingFound(rating))
			}
			yield(reading, nil)
		}
	}
}

// accountThen is what the reader knew when the fetch began.
func accountThen(ctx context.Context, site sites.Site, f *responses.Fetch, p *replay) (a sites.Account, err error) {
	a = sites.Account{Handle: f.Handle, Key: f.SiteKey, CoveredID: f.CoveredID, ResumeFrom: f.Cursor, Now: func() time.Time { return p.at }}
	if f.CoveredAt != nil {
		a.CoveredAt = *f.CoveredAt
	}
	if resolver, ok := site.(sites.Resolver); ok && a.Key == "" {
		a.Key, err = resolver.Resolve(ctx, p, a.Handle)
	}
	return a, err
}
