package profiles

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

type apiSubmission struct {
	Member      string            `json:"member"`
	Site        string            `json:"site"`
	ID          string            `json:"id"`
	Problem     submissionProblem `json:"problem"`
	Status      string            `json:"status"`
	Language    string            `json:"language"`
	Points      *float64          `json:"points"`
	SubmittedAt time.Time         `json:"submitted_at"`
	ToMinute    bool              `json:"to_minute"`
	URL         string            `json:"url"`
	Source      string            `json:"source"`
	Listed      bool              `json:"listed"` // The last whole reading showed it, or there was none since it came.

	Contest       *submissionContest `json:"contest"` // null where it stands in none.
	Participation string             `json:"participation"`
}

type submissionProblem struct {
	Key        string   `json:"key"`
	Name       string   `json:"name"`
	URL        string   `json:"url"`
	Difficulty *int     `json:"difficulty"`
	Tags       []string `json:"tags"`
}

type submissionContest struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

func showSubmission(s submissions.Submission) apiSubmission {
	row := apiSubmission{Member: s.Member, Site: s.Site, ID: s.SiteID,
		Problem: submissionProblem{s.ProblemKey, s.ProblemName, s.ProblemURL, s.Difficulty, s.Tags},
		Status:  s.Status, Language: s.Language, Points: s.Points, SubmittedAt: s.SubmittedAt.UTC(), ToMinute: s.ToMinute, URL: s.URL,
		Participation: s.Participation, Source: s.Source, Listed: s.UnlistedAt == nil}
	if s.ContestKey != "" {
		row.Contest = &submissionContest{s.ContestKey, s.ContestName}
	}
	return row
}

// APIMemberSubmissions lists a member's submissions, newest first.
func (h *Handlers) APIMemberSubmissions(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	return h.sendSubmissions(c, submissions.Filter{MemberID: m.ID})
}

// APISubmissions lists everybody's submissions, newest first.
func (h *Handlers) APISubmissions(c echo.Context) error {
	name := c.QueryParam("member")
	if name == "" {
		return h.sendSubmissions(c, submissions.Filter{})
	}
	m, err := members.ByName(c.Request().Context(), h.DB.DB, name)
	if errors.Is(err, pg.ErrNotFound) {
		return &pg.InputError{Field: "member", Message: fmt.Sprintf("no member is named %q", name)}
	}
	if err != nil {
		return err
	}
	return h.sendSubmissions(c, submissions.Filter{MemberID: m.ID})
}

// sendSubmissions adds the filters of the address to f.
func (h *Handlers) sendSubmissions(c echo.Context, f submissions.Filter) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	if f.Site, err = h.SiteParam(c); err != nil {
		return err
	}
	if f.Status = c.QueryParam("status"); f.Status != "" && !slices.Contains(submissions.Statuses, f.Status) {
		return &pg.InputError{Field: "status", Message: "a status is one of " + strings.Join(submissions.Statuses, ", ")}
	}
	if f.Since, err = web.TimeParam(c, "since"); err != nil {
		return err
	}
	if f.Until, err = web.TimeParam(c, "until"); err != nil {
		return err
	}
	cursor, err := pg.ParseCursor(c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	page, err := submissions.Of(c.Request().Context(), h.DB.DB, f, cursor, false, limit)
	if err != nil {
		return err
	}
	return web.SendList(c, page.Items, page.Next.String(), showSubmission)
}
