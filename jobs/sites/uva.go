package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() { register(uva{}) }

// uva reads https://uhunt.onlinejudge.org/api, which knows members by a number
// and answers with rows of numbers.
type uva struct{}

const uhunt = "https://uhunt.onlinejudge.org"

var uvaInfo = Info{
	Name:    "uva",
	Title:   "UVa Online Judge",
	Home:    "https://onlinejudge.org",
	Handle:  regexp.MustCompile(`^[\pL\pN_]([\pL\pN_.@+ -]{0,48}[\pL\pN_.@+-])?$`),
	Hint:    "the username, up to 50 letters, digits, spaces and _ . @ + -",
	Gap:     time.Second,
	Overlap: time.Hour,
	Other:   []string{"Submission error", "Can't be judged", "Restricted function", "Output limit exceeded"},
	Profile: func(handle string) string { return uhunt + "/u/" + url.PathEscape(handle) },
	List:    func(a Account) string { return uhunt + "/api/subs-user/" + url.PathEscape(a.Key) },
}

var uvaKey = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)

func (uva) Info() Info { return uvaInfo }

// Resolve returns uHunt's number for a name, which is 0 for a name it does not know.
func (uva) Resolve(ctx context.Context, get Getter, handle string) (string, error) {
	if err := checkHandle(uvaInfo, handle); err != nil {
		return "", err
	}
	page, err := get.Get(ctx, uhunt+"/api/uname2uid/"+url.PathEscape(handle))
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(page.Body))
	switch err := found(page); {
	case err != nil:
		return "", fmt.Errorf("uname2uid: %w", err)
	case key == "0":
		return "", fmt.Errorf("%w: uHunt knows no such name", ErrNoHandle)
	case !uvaKey.MatchString(key):
		return "", fmt.Errorf("uname2uid: %w: not a number", ErrFormat)
	}
	return key, nil
}

// Submissions yields everything in one request, newest first. uHunt's own order
// is none.
func (u uva) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	return inPages(uvaInfo, a, func() (p ListPage, more bool, err error) {
		rows, err := u.read(ctx, get, a)
		p.Rows, p.Unread = since(rows.rows, a.CoveredAt), uncovered(rows.unread, a.CoveredAt)
		return p, false, err
	})
}

// known returns the account with uHunt's number, which costs a request only
// where the account was never resolved.
func (u uva) known(ctx context.Context, get Getter, a Account) (Account, error) {
	if err := checkHandle(uvaInfo, a.Handle); err != nil {
		return a, err
	}
	if a.Key == "" {
		key, err := u.Resolve(ctx, get, a.Handle)
		a.Key = key
		return a, err
	}
	if !uvaKey.MatchString(a.Key) {
		return a, fmt.Errorf("%w: %q is not a number of uHunt", ErrBadHandle, a.Key)
	}
	return a, nil
}

func (u uva) read(ctx context.Context, get Getter, a Account) (rows tally, err error) {
	if a, err = u.known(ctx, get, a); err != nil {
		return rows, err
	}
	address := uvaInfo.List(a)
	if !a.CoveredAt.IsZero() && uvaKey.MatchString(a.CoveredID) {
		address += "/" + a.CoveredID // Only what is newer than this one.
	}
	page, err := get.Get(ctx, address)
	if err != nil {
		return rows, err
	}
	rows, err = uvaSubmissions(page)
	return rows, in("subs-user", err)
}

// Ratings returns none: UVa has no rated contests.
func (uva) Ratings(context.Context, Getter, Account) ([]Rating, error) { return nil, nil }

// Problems returns the names, because submissions show only the problem's id, which
// is not the number people know it by.
func (uva) Problems(ctx context.Context, get Getter) ([]Problem, error) {
	page, err := get.Get(ctx, uhunt+"/api/p")
	if err != nil {
		return nil, err
	}
	rows, err := foundList[[]json.RawMessage](page)
	if err != nil {
		return nil, fmt.Errorf("p: %w", err)
	}
	problems := make([]Problem, len(rows))
	for i, r := range rows {
		if problems[i], err = uvaNamed(r); err != nil {
			return nil, fmt.Errorf("p: %w", err)
		}
	}
	return problems, nil
}

// uvaNamed reads the start of a problem: id, number, title. The statistics
// behind it are of no use here.
func uvaNamed(row []json.RawMessage) (Problem, error) {
	if len(row) < 3 {
		return Problem{}, fmt.Errorf("%w: a problem of %d values", ErrFormat, len(row))
	}
	var id, number int64
	var title string
	if err := cmp.Or(decode(row[0], &id), decode(row[1], &number), decode(row[2], &title)); err != nil {
		return Problem{}, err
	}
	p := uvaProblem(id)
	p.Name = fmt.Sprintf("%d - %s", number, clean(title))
	return p, nil
}

func uvaProblem(id int64) Problem {
	return Problem{Key: strconv.FormatInt(id, 10),
		URL: fmt.Sprintf("https://onlinejudge.org/index.php?option=onlinejudge&page=show_problem&problem=%d", id)}
}

// uvaSubmissions reads {name, uname, subs}, newest first and each once.
func uvaSubmissions(page Page) (subs tally, err error) {
	var answer struct{ Subs json.RawMessage }
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return subs, err
	}
	if answer.Subs == nil {
		return subs, fmt.Errorf("%w: no list of submissions", ErrFormat)
	}
	rows, err := list[json.RawMessage](answer.Subs)
	if err != nil {
		return subs, err
	}
	seen := map[string]bool{}
	for _, text := range rows {
		_, s, err := rowOf(text, uvaSubmission)
		if err != nil || !seen[s.ID] {
			seen[s.ID] = err == nil
			subs.add(s, err, func() string { return string(text) })
		}
	}
	slices.SortStableFunc(subs.rows, func(a, b Submission) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(len(b.ID), len(a.ID)), cmp.Compare(b.ID, a.ID))
	})
	return subs, subs.err()
}

// uvaSubmission reads [sid, pid, verdict, milliseconds, epoch, language, rank].
func uvaSubmission(row []json.RawMessage) (s Submission, err error) {
	if len(row) < 6 {
		return s, fmt.Errorf("%w: a submission of %d values", ErrFormat, len(row))
	}
	var id, problem, verdict, second, language int64
	if err := decode(row[0], &id); err != nil || id <= 0 {
		return s, fmt.Errorf("%w: a submission without an id", ErrFormat)
	}
	s.ID = strconv.FormatInt(id, 10)
	if err = decode(row[4], &second); err == nil {
		s.At, err = epoch(second)
	}
	if err = cmp.Or(err, decode(row[1], &problem), decode(row[2], &verdict), decode(row[5], &language)); err != nil {
		return s, err
	}
	v, known := uvaVerdicts[verdict]
	if !known {
		v = uvaVerdict{OTH, fmt.Sprintf("verdict %d", verdict)}
	}
	return Submission{
		ID: s.ID, At: s.At, Problem: uvaProblem(problem), Status: v.status, Verdict: v.words,
		Language: cmp.Or(uvaLanguages[language], fmt.Sprintf("language %d", language)), // UVa shows submissions to their owner only.
	}, nil
}

type uvaVerdict struct{ status, words string }

var uvaVerdicts = map[int64]uvaVerdict{
	0:  {Pending, "In queue"},
	10: {OTH, "Submission error"},
	15: {OTH, "Can't be judged"},
	20: {Pending, "In queue"},
	30: {CE, "Compile error"},
	35: {OTH, "Restricted function"},
	40: {RE, "Runtime error"},
	45: {OTH, "Output limit exceeded"},
	50: {TLE, "Time limit exceeded"},
	60: {MLE, "Memory limit exceeded"},
	70: {WA, "Wrong answer"},
	80: {PE, "Presentation error"},
	90: {AC, "Accepted"},
}

var uvaLanguages = map[int64]string{1: "ANSI C", 2: "Java", 3: "C++", 4: "Pascal", 5: "C++11", 6: "Python"}

// A uvaRank is one line of uHunt's ranking.
type uvaRank struct {
	UserID        int64
	Rank, AC, NOS *int // AC counts problems accepted, NOS submissions.
	Name          *string
}

// Profile reads the account's own line of the ranking, with none above and none
// below. An account without a line is nothing the page shows, and no proof of
// absence: only Resolve's 0 is.
func (u uva) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	a, err := u.known(ctx, get, a)
	if err != nil {
		return Profile{}, err
	}
	page, err := get.Get(ctx, uhunt+"/api/ranklist/"+a.Key+"/0/0")
	if err != nil {
		return Profile{}, err
	}
	lines, err := foundList[uvaRank](page)
	if err != nil {
		return Profile{}, fmt.Errorf("ranklist: %w", err)
	}
	if len(lines) == 0 {
		return Profile{}, nil
	}
	own := slices.IndexFunc(lines, func(l uvaRank) bool { return strconv.FormatInt(l.UserID, 10) == a.Key })
	if own < 0 {
		return Profile{}, fmt.Errorf("ranklist: %w: no line of number %s", ErrFormat, a.Key)
	}
	p, err := lines[own].profile()
	return p, in("ranklist", err)
}

func (l uvaRank) profile() (Profile, error) {
	for _, n := range []*int{l.Rank, l.AC, l.NOS} {
		if n == nil || *n < 0 {
			return Profile{}, fmt.Errorf("%w: a line without a rank or a count", ErrFormat)
		}
	}
	p := Profile{Rank: &RankView{l.Rank}, Counts: &CountsView{l.AC, l.NOS}}
	if *l.Rank == 0 { // Places begin with 1, so this is none.
		p.Rank.Rank = nil
	}
	if l.Name != nil {
		p.Name = &NameView{shown(*l.Name)}
	}
	return p, nil
}

func init() {
	registerLinks("uva", uvaLink, "onlinejudge.org", "uva.onlinejudge.org", "uhunt.onlinejudge.org")
}

// uvaStatement is the file of a problem: its name is the number that people know,
// not the id that submissions show.
var uvaStatement = regexp.MustCompile(`^p?([1-9][0-9]{2,4})\.(html?|pdf)$`)

// uvaLink knows problems by their id and by their number, and users of uHunt.
func uvaLink(path []string, query url.Values) (kind, key string) {
	if rest := under(path, "external", "*"); len(rest) == 1 {
		if m := uvaStatement.FindStringSubmatch(strings.ToLower(rest[0])); m != nil {
			return LinkNumber, m[1]
		}
		return "", ""
	}
	if handle, ok := oneOf(path, "u"); ok {
		return handled(uvaInfo.Handle, handle)
	}
	if option := query.Get("option"); option != "onlinejudge" && option != "com_onlinejudge" {
		return "", ""
	}
	switch query.Get("page") {
	case "show_problem":
		return fits(linkNumber, LinkProblem, query.Get("problem"))
	case "problem_stats":
		return fits(linkNumber, LinkProblem, query.Get("problemid"))
	}
	return "", ""
}
