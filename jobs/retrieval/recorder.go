package retrieval

import (
	"context"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/responses"
	"laurel/models/retrieval"
)

// A recorder stores the pages of one account and collects what Finish needs. It knows no HTTP.
type recorder struct {
	db       *gorm.DB
	now      func() time.Time
	site     sites.Info
	due      *retrieval.Due
	fetch    *responses.Fetch
	seen     int // Rows that the list showed, but for unread ones.
	unread   int
	inserted int
	revised  int
	newest   time.Time // The newest submission that is known.
	result   retrieval.Result
}

func (r *Jobs) recorder(site sites.Info, d *retrieval.Due) *recorder {
	c := &recorder{db: r.DB.DB, now: r.Now, site: site, due: d}
	if d.NewestAt != nil {
		c.newest = *d.NewestAt
	}
	return c
}

// page stores a page of the list with the answers that it was read from and the number of the next
// one, and renews the lease. requested says that the button was pressed.
func (c *recorder) page(ctx context.Context, p sites.ListPage, answers []responses.Answer, next int) (requested bool, err error) {
	now := c.now() // Of the answers and of their rows.
	rows := make([]retrieval.Found, len(p.Rows))
	for i := range p.Rows {
		rows[i] = found(c.site, &p.Rows[i])
		if at := rows[i].At; at.After(c.newest) {
			c.newest = at
		}
	}
	c.seen, c.unread = c.seen+len(rows), c.unread+len(p.Unread)
	unread := unreadRows(p.Unread)
	if n := len(answers); n > 0 && len(unread) > 0 { // It is kept until a reader understands all of it.
		answers[n-1].Readable = false
	}
	if at := p.Withheld; !at.IsZero() && (c.result.Withheld.IsZero() || at.Before(c.result.Withheld)) {
		c.result.Withheld = at
	}
	if p.Reported != nil {
		c.result.Reported = (*retrieval.Counted)(p.Reported)
	}
	if p.Total != nil {
		c.result.ReportedSubmissions = p.Total
	}
	for {
		n := min(len(rows), 2000) // Bounds the transaction: some sites give all they have in one page.
		if n == len(rows) {       // A retrieval that is cut short before reads this page again.
			c.due.Cursor = p.Resume
		}
		part := retrieval.Page{Rows: rows[:n], Unread: unread, Next: next, Lease: leaseFor, Fetch: c.fetch, Answers: answers}
		s, err := c.store(ctx, part, now)
		if err != nil {
			return requested, &ownError{err}
		}
		answers, unread, requested = nil, nil, requested || s.Requested
		c.inserted, c.revised = c.inserted+s.Inserted, c.revised+s.Revised
		if rows = rows[n:]; len(rows) == 0 {
			return requested, nil
		}
	}
}

// store stores a part of a page. What the database could not do now it may do the next time.
func (c *recorder) store(ctx context.Context, p retrieval.Page, now time.Time) (s retrieval.Stored, err error) {
	for range storeTries {
		s, err = retrieval.StorePage(ctx, c.db, &c.due.Account, p, now)
		if err == nil || ctx.Err() != nil || !pg.IsTransient(err) && !pg.IsRetry(err) {
			break
		}
	}
	return s, err
}

// emptied says that the complete list lacks even the rows that every fetch shows again, because
// covered ground ends before the newest one.
func (c *recorder) emptied() bool {
	d := c.due
	return c.seen+c.unread == 0 && d.Submissions > 0 && d.CoveredAt != nil && d.NewestAt != nil && !d.NewestAt.Before(*d.CoveredAt)
}

// unreadRows are the unread rows of a page as they are stored.
func unreadRows(list []sites.Unread) []retrieval.Unread {
	rows := make([]retrieval.Unread, len(list))
	for i := range list {
		u := &list[i]
		rows[i] = retrieval.Unread{Key: u.Key(), Text: u.Text, Why: u.Why}
		if !u.Since.IsZero() {
			rows[i].Since = &u.Since
		}
	}
	return rows
}

// found is a row of a site as it is stored.
func found(info sites.Info, s *sites.Submission) retrieval.Found {
	f := retrieval.Found{ID: s.ID, At: s.At, ProblemKey: s.Problem.Key, ProblemName: s.Problem.Name, ProblemURL: s.Problem.URL,
		Status: s.Status, Verdict: s.Verdict, Language: s.Language, Points: s.Points, URL: s.URL, ToMinute: s.ToMinute, About: s.About,
		Formerly: s.Formerly, Expected: info.Expects(s),
		Contest: s.Contest.Key, ContestName: s.Contest.Name, ContestURL: s.Contest.URL, Participation: s.Participation}
	if s.Facts != nil {
		f.Difficulty, f.Tags = s.Facts.Difficulty, s.Facts.Tags
	}
	if !s.Final {
		f.FinalAt = s.At.Add(info.Overlap)
	}
	return f
}
