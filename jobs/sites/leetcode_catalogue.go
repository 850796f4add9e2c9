package sites

import (
	"context"
	"fmt"
	"math"
	"net/url"
)

const leetcodeRated = "https://raw.githubusercontent.com/zerotrac/leetcode_problem_rating/main/data.json"

// Lists are the problems with their levels and topics, the contests, and ratings of the problems of
// contests, which somebody computes from the contests' results.
func (leetcode) Lists() []List {
	return []List{
		{Name: "problems", Address: leetcodeHome + "/problemset/", Extent: Grows, Names: true, Read: leetcodeProblemList},
		{Name: "contests", Address: leetcodeHome + "/contest/", Extent: Grows, Names: true, Contests: true, Read: leetcodeContestList},
		{Name: "ratings", Address: leetcodeRated, Extent: Grows, Read: leetcodeRatedList},
	}
}

// leetcodeAboutNobody is how questions about problems and contests are asked.
func leetcodeAboutNobody() Request {
	return Request{Header: map[string]string{"Referer": leetcodeHome + "/problemset/"}}
}

const leetcodeQuestions = `query problems($categorySlug: String, $limit: Int, $skip: Int, $filters: QuestionListFilterInput) {
  problemsetQuestionList: questionList(categorySlug: $categorySlug, limit: $limit, skip: $skip, filters: $filters) {
    total: totalNum
    questions: data { title titleSlug difficulty topicTags { name } }
  }
}`

// A leetcodeListed is a problem of the list.
type leetcodeListed struct {
	Title, TitleSlug, Difficulty string
	TopicTags                    []struct{ Name string }
}

const (
	leetcodeAtOnce = 100 // Problems of one answer: what the site's own page asks for.
	leetcodePages  = 300 // More than there ever will be.
)

// leetcodeProblemList reads the problems page by page. The level is a tag: the site has no scale.
func leetcodeProblemList(ctx context.Context, get Getter) (c Listing, err error) {
	seen := map[string]bool{}
	for skip, total, page := 0, 1, 0; skip < total && page < leetcodePages; page++ {
		var rows []leetcodeListed
		if rows, total, err = leetcodeProblemPage(ctx, get, skip); err != nil {
			return Listing{}, in(fmt.Sprintf("problems from %d", skip), err)
		}
		for _, r := range rows {
			slug := clean(r.TitleSlug)
			if slug == "" {
				return Listing{}, fmt.Errorf("problems from %d: %w: a problem without a name", skip, ErrFormat)
			}
			if seen[slug] { // One was added while the list was read.
				continue
			}
			seen[slug] = true
			c.Problems = append(c.Problems, r.listed(slug))
		}
		if len(rows) == 0 {
			return Listing{}, fmt.Errorf("problems: %w: %d of %d are shown", ErrFormat, skip, total)
		}
		skip += len(rows)
	}
	return c, nil
}

func (r *leetcodeListed) listed(slug string) ListedProblem {
	p := ListedProblem{Problem: Problem{slug, clean(r.Title), leetcodeHome + "/problems/" + url.PathEscape(slug) + "/"}}
	if level := clean(r.Difficulty); level != "" {
		p.Tags = append(p.Tags, level)
	}
	for _, t := range r.TopicTags {
		if name := clean(t.Name); name != "" {
			p.Tags = append(p.Tags, name)
		}
	}
	return p
}

func leetcodeProblemPage(ctx context.Context, get Getter, skip int) (rows []leetcodeListed, total int, err error) {
	data, err := leetcodePost(ctx, get, leetcodeAboutNobody(), leetcodeQuestions, map[string]any{
		"categorySlug": "", "skip": skip, "limit": leetcodeAtOnce, "filters": map[string]any{}})
	if err != nil {
		return nil, 0, err
	}
	var answer struct {
		ProblemsetQuestionList *struct {
			Total     int
			Questions []leetcodeListed
		}
	}
	if err := decode(data, &answer); err != nil {
		return nil, 0, err
	}
	if answer.ProblemsetQuestionList == nil {
		return nil, 0, fmt.Errorf("%w: no list of problems", ErrFormat)
	}
	return answer.ProblemsetQuestionList.Questions, answer.ProblemsetQuestionList.Total, nil
}

const leetcodeContests = `query contests {
  allContests { title titleSlug startTime duration }
  topTwoContests { title titleSlug startTime duration }
}`

// leetcodeContestList reads all contests, and the next two.
func leetcodeContestList(ctx context.Context, get Getter) (c Listing, err error) {
	type contest struct {
		Title, TitleSlug    string
		StartTime, Duration int64
	}
	var answer struct{ AllContests, TopTwoContests []contest }
	data, err := leetcodePost(ctx, get, leetcodeAboutNobody(), leetcodeContests, nil)
	if err == nil {
		err = decode(data, &answer)
	}
	if err != nil {
		return c, in("contests", err)
	}
	if len(answer.AllContests) == 0 {
		return c, fmt.Errorf("contests: %w: none at all", ErrFormat)
	}
	seen := map[string]bool{}
	for _, r := range append(answer.AllContests, answer.TopTwoContests...) {
		slug := clean(r.TitleSlug)
		if seen[slug] {
			continue
		}
		seen[slug] = true
		listed, err := lasting(ListedContest{Key: slug, Name: clean(r.Title), URL: leetcodeHome + "/contest/" + url.PathEscape(slug) + "/"},
			r.StartTime, r.Duration)
		if err != nil {
			return Listing{}, in("contests", err)
		}
		c.Contests = append(c.Contests, listed)
	}
	return c, nil
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
