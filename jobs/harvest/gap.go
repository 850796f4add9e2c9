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
	"laurel/models"
)

const (
	// failuresInARow is how many pages in a row may be unreadable: after that it is not
	// a page that is broken but the archive, and it is left alone until the next run.
	failuresInARow = 10
	// runsInARow is after how many runs that ended with a gateway that had no answer, or
	// none in time, that is the page's own fault: others may be well.
	runsInARow = 5
)

// errNoFollow is an index whose robots tag says so, errNoIndex messages.
var (
	errNoFollow = errors.New("the page asks robots not to follow its links")
	errNoIndex  = errors.New("the page asks robots not to index it")
)

// page asks for a page in its turn and reads it. Of an index that asks robots not
// to follow its links nothing is used.
func (h *walker) page(ctx context.Context, s forums.Step, etag, modified string) (found forums.Found, answer forums.Answer, err error) {
	answer, err = h.get(ctx, s, etag, modified)
	if err != nil || answer.Status == http.StatusNotModified {
		return found, answer, err
	}
	found, err = h.kind.Read(s, answer)
	if err == nil {
		h.failed = 0
		found.HeedRobots(header(answer, "X-Robots-Tag"), robotName)
		switch {
		case s.What == forums.Message:
		case found.NoFollow:
			return forums.Found{}, answer, errNoFollow
		case found.NoIndex && len(found.Messages) > 0:
			return forums.Found{}, answer, errNoIndex
		}
	}
	return found, answer, err
}

// gap notes a page that could not be had, and this run goes on with the rest. It
// returns the error where that makes no sense. month is one that is not asked for
// before a month has passed.
func (h *walker) gap(ctx context.Context, g *models.ForumGap, err error, month bool) error {
	if err := h.instead(g.Address, err); err != nil {
		return err
	}
	return h.keepGap(ctx, g, err, month)
}

// keepGap keeps a gap for later runs, if this one did not ask for it before.
func (h *walker) keepGap(ctx context.Context, g *models.ForumGap, err error, month bool) error {
	h.note(g.Address, err)
	h.run.Missing++
	if g.Reason = err.Error(); h.tried[g.Address] {
		return nil
	}
	h.tried[g.Address] = true
	if err := models.NoteGap(ctx, h.DB.DB, h.forum.ID, h.lease, g, month, h.Now()); err != nil {
		return err
	}
	h.gaps[g.Address] = g
	return nil
}

// later says that a page could not be had lately, and is left alone for a while.
func (h *walker) later(address string) bool {
	g := h.gaps[address]
	return g != nil && (h.tried[address] || !h.forum.Again && g.DueAt.After(h.Now()))
}

// close forgets those of some gaps that are none any more.
func (h *walker) close(ctx context.Context, addresses ...string) error {
	addresses = slices.DeleteFunc(addresses, func(a string) bool { return h.gaps[a] == nil })
	for _, a := range addresses {
		delete(h.gaps, a)
	}
	return models.CloseGaps(ctx, h.DB.DB, h.forum.ID, addresses)
}

// closeBut forgets the gaps of a period, but those at some addresses.
func (h *walker) closeBut(ctx context.Context, period string, but map[string]bool) error {
	var gone []string
	for address, g := range h.gaps {
		if g.Period == period && !but[address] {
			gone = append(gone, address)
		}
	}
	return h.close(ctx, gone...)
}

// stepGap is a gap that no index leads to: how to ask for it again is kept with it.
func stepGap(s forums.Step) *models.ForumGap {
	s.Listed = nil
	text, err := json.Marshal(s)
	if err != nil { // It is made of words and numbers.
		panic(err)
	}
	return &models.ForumGap{Address: s.Key(), Step: string(text)}
}

// note says what is wrong with a page, if it is the first.
func (h *walker) note(address string, err error) {
	if h.run.Message == "" {
		h.run.Message = address + ": " + err.Error()
	}
}

// instead is gap for a page in whose place others can be read. That it is not there
// is not worth a word.
func (h *walker) instead(address string, err error) error {
	if !h.ofThisPage(err) {
		return err
	}
	if !errors.Is(err, forums.ErrGone) && !errors.Is(err, errRobots) {
		if h.failed++; h.failed >= failuresInARow {
			return fmt.Errorf("%d pages in a row: %w", h.failed, err)
		}
	}
	if !errors.Is(err, forums.ErrGone) {
		h.note(address, err)
	}
	return nil
}

// ofThisPage tells whether an error is about one page, and others may be well.
func (h *walker) ofThisPage(err error) bool {
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
		return h.forum.Attempts >= runsInARow && (e.Kind == polite.ServerError || e.Kind == polite.Unreachable)
	}
	return false
}
