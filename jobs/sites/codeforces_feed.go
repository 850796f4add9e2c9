package sites

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cfRecent is the list of what all submit, in practice and in rounds; not in the gym, in
// groups and in acm.sgu.ru's archive.
const (
	cfRecent      = "https://codeforces.com/api/problemset.recentStatus"
	cfRecentCount = 1000 // "Can be up to 1000."
	cfRecentFill  = 850
)

// Feed tells of the newest thousand rows of all. Codeforces gives some 150,000 numbers a day, the
// gym's and those of rounds among them (recorded rows of 2023 to 2026); so a page is of some ten minutes, and
// one of a round of one. Some of it was there before, so that verdicts come that were missing.
func (codeforces) Feed() FeedInfo {
	return FeedInfo{Address: cfRecent, Fill: cfRecentFill, PerDay: 130, Soonest: 4 * time.Minute, Lacks: "gym and groups"}
}

// FeedPage reads the newest rows. Where they do not reach back to those that were read, there is
// a hole, and coverage begins anew. A list that stands still says nothing of the time since.
func (codeforces) FeedPage(ctx context.Context, get Getter, from FeedCursor) (FeedPage, error) {
	page, err := get.Get(ctx, cfRecent+"?count="+strconv.Itoa(cfRecentCount))
	if err != nil {
		return FeedPage{}, err
	}
	p, err := cfFed(page, from)
	if err != nil {
		return FeedPage{}, fmt.Errorf("problemset.recentStatus: %w", err)
	}
	return p, nil
}

func cfFed(page Page, from FeedCursor) (FeedPage, error) {
	var p FeedPage
	rows, err := cfResult[cfRow](page)
	if err != nil {
		return p, err
	}
	at := cfRow{CreationTimeSeconds: from.At.Unix()}
	at.ID, _ = strconv.ParseInt(from.ID, 10, 64) // "" is none.
	for _, r := range rows {
		fed, err := r.fed()
		if err != nil {
			return p, err
		}
		p.Rows = append(p.Rows, fed...)
		if cfByTime(r, at) > 0 {
			p.Fresh++
		}
	}
	if len(p.Rows) == 0 {
		return p, fmt.Errorf("%w: no submission of anybody", ErrFormat)
	}
	newest, oldest := slices.MaxFunc(rows, cfByTime), slices.MinFunc(rows, cfByTime)
	if from.ID != "" && cfByTime(newest, at) < 0 {
		return p, fmt.Errorf("%w: the list lacks the row that it began with", ErrFormat)
	}
	p.Next = FeedCursor{At: time.Unix(newest.CreationTimeSeconds, 0).UTC(), ID: strconv.FormatInt(newest.ID, 10)}
	p.Until = p.Next.At
	p.Lasts = time.Duration(newest.CreationTimeSeconds-oldest.CreationTimeSeconds+1) * time.Second / cfRecentCount * cfRecentFill
	if from.ID == "" || cfByTime(oldest, at) > 0 {
		p.Since = time.Unix(oldest.CreationTimeSeconds+1, 0).UTC() // Its second may have rows behind the page.
	}
	return p, nil
}

func cfByTime(a, b cfRow) int {
	return cmp.Or(cmp.Compare(a.CreationTimeSeconds, b.CreationTimeSeconds), cmp.Compare(a.ID, b.ID))
}

// fed returns the row for each of its authors; none where it is a ghost's.
func (r cfRow) fed() (fed []Fed, err error) {
	s, err := r.submission()
	if err != nil {
		return nil, err
	}
	for _, handle := range r.mates("") {
		fed = append(fed, Fed{Handle: handle, Submission: s})
	}
	return fed, nil
}

// mates are the authors beside the one who has a handle.
func (r cfRow) mates(own string) (handles []string) {
	for _, m := range r.Author.Members {
		if handle := clean(m.Handle); handle != "" && !strings.EqualFold(handle, own) {
			handles = append(handles, handle)
		}
	}
	return handles
}

// unlisted says that the list of what all submit leaves the row out.
func (r cfRow) unlisted() bool {
	contest := cmp.Or(r.ContestID, r.Problem.ContestID)
	return contest <= 0 || contest >= cfAcmsguru || r.acmsguru()
}
