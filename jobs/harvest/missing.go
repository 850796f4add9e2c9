package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"laurel/jobs/forums"
	"laurel/jobs/polite"
	forumrows "laurel/models/forums"
)

const (
	// failuresInARow is how many pages in a row may be unreadable: after that it is not
	// a page that is broken but the archive, and the run ends.
	failuresInARow = 10
	// runsInARow is after how many runs that ended with a gateway that had no answer, or
	// none in time, that is the page's own fault: others may be fine.
	runsInARow = 5
)

// errNoFollow is an index whose robots tag says so, errNoIndex messages.
var (
	errNoFollow = errors.New("the page asks robots not to follow its links")
	errNoIndex  = errors.New("the page asks robots not to index it")
)

// page fetches a page and reads it. Of an index that asks robots not
// to follow its links nothing is used.
func (h *walker) page(ctx context.Context, s forums.Step, etag, modified string) (found forums.Found, answer forums.Answer, err error) {
	h.kept = 0
	answer, err = h.get(ctx, s, etag, modified)
	if err != nil || answer.Status == http.StatusNotModified {
		return found, answer, err
	}
	found, err = h.kind.Read(s, answer)
	if errors.Is(err, forums.ErrFormat) && answer.Status == http.StatusOK {
		return found, answer, errors.Join(err, h.keep(ctx, s, answer, false))
	}
	if err != nil {
		return found, answer, err
	}
	h.failed = 0
	found.HeedRobots(header(answer, "X-Robots-Tag"), robotName)
	switch {
	case s.What == forums.Message && found.NoIndex: // Nothing of it may be stored.
		return found, answer, nil
	case s.What == forums.Message:
	case found.NoFollow:
		return forums.Found{}, answer, errNoFollow
	case found.NoIndex && len(found.Messages) > 0:
		return forums.Found{}, answer, errNoIndex
	}
	return found, answer, h.keep(ctx, s, answer, true)
}

// miss stores that a page could not be had, and this run goes on with the rest. It
// returns the error where that makes no sense. A month is asked for again after a month.
func (h *walker) miss(ctx context.Context, g *forumrows.Gap, err error, month bool) error {
	if err := h.tolerate(g.Address, err); err != nil {
		return err
	}
	return h.storeMissing(ctx, g, err, month)
}

// storeMissing stores what is missing for later runs, if this one did not ask for it before.
func (h *walker) storeMissing(ctx context.Context, g *forumrows.Gap, err error, month bool) error {
	h.noteError(g.Address, err)
	h.Run.Missing++
	if g.Reason = err.Error(); h.asked[g.Address] {
		return nil
	}
	h.asked[g.Address] = true
	if err := h.StoreGap(ctx, h.DB.DB, g, month, h.Now()); err != nil {
		return err
	}
	h.missing[g.Address] = g
	return nil
}

// putOff says that a page could not be had lately, and is not asked for yet.
func (h *walker) putOff(address string) bool {
	g := h.missing[address]
	return g != nil && (h.asked[address] || !h.Forum.Again && g.DueAt.After(h.Now()))
}

// resolve forgets what is not missing any more.
func (h *walker) resolve(ctx context.Context, addresses ...string) error {
	addresses = slices.DeleteFunc(addresses, func(a string) bool { return h.missing[a] == nil })
	for _, a := range addresses {
		delete(h.missing, a)
	}
	return forumrows.CloseGaps(ctx, h.DB.DB, h.Forum.ID, addresses)
}

// resolvePeriod forgets what is missing of a period, but for some addresses.
func (h *walker) resolvePeriod(ctx context.Context, period string, but map[string]bool) error {
	var gone []string
	for address, g := range h.missing {
		if g.Period == period && !but[address] {
			gone = append(gone, address)
		}
	}
	return h.resolve(ctx, gone...)
}

// missingStep is something missing that no index leads to: how to ask for it again is
// stored with it.
func missingStep(s forums.Step) *forumrows.Gap {
	s.Listed = nil
	text, err := json.Marshal(s)
	if err != nil { // It is made of words and numbers.
		panic(err)
	}
	return &forumrows.Gap{Address: s.Key(), Step: string(text)}
}

// noteError puts the first error of a page into the run.
func (h *walker) noteError(address string, err error) {
	if h.Run.Message == "" {
		h.Run.Message = address + ": " + err.Error()
	}
}

// tolerate returns the error of a page where the walk cannot go on without it. That a
// page is gone is not worth a message.
func (h *walker) tolerate(address string, err error) error {
	if !h.isPageError(err) {
		return err
	}
	if !errors.Is(err, forums.ErrGone) && !errors.Is(err, errRobots) {
		if h.failed++; h.failed >= failuresInARow {
			return fmt.Errorf("%d pages in a row: %w", h.failed, err)
		}
	}
	if !errors.Is(err, forums.ErrGone) {
		h.noteError(address, err)
	}
	return nil
}

// isPageError reports whether an error is about one page, and others may be fine.
func (h *walker) isPageError(err error) bool {
	for _, one := range []error{forums.ErrGone, forums.ErrFormat, forums.ErrTooLarge, errRobots, errNoFollow, errNoIndex} {
		if errors.Is(err, one) {
			return true
		}
	}
	e, ok := errors.AsType[*polite.Error](err)
	if !ok || !e.RetryAt.IsZero() {
		return false
	}
	switch e.Status {
	case http.StatusOK, http.StatusFound, http.StatusUnauthorized, http.StatusForbidden, http.StatusInternalServerError:
		return true
	case http.StatusBadGateway, http.StatusGatewayTimeout, 0:
		return h.Forum.Attempts >= runsInARow && (e.Kind == polite.ServerError || e.Kind == polite.Unreachable)
	}
	return false
}
