// Package harvest reads the archives of mailing lists and forums backwards, to what is
// known already.
package harvest

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"laurel/jobs/forums"
	"laurel/jobs/pass"
	"laurel/jobs/polite"
	pg "laurel/models/db"
	forumrows "laurel/models/forums"
)

// Jobs harvest forums.
type Jobs struct {
	DB     *pg.DB
	Now    func() time.Time
	Log    *slog.Logger
	Client *polite.Client
	URL    string // Of this Laurel: links to it are recognised in messages.
}

const (
	forumLease = 2 * time.Minute // Renewed with every request.
	// A period of which so many messages are missing is read in one piece, where
	// the archive offers that: it tells more than the pages, such as ids and true
	// dates. One that is small, or was never read, always is.
	bulkFrom  = 6
	smallBulk = 64 << 10
	// A burst ends after so many requests: the rest comes at the usual pace.
	burstAtMost = 60
)

// HarvestDue walks through every forum that was kicked or is due. A kicked run is an
// ordinary one.
func (j *Jobs) HarvestDue(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		_, ok, err := j.HarvestOne(ctx, "")
		return ok, err
	})
}

// HarvestOne walks through one forum, or through any that waits, and returns what
// the run did; false where none waits, or somebody else is at it.
func (j *Jobs) HarvestOne(ctx context.Context, slug string) (forumrows.Run, bool, error) {
	now := j.Now()
	lease := forumrows.Lease{ID: rand.Int64(), Until: now.Add(forumLease)}
	f, run, ok, err := forumrows.Claim(ctx, j.DB.DB, slug, lease, now)
	if err != nil || !ok {
		return run, false, err
	}
	h := &walker{Jobs: j, forum: f, run: &run, lease: lease, source: "forum:" + f.Slug, asked: map[string]bool{}}
	err = h.walk(ctx)
	ours := h.setOutcome(ctx, err)
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if errors.Is(err, pg.ErrLeaseLost) {
		return run, true, nil
	}
	err = forumrows.EndRun(final, j.DB.DB, &h.forum, h.lease, &run, h.robots, h.etag, h.modified, h.retryAt, j.Now())
	j.Log.InfoContext(ctx, "harvested", "forum", f.Slug, "why", run.Why, "outcome", run.Outcome, "requests", run.Requests, "not modified",
		run.NotModified, "new", run.New,
		"duplicates", run.Duplicates, "missing", run.Missing, "message", run.Message)
	return run, true, errors.Join(ours, err)
}

// A walker is one walk through a forum.
type walker struct {
	*Jobs
	kind   forums.Kind
	forum  forumrows.Forum
	run    *forumrows.Run
	lease  forumrows.Lease
	source string

	robots   string // What it says, in words.
	rules    *robotRules
	etag     string // Of the entry point, if the walk reached covered ground.
	modified string
	retryAt  time.Time // When the host may be asked again.
	burst    bool
	failed   int                       // How many pages in a row could not be had.
	missing  map[string]*forumrows.Gap // By address, what earlier runs and this one could not get.
	asked    map[string]bool           // Those of this run.
	skipped  []skippedPage
}

var errRobots = errors.New("robots.txt does not allow it")

// setOutcome writes the end of a walk into the run, and returns what is wrong with us.
func (h *walker) setOutcome(ctx context.Context, err error) (ours error) {
	h.run.Outcome = pg.OutcomeOK
	e, outside := errors.AsType[*polite.Error](err)
	switch {
	case err == nil, errors.Is(err, pg.ErrLeaseLost):
	case ctx.Err() != nil:
		h.run.Outcome, h.run.Message = pg.OutcomeUnreachable, "Laurel was stopped; the next run goes on"
	case errors.Is(err, forumrows.ErrForumState):
		h.run.Message = "the forum was closed meanwhile"
	case errors.Is(err, errRobots), errors.Is(err, errNoFollow), errors.Is(err, errNoIndex):
		h.run.Outcome, h.run.Message = pg.OutcomeBlocked, err.Error()
	case outside:
		h.run.Outcome, h.run.Message, h.retryAt = e.Kind, e.Message, e.RetryAt
	case errors.Is(err, forums.ErrFormat), errors.Is(err, forums.ErrTooLarge):
		h.run.Outcome, h.run.Message = pg.OutcomeParseError, err.Error()
	case errors.Is(err, forums.ErrGone):
		h.run.Outcome, h.run.Message = pg.OutcomeNotFound, err.Error()
	default:
		h.run.Outcome, h.run.Message, ours = pg.OutcomeParseError, "what the archive sent could not be stored; the log says why", err
	}
	return ours
}

// walk goes from the entry point backwards to covered ground.
func (h *walker) walk(ctx context.Context) error {
	var ok bool
	if h.kind, ok = forums.ByName(h.forum.Kind); !ok || h.kind.Info().Upload {
		return errors.Join(forums.ErrFormat, errors.New("this kind is not read from an address"))
	}
	h.burst = h.run.Why == "burst"
	start, err := h.kind.Start(h.forum.URL)
	if err != nil {
		return err
	}
	if err := h.readRobots(ctx, start.Address); err != nil {
		return err
	}
	etag, modified := h.forum.Etag, h.forum.LastModified
	if h.forum.Again {
		etag, modified = "", ""
	}
	if etag+modified != "" {
		owed, err := forumrows.PeriodsOwed(ctx, h.DB.DB, h.forum.ID, h.Now())
		if err != nil {
			return err
		}
		if owed { // Which those are, only the whole entry point tells.
			etag, modified = "", ""
		}
	}
	if h.missing, err = forumrows.GapsToHeed(ctx, h.DB.DB, h.forum.ID); err != nil {
		return err
	}
	found, answer, err := h.page(ctx, start, etag, modified)
	if e, ok := errors.AsType[*polite.Error](err); ok && e.Kind == polite.ServerError {
		found, start, err = h.detour(ctx, start, err)
	}
	if err != nil {
		return err
	}
	h.etag, h.modified = header(answer, "ETag"), header(answer, "Last-Modified")
	if answer.Status == http.StatusNotModified {
		h.etag, h.modified = cmp.Or(h.etag, h.forum.Etag), cmp.Or(h.modified, h.forum.LastModified)
		return forumrows.CloseQuietPeriods(ctx, h.DB.DB, h.forum.ID, h.Now())
	}
	if len(found.Spans) > 0 {
		return h.periods(ctx, found.Spans)
	}
	return h.list(ctx, start, found)
}

func header(a forums.Answer, name string) string {
	if a.Header == nil {
		return ""
	}
	return a.Header(name)
}

// get fetches one page in its slot. Before it, the run is stored and the lease renewed,
// which fails where somebody has closed the forum: that stops the walk.
func (h *walker) get(ctx context.Context, s forums.Step, etag, modified string) (forums.Answer, error) {
	if err := h.allowed(s.Address); err != nil {
		return forums.Answer{}, err
	}
	if err := h.renewLease(ctx); err != nil {
		return forums.Answer{}, err
	}
	gap := max(h.forum.Gap(), h.kind.Info().Gap)
	if h.burst = h.burst && h.run.Requests < burstAtMost; h.burst {
		gap = 0
	}
	h.run.Requests++
	page, err := h.Client.Get(ctx, polite.Request{Address: s.Address, Source: h.source, Gap: max(gap, h.rules.delay()), ETag: etag,
		LastModified: modified, Allowed: h.allowed})
	if err != nil {
		return forums.Answer{}, err
	}
	if page.Status == http.StatusNotModified {
		h.run.NotModified++
	}
	return answerOf(page), nil
}

// answerOf is a page for those who read it: of headers that come several times, each
// on a line.
func answerOf(p polite.Page) forums.Answer {
	return forums.Answer{Status: p.Status, Header: func(name string) string { return strings.Join(p.Header.Values(name), "\n") },
		Body: p.Body}
}

func (h *walker) renewLease(ctx context.Context) error {
	return forumrows.Keep(ctx, h.DB.DB, &h.forum, &h.lease, h.run, h.Now().Add(forumLease))
}
