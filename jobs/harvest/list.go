package harvest

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"laurel/jobs/forums"
	"laurel/models"
)

// A listCursor is what a walk through a list leaves to the next one.
type listCursor struct {
	// Step is where a walk was cut short that has not been at the list's end; it has
	// no address where there is none. What was stored until then reaches from there
	// up to the place where that walk began, without a hole.
	forums.Step
	Until time.Time
	// Short is how many messages more the list counted than are stored and gaps, when
	// covered ground was reached; nil where it does not tell. If they become more, some
	// were put in further back.
	Short *int `json:",omitempty"`
}

// A listWalk is a walk through an archive that is one list, page by page, newest
// first, to covered ground: a page on which all is known, and something was when
// everything older was, too. What a walk stored that was cut short is known and
// proves nothing.
type listWalk struct {
	*walker
	left  listCursor
	floor time.Time
	count int // How many messages the list holds, as it tells itself; 0 where it does not.
	first int // The same on the first page: what came since is not looked for.
}

func (h *walker) list(ctx context.Context, start forums.Step, found forums.Found) error {
	w := &listWalk{walker: h}
	if h.forum.Cursor != "" && !h.forum.Again && json.Unmarshal([]byte(h.forum.Cursor), &w.left) != nil {
		w.left = listCursor{}
	}
	w.floor = w.left.Until
	if h.forum.LookedAt != nil {
		w.floor = *h.forum.LookedAt
	}
	if err := w.read(ctx, start, &found); err != nil {
		return err
	}
	for {
		covered, older, err := w.fill(ctx, found)
		if err != nil {
			return err
		}
		step, ok := nextPage(found)
		switch {
		case covered && w.left.Address != "": // Between it and here there is nothing new.
			step, w.left.Address, w.floor = w.left.Step, "", time.Time{}
		case covered && !w.deeper(), older, !ok:
			return w.end(ctx)
		}
		if h.forum.LookedAt == nil && w.left.Address == "" && len(w.passed) == 0 {
			if err := h.saveCursor(ctx, listCursor{step, h.Now(), w.left.Short}); err != nil {
				return err
			}
		}
		if found, err = w.page(ctx, step); err != nil {
			return err
		}
	}
}

// fill stores what a page holds, and tells whether it is covered ground, and whether
// all that is behind it is older than an admin wants.
func (w *listWalk) fill(ctx context.Context, found forums.Found) (covered, older bool, err error) {
	before := w.run.New
	found, older = w.wanted(found)
	if _, err := w.walker.fill(ctx, "", found, bulkFrom); err != nil {
		return false, older, err
	}
	if w.run.New > before || w.forum.Again || w.floor.IsZero() || found.Shifted {
		return false, older, nil
	}
	covered, err = models.StoredBy(ctx, w.DB.DB, w.forum.ID, urlsOf(found), w.floor)
	return covered, older, err
}

// short is how many messages more the list counts than are stored and gaps.
func (w *listWalk) short() int { return w.first - w.forum.Messages - w.run.New - len(w.gaps) }

// deeper tells whether messages were put in behind covered ground.
func (w *listWalk) deeper() bool {
	return w.first > 0 && w.left.Short != nil && w.short() > *w.left.Short
}

// page reads a page, or what can be read in its stead.
func (w *listWalk) page(ctx context.Context, step forums.Step) (found forums.Found, err error) {
	found, _, err = w.walker.page(ctx, step, "", "")
	if err != nil {
		found, step, err = w.around(ctx, step, err)
	}
	if err != nil {
		return found, err
	}
	return found, w.read(ctx, step, &found)
}

// end asks once more for what could not be had by the walks before, and was not come
// by in this one.
func (w *listWalk) end(ctx context.Context) error {
	if err := w.notePassed(ctx, ""); err != nil {
		return err
	}
	var due []*models.ForumGap
	for address, g := range w.gaps {
		if g.Step != "" && !w.later(address) {
			due = append(due, g)
		}
	}
	slices.SortFunc(due, func(a, b *models.ForumGap) int { return a.DueAt.Compare(b.DueAt) })
	for _, g := range due {
		if w.gaps[g.Address] == nil || w.later(g.Address) { // Another led to it.
			continue
		}
		if err := w.again(ctx, g); err != nil {
			return err
		}
	}
	var c listCursor
	if w.first > 0 {
		c.Short = new(w.short())
	}
	return w.saveCursor(ctx, c)
}

func (h *walker) saveCursor(ctx context.Context, c listCursor) error {
	var text []byte
	if c.Address != "" || c.Short != nil {
		var err error
		if text, err = json.Marshal(c); err != nil {
			return err
		}
	}
	return models.SaveCursor(ctx, h.DB.DB, h.forum.ID, h.lease, string(text))
}

// nextPage is the page that comes after what was found.
func nextPage(found forums.Found) (forums.Step, bool) {
	i := slices.IndexFunc(found.Steps, func(s forums.Step) bool { return s.What == forums.Page })
	if i < 0 {
		return forums.Step{}, false
	}
	return found.Steps[i], true
}

// wanted leaves out what is older than an admin wants. Where nothing is left of a
// page, neither is anything wanted of those behind it.
func (h *walker) wanted(found forums.Found) (_ forums.Found, older bool) {
	shown := len(found.Messages) + len(found.Listed)
	found.Messages = slices.DeleteFunc(found.Messages, func(m forums.Mail) bool { return h.tooOld(m.SentAt) })
	found.Listed = slices.DeleteFunc(found.Listed, func(l forums.Listed) bool { return h.tooOld(l.SentAt) })
	return found, shown > 0 && len(found.Messages)+len(found.Listed) == 0
}

// urlsOf are the addresses of the messages that a page shows.
func urlsOf(found forums.Found) (urls []string) {
	for _, m := range found.Messages {
		urls = append(urls, m.URL)
	}
	for _, l := range found.Listed {
		urls = append(urls, l.URL)
	}
	return urls
}
