package sites

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// timusEverybody is the list of everybody: an author's list without the author.
const timusEverybody = timusHome + "/status.aspx?locale=en"

// Stream describes the newest thousand rows of all. Half of a page should be known, so
// that every row is seen twice and nothing is missed when more comes than before.
func (timus) Stream() StreamInfo {
	return StreamInfo{Address: timusEverybody, Fill: timusCount / 2}
}

// StreamPage reads the newest rows. They must reach back to a row that was read, or
// what lies between is not known, and coverage begins anew. The list of everybody
// is never empty, and never ends before it did.
func (timus) StreamPage(ctx context.Context, get Getter, from StreamCursor) (StreamPage, error) {
	page, err := get.Get(ctx, timusEverybody+"&count="+strconv.Itoa(timusCount))
	if err != nil {
		return StreamPage{}, err
	}
	p, err := timusStreamPage(page, from)
	return p, in("status.aspx of everybody", err)
}

func timusStreamPage(page Page, from StreamCursor) (StreamPage, error) {
	var p StreamPage
	doc, err := wholeDocument(page, timusLongest) // The end of the page is what reaches back.
	if err != nil {
		return p, err
	}
	known := false
	rows, authors := timusTable(doc, time.Time{})
	for i, s := range rows.rows {
		f := StreamRow{Handle: authors[i], Submission: s}
		if f.Handle == "" { // Of nobody that can be a member; where all are, the page has changed.
			continue
		}
		if f.At.After(from.At) {
			p.Fresh++
		}
		known = known || f.ID == from.ID
		p.Rows = append(p.Rows, f)
	}
	if len(p.Rows) == 0 {
		return p, fmt.Errorf("%w: no submission of anybody", ErrFormat)
	}
	byTime := func(a, b StreamRow) int { return a.At.Compare(b.At) }
	newest, oldest := slices.MaxFunc(p.Rows, byTime), slices.MinFunc(p.Rows, byTime)
	if from.ID != "" && newest.At.Before(from.At) {
		return p, fmt.Errorf("%w: the list lacks the row that it began with", ErrFormat)
	}
	p.Next = StreamCursor{At: newest.At, ID: newest.ID}
	if from.ID == "" || !known && !oldest.At.Before(from.At) {
		p.Since = oldest.At.Add(time.Second) // Its second may have rows behind the page.
	}
	if len(rows.unread) > 0 { // Nobody knows whose they are: the accounts' own lists do.
		p.Since = newest.At.Add(time.Second)
	}
	return p, nil
}
