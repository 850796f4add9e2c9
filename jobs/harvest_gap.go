package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"laurel/jobs/forums"
	"laurel/jobs/polite"
)

// failuresInARow is how many pages in a row may be unreadable: after that it is not
// a page that is broken but the archive, and it is left alone until the next run.
const failuresInARow = 10

// errNoFollow is an index whose robots tag says so.
var errNoFollow = errors.New("the page asks robots not to follow its links")

// page asks for a page in its turn and reads it. Of an index that asks robots not
// to follow its links nothing is used.
func (h *harvest) page(ctx context.Context, s forums.Step, etag, modified string) (found forums.Found, answer forums.Answer, err error) {
	answer, err = h.get(ctx, s, etag, modified)
	if err != nil || answer.Status == http.StatusNotModified {
		return found, answer, err
	}
	found, err = h.kind.Read(s, answer)
	if err == nil {
		h.failed = 0
		if found.NoFollow && s.What != forums.Message {
			return forums.Found{}, answer, errNoFollow
		}
	}
	return found, answer, err
}

// gap notes a page that could not be had: the next run asks again, and this one
// goes on with the rest. It returns the error where that makes no sense.
func (h *harvest) gap(address string, err error) error {
	if err := h.instead(address, err); err != nil {
		return err
	}
	h.note(address, err)
	h.run.Missing++
	return nil
}

// note says what is wrong with a page, if it is the first.
func (h *harvest) note(address string, err error) {
	if h.run.Message == "" {
		h.run.Message = address + ": " + err.Error()
	}
}

// instead is gap for a page in whose place others can be read. That it is not there
// is not worth a word.
func (h *harvest) instead(address string, err error) error {
	if !ofThisPage(err) {
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
func ofThisPage(err error) bool {
	for _, one := range []error{forums.ErrGone, forums.ErrFormat, forums.ErrTooLarge, errRobots, errNoFollow} {
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
	}
	return false
}
