package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const codechefContests = codechefHome + "/api/list/contests/all?sort_by=START&sorting_order=asc&offset=0&mode=all"

const codechefProblems = codechefHome + "/api/list/problems?sort_by=difficulty_rating&sort_order=asc&category=rated" +
	"&start_rating=0&end_rating=5000&search=&topic=&tags=&group=all"

// Lists are the rated problems, and running, coming and the last past contests.
func (codechef) Lists() []List {
	return []List{
		{Name: "problems", Address: codechefProblemPage(0), Extent: Grows, Names: true, Read: codechefProblemList},
		{Name: "contests", Address: codechefContests, Names: true, Contests: true, Read: codechefContestList},
	}
}

const (
	codechefAtOnce = 100 // Problems of one page.
	codechefMost   = 500 // More than there ever will be.
)

func codechefProblemPage(n int) string {
	return fmt.Sprintf("%s&page=%d&limit=%d", codechefProblems, n, codechefAtOnce)
}

// A codechefProblemRow is a problem of the list. Its rating is a number, as such or as a text.
type codechefProblemRow struct {
	Code   string          `json:"code"`
	Name   string          `json:"name"`
	Rating json.RawMessage `json:"difficulty_rating"`
}

// codechefProblemList reads the rated problems page by page, until a page has none. It may give
// fewer rows than it is asked for.
func codechefProblemList(ctx context.Context, get Getter) (c Listing, err error) {
	seen := map[string]bool{}
	for n := range codechefMost {
		page, err := get.Get(ctx, codechefProblemPage(n))
		if err != nil {
			return Listing{}, err
		}
		var answer struct {
			Data *[]codechefProblemRow `json:"data"`
		}
		if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
			return Listing{}, in(fmt.Sprintf("problems, page %d", n), err)
		}
		if answer.Data == nil {
			return Listing{}, fmt.Errorf("problems, page %d: %w: no list", n, ErrFormat)
		}
		before := len(c.Problems)
		for _, r := range *answer.Data {
			code := strings.ToUpper(clean(r.Code))
			if code == "" {
				return Listing{}, fmt.Errorf("problems, page %d: %w: a problem without a code", n, ErrFormat)
			}
			if !seen[code] {
				seen[code] = true
				c.Problems = append(c.Problems, r.listed(code))
			}
		}
		if len(c.Problems) == before {
			break
		}
	}
	if len(c.Problems) == 0 {
		return c, fmt.Errorf("problems: %w: none at all", ErrFormat)
	}
	return c, nil
}

func (r *codechefProblemRow) listed(code string) ListedProblem {
	p := ListedProblem{Problem: Problem{code, clean(r.Name), codechefHome + "/problems/" + url.PathEscape(code)}}
	if rating, err := strconv.Atoi(strings.Trim(string(r.Rating), `"`)); err == nil && rating > 0 { // Else it has none.
		p.Difficulty = rated(&rating)
	}
	return p
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
