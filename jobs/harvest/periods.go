package harvest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"laurel/jobs/forums"
	"laurel/jobs/polite"
	forumrows "laurel/models/forums"
)

// periods walks through an archive that has them, newest first.
func (h *walker) periods(ctx context.Context, spans []forums.Span) error {
	listed := make([]forumrows.ListedPeriod, 0, len(spans))
	by := map[string]*forums.Span{}
	for i := range spans {
		s := &spans[i]
		if h.beforeStart(s.Start) || by[s.Name] != nil {
			continue
		}
		listed, by[s.Name] = append(listed, forumrows.ListedPeriod{Name: s.Name, Label: s.Size}), s
	}
	due, err := forumrows.DuePeriods(ctx, h.DB.DB, &h.Forum, listed, h.Now())
	if err != nil {
		return err
	}
	for i := range due {
		if err := h.period(ctx, &due[i], by[due[i].Period]); err != nil {
			return err
		}
	}
	var vanished []string // With their periods.
	for address, g := range h.missing {
		if by[g.Period] == nil {
			vanished = append(vanished, address)
		}
	}
	if err := h.resolve(ctx, vanished...); err != nil {
		return err
	}
	return forumrows.CloseQuietPeriods(ctx, h.DB.DB, h.Forum.ID, h.Now())
}

// beforeStart says whether a period, or a message, is of before what an admin wants.
// Wrong dates make wrong periods, which are wanted: they hold real messages.
func (h *walker) beforeStart(at time.Time) bool { return beforeStart(&h.Forum, at) }

func beforeStart(f *forumrows.Forum, at time.Time) bool {
	from, err := time.Parse("2006-01", f.FromPeriod)
	return err == nil && at.Year() > 1980 && at.Before(from)
}

// period compares the whole index of one period with what is stored.
func (h *walker) period(ctx context.Context, p *forumrows.Period, span *forums.Span) error {
	etag, modified := p.Etag, p.LastModified
	if h.Forum.Again || p.Stored < p.Listed {
		etag, modified = "", ""
	}
	if h.putOff(span.Index.Address) {
		h.Run.Missing++
		return nil
	}
	found, answer, err := h.page(ctx, span.Index, etag, modified)
	if err != nil {
		err = h.miss(ctx, &forumrows.Gap{Address: span.Index.Address, Period: p.Period}, err, errors.Is(err, forums.ErrGone))
		if err != nil || answer.Status != http.StatusNotFound && answer.Status != http.StatusGone {
			return err
		}
	}
	p.Label = span.Size
	if answer.Status != http.StatusOK { // Unchanged. Or listed and not there: it is fetched again when its size changes, and in a month.
		return forumrows.StorePeriod(ctx, h.DB.DB, p, h.Now())
	}
	from := bulkFrom
	if p.CheckedAt == nil || span.Bytes > 0 && span.Bytes <= smallBulk {
		from = 1
	}
	missing, err := h.storePage(ctx, p.Period, found, from)
	if err != nil {
		return err
	}
	p.Listed, p.Stored = len(found.Listed), len(found.Listed)-missing
	p.Etag, p.LastModified = header(answer, "ETag"), header(answer, "Last-Modified")
	listed := make(map[string]bool, len(found.Listed))
	for i := range found.Listed {
		listed[addressOf(&found.Listed[i])] = true
	}
	if err := h.resolvePeriod(ctx, p.Period, listed); err != nil {
		return err
	}
	return forumrows.StorePeriod(ctx, h.DB.DB, p, h.Now())
}

// storePage stores what an answer holds and what it lists, and returns how many of the
// messages listed are still missing. From bulkFrom missing ones on they are read in
// one piece, where the archive offers that.
func (h *walker) storePage(ctx context.Context, period string, found forums.Found, bulkFrom int) (missing int, err error) {
	if err := h.storeMessages(ctx, period, found.Messages, nil); err != nil {
		return 0, err
	}
	left, later, err := h.missingOf(ctx, found.Listed)
	if err != nil || len(left) == 0 {
		return later, err
	}
	if found.Bulk != nil && len(left) >= bulkFrom {
		if err := h.fetchBulk(ctx, period, *found.Bulk, left); err != nil {
			return later + len(left), err
		}
		if left, err = h.unknown(ctx, left); err != nil {
			return later, err
		}
	}
	steps := map[string]forums.Step{}
	for _, s := range found.Steps {
		if s.What == forums.Message {
			steps[s.Address] = s
		}
	}
	missing = later
	for i := range left {
		step, ok := steps[addressOf(&left[i])]
		if !ok {
			step = forums.Step{Address: addressOf(&left[i]), What: forums.Message, Base: h.Forum.URL, Period: period, Static: true}
		}
		ok, err := h.fetchMessage(ctx, period, step, found.Guessed)
		if err != nil {
			return missing, err
		}
		if !ok {
			missing++
		}
	}
	return missing, nil
}

// addressOf is where a message is asked for.
func addressOf(l *forums.Listed) string { return cmp.Or(l.Address, l.URL) }

// missingOf returns of listed messages those to ask for now, and how many are put off.
// Missing ones that were stored meanwhile are resolved.
func (h *walker) missingOf(ctx context.Context, listed []forums.Listed) (left []forums.Listed, later int, err error) {
	unknown, err := h.unknown(ctx, listed)
	if err != nil || len(h.missing) == 0 {
		return unknown, 0, err
	}
	missing := map[string]bool{}
	for i := range unknown {
		address := addressOf(&unknown[i])
		if missing[address] = true; h.putOff(address) {
			later++
		} else {
			left = append(left, unknown[i])
		}
	}
	h.Run.Missing += later
	var stored []string
	for i := range listed {
		if address := addressOf(&listed[i]); !missing[address] {
			stored = append(stored, address)
		}
	}
	return left, later, h.resolve(ctx, stored...)
}

// unknown returns of listed messages those that are not stored.
func (h *walker) unknown(ctx context.Context, listed []forums.Listed) (left []forums.Listed, err error) {
	if len(listed) == 0 {
		return nil, nil
	}
	urls := make([]string, len(listed))
	for i := range listed {
		urls[i] = listed[i].URL
	}
	known, err := forumrows.KnownURLs(ctx, h.DB.DB, h.Forum.ID, urls)
	if err != nil {
		return nil, err
	}
	for i := range listed {
		if !known[listed[i].URL] {
			left = append(left, listed[i])
		}
	}
	return left, nil
}

// fetchBulk reads many messages by one request, and stores those that are missing. What
// it lacks is asked for page by page, also where the file cannot be read.
func (h *walker) fetchBulk(ctx context.Context, period string, step forums.Step, left []forums.Listed) error {
	found, _, err := h.page(ctx, step, "", "")
	if err != nil {
		return h.tolerate(step.Address, err)
	}
	wanted := map[string]bool{}
	for i := range left {
		wanted[left[i].URL] = true
	}
	mails := slices.DeleteFunc(found.Messages, func(m forums.Mail) bool { return !wanted[m.URL] })
	return h.storeMessages(ctx, period, mails, nil)
}

// fetchMessage asks for one message. Another process may have stored it before or after
// it was fetched: then it is not stored again. Of a guessed one nothing says that it exists.
func (h *walker) fetchMessage(ctx context.Context, period string, step forums.Step, guessed bool) (bool, error) {
	found, _, err := h.page(ctx, step, "", "")
	if guessed && isGone(err) {
		return true, h.resolve(ctx, step.Address)
	}
	if err == nil && len(found.Messages) == 0 && !found.NoIndex {
		err = forums.ErrFormat
	}
	if err != nil {
		g := missingStep(step)
		g.Period = period
		return false, h.miss(ctx, g, err, false)
	}
	var read []string
	if step.Static {
		read = []string{step.Address}
	}
	if found.NoIndex {
		found.Messages = nil
	}
	if err := h.storeMessages(ctx, period, found.Messages, read); err != nil {
		return false, err
	}
	return true, h.resolve(ctx, step.Address)
}

// isGone says that nobody may see a page, according to its host.
func isGone(err error) bool {
	e, ok := errors.AsType[*polite.Error](err)
	return errors.Is(err, forums.ErrGone) || ok && (e.Status == http.StatusForbidden || e.Status == http.StatusUnauthorized)
}
