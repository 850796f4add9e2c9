package jobs

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
	Until  time.Time
	Missed []forums.Listed `json:",omitempty"` // Messages that could not be had: no later walk comes by them.
}

// maxMissed is how many messages that could not be had are asked for again. An
// archive of which more are missing is read anew when it is well.
const maxMissed = 1000

// list walks through an archive that is one list, page by page, newest first, to
// covered ground: a page on which all is known, and something was when everything
// older was, too. What a walk stored that was cut short is known and proves nothing.
func (h *harvest) list(ctx context.Context, found forums.Found) error {
	var left listCursor
	if h.forum.Cursor != "" && !h.forum.Again && json.Unmarshal([]byte(h.forum.Cursor), &left) != nil {
		left = listCursor{}
	}
	floor := left.Until
	if h.forum.LookedAt != nil {
		floor = *h.forum.LookedAt
	}
	for {
		before := h.run.New
		var older bool
		found, older = h.wanted(found)
		if _, err := h.fill(ctx, "", found, bulkFrom); err != nil {
			return err
		}
		covered := false
		if h.run.New == before && !h.forum.Again && !floor.IsZero() {
			var err error
			if covered, err = models.StoredBy(ctx, h.r.DB.DB, h.forum.ID, urlsOf(found), floor); err != nil {
				return err
			}
		}
		step, ok := nextPage(found)
		switch {
		case covered && left.Address != "": // Between it and here there is nothing new.
			step, left.Address, floor = left.Step, "", time.Time{}
		case covered, older, !ok:
			return h.endList(ctx, left.Missed)
		}
		if h.forum.LookedAt == nil && left.Address == "" {
			if err := h.saveCursor(ctx, listCursor{step, h.r.Now(), slices.Concat(left.Missed, h.missed)}); err != nil {
				return err
			}
		}
		answer, err := h.get(ctx, step, "", "")
		if err != nil {
			return err
		}
		if found, err = h.kind.Read(step, answer); err != nil {
			return err
		}
	}
}

// endList asks once more for what could not be had by the walks before, and was not
// come by in this one.
func (h *harvest) endList(ctx context.Context, missed []forums.Listed) error {
	missed = slices.DeleteFunc(missed, func(m forums.Listed) bool {
		return slices.ContainsFunc(h.missed, func(now forums.Listed) bool { return now.URL == m.URL })
	})
	if _, err := h.fill(ctx, "", forums.Found{Listed: missed}, bulkFrom); err != nil {
		return err
	}
	return h.saveCursor(ctx, listCursor{Missed: h.missed})
}

func (h *harvest) saveCursor(ctx context.Context, c listCursor) error {
	var text []byte
	if c.Address != "" || len(c.Missed) > 0 {
		var err error
		if text, err = json.Marshal(c); err != nil {
			return err
		}
	}
	return models.SaveCursor(ctx, h.r.DB.DB, h.forum.ID, h.lease, string(text))
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
func (h *harvest) wanted(found forums.Found) (_ forums.Found, older bool) {
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
