package retrieval

import (
	"context"
	"errors"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/retrieval"
)

// ownError marks an error of ours, such as one of the database: it says nothing about the account.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }

// own marks an error as ours, except the loss of a lease.
func own(err error) error {
	if err == nil || errors.Is(err, pg.ErrLeaseLost) {
		return err
	}
	return &ownError{err}
}

// passes says that the database could not store something now, and may later: that is no outcome.
func passes(err error) bool {
	_, ours := errors.AsType[*ownError](err)
	return ours && pg.IsTransient(err)
}

// outcomes maps errors of a site's reader to outcomes.
var outcomes = []struct {
	err     error
	outcome string
	message string
}{
	{sites.ErrNoHandle, pg.OutcomeNotFound, "no such handle"},
	{sites.ErrRateLimited, pg.OutcomeRateLimited, "the site says that we ask too often"},
	{sites.ErrBlocked, pg.OutcomeBlocked, ""},
	{sites.ErrServer, pg.OutcomeServerError, ""},
	{sites.ErrFormat, pg.OutcomeParseError, ""},
	{sites.ErrTooMany, pg.OutcomeParseError, ""}, // For a single account: the format has changed.
	{sites.ErrBadHandle, pg.OutcomeParseError, "this cannot be a handle on the site, so it was not asked; correct it"},
}

// explain turns an error of a site into an outcome; it returns any other error.
func explain(err error, res *retrieval.Result) error {
	if own, ok := errors.AsType[*ownError](err); ok {
		return own
	}
	res.Message = err.Error()
	if pe, ok := errors.AsType[*polite.Error](err); ok {
		res.Outcome, res.RetryAt, res.Message = pe.Kind, pe.RetryAt, pe.Message
		return nil
	}
	for _, o := range outcomes {
		if errors.Is(err, o.err) {
			res.Outcome = o.outcome
			if o.message != "" {
				res.Message = o.message
			}
			return nil
		}
	}
	return err
}

// apply turns any error into an outcome. One of ours is a parse_error, or the account would be tried
// again at once, forever.
func (r *Jobs) apply(ctx context.Context, err error, res *retrieval.Result, of string) {
	if ours := explain(err, res); ours != nil {
		r.Log.ErrorContext(ctx, "what was read could not be stored", "of", of, "err", ours)
		res.Outcome, res.Message = pg.OutcomeParseError, "what the site sent could not be stored; the log says why"
	}
}
