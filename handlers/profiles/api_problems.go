package profiles

import (
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/problems"
)

type apiProblem struct {
	Site             string   `json:"site"`
	Key              string   `json:"key"`
	Name             string   `json:"name"`
	URL              string   `json:"url"`
	Difficulty       *int     `json:"difficulty"`
	DifficultySource string   `json:"difficulty_source"`
	Experimental     bool     `json:"experimental"`
	Tags             []string `json:"tags"`
	Canonical        *string  `json:"canonical"`
}

func showProblem(p problems.Problem) apiProblem {
	return apiProblem{p.Site, p.Key, p.Name, p.URL, p.Difficulty, p.DifficultySource, p.Experimental, p.Tags, p.Canonical}
}

// Limits of a search.
const (
	longestPart = 100
	mostTags    = 10
)

// APIProblems lists problems of sites' catalogues, and those that members met.
func (h *Handlers) APIProblems(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	s, err := h.search(c)
	if err != nil {
		return err
	}
	list, next, err := problems.Find(c.Request().Context(), h.DB.DB, s, c.QueryParam("cursor"), limit)
	if err != nil {
		return err
	}
	return web.SendList(c, list, next, showProblem)
}

// search reads what is asked for.
func (h *Handlers) search(c echo.Context) (s problems.Search, err error) {
	if s.Site, err = h.SiteParam(c); err != nil {
		return s, err
	}
	if s.Part = c.QueryParam("q"); utf8.RuneCountInString(s.Part) > longestPart {
		return s, &pg.InputError{Field: "q", Message: fmt.Sprintf("at most %d letters", longestPart)}
	}
	for _, tag := range c.QueryParams()["tag"] {
		if tag = pg.CleanText(tag); tag != "" {
			s.Tags = append(s.Tags, tag)
		}
	}
	if len(s.Tags) > mostTags {
		return s, &pg.InputError{Field: "tag", Message: fmt.Sprintf("at most %d tags", mostTags)}
	}
	if s.Min, err = numberParam(c, "min"); err != nil {
		return s, err
	}
	if s.Max, err = numberParam(c, "max"); err != nil {
		return s, err
	}
	if s.Order = c.QueryParam("order"); s.Order == "" {
		s.Order = problems.ByKey
	}
	if !slices.Contains([]string{problems.ByKey, problems.ByDifficulty, problems.ByHardest}, s.Order) {
		return s, &pg.InputError{Field: "order", Message: "an order is key, difficulty or hardest"}
	}
	return s, h.solved(c, &s)
}

// solved reads whether the viewer has solved what is asked for.
func (h *Handlers) solved(c echo.Context, s *problems.Search) error {
	switch solved := c.QueryParam("solved"); {
	case solved == "":
		return nil
	case solved != "yes" && solved != "no":
		return &pg.InputError{Field: "solved", Message: "solved is yes or no"}
	case h.Viewer(c) == nil:
		return &pg.InputError{Field: "solved", Message: "solved by whom? Send the token of a member"}
	default:
		s.SolvedBy, s.Solved = h.Viewer(c).ID, solved == "yes"
		return nil
	}
}

// numberParam reads a whole number from the address; nil where it is not given.
func numberParam(c echo.Context, name string) (*int, error) {
	text := c.QueryParam(name)
	if text == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return nil, &pg.InputError{Field: name, Message: "a difficulty is a whole number"}
	}
	return new(int(n)), nil
}

type apiContest struct {
	Site     string     `json:"site"`
	Key      string     `json:"key"`
	Name     string     `json:"name"`
	URL      string     `json:"url"`
	StartsAt *time.Time `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	State    string     `json:"state"`
}

// APIContests lists contests of sites.
func (h *Handlers) APIContests(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	site, err := h.SiteParam(c)
	if err != nil {
		return err
	}
	state := c.QueryParam("state")
	if !slices.Contains([]string{"", problems.StateRunning, problems.StateComing, problems.StatePast}, state) {
		return &pg.InputError{Field: "state", Message: "a state is running, coming or past"}
	}
	cursor, err := pg.ParseCursor(c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	search := problems.ContestSearch{State: state, Site: site}
	list, next, err := problems.Contests(c.Request().Context(), h.DB.DB, search, cursor, limit, h.Now())
	if err != nil {
		return err
	}
	return web.SendList(c, list, next.String(), func(k problems.Contest) apiContest {
		return apiContest{k.Site, k.Key, k.Name, k.URL, utc(k.StartsAt), utc(k.EndsAt), k.State}
	})
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC())
}
