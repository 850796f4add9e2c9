package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"iter"
	"math"
	"net/url"
	"regexp"
	"strings"
	"time"
)

func init() { register(hackerrank{}) }

// hackerrank reads the lists that a HackerRank profile is made of. They show
// the challenges that were solved, once each, without a number, a language or
// the attempts before: a row is known by its contest and its challenge.
type hackerrank struct{}

const hackerrankHome = "https://www.hackerrank.com"

var hackerrankInfo = Info{
	Name:    "hackerrank",
	Title:   "HackerRank",
	Home:    hackerrankHome,
	Handle:  regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`),
	Hint:    "the username, up to 64 letters, digits and _ . -",
	Gap:     time.Second,
	Overlap: time.Hour,
	Proof:   "Name, in your profile there",
	Profile: func(handle string) string { return hackerrankHome + "/profile/" + url.PathEscape(handle) },
	List:    func(a Account) string { return hackerrankOf(a.Handle) + "/recent_challenges" },

	CountsAttempts: true,
}

// hackerrankOf begins the addresses of what there is about a hacker.
func hackerrankOf(handle string) string {
	return hackerrankHome + "/rest/hackers/" + url.QueryEscape(handle)
}

func (hackerrank) Info() Info { return hackerrankInfo }

func (hackerrank) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	w := newHackerrankWalk(get, a)
	return inPages(hackerrankInfo, a, func() (p ListPage, more bool, err error) {
		rows, err := w.next(ctx)
		return ListPage{Rows: rows.rows, Unread: rows.unread, Resume: w.resume}, !w.done, err
	})
}

// hackerrankMissing is the error for a 404. An address that has moved would be one
// for everybody, so it proves absence only where the profile is not there either.
func hackerrankMissing(ctx context.Context, get Getter, handle string) error {
	page, err := get.Get(ctx, hackerrankAbout(handle))
	if err != nil {
		return err
	}
	if page.Status == statusNotFound {
		return fmt.Errorf("%w: HackerRank has no profile of this name", ErrNoHandle)
	}
	return fmt.Errorf("%w: status %d of a hacker who has a profile", ErrFormat, statusNotFound)
}

// A hackerrankRow is one solved challenge.
type hackerrankRow struct {
	Name      string
	URL       string // A path: /challenges/x, or /contests/w7/challenges/x.
	Challenge string `json:"ch_slug"`
	Contest   string `json:"con_slug"` // "master" outside contests.
	CreatedAt string `json:"created_at"`
}

func (r hackerrankRow) submission() (Submission, error) {
	var s Submission
	contest, challenge := r.slugs()
	switch {
	case challenge == "":
		return s, fmt.Errorf("%w: a row without a challenge", ErrFormat)
	case contest == "":
		return s, fmt.Errorf("%w: a row that says nothing of a contest", ErrFormat)
	}
	s.ID = contest + "/" + challenge
	at, err := hackerrankTime(r.CreatedAt)
	if err != nil {
		return s, err
	}
	return Submission{
		ID: s.ID, At: at, Problem: hackerrankProblem(contest, challenge, r.Name),
		Status: AC, Verdict: "Accepted", // The list is one of solved challenges.
		Contest: hackerrankContestRef(contest), Participation: hackerrankParticipation(contest),
	}, nil
}

// hackerrankTime reads a time with its offset, which most pages write 000Z and some +00:00.
func hackerrankTime(text string) (at time.Time, err error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"} {
		if at, err = time.Parse(layout, clean(text)); err == nil {
			return believable(at)
		}
	}
	return at, fmt.Errorf("%w: %q is not a time", ErrFormat, text)
}

func hackerrankContestRef(slug string) ContestRef {
	if slug == hackerrankMaster {
		return ContestRef{}
	}
	return ContestRef{Key: slug, URL: hackerrankHome + "/contests/" + url.PathEscape(slug)}
}

// hackerrankParticipation does not know of a contest's challenge whether the contest was over.
func hackerrankParticipation(contest string) string {
	if contest == hackerrankMaster {
		return InPractice
	}
	return InUnknown
}

// slugs are the contest and the challenge, from the address where they are not given; "" where
// that says nothing either.
func (r hackerrankRow) slugs() (contest, challenge string) {
	contest, challenge = clean(r.Contest), clean(r.Challenge)
	path, _, _ := strings.Cut(clean(r.URL), "?")
	parts := pathParts(path)
	if rest := under(parts, "contests", "*", "challenges"); rest != nil {
		contest, challenge = cmp.Or(contest, parts[1]), cmp.Or(challenge, rest[0])
	} else if slug, ok := oneOf(parts, "challenges"); ok {
		contest, challenge = cmp.Or(contest, hackerrankMaster), cmp.Or(challenge, slug)
	}
	return contest, challenge
}

// hackerrankMaster is the contest of what is in no contest.
const hackerrankMaster = "master"

func hackerrankProblem(contest, challenge, name string) Problem {
	p := Problem{Key: challenge, Name: clean(name), URL: hackerrankHome + "/challenges/" + url.PathEscape(challenge)}
	if contest != hackerrankMaster {
		p.Key = contest + "/" + challenge
		p.URL = hackerrankHome + "/contests/" + url.PathEscape(contest) + "/challenges/" + url.PathEscape(challenge)
	}
	return p
}

// Ratings reads the histories of all categories. Those beside Algorithms say so in
// their names, because one account may have ratings of several.
func (hackerrank) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	page, err := fetch(ctx, get, hackerrankInfo, a, hackerrankOf(a.Handle)+"/rating_histories_elo")
	if err != nil {
		return nil, err
	}
	if page.Status == statusNotFound {
		return nil, hackerrankMissing(ctx, get, a.Handle)
	}
	var answer struct{ Models json.RawMessage }
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return nil, fmt.Errorf("rating_histories_elo: %w", err)
	}
	histories, err := list[hackerrankHistory](answer.Models)
	if err != nil {
		return nil, fmt.Errorf("rating_histories_elo: %w", err)
	}
	var ratings []Rating
	for _, h := range histories {
		of, err := h.ratings()
		if err != nil {
			return nil, fmt.Errorf("rating_histories_elo: %w", err)
		}
		ratings = append(ratings, of...)
	}
	return oldestFirst(ratings), nil
}

// A hackerrankHistory is the rated contests of one category.
type hackerrankHistory struct {
	Category string
	Events   []struct {
		Date        string
		Rating      float64 // 1554.46; a whole number stays.
		Rank        int
		ContestSlug string `json:"contest_slug"`
		ContestName string `json:"contest_name"`
	}
}

func (h hackerrankHistory) ratings() ([]Rating, error) {
	var ratings []Rating
	category := clean(h.Category)
	for _, e := range h.Events {
		at, err := time.Parse(time.RFC3339, e.Date)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		if at, err = believable(at); err != nil {
			return nil, err
		}
		if math.Abs(e.Rating) > 1e6 {
			return nil, fmt.Errorf("%w: a rating of %g", ErrFormat, e.Rating)
		}
		slug, name := clean(e.ContestSlug), html.UnescapeString(clean(e.ContestName))
		r := Rating{Contest: cmp.Or(slug, name, e.Date), Name: cmp.Or(name, slug, e.Date), URL: hackerrankHome + "/" + url.PathEscape(slug),
			Rank: e.Rank, Rating: int(math.Round(e.Rating)), At: at}
		if category != "Algorithms" {
			r.Contest, r.Name = category+"/"+r.Contest, r.Name+" ("+category+")"
		}
		ratings = append(ratings, r)
	}
	return ratings, nil
}

func init() { registerLinks("hackerrank", hackerrankLink, "hackerrank.com") }

func hackerrankLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "profile"); ok {
		return handled(anyHandle, handle)
	}
	if slug, ok := oneOf(path, "challenges"); ok {
		return fits(linkSlug, LinkProblem, slug)
	}
	contest, ok := oneOf(path, "contests")
	if !ok || !linkSlug.MatchString(contest) {
		return "", ""
	}
	rest := under(path, "contests", "*", "challenges")
	switch {
	case rest == nil:
		return LinkContest, contest
	case !linkSlug.MatchString(rest[0]):
		return "", ""
	case contest == "master": // What it calls no contest.
		return LinkProblem, rest[0]
	}
	return LinkProblem, contest + "/" + rest[0]
}

// hackerrankAbout is the address of what a hacker says of himself or herself.
func hackerrankAbout(handle string) string {
	return hackerrankHome + "/rest/contests/master/hackers/" + url.PathEscape(handle) + "/profile"
}

// A hackerrankModel is a profile.
type hackerrankModel struct {
	Username              string
	Name, Country, School *string
}

// Profile reads the name and the place of a profile, and how much was submitted,
// which is the sum of the days of submission_histories: of all attempts, that is,
// while the list has those that solved a challenge.
func (hackerrank) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	page, err := fetch(ctx, get, hackerrankInfo, a, hackerrankOf(a.Handle)+"/submission_histories")
	if err != nil {
		return Profile{}, err
	}
	if page.Status == statusNotFound {
		return Profile{}, hackerrankMissing(ctx, get, a.Handle)
	}
	submitted, err := hackerrankSum(page)
	if err != nil {
		return Profile{}, fmt.Errorf("submission_histories: %w", err)
	}
	if page, err = get.Get(ctx, hackerrankAbout(a.Handle)); err != nil {
		return Profile{}, err
	}
	if page.Status == statusNotFound {
		return Profile{}, fmt.Errorf("%w: HackerRank has no profile of this name", ErrNoHandle)
	}
	var answer struct{ Model *hackerrankModel }
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return Profile{}, fmt.Errorf("profile: %w", err)
	}
	m := answer.Model
	if m == nil || m.Username == "" {
		return Profile{}, fmt.Errorf("profile: %w: nobody is named in it", ErrFormat)
	}
	p := Profile{Counts: &CountsView{Submitted: &submitted}}
	if m.Name != nil {
		p.Name = &NameView{shown(*m.Name)}
	}
	if m.Country != nil || m.School != nil {
		p.Place = &PlaceView{shownOf(m.Country), shownOf(m.School)}
	}
	return p, nil
}

// shownOf is shown for a field that may not be there.
func shownOf(text *string) *string {
	if text == nil {
		return nil
	}
	return shown(*text)
}

// hackerrankSum adds up how many attempts there were on each day. The days are
// dates, or seconds since 1970 on older pages; the numbers may be texts.
func hackerrankSum(page Page) (int, error) {
	var days map[string]json.Number
	if err := cmp.Or(found(page), decode(page.Body, &days)); err != nil {
		return 0, err
	}
	if days == nil {
		return 0, fmt.Errorf("%w: null instead of days", ErrFormat)
	}
	sum := int64(0)
	for day, count := range days {
		n, err := count.Int64()
		if err != nil || n < 0 || n > 1e6 {
			return 0, fmt.Errorf("%w: %q attempts on %q", ErrFormat, count, day)
		}
		sum += n
	}
	if sum > 1e9 {
		return 0, fmt.Errorf("%w: %d attempts", ErrFormat, sum)
	}
	return int(sum), nil
}
