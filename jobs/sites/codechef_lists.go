package sites

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

const codechefContests = codechefHome + "/api/list/contests/all?sort_by=START&sorting_order=asc&offset=0&mode=all"

// Lists are running, coming and the last past contests.
func (codechef) Lists() []List {
	return []List{{Name: "contests", Address: codechefContests, Names: true, Contests: true, Read: codechefContestList}}
}

// A codechefListed is a contest of the list. contest_duration is not read: it may be the time that
// one has within a longer contest.
type codechefListed struct {
	Code   string `json:"contest_code"`
	Name   string `json:"contest_name"`
	Starts string `json:"contest_start_date_iso"`
	Ends   string `json:"contest_end_date_iso"`
}

func codechefContestList(ctx context.Context, get Getter) (c Listing, err error) {
	page, err := get.Get(ctx, codechefContests)
	if err != nil {
		return c, err
	}
	var answer struct {
		Present []codechefListed `json:"present_contests"`
		Future  []codechefListed `json:"future_contests"`
		Past    []codechefListed `json:"past_contests"`
	}
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return c, in("contests", err)
	}
	if answer.Present == nil && answer.Future == nil {
		return c, fmt.Errorf("contests: %w: neither present nor future contests", ErrFormat)
	}
	for _, r := range append(append(answer.Present, answer.Future...), answer.Past...) {
		starts, err1 := time.Parse(time.RFC3339, r.Starts)
		ends, err2 := time.Parse(time.RFC3339, r.Ends)
		code := strings.ToUpper(clean(r.Code))
		if cmp.Or(err1, err2) != nil || ends.Before(starts) {
			return Listing{}, fmt.Errorf("contests: %w: %s from %q until %q", ErrFormat, code, r.Starts, r.Ends)
		}
		listed, err := lasting(ListedContest{Key: code, Name: clean(r.Name), URL: codechefHome + "/" + code}, starts.Unix(),
			int64(ends.Sub(starts)/time.Second))
		if err != nil {
			return Listing{}, in("contests", err)
		}
		c.Contests = append(c.Contests, listed)
	}
	return c, nil
}
