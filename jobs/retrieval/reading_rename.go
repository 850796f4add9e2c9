package retrieval

import (
	"context"
	"errors"

	"laurel/jobs/sites"
	"laurel/models/accounts"
)

// rename asks a site that renames where the handle that it does not know leads to,
// and takes the account there. What cannot be found out proves nothing: the handle
// stays one that is not known.
func (l *reading) rename(ctx context.Context) (bool, error) {
	site, ok := l.site.(sites.Renamer)
	if !ok {
		return false, nil
	}
	old := l.due.Handle
	handle, err := site.Renamed(ctx, l, old)
	if own, ok := errors.AsType[*ownError](err); ok {
		return false, own
	}
	if err != nil || handle == "" {
		l.r.Log.InfoContext(ctx, "no new handle found", "site", l.due.Site, "handle", old, "why", err)
		return false, ctx.Err()
	}
	err = accounts.Rename(ctx, l.r.DB.DB, &l.due.Account, l.site.Info().Title, handle, l.r.Now())
	switch {
	case errors.Is(err, accounts.ErrHandleTaken):
		l.taken = handle
		return false, nil
	case err != nil:
		return false, &ownError{err}
	}
	l.r.Log.InfoContext(ctx, "renamed", "site", l.due.Site, "from", old, "to", handle)
	return true, nil
}
