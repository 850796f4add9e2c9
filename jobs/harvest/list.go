package harvest

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"laurel/jobs/forums"
	forumrows "laurel/models/forums"
)

// A listCursor is where the next walk through a list resumes.
type listCursor struct {
	// Step is where a walk was cut short that has not been at the list's end; it has
	// no address where there is none. What was stored until then reaches from there
	// up to the place where that walk began, without a hole.
	forums.Step
	Until time.Time
	// Shortfall is how many messages more the list counted than are stored or missing, when
	// covered ground was reached; nil where it does not count. When it grows, messages
	// were inserted further back.
	Shortfall *int `json:",omitempty"`
}

// A listWalk is a walk through an archive that is one list, page by page, newest
// first, to covered ground: a page on which all is known, and something was when
// everything older was, too. What a walk stored that was cut short is known and
// proves nothing.
type listWalk struct {
	*walker
	resume      listCursor
	coveredFrom time.Time // What was stored before is covered ground.
	count       int       // How many messages the list says it holds; 0 where it does not.
	first       int       // The same on the first page: what came since is left to the next walk.
}

func newListWalk(h *walker) *listWalk {
	w := &listWalk{walker: h}
	if h.Forum.Cursor != "" && !h.Forum.Again && json.Unmarshal([]byte(h.Forum.Cursor), &w.resume) != nil {
		w.resume = listCursor{}
	}
	w.coveredFrom = w.resume.Until
	if h.Forum.CoveredAt != nil {
		w.coveredFrom = *h.Forum.CoveredAt
	}
	return w
}

// list walks through an archive that is one list.
func (h *walker) list(ctx context.Context, start forums.Step, found forums.Found) error {
	w := newListWalk(h)
	if err := w.recordPage(ctx, start, &found); err != nil {
		return err
	}
	for {
		covered, older, err := w.storePage(ctx, found)
		if err != nil {
			return err
		}
		step, more := w.next(found, covered, older)
		if !more {
			return w.finish(ctx)
		}
		if h.Forum.CoveredAt == nil && w.resume.Address == "" && len(w.skipped) == 0 {
			if err := h.saveCursor(ctx, listCursor{step, h.Now(), w.resume.Shortfall}); err != nil {
				return err
			}
		}
		if found, err = w.page(ctx, step); err != nil {
			return err
		}
	}
}

// next is the page to read after what was found, unless all is read.
func (w *listWalk) next(found forums.Found, covered, older bool) (step forums.Step, more bool) {
	if covered && w.resume.Address != "" { // Between there and here is nothing new.
		step = w.resume.Step
		w.resume.Address, w.coveredFrom = "", time.Time{}
		return step, true
	}
	if older || covered && !w.insertedBehind() {
		return step, false
	}
	return nextPage(found)
}

// storePage stores what a page holds, and reports whether it is covered ground, and whether
// all that is behind it is older than an admin wants.
func (w *listWalk) storePage(ctx context.Context, found forums.Found) (covered, older bool, err error) {
	before := w.Run.New
	found, older = w.withinRange(found)
	if _, err := w.walker.storePage(ctx, "", found, bulkFrom); err != nil {
		return false, older, err
	}
	if w.Run.New > before || w.Forum.Again || w.coveredFrom.IsZero() || found.Shifted {
		return false, older, nil
	}
	covered, err = forumrows.StoredBy(ctx, w.DB.DB, w.Forum.ID, urlsOf(found), w.coveredFrom)
	return covered, older, err
}

// shortfall is how many messages more the list counts than are stored or missing.
func (w *listWalk) shortfall() int { return w.first - w.Forum.Messages - w.Run.New - len(w.missing) }

// insertedBehind reports whether messages were inserted behind covered ground.
func (w *listWalk) insertedBehind() bool {
	return w.first > 0 && w.resume.Shortfall != nil && w.shortfall() > *w.resume.Shortfall
}

// page reads a page, or what can be read in its stead.
func (w *listWalk) page(ctx context.Context, step forums.Step) (found forums.Found, err error) {
	found, _, err = w.walker.page(ctx, step, "", "")
	if err != nil {
		found, step, err = w.detour(ctx, step, err)
	}
	if err != nil {
		return found, err
	}
	return found, w.recordPage(ctx, step, &found)
}

// finish asks once more for what earlier walks could not get, and this one did not meet.
func (w *listWalk) finish(ctx context.Context) error {
	if err := w.storeSkipped(ctx, ""); err != nil {
		return err
	}
	var due []*forumrows.Gap
	for address, g := range w.missing {
		if g.Step != "" && !w.putOff(address) {
			due = append(due, g)
		}
	}
	slices.SortFunc(due, func(a, b *forumrows.Gap) int { return a.DueAt.Compare(b.DueAt) })
	for _, g := range due {
		if w.missing[g.Address] == nil || w.putOff(g.Address) { // Another led to it.
			continue
		}
		if err := w.retry(ctx, g); err != nil {
			return err
		}
	}
	var c listCursor
	if w.first > 0 {
		c.Shortfall = new(w.shortfall())
	}
	return w.saveCursor(ctx, c)
}

func (h *walker) saveCursor(ctx context.Context, c listCursor) error {
	var text []byte
	if c.Address != "" || c.Shortfall != nil {
		var err error
		if text, err = json.Marshal(c); err != nil {
			return err
		}
	}
	return h.SaveCursor(ctx, h.DB.DB, string(text))
}

// nextPage is the page that comes after what was found.
func nextPage(found forums.Found) (forums.Step, bool) {
	i := slices.IndexFunc(found.Steps, func(s forums.Step) bool { return s.What == forums.Page })
	if i < 0 {
		return forums.Step{}, false
	}
	return found.Steps[i], true
}

// withinRange leaves out what is older than an admin wants. Where that leaves nothing of
// a page, the pages behind it are not wanted either.
func (h *walker) withinRange(found forums.Found) (_ forums.Found, older bool) {
	shown := len(found.Messages) + len(found.Listed)
	found.Messages = slices.DeleteFunc(found.Messages, func(m forums.Mail) bool { return h.beforeStart(m.SentAt) })
	found.Listed = slices.DeleteFunc(found.Listed, func(l forums.Listed) bool { return h.beforeStart(l.SentAt) })
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
