package sites

import (
	"context"
	"fmt"
	"math"
	"net/url"
)

const leetcodeRated = "https://raw.githubusercontent.com/zerotrac/leetcode_problem_rating/main/data.json"

// Lists are ratings of the problems of contests, which somebody computes from the contests' results.
func (leetcode) Lists() []List {
	return []List{{Name: "ratings", Address: leetcodeRated, Extent: Grows, Read: leetcodeRatedList}}
}

func leetcodeRatedList(ctx context.Context, get Getter) (c Listing, err error) {
	page, err := get.Get(ctx, leetcodeRated)
	if err != nil {
		return c, err
	}
	rows, err := foundList[struct {
		Rating                                      float64
		Title, TitleSlug, ContestSlug, ProblemIndex string
	}](page)
	for _, r := range rows {
		slug, contest := clean(r.TitleSlug), clean(r.ContestSlug)
		if slug == "" || math.IsNaN(r.Rating) || math.Abs(r.Rating) > hardest {
			return Listing{}, fmt.Errorf("ratings: %w: problem %q is rated %g", ErrFormat, slug, r.Rating)
		}
		c.Problems = append(c.Problems, ListedProblem{Source: "zerotrac", Difficulty: new(int(math.Round(r.Rating))),
			Problem: Problem{slug, clean(r.Title), leetcodeHome + "/problems/" + url.PathEscape(slug) + "/"}})
		if contest != "" {
			c.Links = append(c.Links, ContestProblem{contest, slug, clean(r.ProblemIndex)})
		}
	}
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("%w: nothing at all", ErrFormat)
	}
	return c, in("ratings", err)
}
