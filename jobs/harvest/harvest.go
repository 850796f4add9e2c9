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
	// the archive offers that: it shows more than the pages, such as ids and true
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
	claimed, ok, err := forumrows.Claim(ctx, j.DB.DB, slug, forumrows.Lease{ID: rand.Int64(), Until: now.Add(forumLease)}, now)
	if err != nil || !ok {
		return claimed.Run, false, err
	}
	h := &walker{Jobs: j, Harvest: claimed, source: "forum:" + claimed.Forum.Slug, asked: map[string]bool{}}
	err = h.walk(ctx)
	ours := h.setOutcome(ctx, err)
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if errors.Is(err, pg.ErrLeaseLost) {
		return h.Run, true, nil
	}
	err = h.End(final, j.DB.DB, h.end, j.Now())
	j.Log.InfoContext(ctx, "harvested", "forum", h.Forum.Slug, "why", h.Run.Why, "outcome", h.Run.Outcome, "requests", h.Run.Requests,
		"not modified", h.Run.NotModified, "new", h.Run.New, "duplicates", h.Run.Duplicates, "missing", h.Run.Missing,
		"message", h.Run.Message)
	return h.Run, true, errors.Join(ours, err)
}

// A walker is one walk through a forum.
type walker struct {
	*Jobs
	forumrows.Harvest
	kind   forums.Kind
	source string

	end     forumrows.End // The entry point's headers are of use only if the walk reached covered ground.
	rules   *robotRules
	burst   bool
	failed  int                       // How many pages in a row could not be had.
	missing map[string]*forumrows.Gap // By address, what earlier runs and this one could not get.
	asked   map[string]bool           // Those of this run.
	skipped []skippedPage
	kept    int64 // The raw answer of the page that was read last; 0 where it is not kept.
}

var errRobots = errors.New("robots.txt does not allow it")

// setOutcome writes the end of a walk into the run, and returns what is wrong with us.
func (h *walker) setOutcome(ctx context.Context, err error) (ours error) {
	h.Run.Outcome = pg.OutcomeOK
	e, outside := errors.AsType[*polite.Error](err)
	switch {
	case err == nil, errors.Is(err, pg.ErrLeaseLost):
	case ctx.Err() != nil:
		h.Run.Outcome, h.Run.Message = pg.OutcomeUnreachable, "Laurel was stopped; the next run continues"
	case errors.Is(err, forumrows.ErrForumState):
		h.Run.Message = "the forum was closed meanwhile"
	case errors.Is(err, errRobots), errors.Is(err, errNoFollow), errors.Is(err, errNoIndex):
		h.Run.Outcome, h.Run.Message = pg.OutcomeBlocked, err.Error()
	case outside:
		h.Run.Outcome, h.Run.Message, h.end.RetryAt = e.Kind, e.Message, e.RetryAt
	case errors.Is(err, forums.ErrFormat), errors.Is(err, forums.ErrTooLarge):
		h.Run.Outcome, h.Run.Message = pg.OutcomeParseError, err.Error()
	case errors.Is(err, forums.ErrGone):
		h.Run.Outcome, h.Run.Message = pg.OutcomeNotFound, err.Error()
	default:
		h.Run.Outcome, h.Run.Message, ours = pg.OutcomeParseError, "what the archive sent could not be stored; the log says why", err
	}
	return ours
}

// walk goes from the entry point backwards to covered ground.
func (h *walker) walk(ctx context.Context) error {
	var ok bool
	if h.kind, ok = forums.ByName(h.Forum.Kind); !ok || h.kind.Info().Upload {
		return errors.Join(forums.ErrFormat, errors.New("this kind is not harvested from an address"))
	}
	h.burst = h.Run.Why == "burst"
	start, err := h.kind.Start(h.Forum.URL)
	if err != nil {
		return err
	}
	if err := h.readRobots(ctx, start.Address); err != nil {
		return err
	}
	etag, modified := h.Forum.Etag, h.Forum.LastModified
	if h.Forum.Again {
		etag, modified = "", ""
	}
	if etag+modified != "" {
		due, err := forumrows.AnythingDue(ctx, h.DB.DB, h.Forum.ID, h.Now())
		if err != nil {
			return err
		}
		if due { // Which those are, only the whole entry point shows.
			etag, modified = "", ""
		}
	}
	if h.missing, err = forumrows.GapsByAddress(ctx, h.DB.DB, h.Forum.ID); err != nil {
		return err
	}
	found, answer, err := h.page(ctx, start, etag, modified)
	if e, ok := errors.AsType[*polite.Error](err); ok && e.Kind == polite.ServerError {
		found, start, err = h.detour(ctx, start, err)
	}
	if err != nil {
		return err
	}
	h.end.Etag, h.end.LastModified = header(answer, "ETag"), header(answer, "Last-Modified")
	if answer.Status == http.StatusNotModified {
		h.end.Etag, h.end.LastModified = cmp.Or(h.end.Etag, h.Forum.Etag), cmp.Or(h.end.LastModified, h.Forum.LastModified)
		return forumrows.CloseQuietPeriods(ctx, h.DB.DB, h.Forum.ID, h.Now())
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
	gap := max(h.Forum.Gap(), h.kind.Info().Gap)
	if h.burst = h.burst && h.Run.Requests < burstAtMost; h.burst {
		gap = 0
	}
	h.Run.Requests++
	page, err := h.Client.Get(ctx, polite.Request{Address: s.Address, Source: h.source, Gap: max(gap, h.rules.delay()), ETag: etag,
		LastModified: modified, Allowed: h.allowed})
	if err != nil {
		return forums.Answer{}, err
	}
	if page.Status == http.StatusNotModified {
		h.Run.NotModified++
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
	return h.Renew(ctx, h.DB.DB, h.Now().Add(forumLease))
}
