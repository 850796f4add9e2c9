package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func init() { register(leetcode{}) }

// leetcode asks https://leetcode.com/graphql/, which lists the newest twenty
// submissions and the newest twenty accepted ones, and nothing behind them. What it
// counts is reported with the list, so that what is lost between two retrievals shows. Who is
// read whole is asked for the calendars of all years, too.
type leetcode struct{}

const (
	leetcodeHome = "https://leetcode.com"
	leetcodeMost = 20 // Rows of a list, however many are asked for.
)

var leetcodeInfo = Info{
	Name:    "leetcode",
	Title:   "LeetCode",
	Home:    leetcodeHome,
	Handle:  regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`),
	Hint:    "the username, as in leetcode.com/u/USERNAME",
	Gap:     3 * time.Second, // Others ask twenty times a minute.
	Overlap: time.Hour,
	Other:   []string{"Output Limit Exceeded", "Internal Error", "Unknown Error"},
	Proof:   "Name, in your profile there",
	Profile: func(handle string) string { return leetcodeHome + "/u/" + url.PathEscape(handle) + "/" },
	List:    func(a Account) string { return leetcodePage("recentSubmissionList", a.Handle) },
}

func (leetcode) Info() Info { return leetcodeInfo }

// leetcodePage is what the archive calls the answer to a question about somebody:
// all are asked at one address.
func leetcodePage(question, handle string) string {
	return leetcodeHome + "/graphql/?question=" + question + "&username=" + url.QueryEscape(handle)
}

const (
	leetcodeRows   = `{ title titleSlug timestamp statusDisplay lang }`
	leetcodeNamed  = `{ id title titleSlug timestamp statusDisplay lang url }`
	leetcodeTotals = `{ username submissionCalendar
    submitStats { totalSubmissionNum { difficulty count submissions } acSubmissionNum { difficulty count submissions } } }`
)

const leetcodeRecent = `query recent($username: String!, $limit: Int!) {
  matchedUser(username: $username) ` + leetcodeTotals + `
  recentSubmissionList(username: $username, limit: $limit) ` + leetcodeNamed + `
  recentAcSubmissionList(username: $username, limit: $limit) ` + leetcodeNamed + `
}`

// leetcodeAsk asks a question about somebody and returns the data of the answer.
func leetcodeAsk(ctx context.Context, get Getter, page, query, handle string) (json.RawMessage, error) {
	if err := checkHandle(leetcodeInfo, handle); err != nil {
		return nil, err
	}
	variables := map[string]any{"username": handle}
	if strings.Contains(query, "$limit") {
		variables["limit"] = leetcodeMost
	}
	return leetcodePost(ctx, get, Request{Page: page, Header: leetcodeReferer(handle)}, query, variables)
}

// leetcodeReferer is sent with questions about somebody, as the pages of the site do.
func leetcodeReferer(handle string) map[string]string {
	return map[string]string{"Referer": leetcodeInfo.Profile(handle)}
}

// leetcodePost asks a question as r says and returns the data of the answer.
func leetcodePost(ctx context.Context, get Getter, r Request, query string, variables map[string]any) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	r.Address, r.Body = leetcodeHome+"/graphql/", string(body)
	answer, _, err := ask(ctx, get, r)
	if err != nil {
		return nil, err
	}
	return leetcodeData(answer)
}

// leetcodeData takes the envelope off an answer. That somebody does not exist is
// one of its errors; any other one means that what is null is not known.
func leetcodeData(page Page) (json.RawMessage, error) {
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return nil, err
	}
	for _, e := range answer.Errors {
		switch words := strings.ToLower(e.Message); {
		case strings.Contains(words, "user does not exist"):
		case strings.Contains(words, "rate limit"), strings.Contains(words, "too many requests"):
			return nil, ErrRateLimited
		default:
			return nil, fmt.Errorf("%w: %.200s", ErrServer, clean(e.Message))
		}
	}
	if len(answer.Data) == 0 || answer.Data[0] != '{' {
		return nil, fmt.Errorf("%w: no data", ErrFormat)
	}
	return answer.Data, nil
}

// A leetcodeUser is who was asked about. The key itself is needed: an answer
// without it says nothing about anybody.
type leetcodeUser struct {
	MatchedUser json.RawMessage
}

func (u leetcodeUser) into(user any) error {
	switch string(u.MatchedUser) {
	case "":
		return fmt.Errorf("%w: nothing about the user", ErrFormat)
	case "null":
		return fmt.Errorf("%w: LeetCode has no such user", ErrNoHandle)
	}
	return decode(u.MatchedUser, user)
}

func (leetcode) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	var all *leetcodeYears // Those of an account that is read whole, from the second page on.
	return inPages(leetcodeInfo, a, func() (p ListPage, more bool, err error) {
		if all != nil {
			return all.next(ctx, get, a.Handle)
		}
		data, err := leetcodeAsk(ctx, get, leetcodeInfo.List(a), leetcodeRecent, a.Handle)
		if err == nil {
			p, err = leetcodeLists(data)
		}
		if err != nil {
			return ListPage{}, false, fmt.Errorf("recentSubmissionList: %w", err)
		}
		if !a.CoveredAt.IsZero() || p.Reported.Total == 0 {
			return p, false, nil
		}
		all = &leetcodeYears{reported: *p.Reported}
		return p, true, nil
	})
}

const leetcodeRatings = `query ratings($username: String!) {
  userContestRankingHistory(username: $username) { attended rating ranking contest { title startTime } }
}`

// A leetcodeContest is one contest of a history, also one that was not attended.
type leetcodeContest struct {
	Attended bool
	Rating   float64 // A whole number stays.
	Ranking  int
	Contest  struct {
		Title, TitleSlug string
		StartTime        int64
	}
}

// Ratings returns the contests that were attended; who never did has no history.
func (leetcode) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	data, err := leetcodeAsk(ctx, get, leetcodePage("userContestRankingHistory", a.Handle), leetcodeRatings, a.Handle)
	if err != nil {
		return nil, fmt.Errorf("userContestRankingHistory: %w", err)
	}
	var history struct{ UserContestRankingHistory []leetcodeContest }
	if err := decode(data, &history); err != nil {
		return nil, fmt.Errorf("userContestRankingHistory: %w", err)
	}
	var ratings []Rating
	for _, c := range history.UserContestRankingHistory {
		if !c.Attended {
			continue
		}
		at, err := epoch(c.Contest.StartTime)
		if err != nil || math.Abs(c.Rating) > 1e6 {
			return nil, fmt.Errorf("userContestRankingHistory: %w: a rating of %g at %d", ErrFormat, c.Rating, c.Contest.StartTime)
		}
		title := clean(c.Contest.Title)
		slug := cmp.Or(clean(c.Contest.TitleSlug), strings.ReplaceAll(strings.ToLower(title), " ", "-"),
			strconv.FormatInt(c.Contest.StartTime, 10))
		ratings = append(ratings, Rating{Contest: slug, Name: cmp.Or(title, slug),
			URL: leetcodeHome + "/contest/" + url.PathEscape(slug) + "/", Rank: c.Ranking, Rating: int(math.Round(c.Rating)), At: at})
	}
	return oldestFirst(ratings), nil
}

func init() {
	registerLinks("leetcode", leetcodeLink, "leetcode.com", "leetcode.cn", "leetcode-cn.com")
}

func leetcodeLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "u"); ok {
		return handled(anyHandle, handle)
	}
	if rest := under(path, "submissions", "detail"); rest != nil {
		return fits(linkNumber, LinkSubmission, rest[0])
	}
	if rest := under(path, "problems", "*", "submissions"); rest != nil && linkNumber.MatchString(rest[0]) {
		return LinkSubmission, rest[0]
	}
	if rest := under(path, "contest", "*", "problems"); rest != nil {
		return fits(linkSlug, LinkProblem, rest[0])
	}
	if slug, ok := oneOf(path, "problems"); ok {
		return fits(linkSlug, LinkProblem, slug)
	}
	if contest, ok := oneOf(path, "contest"); ok {
		return fits(linkSlug, LinkContest, contest)
	}
	return "", ""
}

const leetcodeAbout = `query about($username: String!) {
  matchedUser(username: $username) { username profile { realName countryName company school }
    submitStats { totalSubmissionNum { difficulty count submissions } acSubmissionNum { difficulty count submissions } } }
  userContestRanking(username: $username) { rating globalRanking }
}`

// Profile reads the counts, what somebody says of himself or herself, and the
// rating of contests, which who never took part in one does not have.
func (leetcode) Profile(ctx context.Context, get Getter, a Account) (p Profile, err error) {
	data, err := leetcodeAsk(ctx, get, leetcodePage("matchedUser", a.Handle), leetcodeAbout, a.Handle)
	if err == nil {
		p, err = leetcodeProfile(data)
	}
	return p, in("matchedUser", err)
}

func leetcodeProfile(data json.RawMessage) (Profile, error) {
	var answer struct {
		leetcodeUser
		UserContestRanking *struct {
			Rating        float64
			GlobalRanking int
		}
	}
	var user struct {
		leetcodeCounts
		Profile *struct{ RealName, CountryName, Company, School *string }
	}
	if err := decode(data, &answer); err != nil {
		return Profile{}, err
	}
	if err := answer.into(&user); err != nil {
		return Profile{}, err
	}
	solved, submitted, err := user.counted()
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Counts: &CountsView{&solved, &submitted}, Rating: &RatingView{}, Rank: &RankView{}}
	if about := user.Profile; about != nil {
		p.Name = &NameView{shownOf(about.RealName)}
		p.Place = &PlaceView{shownOf(about.CountryName), cmp.Or(shownOf(about.Company), shownOf(about.School))}
	}
	if r := answer.UserContestRanking; r != nil && math.Abs(r.Rating) < most {
		rating := int(math.Round(r.Rating))
		p.Rating.Rating = &rating
		if r.GlobalRanking > 0 {
			p.Rank.Rank = &r.GlobalRanking
		}
	}
	return p, nil
}
