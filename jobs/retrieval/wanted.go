package retrieval

import (
	"context"
	"errors"

	"laurel/jobs/sites"
	"laurel/models/accounts"
)

// errReplaced ends a reading whose account was replaced by one with another handle.
var errReplaced = errors.New("the account was replaced")

// lookUpWanted asks the site for the handle that the member wants instead of the account's. One that
// the site knows replaces it, one that it does not is refused; whatever else happens, the account
// stays and the next reading asks again.
func (l *reading) lookUpWanted(ctx context.Context) error {
	handle, err := accounts.WantedOf(ctx, l.DB.DB, l.due.ID)
	if err != nil {
		return &ownError{err}
	}
	if handle == "" {
		return nil
	}
	switch err := l.lookUp(ctx, handle); {
	case err == nil:
		if err := accounts.Replace(ctx, l.DB.DB, &l.due.Account, handle, l.Now()); err != nil {
			return own(err)
		}
		l.Log.InfoContext(ctx, "replaced", "site", l.due.Site, "handle", l.due.Handle, "by", handle)
		return errReplaced
	case errors.Is(err, sites.ErrNoHandle):
		return own(accounts.Refuse(ctx, l.DB.DB, &l.due.Account, l.site.Info().Title, handle, l.Now()))
	default:
		l.Log.InfoContext(ctx, "a wanted handle could not be looked up", "site", l.due.Site, "handle", handle, "why", err)
		return ctx.Err()
	}
}

// lookUp asks for the first page of a handle; nothing of it is stored.
func (l *reading) lookUp(ctx context.Context, handle string) (err error) {
	defer l.get.answers.Take()
	a := sites.Account{Handle: handle, Now: l.Now}
	if resolver, ok := l.site.(sites.Resolver); ok {
		if a.Key, err = resolver.Resolve(ctx, l.get, handle); err != nil {
			return err
		}
	}
	for p, err := range l.site.Submissions(ctx, l.get, a) {
		if err != nil || len(p.Rows)+len(p.Unread) > 0 {
			return err
		}
	}
	return nil
}
