package sites

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func init() { register(atcoder{}) }

// atcoder reads submissions from AtCoder Problems, a mirror that sees them
// minutes to days late, and ratings and existence from AtCoder itself.
type atcoder struct{}

var atcoderInfo = Info{
	Name:    "atcoder",
	Title:   "AtCoder",
	Home:    "https://atcoder.jp",
	Handle:  regexp.MustCompile(`^[A-Za-z0-9_]{3,16}$`),
	Hint:    "3 to 16 letters, digits, _",
	Gap:     time.Second,
	Overlap: 48 * time.Hour, // The mirror inserts old submissions when it catches up.
	Other:   []string{"OLE", "QLE", "IE", "NG"},
	Proof:   "Affiliation, in your general settings there",
	Profile: func(handle string) string { return "https://atcoder.jp/users/" + url.PathEscape(handle) },
	List: func(a Account) string {
		return "https://kenkoooo.com/atcoder/atcoder-api/v3/user/submissions?user=" + url.QueryEscape(a.Handle)
	},
}

func (atcoder) Info() Info { return atcoderInfo }

func (atcoder) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	w := newAtcoderWalk(get, a)
	return inPages(atcoderInfo, a, func() (p ListPage, more bool, err error) {
		rows, err := w.next(ctx)
		if err == nil && w.done && len(w.seen) == 0 && a.CoveredAt.IsZero() { // The mirror answers an unknown name with an empty list, too.
			err = atcoderExists(ctx, get, a.Handle)
		}
		return ListPage{Rows: since(rows.rows, w.since), Unread: uncovered(rows.unread, w.since)}, !w.done, err
	})
}

// atcoderExists asks AtCoder itself. Its 404 is the only proof of absence.
func atcoderExists(ctx context.Context, get Getter, handle string) error {
	page, err := get.Get(ctx, atcoderInfo.Profile(handle))
	if err != nil {
		return err
	}
	if page.Status == statusNotFound {
		return fmt.Errorf("%w: atcoder.jp has no page of this user", ErrNoHandle)
	}
	return found(page)
}

func (atcoder) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	page, err := fetch(ctx, get, atcoderInfo, a, atcoderInfo.Profile(a.Handle)+"/history/json")
	if err != nil {
		return nil, err
	}
	if page.Status == statusNotFound { // The address may have moved, so this alone proves nothing.
		if err := atcoderExists(ctx, get, a.Handle); err != nil {
			return nil, err
		}
	}
	rows, err := foundList[atcoderContest](page)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	var ratings []Rating
	for _, r := range rows {
		if !r.IsRated {
			continue
		}
		at, err := believable(r.EndTime)
		if err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		contest := strings.TrimSuffix(clean(r.ContestScreenName), ".contest.atcoder.jp")
		ratings = append(ratings, Rating{
			Contest: contest, Name: cmp.Or(clean(r.ContestName), clean(r.ContestNameEn)),
			URL:  "https://atcoder.jp/contests/" + url.PathEscape(contest),
			Rank: r.Place, Rating: r.NewRating, At: at,
		})
	}
	return oldestFirst(ratings), nil
}

// An atcoderContest is one contest of a user's history.
type atcoderContest struct {
	IsRated           bool
	Place, NewRating  int
	ContestScreenName string // Old ones are hosts: arc061.contest.atcoder.jp.
	ContestName       string
	ContestNameEn     string
	EndTime           time.Time // With the offset of Japan.
}

// Problems returns the mirror's list. The key is the task, which several contests
// may share.
func (atcoder) Problems(ctx context.Context, get Getter) ([]Problem, error) {
	page, err := get.Get(ctx, "https://kenkoooo.com/atcoder/resources/problems.json")
	if err != nil {
		return nil, err
	}
	rows, err := foundList[atcoderTask](page)
	if err != nil {
		return nil, fmt.Errorf("problems: %w", err)
	}
	problems := make([]Problem, len(rows))
	for i, r := range rows {
		p := atcoderProblem(r.ContestID, r.ID)
		if p.Key == "" {
			return nil, fmt.Errorf("problems: %w: a problem without an id", ErrFormat)
		}
		p.Name = cmp.Or(clean(r.Title), clean(r.ProblemIndex+". "+r.Name))
		problems[i] = p
	}
	return problems, nil
}

// An atcoderTask is one problem of the mirror's list.
type atcoderTask struct {
	ID           string
	ContestID    string `json:"contest_id"`
	ProblemIndex string `json:"problem_index"`
	Name         string
	Title        string // The index and the name: "D. Digits Parade".
}

func atcoderProblem(contest, id string) Problem {
	contest, id = clean(contest), clean(id)
	return Problem{Key: id, URL: fmt.Sprintf("https://atcoder.jp/contests/%s/tasks/%s", url.PathEscape(contest), url.PathEscape(id))}
}

// An atcoderRow is one submission as the mirror gives it.
type atcoderRow struct {
	ID          int64
	EpochSecond int64  `json:"epoch_second"`
	ProblemID   string `json:"problem_id"`
	ContestID   string `json:"contest_id"`
	UserID      string `json:"user_id"`
	Language    string
	Point       *float64
	Result      string
}

func (r atcoderRow) submission() (Submission, error) {
	if r.ID <= 0 {
		return Submission{}, fmt.Errorf("%w: a submission without an id", ErrFormat)
	}
	id := strconv.FormatInt(r.ID, 10)
	at, err := epoch(r.EpochSecond)
	problem := atcoderProblem(r.ContestID, r.ProblemID)
	if err != nil || problem.Key == "" {
		return Submission{ID: id, At: at}, cmp.Or(err, fmt.Errorf("%w: a submission without a problem", ErrFormat))
	}
	return Submission{
		ID: id, At: at, Problem: problem,
		Status: atcoderStatus(r.Result), Verdict: clean(r.Result),
		Language: clean(r.Language), Points: r.Point,
		URL:           fmt.Sprintf("https://atcoder.jp/contests/%s/submissions/%s", url.PathEscape(clean(r.ContestID)), id),
		Contest:       atcoderContestRef(r.ContestID),
		Participation: ByTime,
	}, nil
}

func atcoderContestRef(id string) ContestRef {
	if id = clean(id); id == "" {
		return ContestRef{}
	}
	return ContestRef{Key: id, URL: "https://atcoder.jp/contests/" + url.PathEscape(id)}
}

// atcoderJudging is "12/34", or "12/34 TLE" when one test has failed already.
var atcoderJudging = regexp.MustCompile(`^\d+ ?/ ?\d+( .*)?$`)

func atcoderStatus(result string) string {
	switch result = clean(result); result {
	case AC, WA, TLE, MLE, RE, CE, PE:
		return result
	case "", "WJ", "WR": // Waiting for the judge, waiting for another judging.
		return Pending
	}
	if atcoderJudging.MatchString(result) {
		return Pending
	}
	return OTH
}

func init() {
	registerLinks("atcoder", atcoderLink, "atcoder.jp", "beta.atcoder.jp")
	registerLinks("atcoder", func(path []string, query url.Values) (kind, key string) {
		return atcoderLink(append([]string{"contests"}, path...), query)
	}, "*.contest.atcoder.jp") // Until 2018.
}

var atcoderName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,99}$`)

// atcoderLink knows contests with their tasks and submissions, and users.
func atcoderLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "users", "user"); ok {
		return handled(atcoderInfo.Handle, handle)
	}
	contest, ok := oneOf(path, "contests")
	if !ok {
		return "", ""
	}
	if rest := path[2:]; len(rest) >= 2 {
		switch rest[0] {
		case "tasks":
			return fits(atcoderName, LinkProblem, strings.ToLower(rest[1]))
		case "submissions":
			if linkNumber.MatchString(rest[1]) {
				return LinkSubmission, rest[1]
			}
		}
	}
	return fits(atcoderName, LinkContest, strings.ToLower(contest))
}
