package harvest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/jobs/forums"
	"laurel/models"
)

// A passedPage is one of a list that could not be read, and was gone around. That is
// noted only when one behind it was read: before, it may be the archive that is ill.
type passedPage struct {
	step forums.Step
	err  error
}

// around finds the next page of a list that can be read where one cannot, and returns
// it with the step that led to it. What is left out on the way is noted later.
func (h *walker) around(ctx context.Context, step forums.Step, err error) (forums.Found, forums.Step, error) {
	kind, ok := h.kind.(forums.Detourer)
	for err != nil {
		if !ok {
			return forums.Found{}, step, err
		}
		instead, left, possible := kind.Detour(step)
		if !possible || !h.ofThisPage(err) || forbidden(err) {
			return forums.Found{}, step, err
		}
		if h.failed++; h.failed >= failuresInARow {
			return forums.Found{}, step, fmt.Errorf("%d pages in a row: %w", h.failed, err)
		}
		h.note(step.Key(), err)
		if left {
			h.passed = append(h.passed, passedPage{step, err})
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

// forbidden says that we are not to ask, or not to keep what is there: which will not
// be otherwise for the rest of a list.
func forbidden(err error) bool {
	return errors.Is(err, errRobots) || errors.Is(err, errNoFollow) || errors.Is(err, errNoIndex)
}

// read notes what a page that was read tells of gaps: those that were passed on the
// way to it, and parts of it that cannot be read.
func (w *listWalk) read(ctx context.Context, step forums.Step, found *forums.Found) error {
	if w.count = cmp.Or(found.Count, w.count); w.first == 0 {
		w.first = w.count
	}
	if err := w.notePassed(ctx, step.Address); err != nil {
		return err
	}
	well := true
	for _, b := range found.Broken {
		g := stepGap(b.Step)
		well = well && g.Address != step.Key()
		if was := w.gaps[g.Address]; was != nil && w.later(g.Address) {
			w.run.Missing++
			w.note(g.Address, errors.New(b.Reason))
			continue
		}
		if err := w.keepGap(ctx, g, errors.New(b.Reason), false); err != nil {
			return err
		}
	}
	if well && !w.tried[step.Key()] {
		return w.close(ctx, step.Key())
	}
	return nil
}

// notePassed notes the pages that were gone around, and where they were gone on from.
func (w *listWalk) notePassed(ctx context.Context, until string) error {
	for _, p := range w.passed {
		if p.step.Count == 0 {
			p.step.Until = until
		}
		if err := w.keepGap(ctx, stepGap(p.step), p.err, false); err != nil {
			return err
		}
	}
	w.passed = nil
	return nil
}

// goneAfter is how often a message is asked for of which the archive says that there
// is none, though its list has shown it: after that it is taken for deleted.
const goneAfter = 6

// again asks for what could not be had by an earlier walk.
func (w *listWalk) again(ctx context.Context, g *models.ForumGap) error {
	var step forums.Step
	if err := json.Unmarshal([]byte(g.Step), &step); err != nil {
		return w.close(ctx, g.Address)
	}
	if step.What == forums.Message {
		_, err := w.message(ctx, "", step, g.Tries >= goneAfter)
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
		if _, _, err := w.fill(ctx, found); err != nil {
			return err
		}
		next, more := nextPage(found)
		if !more || next.Address <= until || until == "" {
			return w.notePassed(ctx, next.Address)
		}
		step = next
	}
}
