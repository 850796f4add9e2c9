package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func init() { register(codeforces{}) }

// codeforces reads https://codeforces.com/apiHelp/methods.
type codeforces struct{}

const (
	cfGym      = 100000 // Contests from this number on are in the gym.
	cfAcmsguru = 99999  // The contest that the archive acmsguru pretends to be.
)

var cfInfo = Info{
	Name:      "codeforces",
	Title:     "Codeforces",
	Home:      "https://codeforces.com",
	Handle:    regexp.MustCompile(`^[A-Za-z0-9_.\-]{3,24}$`),
	Hint:      "3 to 24 letters, digits, . _ -",
	Gap:       2 * time.Second, // "At most 1 request per two seconds."
	KeyInName: true,
	Overlap:   24 * time.Hour, // Hacks and system tests change verdicts after a round.
	Other:     []string{"FAILED", "CRASHED", "INPUT_PREPARATION_CRASHED", "SECURITY_VIOLATED", "REJECTED"},
	Proof:     "Organization, in your settings there",
	Profile:   func(handle string) string { return "https://codeforces.com/profile/" + url.PathEscape(handle) },
	List: func(a Account) string {
		return "https://codeforces.com/api/user.status?handle=" + url.QueryEscape(a.Handle)
	},
}

func (codeforces) Info() Info { return cfInfo }

func (codeforces) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	w := newCFWalk(get, a)
	return inPages(cfInfo, a, func() (p ListPage, more bool, err error) {
		rows, err := w.next(ctx)
		n := len(rows.rows)
		p.Rows, p.Unread = since(rows.rows, a.CoveredAt), uncovered(rows.unread, a.CoveredAt)
		return p, !w.done && len(p.Rows) == n, err
	})
}

func (codeforces) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	page, err := fetch(ctx, get, cfInfo, a, "https://codeforces.com/api/user.rating?handle="+url.QueryEscape(a.Handle))
	if err != nil {
		return nil, err
	}
	rows, err := cfResult[cfRating](page)
	if err != nil {
		return nil, fmt.Errorf("user.rating: %w", err)
	}
	var ratings []Rating
	for _, r := range rows {
		at, err := epoch(r.RatingUpdateTimeSeconds)
		if err != nil {
			return nil, fmt.Errorf("user.rating: %w", err)
		}
		id := strconv.FormatInt(r.ContestID, 10)
		ratings = append(ratings, Rating{
			Contest: id, Name: clean(r.ContestName), URL: "https://codeforces.com/contest/" + id,
			Rank: r.Rank, Rating: r.NewRating, At: at,
		})
	}
	return oldestFirst(ratings), nil
}

// A cfRating is one change of rating as the API gives it.
type cfRating struct {
	ContestID               int64
	ContestName             string
	Rank, NewRating         int
	RatingUpdateTimeSeconds int64
}

// cfNotFound is the only proof that a handle does not exist: the status 400 is
// also the answer to other mistakes. user.info says "handles", the others "handle".
var cfNotFound = regexp.MustCompile(`(?i)^handles?: User with handle .* not found$`)

// cfAnswer reads the envelope that every answer comes in.
func cfAnswer(p Page) (json.RawMessage, error) {
	var answer struct {
		Status, Comment string
		Result          json.RawMessage
	}
	if err := decode(p.Body, &answer); err != nil {
		return nil, fmt.Errorf("status %d: %w", p.Status, err)
	}
	comment := clean(answer.Comment)
	switch {
	case answer.Status == "OK" && p.Status == statusOK && answer.Result != nil:
		return answer.Result, nil
	case answer.Status != "FAILED":
		return nil, fmt.Errorf("%w: status %d, %q without a result", ErrFormat, p.Status, answer.Status)
	case cfNotFound.MatchString(comment):
		return nil, fmt.Errorf("%w: %s", ErrNoHandle, comment)
	case strings.HasPrefix(comment, "apiKey:"), strings.HasPrefix(comment, "apiSig:"):
		return nil, fmt.Errorf("%w: %s", ErrKey, comment)
	case strings.Contains(strings.ToLower(comment), "limit exceeded"):
		return nil, fmt.Errorf("%w: %s", ErrRateLimited, comment)
	}
	return nil, fmt.Errorf("%w: status %d, %q", ErrServer, p.Status, comment)
}

// cfResult is cfAnswer for an answer that is a list.
func cfResult[T any](p Page) ([]T, error) {
	result, err := cfAnswer(p)
	if err != nil {
		return nil, err
	}
	return list[T](result)
}

// A cfRow is one submission as the API gives it.
type cfRow struct {
	ID                  int64
	ContestID           int64
	CreationTimeSeconds int64
	Problem             cfProblem
	ProgrammingLanguage string
	Verdict             string   // Missing while it is judged.
	Points              *float64 // What it scored, in contests that score. Not problem.points: that is the maximum.
	Author              cfParty
}

type cfProblem struct {
	ContestID                   int64
	ProblemsetName, Index, Name string
	Rating                      *int
	Tags                        []string
}

func (r cfRow) submission() (Submission, error) {
	if r.ID <= 0 {
		return Submission{}, fmt.Errorf("%w: a submission without an id", ErrFormat)
	}
	at, err := epoch(r.CreationTimeSeconds)
	if err != nil || clean(r.Problem.Index+r.Problem.Name) == "" {
		return Submission{ID: strconv.FormatInt(r.ID, 10), At: at}, cmp.Or(err, fmt.Errorf("%w: a submission without a problem", ErrFormat))
	}
	return Submission{
		ID: strconv.FormatInt(r.ID, 10), At: at, Problem: r.problem(),
		Status: cfStatus(r.Verdict), Verdict: clean(r.Verdict), Final: r.final(),
		Language: clean(r.ProgrammingLanguage), Points: r.Points, URL: r.address(),
		Facts: factsOf(r.Problem.Rating, r.Problem.Tags), Contest: r.contest(), Participation: cfParticipation(r.Author.ParticipantType),
	}, nil
}

// contest is the one that the submission was sent to; acmsguru only pretends to be one.
func (r cfRow) contest() ContestRef {
	contest := cmp.Or(r.ContestID, r.Problem.ContestID)
	if contest <= 0 || r.acmsguru() {
		return ContestRef{}
	}
	return ContestRef{Key: strconv.FormatInt(contest, 10), URL: cfContestAddress(contest)}
}

func cfContestAddress(id int64) string {
	if id >= cfGym {
		return fmt.Sprintf("https://codeforces.com/gym/%d", id)
	}
	return fmt.Sprintf("https://codeforces.com/contest/%d", id)
}

// cfParticipation is what a participantType means. A manager tries what others will solve.
func cfParticipation(kind string) string {
	switch clean(kind) {
	case "CONTESTANT", "OUT_OF_COMPETITION":
		return InContest
	case "VIRTUAL":
		return InVirtual
	case "PRACTICE":
		return InPractice
	}
	return InUnknown
}

// final says that nothing will change the verdict: hacks and system tests are for those who
// take part in a round, and the gym has neither.
func (r cfRow) final() bool {
	kind := r.Author.ParticipantType
	return kind == "PRACTICE" || kind == "VIRTUAL" || cmp.Or(r.ContestID, r.Problem.ContestID) >= cfGym
}

// problem names the problem as people do: 1692G. Gym and acmsguru live under
// addresses of their own; an archive we do not know gets none.
func (r cfRow) problem() Problem {
	contest := cmp.Or(r.Problem.ContestID, r.ContestID)
	set, index, name := clean(r.Problem.ProblemsetName), clean(r.Problem.Index), clean(r.Problem.Name)
	short, path := cmp.Or(index, name), url.PathEscape(index)
	switch {
	case r.acmsguru():
		return Problem{"acmsguru-" + short, name, "https://codeforces.com/problemsets/acmsguru/problem/99999/" + path}
	case contest <= 0:
		return Problem{strings.TrimPrefix(set+"-"+short, "-"), name, ""}
	case contest >= cfGym:
		return Problem{fmt.Sprintf("%d%s", contest, short), name, fmt.Sprintf("https://codeforces.com/gym/%d/problem/%s", contest, path)}
	}
	return Problem{fmt.Sprintf("%d%s", contest, short), name, fmt.Sprintf("https://codeforces.com/problemset/problem/%d/%s", contest, path)}
}

// address is where the submission can be seen, "" where we do not know.
func (r cfRow) address() string {
	contest := cmp.Or(r.ContestID, r.Problem.ContestID)
	switch {
	case r.acmsguru():
		return fmt.Sprintf("https://codeforces.com/problemsets/acmsguru/submission/99999/%d", r.ID)
	case contest <= 0:
		return ""
	case contest >= cfGym:
		return fmt.Sprintf("https://codeforces.com/gym/%d/submission/%d", contest, r.ID)
	}
	return fmt.Sprintf("https://codeforces.com/contest/%d/submission/%d", contest, r.ID)
}

// acmsguru problems come with the archive's name, its contest, or both.
func (r cfRow) acmsguru() bool {
	return clean(r.Problem.ProblemsetName) == "acmsguru" || cmp.Or(r.Problem.ContestID, r.ContestID) == cfAcmsguru
}

func init() {
	registerLinks("codeforces", codeforcesLink, "codeforces.com", "m1.codeforces.com", "m2.codeforces.com", "m3.codeforces.com",
		"mirror.codeforces.com", "codeforces.ru", "codeforces.net", "codeforc.es")
}

var cfIndex = regexp.MustCompile(`^[A-Z][A-Z0-9]{0,3}$|^[0-9]{1,3}$`)

// codeforcesLink knows the problem set, contests, the gym, groups and acmsguru.
func codeforcesLink(path []string, _ url.Values) (kind, key string) {
	if len(path) > 2 && path[0] == "group" {
		path = path[2:] // A group's contests are contests.
	}
	if rest := under(path, "problemsets", "acmsguru"); rest != nil {
		path = append([]string{"problemset"}, rest...)
	}
	if handle, ok := oneOf(path, "profile", "submissions"); ok {
		return handled(cfInfo.Handle, handle)
	}
	if id, ok := oneOf(path, "contests"); ok {
		return fits(linkNumber, LinkContest, id)
	}
	if rest := under(path, "problemset"); len(rest) == 3 {
		switch rest[0] {
		case "problem", "gymProblem":
			return cfProblemLink(rest[1], rest[2])
		case "submission":
			return fits(linkNumber, LinkSubmission, rest[2])
		}
	}
	contest, ok := oneOf(path, "contest", "gym")
	if !ok {
		return "", ""
	}
	if rest := path[2:]; len(rest) == 2 {
		switch rest[0] {
		case "problem":
			return cfProblemLink(contest, rest[1])
		case "submission":
			return fits(linkNumber, LinkSubmission, rest[1])
		}
	}
	return fits(linkNumber, LinkContest, contest)
}

func cfProblemLink(contest, index string) (kind, key string) {
	index = strings.ToUpper(index)
	if !linkNumber.MatchString(contest) || !cfIndex.MatchString(index) {
		return "", ""
	}
	if contest == "99999" {
		return LinkProblem, "acmsguru-" + index
	}
	return LinkProblem, contest + index
}

// cfStatus is the status that one of the verdicts of Codeforces' API means.
func cfStatus(verdict string) string {
	switch clean(verdict) {
	case "", "TESTING", "SUBMITTED":
		return Pending
	case "OK":
		return AC
	case "WRONG_ANSWER":
		return WA
	case "TIME_LIMIT_EXCEEDED", "IDLENESS_LIMIT_EXCEEDED": // Idle: it used up the clock instead of the processor.
		return TLE
	case "MEMORY_LIMIT_EXCEEDED":
		return MLE
	case "RUNTIME_ERROR":
		return RE
	case "COMPILATION_ERROR":
		return CE
	case "PRESENTATION_ERROR":
		return PE
	case "PARTIAL":
		return PS
	case "SKIPPED":
		return SK
	case "CHALLENGED":
		return HCK
	}
	return OTH
}

// A cfContest is a contest as the API gives it. When one begins may be open.
type cfContest struct {
	ID               int64
	Name, Phase      string
	StartTimeSeconds int64
	DurationSeconds  int64
}

// Contests are those of contest.list, without the gym.
func (codeforces) Contests(ctx context.Context, get Getter) ([]Contest, error) {
	page, err := get.Get(ctx, "https://codeforces.com/api/contest.list?gym=false")
	if err != nil {
		return nil, err
	}
	contests, err := cfResult[cfContest](page)
	if err != nil {
		return nil, fmt.Errorf("contest.list: %w", err)
	}
	if len(contests) == 0 {
		return nil, fmt.Errorf("contest.list: %w: no contest at all", ErrFormat)
	}
	var list []Contest
	for _, c := range contests {
		if c.StartTimeSeconds == 0 {
			continue
		}
		ends, err := epoch(c.StartTimeSeconds + c.DurationSeconds)
		if err != nil || c.ID <= 0 || c.DurationSeconds <= 0 || clean(c.Phase) == "" {
			return nil, fmt.Errorf("contest.list: %w: contest %d, %q, begins %d and lasts %d", ErrFormat, c.ID, c.Phase, c.StartTimeSeconds,
				c.DurationSeconds)
		}
		begins := ends.Add(-time.Duration(c.DurationSeconds) * time.Second)
		over := clean(c.Phase) != "BEFORE" && clean(c.Phase) != "CODING"
		list = append(list, Contest{Key: strconv.FormatInt(c.ID, 10), Name: clean(c.Name), Begins: begins, Ends: ends, Over: over})
	}
	return list, nil
}

// A cfParty is who submitted: somebody, or a team.
type cfParty struct {
	ParticipantType string
}
