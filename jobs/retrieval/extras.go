package retrieval

import (
	"cmp"
	"context"
	"reflect"
	"strings"
	"time"

	"laurel/jobs/sites"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// readExtras reads the ratings and the account's own page if they are due. A failure does not make the
// submissions incomplete; the next retrieval tries again. A site that has just failed is not asked
// for more.
func (l *reading) readExtras(ctx context.Context, a sites.Account) error {
	if ratingsDue(&l.due.Account, l.rec.newest, l.Now(), l.get.urgent) {
		if err := l.readRatings(ctx, a); err != nil || l.rec.result.Message != "" {
			return err
		}
	}
	site, ok := l.site.(sites.Profiler)
	if !ok {
		return nil
	}
	due := l.due.AuditAt != nil || profileDue(&l.due.Account, l.rec.newest, l.Now())
	if !due && !l.counts() {
		return nil
	}
	if err := l.store(ctx, sites.ListPage{Resume: l.due.Cursor}); err != nil { // Renews the lease.
		return err
	}
	if counter, ok := l.site.(sites.Counter); ok && !due {
		l.counted(counter.Counts(ctx, l.get, a))
		return ctx.Err()
	}
	l.get.page = ""
	p, err := site.Profile(ctx, l.get, a)
	if err != nil {
		return l.failed(ctx, "the profile", err)
	}
	res := &l.rec.result
	res.ProfileRead = true
	l.counted(p.Counts)
	res.Pages = append(res.Pages, archive.Response{Address: l.get.page, Shards: profileRows(l.due.Site, l.due.Handle, p)})
	return nil
}

// counts says whether the account's own page, and nothing that was read so far, counts what can be compared
// with what is stored: then it is read at each fetch.
func (l *reading) counts() bool {
	res := &l.rec.result
	return (l.due.ReportedSolved != nil || l.due.ReportedSubmissions != nil) && res.Reported == nil && res.ReportedSubmissions == nil &&
		!l.site.Info().CountsAttempts
}

// counted notes what the site counts.
func (l *reading) counted(c *sites.CountsView) {
	if c == nil {
		return
	}
	res := &l.rec.result
	res.CountsAttempts = l.site.Info().CountsAttempts
	res.ReportedSolved, res.ReportedSubmissions = c.Solved, cmp.Or(c.Submitted, res.ReportedSubmissions)
}

// ratingsDue says whether ratings may have changed since they were read. They are read once a
// day, or at once if somebody waits.
func ratingsDue(a *members.Account, newest, now time.Time, urgent bool) bool {
	return mayChange(a.RatingsAt, newest) && (urgent || daysAgo(a.RatingsAt, 1, now))
}

// profileDue says whether the account's own page is to be read for the archive: once a day while it may
// have changed, else once a week. Nobody waits for it.
func profileDue(a *members.Account, newest, now time.Time) bool {
	return mayChange(a.ProfileAt, newest) && daysAgo(a.ProfileAt, 1, now) || daysAgo(a.ProfileAt, 7, now)
}

// mayChange says whether something was read less than three days after the newest submission,
// or never: ratings and profiles follow submissions that late.
func mayChange(at *time.Time, newest time.Time) bool {
	return at == nil || !at.After(newest.Add(3*retrieval.Day))
}

// daysAgo says whether something was read at least n days ago, or never. An account is not
// fetched at the same minute every day, so the days may be shorter by CheckEvery.
func daysAgo(at *time.Time, n time.Duration, now time.Time) bool {
	return at == nil || !at.After(now.Add(retrieval.CheckEvery-n*retrieval.Day))
}

func (l *reading) readRatings(ctx context.Context, a sites.Account) error {
	l.get.page = ""
	ratings, err := l.site.Ratings(ctx, l.get, a)
	if err != nil {
		return l.failed(ctx, "ratings", err)
	}
	res := &l.rec.result
	for _, r := range ratings {
		res.Ratings = append(res.Ratings, submissions.RatingFound(r))
	}
	res.RatingsRead, res.RatingsAddress = true, l.get.page
	return nil
}

// failed notes what could not be read, and the page if one was asked for.
func (l *reading) failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	res, of := &l.rec.result, retrieval.Result{Outcome: pg.OutcomeParseError}
	res.Message = what + " could not be read: " + err.Error()
	_ = explain(err, &of) // An unknown error stays a parse_error.
	if of.Outcome == pg.OutcomeParseError {
		l.get.answers.Unreadable()
	}
	if l.get.page != "" {
		res.Pages = append(res.Pages, archive.Response{Address: l.get.page, Outcome: of.Outcome, Message: of.Message})
	}
	return nil
}

// profileRows returns the groups of a page as rows of shards of the same names: Rating is
// account_rating. A group that the page does not show is left out; a field that it shows empty is
// nil.
func profileRows(site, handle string, p sites.Profile) map[string][]shards.Row {
	out := map[string][]shards.Row{}
	for group, shown := range reflect.ValueOf(p).Fields() {
		if shown.IsNil() {
			continue
		}
		row := shards.Row{"site": site, "handle": handle}
		for field, v := range shown.Elem().Fields() {
			name := strings.ToLower(field.Name)
			if row[name] = nil; !v.IsNil() {
				row[name] = v.Elem().Interface()
			}
		}
		out["account_"+strings.ToLower(group.Name)] = []shards.Row{row}
	}
	return out
}
