package harvest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/jobs/forums"
	forumrows "laurel/models/forums"
)

// A skippedPage of a list could not be read, and the walk went on behind it. It is stored
// as missing once a page behind it was read: until then the archive itself may be down.
type skippedPage struct {
	step forums.Step
	err  error
}

// detour finds the next page of a list that can be read where one cannot, and returns
// it with the step that led to it. What is skipped on the way is stored later.
func (h *walker) detour(ctx context.Context, step forums.Step, err error) (forums.Found, forums.Step, error) {
	kind, ok := h.kind.(forums.Detourer)
	for err != nil {
		if !ok {
			return forums.Found{}, step, err
		}
		instead, left, possible := kind.Detour(step)
		if !possible || !h.isPageError(err) || isForbidden(err) {
			return forums.Found{}, step, err
		}
		if h.failed++; h.failed >= failuresInARow {
			return forums.Found{}, step, fmt.Errorf("%d pages in a row: %w", h.failed, err)
		}
		h.noteError(step.Key(), err)
		if left {
			h.skipped = append(h.skipped, skippedPage{step, err})
		}
		next, more := nextPage(instead)
		if len(instead.Listed) > 0 || !more {
			return instead, step, nil
		}
		step = next
		instead, _, err = h.page(ctx, step, "", "")
		if err == nil {
			return instead, step, nil
		}
	}
	return forums.Found{}, step, err
}

// isForbidden says that we may not ask, or may not store what is there, which holds for
// the rest of a list, too.
func isForbidden(err error) bool {
	return errors.Is(err, errRobots) || errors.Is(err, errNoFollow) || errors.Is(err, errNoIndex)
}

// recordPage stores what is missing around a page that was read: the pages that were
// skipped on the way to it, and parts of it that cannot be read.
func (w *listWalk) recordPage(ctx context.Context, step forums.Step, found *forums.Found) error {
	if w.count = cmp.Or(found.Count, w.count); w.first == 0 {
		w.first = w.count
	}
	if err := w.storeSkipped(ctx, step.Address); err != nil {
		return err
	}
	well := true
	for _, b := range found.Broken {
		g := missingStep(b.Step)
		well = well && g.Address != step.Key()
		if was := w.missing[g.Address]; was != nil && w.putOff(g.Address) {
			w.Run.Missing++
			w.noteError(g.Address, errors.New(b.Reason))
			continue
		}
		if err := w.storeMissing(ctx, g, errors.New(b.Reason), false); err != nil {
			return err
		}
	}
	if well && !w.asked[step.Key()] {
		return w.resolve(ctx, step.Key())
	}
	return nil
}

// storeSkipped stores the skipped pages as missing, and where the list went on behind them.
func (w *listWalk) storeSkipped(ctx context.Context, until string) error {
	for _, p := range w.skipped {
		if p.step.Count == 0 {
			p.step.Until = until
		}
		if err := w.storeMissing(ctx, missingStep(p.step), p.err, false); err != nil {
			return err
		}
	}
	w.skipped = nil
	return nil
}

// goneAfter is how often a message is asked for of which the archive says that there
// is none, though its list has shown it: after that it is taken for deleted.
const goneAfter = 6

// retry asks for what could not be had by an earlier walk.
func (w *listWalk) retry(ctx context.Context, g *forumrows.Gap) error {
	var step forums.Step
	if err := json.Unmarshal([]byte(g.Step), &step); err != nil {
		return w.resolve(ctx, g.Address)
	}
	if step.What == forums.Message {
		_, err := w.fetchMessage(ctx, "", step, g.Tries >= goneAfter)
		return err
	}
	until := step.Until
	if kind, ok := w.kind.(forums.Detourer); ok {
		step = kind.Return(step, w.count)
	}
	for {
		found, err := w.page(ctx, step)
		if err != nil {
			return err
		}
		if _, _, err := w.storePage(ctx, found); err != nil {
			return err
		}
		next, more := nextPage(found)
		if !more || next.Address <= until || until == "" {
			return w.storeSkipped(ctx, next.Address)
		}
		step = next
	}
}
