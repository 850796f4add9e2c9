package sites

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

const atcoderResources = "https://kenkoooo.com/atcoder/resources/"

// Lists are those of AtCoder Problems, which knows past contests and rates their problems, and
// AtCoder's own page of contests, for those to come.
func (atcoder) Lists() []List {
	contests := atcoderResource("contests", "contests.json", Grows, atcoderContestList)
	contests.Names = true // Of those that have been held: one to come is not gone because it lacks it.
	return []List{
		contests,
		atcoderResource("problems", "problems.json", Whole, atcoderProblemList),
		atcoderResource("contest problems", "contest-problem.json", Grows, atcoderContestProblems),
		atcoderResource("difficulties", "problem-models.json", Grows, atcoderModels),
		{Name: "coming contests", Address: atcoderInfo.Home + "/contests/?lang=en", Names: true, Contests: true, Read: atcoderComing},
	}
}

func atcoderResource(name, file string, extent Extent, read func(Page) (Listing, error)) List {
	readFile := func(ctx context.Context, get Getter) (c Listing, err error) {
		page, err := get.Get(ctx, atcoderResources+file)
		if err != nil {
			return c, err
		}
		if c, err = read(page); err == nil && c.Items() == 0 {
			err = fmt.Errorf("%w: nothing at all", ErrFormat)
		}
		return c, in(file, err)
	}
	return List{Name: name, Address: atcoderResources + file, Extent: extent, Read: readFile}
}

// atcoderContestList reads contests that have been held. Some, held elsewhere, last no second.
func atcoderContestList(page Page) (c Listing, err error) {
	rows, err := foundList[struct {
		ID, Title string
		Start     int64 `json:"start_epoch_second"`
		Duration  int64 `json:"duration_second"`
	}](page)
	for _, r := range rows {
		ref := atcoderContestRef(r.ID)
		listed, err := lasting(ListedContest{Key: ref.Key, Name: clean(r.Title), URL: ref.URL}, r.Start, r.Duration)
		if err != nil {
			return Listing{}, err
		}
		c.Contests = append(c.Contests, listed)
	}
	return c, err
}

func atcoderProblemList(page Page) (c Listing, err error) {
	rows, err := foundList[atcoderTask](page)
	for _, r := range rows {
		p := atcoderProblem(r.ContestID, r.ID)
		if p.Key == "" {
			return Listing{}, fmt.Errorf("%w: a problem without an id", ErrFormat)
		}
		p.Name = cmp.Or(clean(r.Title), strings.TrimPrefix(clean(r.ProblemIndex+". "+r.Name), ". "))
		c.Problems = append(c.Problems, ListedProblem{Problem: p})
		if contest := clean(r.ContestID); contest != "" {
			c.Links = append(c.Links, ContestProblem{contest, p.Key, clean(r.ProblemIndex)})
		}
	}
	return c, err
}

// atcoderContestProblems reads which contests a problem is in: rounds of two divisions share some.
func atcoderContestProblems(page Page) (c Listing, err error) {
	rows, err := foundList[struct {
		Contest string `json:"contest_id"`
		Problem string `json:"problem_id"`
		Index   string `json:"problem_index"`
	}](page)
	for _, r := range rows {
		p := atcoderProblem(r.Contest, r.Problem)
		if p.Key == "" || clean(r.Contest) == "" {
			return Listing{}, fmt.Errorf("%w: no contest or no problem", ErrFormat)
		}
		c.Problems = append(c.Problems, ListedProblem{Problem: p})
		c.Links = append(c.Links, ContestProblem{clean(r.Contest), p.Key, clean(r.Index)})
	}
	return c, err
}

// atcoderModels reads difficulties. The model's number has no lower end; people are shown it bent
// into positive numbers below 400. One without a number says that nobody knows.
func atcoderModels(page Page) (c Listing, err error) {
	var models map[string]*struct {
		Difficulty   *float64
		Experimental *bool `json:"is_experimental"`
	}
	if err := cmp.Or(found(page), decode(page.Body, &models)); err != nil {
		return c, err
	}
	for _, id := range slices.Sorted(maps.Keys(models)) {
		p := ListedProblem{Problem: Problem{Key: clean(id)}, Source: "AtCoder Problems"}
		m := models[id]
		if p.Key == "" || m == nil {
			return Listing{}, fmt.Errorf("%w: %q is no model of a problem", ErrFormat, p.Key)
		}
		if m.Difficulty != nil {
			p.Difficulty = rated(atcoderShown(*m.Difficulty))
			p.Experimental = p.Difficulty != nil && m.Experimental != nil && *m.Experimental
		}
		c.Problems = append(c.Problems, p)
	}
	return c, nil
}

func atcoderShown(d float64) *int {
	if d < 400 {
		d = 400 / math.Exp((400-d)/400)
	}
	if math.IsNaN(d) || d > hardest {
		return nil
	}
	return new(int(math.Round(d)))
}

// atcoderComing reads the tables of running and coming contests of AtCoder's own page.
func atcoderComing(ctx context.Context, get Getter) (c Listing, err error) {
	page, err := get.Get(ctx, atcoderInfo.Home+"/contests/?lang=en")
	if err != nil {
		return c, err
	}
	if err := found(page); err != nil {
		return c, in("contests", err)
	}
	doc, err := document(page.Body, 4<<20)
	if err != nil {
		return c, in("contests", err)
	}
	if doc.Find("#contest-table-recent, #contest-table-upcoming, #contest-table-action").Length() == 0 {
		return c, fmt.Errorf("contests: %w: no table of contests", ErrFormat)
	}
	for _, tr := range doc.Find("#contest-table-action tbody tr, #contest-table-upcoming tbody tr").EachIter() {
		cells := tr.ChildrenFiltered("td")
		link := cells.Eq(1).Find(`a[href^="/contests/"]`).First()
		ref := atcoderContestRef(strings.Trim(strings.TrimPrefix(link.AttrOr("href", ""), "/contests/"), "/"))
		starts, err := time.Parse("2006-01-02 15:04:05-0700", textOf(cells.Eq(0).Find("time")))
		var hours, minutes int64
		_, lengthErr := fmt.Sscanf(textOf(cells.Eq(2)), "%d:%d", &hours, &minutes)
		if err := cmp.Or(err, lengthErr); err != nil || ref.Key == "" {
			return Listing{}, fmt.Errorf("contests: %w: contest %q: %w", ErrFormat, ref.Key, cmp.Or(err, ErrFormat))
		}
		listed, err := lasting(ListedContest{Key: ref.Key, Name: textOf(link), URL: ref.URL}, starts.Unix(), hours*3600+minutes*60)
		if err != nil {
			return Listing{}, in("contests", err)
		}
		c.Contests = append(c.Contests, listed)
	}
	return c, nil
}
