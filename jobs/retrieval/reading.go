package retrieval

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"laurel/jobs/sites"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/responses"
	"laurel/models/retrieval"
)

// A reading is one account being read. The recorder stores each page before the fetcher asks for the
// next one, so a failure loses no page.
type reading struct {
	*Jobs
	site  sites.Site
	due   *retrieval.Due
	get   *fetcher
	rec   *recorder
	taken string // The new handle of a renamed account, where another account has it.
}

// read reads and stores everything new, under the new handle if the site has renamed the account.
func (l *reading) read(ctx context.Context) error {
	if err := l.lookUpWanted(ctx); err != nil {
		return err
	}
	err := l.readSigned(ctx)
	if !errors.Is(err, sites.ErrNoHandle) {
		return err
	}
	renamed, ours := l.rename(ctx)
	switch {
	case ours != nil:
		return ours
	case renamed:
		return l.readAll(ctx)
	}
	return err
}

func (l *reading) readAll(ctx context.Context) error {
	a, err := l.account(ctx)
	if err != nil {
		return err
	}
	for p, err := range l.site.Submissions(ctx, l.get, a) {
		if err != nil {
			return err
		}
		if err := l.store(ctx, p); err != nil {
			return err
		}
	}
	if l.rec.emptied() { // The site is probably broken.
		return nil
	}
	return l.readExtras(ctx, a)
}

// store stores a page and the number of the next one. If the button was pressed meanwhile, the rest
// is fetched as urgent.
func (l *reading) store(ctx context.Context, p sites.ListPage) error {
	next := l.get.requests
	if !p.Last {
		next++
	}
	requested, err := l.rec.page(ctx, p, l.get.answers.Take(), next)
	l.get.urgent = l.get.urgent || requested
	return err
}

// account is what the site needs to know of the account, with the site's own number for it.
func (l *reading) account(ctx context.Context) (a sites.Account, err error) {
	a = sites.Account{Handle: l.due.Handle, Key: l.due.SiteKey, CoveredID: l.due.CoveredID, ResumeFrom: l.due.Cursor, Now: l.Now}
	switch {
	case l.due.AuditAt != nil: // Read whole, as if nothing were covered.
		a.CoveredID = ""
	case l.due.CoveredAt != nil:
		a.CoveredAt = *l.due.CoveredAt
	}
	l.rec.fetch = &responses.Fetch{ID: uuid.NewString(), AccountID: l.due.ID, Handle: a.Handle, SiteKey: a.Key,
		CoveredID: a.CoveredID, Cursor: a.ResumeFrom, StartedAt: *l.due.StartedAt}
	if !a.CoveredAt.IsZero() {
		l.rec.fetch.CoveredAt = &a.CoveredAt
	}
	if resolver, ok := l.site.(sites.Resolver); ok && a.Key == "" {
		a.Key, err = resolver.Resolve(ctx, l.get, a.Handle)
		l.due.SiteKey = a.Key
	}
	return a, err
}

// rename asks the site for the new handle of one that it does not know, and gives it to the account.
// If there is none to be found, the handle stays unknown.
func (l *reading) rename(ctx context.Context) (bool, error) {
	site, ok := l.site.(sites.Renamer)
	if !ok {
		return false, nil
	}
	old := l.due.Handle
	handle, err := site.Renamed(ctx, l.get, old)
	if err != nil || handle == "" {
		l.Log.InfoContext(ctx, "no new handle found", "site", l.due.Site, "handle", old, "why", err)
		return false, ctx.Err()
	}
	err = accounts.Rename(ctx, l.DB.DB, &l.due.Account, l.site.Info().Title, handle, l.Now())
	switch {
	case errors.Is(err, accounts.ErrHandleTaken):
		l.taken = handle
		return false, nil
	case err != nil:
		return false, &ownError{err}
	}
	l.Log.InfoContext(ctx, "renamed", "site", l.due.Site, "from", old, "to", handle)
	return true, nil
}

// result turns how the reading ended into an outcome.
func (l *reading) result(ctx context.Context, err error) retrieval.Result {
	res := l.rec.result
	res.Outcome, res.Requests, res.Address = pg.OutcomeOK, l.get.requests, l.listAddress()
	if err == nil {
		res.Blank, res.Emptied = l.rec.seen == 0, l.rec.emptied()
		return res
	}
	l.apply(ctx, err, &res, l.due.String())
	if res.Outcome == pg.OutcomeParseError {
		l.get.answers.Unreadable()
	}
	if res.Outcome == pg.OutcomeNotFound && l.taken != "" {
		res.Message = "the site has renamed it to " + l.taken +
			", which another account here has already: correct the handle of one of them"
	}
	return res
}

// listAddress is what the archive calls the account's list of submissions.
func (l *reading) listAddress() string {
	info := l.site.Info()
	_, numbered := l.site.(sites.Resolver)
	switch {
	case info.List != nil && (!numbered || l.due.SiteKey != ""):
		return info.List(sites.Account{Handle: l.due.Handle, Key: l.due.SiteKey})
	case info.Profile != nil:
		return info.Profile(l.due.Handle)
	}
	return info.Home
}
