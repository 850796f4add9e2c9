package retrieval

import (
	"cmp"
	"context"
	"errors"
	"time"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// A look is one account being read. It is the site's Getter: before each page is
// fetched, what the pages before gave is stored.
type reading struct {
	r        *Jobs
	site     sites.Site
	due      *retrieval.Due
	urgent   bool
	rows     []retrieval.Found // Read and not stored yet.
	requests int
	inserted int
	revised  int
	seen     int // Rows that the list showed.
	newest   time.Time
	ratings  []sites.Rating
	rated    bool   // ratings is all the site has.
	aside    string // What went wrong beside the submissions.

	fetched   string // The address that was asked last.
	landed    string // Where its page came from, after redirects.
	ratedFrom string // The page of the ratings.
	pages     []archive.Response
	profiled  bool // The account's own page was read.
	told      *retrieval.Counted
	held      time.Time // Since when there are rows that cannot be stored yet.
	taken     string    // The new handle of a renamed account, where another account has it.
}

// Get implements sites.Getter.
func (l *reading) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := l.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (l *reading) Ask(ctx context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	if err := l.store(ctx, l.requests+1); err != nil {
		return sites.Page{}, nil, err
	}
	info := l.site.Info()
	l.fetched = cmp.Or(r.Page, r.Address)
	l.requests++
	page, err := l.r.Client.Get(ctx, polite.Request{Address: r.Address, Source: info.Name, Gap: info.Gap, Urgent: l.urgent, Header: r.Header, Body: r.Body})
	if e, ok := errors.AsType[*polite.Error](err); ok && e.NotSent {
		l.requests--
	}
	l.landed = page.Address
	return sites.Page{Status: page.Status, Body: page.Body}, sites.Header(page.Header), err
}

// Landed implements sites.Follower.
func (l *reading) Landed() string { return l.landed }

// store writes what was read, and which page is being read.
func (l *reading) store(ctx context.Context, page int) error {
	s, err := retrieval.StorePage(ctx, l.r.DB.DB, &l.due.Account, l.rows, page, leaseFor, l.r.Now())
	if err != nil {
		return &ownError{err}
	}
	l.urgent = l.urgent || s.Asked
	l.inserted, l.revised, l.rows = l.inserted+s.Inserted, l.revised+s.Revised, l.rows[:0]
	return nil
}

// ownError marks an error that is not the outside world's: nothing is believed
// about the account then.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }

// atMost bounds what is held in memory where a site gives more in one page.
const atMost = 2000

// read reads and stores everything new, of the new handle where the site has
// renamed the account.
func (l *reading) read(ctx context.Context) error {
	err := l.readAll(ctx)
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
	for s, err := range l.site.Submissions(ctx, l, a) {
		if err != nil {
			return errors.Join(err, l.rest(ctx))
		}
		l.seen++
		if s.At.After(l.newest) {
			l.newest = s.At
		}
		l.rows = append(l.rows, found(l.site.Info(), s))
		if len(l.rows) >= atMost {
			if err := l.store(ctx, l.requests); err != nil {
				return err
			}
		}
	}
	if err := l.rest(ctx); err != nil {
		return err
	}
	if l.emptied() {
		return nil // Such a site is not asked for more.
	}
	if err := l.readRatings(ctx, a); err != nil || l.aside != "" {
		return err // A site that has just failed is not asked for more.
	}
	return l.readProfile(ctx, a)
}

// found is a row of a site as models take it.
func found(info sites.Info, s sites.Submission) retrieval.Found {
	f := retrieval.Found{ID: s.ID, At: s.At, ProblemKey: s.Problem.Key, ProblemName: s.Problem.Name, ProblemURL: s.Problem.URL, Status: s.Status, Verdict: s.Verdict,
		Language: s.Language, Points: s.Points, URL: s.URL, ToMinute: s.ToMinute, About: s.About, Formerly: s.Formerly, Expected: info.Expects(&s)}
	if !s.Final {
		f.SettlesAt = s.At.Add(info.Overlap)
	}
	return f
}

// emptied says that a list that was read to its end lacks even the rows that are
// shown again every time: covered ground ends before the newest one.
func (l *reading) emptied() bool {
	d := l.due
	return l.seen == 0 && d.Submissions > 0 && d.CoveredAt != nil && d.NewestAt != nil && !d.NewestAt.Before(*d.CoveredAt)
}

// rest stores what is left over; a page that failed does not take the ones
// before it along.
func (l *reading) rest(ctx context.Context) error {
	if len(l.rows) == 0 {
		return nil
	}
	return l.store(ctx, l.requests)
}

func (l *reading) account(ctx context.Context) (sites.Account, error) {
	a := sites.Account{Handle: l.due.Handle, Key: l.due.SiteKey, CoveredID: l.due.CoveredID, ResumeFrom: l.due.Place}
	a.SaveResume = func(place string) { l.due.Place = place } // Stored with the rows before the next page is asked for.
	a.Now = l.r.Now
	a.Withheld = func(since time.Time) {
		if l.held.IsZero() || since.Before(l.held) {
			l.held = since
		}
	}
	a.Report = func(told sites.Reported) {
		l.told = &retrieval.Counted{Total: told.Total, Days: told.Days, Oldest: told.Oldest}
	}
	if l.due.CoveredAt != nil {
		a.CoveredAt = *l.due.CoveredAt
	}
	resolver, ok := l.site.(sites.Resolver)
	if !ok || a.Key != "" {
		return a, nil
	}
	key, err := resolver.Resolve(ctx, l, a.Handle)
	a.Key, l.due.SiteKey = key, key
	return a, err
}

// outcomes maps what a site's reader says to an outcome.
var outcomes = []struct {
	err     error
	outcome string
	words   string
}{
	{sites.ErrNoHandle, pg.OutcomeNotFound, "no such handle"},
	{sites.ErrRateLimited, pg.OutcomeRateLimited, "the site says that we ask too often"},
	{sites.ErrBlocked, pg.OutcomeBlocked, ""},
	{sites.ErrServer, pg.OutcomeServerError, ""},
	{sites.ErrFormat, pg.OutcomeParseError, ""},
	{sites.ErrTooMany, pg.OutcomeParseError, ""}, // Of one account: not the site's format any more.
	{sites.ErrBadHandle, pg.OutcomeParseError, "this cannot be a handle on the site, so it was not asked; correct it"},
}

// result turns how the reading ended into an outcome; ours is an error that is
// not the site's.
func (l *reading) result(err error) (res retrieval.Result, ours error) {
	res = retrieval.Result{Outcome: pg.OutcomeOK, Message: l.aside, Requests: l.requests, RatingsRead: l.rated, Told: l.told, Held: l.held}
	for _, rt := range l.ratings {
		res.Ratings = append(res.Ratings, submissions.RatingFound{Contest: rt.Contest, Name: rt.Name, URL: rt.URL, Rank: rt.Rank, Rating: rt.Rating, At: rt.At})
	}
	res.Address, res.RatingsAddress, res.Pages, res.ProfileRead = l.listAddress(), l.ratedFrom, l.pages, l.profiled
	if err == nil {
		res.Blank, res.Emptied = l.seen == 0, l.emptied()
		return res, nil
	}
	ours = explain(err, &res)
	if res.Outcome == pg.OutcomeNotFound && l.taken != "" {
		res.Message = "the site has renamed it to " + l.taken + ", which another account here has already: correct the handle of one of them"
	}
	return res, ours
}

// explain turns an error of a site into an outcome; others come back.
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
			if o.words != "" {
				res.Message = o.words
			}
			return nil
		}
	}
	return err
}
