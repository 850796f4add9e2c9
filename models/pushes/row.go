// Package pushes stores submissions that members bring themselves: by a script, or from a
// file. They are stored as those of sites are, marked as brought, and give way to what a site
// shows.
package pushes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// An Input is a submission as a member brings it; see docs/api.md.
type Input struct {
	Site          string       `json:"site"`
	ID            text         `json:"id"`
	Problem       ProblemInput `json:"problem"`
	Status        string       `json:"status"`
	Language      string       `json:"language,omitempty"`
	SubmittedAt   string       `json:"submitted_at"`
	URL           string       `json:"url,omitempty"`
	Contest       contest      `json:"contest,omitzero"`
	Participation string       `json:"participation,omitempty"`
	Points        *float64     `json:"points,omitempty"`
}

// A ProblemInput is the problem of an Input.
type ProblemInput struct {
	Key  text   `json:"key"`
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
}

// text is a string. Scripts write numbers, too.
type text string

// UnmarshalJSONFrom reads a string, or a number as it is written.
func (t *text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '0' {
		return json.UnmarshalDecode(d, (*string)(t))
	}
	v, err := d.ReadValue()
	*t = text(v)
	return err
}

// contest is a contest's key, alone or in an object as lists of submissions have it.
type contest struct {
	Key  text   `json:"key"`
	Name string `json:"name,omitempty"`
}

// UnmarshalJSONFrom reads a key, an object, or null.
func (c *contest) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return json.UnmarshalDecode(d, &c.Key)
	}
	type plain contest
	return json.UnmarshalDecode(d, (*plain)(c))
}

// A Row is a submission that can be stored.
type Row struct {
	Line int // Where it was brought, from 1.
	Site string
	submissions.Found
}

const (
	longestID       = 200
	longestName     = 500
	mostPoints      = 1e9
	clockSkew       = time.Minute // The clock of who pushes may be ahead.
	participations  = "contest, virtual, practice or unknown"
	longestLine     = 64 << 10
	timeWords       = "write it like 2026-11-21T14:02:00Z"
	addressMistaken = "must be an http(s) address of at most 2,000 characters"
)

// earliest is before the first judge site of the web.
var earliest = submissions.UnknownTime

// ParseLine reads a line of JSON. Fields that it does not know are passed over, so that what
// lists of submissions give can be pushed as it is.
func ParseLine(line []byte, sites []members.Site, now time.Time) (Row, error) {
	if len(line) > longestLine {
		return Row{}, fmt.Errorf("a line has at most %d bytes", longestLine)
	}
	var in Input
	if err := json.Unmarshal(line, &in); err != nil {
		return Row{}, lineError(err)
	}
	return in.Row(sites, now)
}

// lineError says in words what is wrong with the JSON of a line.
func lineError(err error) error {
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		field := strings.ReplaceAll(strings.TrimPrefix(string(e.JSONPointer), "/"), "/", ".")
		if field == "" {
			return errors.New("must be a JSON object")
		}
		return fmt.Errorf("%s: this is not the right kind of value", field)
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return errors.New("a field is given twice")
	}
	return errors.New("this is not JSON")
}

// mistakes collects what is wrong with a row.
type mistakes []string

func (m *mistakes) add(field, words string) { *m = append(*m, field+": "+words) }

func (m *mistakes) size(field, value string, most int) {
	if len(value) > most {
		m.add(field, fmt.Sprintf("has at most %d bytes", most))
	}
}

func (m *mistakes) need(field, value string, most int) {
	if value == "" {
		m.add(field, "is missing")
	}
	m.size(field, value, most)
}

func (m *mistakes) address(field, value string) {
	if value != "" && !members.IsWebAddress(value) {
		m.add(field, addressMistaken)
	}
}

// Row checks what was brought. All mistakes are told in one error.
func (in *Input) Row(sites []members.Site, now time.Time) (Row, error) {
	var wrong mistakes
	r := Row{Site: in.Site, Found: submissions.Found{
		ID: pg.CleanText(string(in.ID)), ProblemKey: pg.CleanText(string(in.Problem.Key)), ProblemName: pg.CleanText(in.Problem.Name),
		ProblemURL: pg.CleanText(in.Problem.URL), Status: in.Status, Language: pg.CleanText(in.Language),
		URL: pg.CleanText(in.URL), Points: in.Points, Contest: pg.CleanText(string(in.Contest.Key)),
		ContestName: pg.CleanText(in.Contest.Name), Participation: in.Participation, Expected: true}}
	site, err := members.SiteNamed(sites, in.Site, "site")
	if err != nil {
		wrong.add("site", err.Error())
	}
	wrong.need("id", r.ID, longestID)
	wrong.need("problem.key", r.ProblemKey, longestID)
	wrong.size("problem.name", r.ProblemName, longestName)
	wrong.address("problem.url", r.ProblemURL)
	wrong.address("url", r.URL)
	wrong.size("language", r.Language, longestID)
	wrong.size("contest", r.Contest, longestID)
	wrong.size("contest.name", r.ContestName, longestName)
	if !slices.Contains(submissions.Statuses, r.Status) {
		wrong.add("status", fmt.Sprintf("%.40q is not one of %s", in.Status, strings.Join(submissions.Statuses, " ")))
	}
	if r.At, err = submittedAt(in.SubmittedAt, now); err != nil {
		wrong.add("submitted_at", err.Error())
	}
	if r.Points != nil && !(math.Abs(*r.Points) <= mostPoints) {
		wrong.add("points", "must be a number from -1,000,000,000 to 1,000,000,000")
	}
	switch r.Participation {
	case "", "contest", "virtual", "practice", "unknown":
	default:
		wrong.add("participation", fmt.Sprintf("%.40q is not one of %s", in.Participation, participations))
	}
	if len(wrong) > 0 {
		return Row{}, errors.New(strings.Join(wrong, "; "))
	}
	if site.Problem != nil {
		r.ProblemURL = site.Problem(r.ProblemKey)
	}
	return r, nil
}

// submittedAt reads a moment with a zone, as precisely as it is stored.
func submittedAt(text string, now time.Time) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case text == "":
		return at, errors.New("is missing; " + timeWords)
	case err != nil:
		return at, errors.New("is no time; " + timeWords)
	case at.After(now.Add(clockSkew)):
		return at, errors.New("is in the future")
	case at.Before(earliest):
		return at, errors.New("is before 1990")
	}
	return at.UTC().Truncate(time.Microsecond), nil
}
