package sites

import (
	"context"
	"fmt"
	"strconv"
)

// Lists are the problem set, without the gym, and all contests.
func (codeforces) Lists() []List {
	const problems, contests = "https://codeforces.com/api/problemset.problems", "https://codeforces.com/api/contest.list?gym=false"
	return []List{
		{Name: "contests", Address: contests, Extent: Whole, Contests: true,
			Read: func(ctx context.Context, get Getter) (Listing, error) { return cfContestList(ctx, get, contests) }},
		{Name: "problems", Address: problems, Extent: Whole,
			Read: func(ctx context.Context, get Getter) (Listing, error) { return cfProblemset(ctx, get, problems) }},
	}
}

// cfProblemset reads the problems. A round of two divisions shares problems, of which it lists
// each under one of its keys.
func cfProblemset(ctx context.Context, get Getter, address string) (c Listing, err error) {
	page, err := get.Get(ctx, address)
	if err != nil {
		return c, err
	}
	result, err := cfAnswer(page)
	if err != nil {
		return c, fmt.Errorf("problemset.problems: %w", err)
	}
	var set struct{ Problems []cfProblem }
	if err := decode(result, &set); err != nil {
		return c, fmt.Errorf("problemset.problems: %w", err)
	}
	for _, p := range set.Problems {
		row := cfRow{Problem: p}
		if clean(p.Index) == "" || p.ContestID <= 0 && clean(p.ProblemsetName) == "" {
			return Listing{}, fmt.Errorf("problemset.problems: %w: a problem without a contest or an index", ErrFormat)
		}
		listed := ListedProblem{Problem: row.problem(), Difficulty: rated(p.Rating), Tags: tagList(p.Tags)}
		c.Problems = append(c.Problems, listed)
		if contest := row.contest(); contest.Key != "" {
			c.Links = append(c.Links, ContestProblem{contest.Key, listed.Key, clean(p.Index)})
		}
	}
	if len(c.Problems) == 0 {
		return c, fmt.Errorf("problemset.problems: %w: no problem at all", ErrFormat)
	}
	return c, nil
}

// cfContestList reads contests that are over, running and to come.
func cfContestList(ctx context.Context, get Getter, address string) (c Listing, err error) {
	page, err := get.Get(ctx, address)
	if err != nil {
		return c, err
	}
	contests, err := cfResult[cfContest](page)
	if err != nil {
		return c, fmt.Errorf("contest.list: %w", err)
	}
	for _, of := range contests {
		if of.ID <= 0 {
			return Listing{}, fmt.Errorf("contest.list: %w: a contest without an id", ErrFormat)
		}
		listed, err := lasting(ListedContest{Key: strconv.FormatInt(of.ID, 10), Name: clean(of.Name), URL: cfContestAddress(of.ID)},
			of.StartTimeSeconds, of.DurationSeconds)
		if err != nil {
			return Listing{}, fmt.Errorf("contest.list: %w", err)
		}
		c.Contests = append(c.Contests, listed)
	}
	if len(c.Contests) == 0 {
		return c, fmt.Errorf("contest.list: %w: no contest at all", ErrFormat)
	}
	return c, nil
}
