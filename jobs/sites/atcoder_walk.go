package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// An atcoderWalk reads v3/user/submissions, which gives the first rows from a
// second on, oldest first.
//
// A page may be cut in the middle of a second, so the next one starts at the
// second where the last one ended, not behind it. Only a page of one second is
// stepped over, because asking again would bring the same page. A second that
// fills a whole page cannot be read to its end here, and is an error rather
// than a gap nobody sees.
//
// A short page is not yet the end, because a server may give fewer rows than it
// says. The end is an empty page, one shorter than a page it has given before,
// or nothing new twice. Where covered ground lies before, a handful of rows is
// believed at once: that is what most retrievals find, and no server cuts pages that
// small. So a quiet account costs one request, a busy one two.
type atcoderWalk struct {
	get   Getter
	list  string // The address of the list, without the place in it.
	since time.Time
	done  bool
	from  int64
	seen  map[string]bool // By the site's id, or the key of an unread row.
	most  int             // The longest page so far.
	stale bool            // The page before brought nothing new.
}

const (
	atcoderLimit   = 500 // Rows a page, says the mirror's documentation.
	atcoderHandful = 10
)

func newAtcoderWalk(get Getter, a Account) *atcoderWalk {
	w := &atcoderWalk{get: get, list: atcoderInfo.List(a), seen: map[string]bool{}}
	if !a.CoveredAt.IsZero() {
		w.since = a.CoveredAt.Truncate(time.Second) // The mirror knows whole seconds.
		w.from = max(0, w.since.Unix())
	}
	return w
}

// next returns the rows of one page that were not read before, perhaps none.
func (w *atcoderWalk) next(ctx context.Context) (fresh tally, err error) {
	rows, err := w.page(ctx)
	if err != nil {
		return fresh, fmt.Errorf("submissions from %d: %w", w.from, err)
	}
	for _, s := range rows.rows {
		if !w.seen[s.ID] {
			w.seen[s.ID] = true
			fresh.rows = append(fresh.rows, s)
		}
	}
	for _, u := range rows.unread {
		if !w.seen[u.Key()] {
			w.seen[u.Key()] = true
			fresh.unread = append(fresh.unread, u)
		}
	}
	return fresh, w.advance(rows, fresh.count() > 0)
}

func (w *atcoderWalk) page(ctx context.Context) (rows tally, err error) {
	page, err := w.get.Get(ctx, fmt.Sprintf("%s&from_second=%d", w.list, w.from))
	if err != nil {
		return rows, err
	}
	texts, err := foundList[json.RawMessage](page)
	if err != nil {
		return rows, err
	}
	for _, text := range texts {
		_, s, err := rowOf(text, atcoderRow.submission)
		rows.add(s, err, func() string { return string(text) })
	}
	rows.oldestFirst()
	return rows, rows.err()
}

// advance moves on behind a page.
func (w *atcoderWalk) advance(rows tally, fresh bool) error {
	n := rows.count()
	if len(rows.rows) == 0 || n < w.most || !fresh && w.stale || n < atcoderHandful && w.most == 0 && !w.since.IsZero() {
		w.done = true
		return nil
	}
	byTime := func(a, b Submission) int { return a.At.Compare(b.At) }
	first, last := slices.MinFunc(rows.rows, byTime).At.Unix(), slices.MaxFunc(rows.rows, byTime).At.Unix()
	if n >= atcoderLimit && (first == last || last < w.from) {
		return fmt.Errorf("submissions from %d: %w: %d rows from %d to %d leave no way on", w.from, ErrFormat, n, first, last)
	}
	w.from = last
	if first == last {
		w.from++
	}
	w.most, w.stale = max(w.most, n), !fresh
	return nil
}

const (
	atcoderEverybody   = "https://kenkoooo.com/atcoder/atcoder-api/v3/from/"
	atcoderStreamLimit = 1000 // Rows a page, says the mirror's documentation.
)

// Stream describes v3/from, the mirror's list of everybody: the first rows from a
// second on. The mirror has some thirty thousand new rows a day.
func (atcoder) Stream() StreamInfo {
	return StreamInfo{Address: atcoderEverybody, Fill: atcoderStreamLimit, Late: true}
}

// StreamPage goes on at the second where the last page ended, not behind it, because
// a page may be cut in the middle of a second. A second that fills a page cannot be
// read to its end: it is stepped over, and coverage begins anew behind it.
//
// The stream is complete until its newest row: a mirror that is not updated shows none,
// and says nothing of the time since.
func (atcoder) StreamPage(ctx context.Context, get Getter, from StreamCursor) (StreamPage, error) {
	second := max(0, from.At.Unix())
	page, err := get.Get(ctx, atcoderEverybody+strconv.FormatInt(second, 10))
	if err != nil {
		return StreamPage{}, err
	}
	rows, err := foundList[json.RawMessage](page)
	if err != nil {
		return StreamPage{}, fmt.Errorf("submissions of everybody from %d: %w", second, err)
	}
	p, err := atcoderStreamPage(rows, second, from)
	return p, in("submissions of everybody from "+strconv.FormatInt(second, 10), err)
}

func atcoderStreamPage(texts []json.RawMessage, second int64, from StreamCursor) (StreamPage, error) {
	p := StreamPage{Next: from, Until: from.At, Full: len(texts) >= atcoderStreamLimit}
	if from.ID == "" {
		p.Since = from.At
	}
	if len(texts) == 0 {
		if from.ID != "" {
			return p, fmt.Errorf("%w: the list lacks the row that it ended with", ErrFormat)
		}
		return p, nil
	}
	var all tally
	var rows []atcoderRow // Those that can be read.
	for _, text := range texts {
		r, s, err := rowOf(text, atcoderRow.submission)
		user := clean(r.UserID)
		if err == nil && (user == "" || r.EpochSecond < second) {
			err = fmt.Errorf("%w: submission %s is of %q and of %d", ErrFormat, s.ID, user, r.EpochSecond)
		}
		if all.add(s, err, func() string { return string(text) }); err != nil {
			continue
		}
		rows = append(rows, r)
		if r.EpochSecond > second {
			p.Fresh++
		}
		p.Rows = append(p.Rows, StreamRow{Handle: user, Submission: s})
	}
	if err := all.err(); err != nil || len(rows) == 0 {
		return p, cmp.Or(err, all.first)
	}
	last := slices.MaxFunc(rows, func(a, b atcoderRow) int {
		return cmp.Or(cmp.Compare(a.EpochSecond, b.EpochSecond), cmp.Compare(a.ID, b.ID))
	})
	p.Next = StreamCursor{At: time.Unix(last.EpochSecond, 0).UTC(), ID: strconv.FormatInt(last.ID, 10)}
	if p.Until = p.Next.At; p.Full && last.EpochSecond == second {
		p.Next = StreamCursor{At: p.Next.At.Add(time.Second)}
		p.Until, p.Since = p.Next.At, p.Next.At
	}
	if len(all.unread) > 0 { // Nobody knows whose they are: the accounts' own lists do.
		p.Since = p.Until
	}
	return p, nil
}
