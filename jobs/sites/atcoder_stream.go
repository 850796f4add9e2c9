package sites

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
)

const (
	atcoderEverybody = "https://kenkoooo.com/atcoder/atcoder-api/v3/from/"
	atcoderFeedLimit = 1000 // Rows a page, says the mirror's documentation.
)

// Stream describes v3/from, the mirror's list of everybody: the first rows from a
// second on. The mirror has some thirty thousand new rows a day.
func (atcoder) Stream() StreamInfo {
	return StreamInfo{Address: atcoderEverybody, Fill: atcoderFeedLimit, Late: true}
}

// StreamPage goes on at the second where the last page ended, not behind it, because
// a page may be cut in the middle of a second. A second that fills a page cannot be
// read to its end: it is stepped over, and coverage begins anew behind it.
//
// The stream is complete until its newest row: a mirror that stands still shows none,
// and says nothing of the time since.
func (atcoder) StreamPage(ctx context.Context, get Getter, from StreamCursor) (StreamPage, error) {
	second := max(0, from.At.Unix())
	page, err := get.Get(ctx, atcoderEverybody+strconv.FormatInt(second, 10))
	if err != nil {
		return StreamPage{}, err
	}
	rows, err := foundList[atcoderRow](page)
	if err != nil {
		return StreamPage{}, fmt.Errorf("submissions of everybody from %d: %w", second, err)
	}
	p, err := atcoderFed(rows, second, from)
	if err != nil {
		return StreamPage{}, fmt.Errorf("submissions of everybody from %d: %w", second, err)
	}
	return p, nil
}

func atcoderFed(rows []atcoderRow, second int64, from StreamCursor) (StreamPage, error) {
	p := StreamPage{Next: from, Until: from.At, Full: len(rows) >= atcoderFeedLimit}
	if from.ID == "" {
		p.Since = from.At
	}
	if len(rows) == 0 {
		if from.ID != "" {
			return p, fmt.Errorf("%w: the list lacks the row that it ended with", ErrFormat)
		}
		return p, nil
	}
	for _, r := range rows {
		s, err := r.submission()
		if err != nil {
			return p, err
		}
		user := clean(r.UserID)
		if user == "" || r.EpochSecond < second {
			return p, fmt.Errorf("%w: submission %s is of %q and of %d", ErrFormat, s.ID, user, r.EpochSecond)
		}
		if r.EpochSecond > second {
			p.Fresh++
		}
		p.Rows = append(p.Rows, StreamRow{Handle: user, Submission: s})
	}
	last := slices.MaxFunc(rows, func(a, b atcoderRow) int {
		return cmp.Or(cmp.Compare(a.EpochSecond, b.EpochSecond), cmp.Compare(a.ID, b.ID))
	})
	p.Next = StreamCursor{At: time.Unix(last.EpochSecond, 0).UTC(), ID: strconv.FormatInt(last.ID, 10)}
	if p.Until = p.Next.At; p.Full && last.EpochSecond == second {
		p.Next = StreamCursor{At: p.Next.At.Add(time.Second)}
		p.Until, p.Since = p.Next.At, p.Next.At
	}
	return p, nil
}
