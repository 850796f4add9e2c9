// Package sites reads judge sites, one file each.
//
// A site is given a Getter and knows only addresses and formats: it makes no
// HTTP client, never sleeps and never sees the database, so every site can be
// run over recorded pages. What a site does not understand it passes on as it
// is (an unknown verdict becomes OTH beside the verdict as the site writes it); it
// never drops a row: one that it cannot read at all is handed on as unread.
package sites

import (
	"context"
	"errors"
	"iter"
	"regexp"
	"strings"
	"time"

	"laurel/jobs/registry"
)

// A Getter fetches one address. It waits for its slot, and answers with an
// error where there is no page to read: the host is unreachable, blocks, limits,
// or fails (429, 5xx). Other statuses, 400 and 404 among them, come back as a Page.
type Getter interface {
	Get(ctx context.Context, address string) (Page, error)
}

// Statuses of a Page that sites distinguish.
const (
	statusOK       = 200
	statusNotFound = 404
)

// A Request is a question that takes more than an address.
type Request struct {
	Address string
	Page    string            // What the archive calls the page, where one address answers for all accounts.
	Header  map[string]string // Sent along.
	Body    string            // Then it is a POST, of JSON unless Header has a Content-Type.
}

// An Asker is a Getter that can ask such questions. It also returns the header of
// the answer, for the cookies that the next question needs.
type Asker interface {
	Getter
	Ask(ctx context.Context, r Request) (Page, Header, error)
}

// A Header is that of an answer, by canonical names.
type Header map[string][]string

// cookies are what the answer sets, in its order, as pairs of a name and a value.
func (h Header) cookies() (pairs [][2]string) {
	for _, line := range h["Set-Cookie"] {
		pair, _, _ := strings.Cut(line, ";")
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			pairs = append(pairs, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
		}
	}
	return pairs
}

// cookie is the value of the cookie of this name, whose case may differ, or "".
func (h Header) cookie(name string) string {
	for _, pair := range h.cookies() {
		if strings.EqualFold(pair[0], name) {
			return strings.Trim(pair[1], `"`)
		}
	}
	return ""
}

// jar is all cookies as the next question sends them back.
func (h Header) jar() string {
	var all []string
	for _, pair := range h.cookies() {
		all = append(all, pair[0]+"="+pair[1])
	}
	return strings.Join(all, "; ")
}

// A Follower is a Getter that follows redirects. PageAddress is the address that the
// last page came from.
type Follower interface {
	Getter
	PageAddress() string
}

// A Page is an answer to read.
type Page struct {
	Status int
	Body   []byte
}

var (
	// ErrNoHandle is positive proof that the handle does not exist on the site.
	ErrNoHandle = errors.New("no such handle")
	// ErrBadHandle is a handle that the site's pattern refuses; the site was not asked.
	ErrBadHandle = errors.New("not a handle of this site")
	// ErrRateLimited is a page with status 200 that says "too many requests".
	ErrRateLimited = errors.New("the site says we ask too often")
	// ErrBlocked is a page for people who have signed in.
	ErrBlocked = errors.New("the site turns us away")
	// ErrFormat is a page that is not in the site's format.
	ErrFormat = errors.New("page not understood")
	// ErrServer is a page that says that the site is broken.
	ErrServer = errors.New("the site reports an error")
)

// Info is what must be known of a site without asking it.
type Info struct {
	Name    string         // In code, settings and addresses: codeforces.
	Title   string         // On pages: Codeforces.
	Home    string         // https://codeforces.com
	Handle  *regexp.Regexp // Anchored. A handle that does not match never enters an address.
	Hint    string         // What a handle looks like, for the form: "3 to 24 letters, digits, . _ -".
	Gap     time.Duration  // Between two requests to the site.
	Overlap time.Duration  // How long a row may still change or appear behind the newest one.
	Profile func(handle string) string
	// Proof is the field of the page where the owner of an account writes a code to prove that it is theirs, as
	// the site calls it: see Proves. "": a handle there cannot be proved.
	Proof string
	// List is the address of the account's list of submissions, without the place
	// in the list: what the archive calls the page.
	List func(a Account) string
	// CountsAttempts: the list is of solved problems, and the profile counts all attempts.
	CountsAttempts bool
	// KeyInName: people call a problem by its key and its name, "4A Watermelon".
	KeyInName bool
	// Other are verdicts that the site is known to give and that no status of ours
	// means: they are OTH and nothing to report. Case does not matter.
	Other []string
	link  linker // What addresses below Home lead to, of a site of a kind; others have registerLinks.
}

// An Account is whom to read, and what is covered already.
type Account struct {
	Handle string
	Key    string // The site's own number for the handle, from Resolve; "" where the site has none.
	// Everything before CoveredAt has been read; zero for a first retrieval.
	// CoveredID is the id of the newest submission at or before CoveredAt.
	CoveredAt time.Time
	CoveredID string
	// ResumeFrom is the last ListPage.Resume of a first retrieval that was interrupted;
	// "" for a fresh start.
	ResumeFrom string
	// Now is what time it is, for sites that show how long ago something was; nil if nobody knows.
	Now func() time.Time
}

// A ListPage is what one request for an account's list brought; it may have no row.
type ListPage struct {
	Rows []Submission
	Last bool // It is known that no other page follows.
	// Resume is where a first retrieval goes on that is interrupted behind this page;
	// "" where it begins anew.
	Resume string
	// Withheld is since when rows are in the list that cannot be yielded yet: they have
	// neither a number nor a time to be called after, and get one of them within two
	// days. Zero where there are none.
	Withheld time.Time
	Reported *Reported // What the site counts besides what it lists; nil where it lists all.
	Total    *int      // How many there are, as the list itself says; nil: it does not.
	Unread   []Unread  // Rows that could not be understood; one may come on several pages.
}

// Reported is what an account has, as a site that does not list all submissions says with the
// list.
type Reported struct {
	Total  int               // Submissions.
	Solved int               // Problems.
	Days   map[time.Time]int // Submissions by the midnights of UTC; the site may know the last days only.
	Whole  bool              // Days are all that there are.
	// Oldest is the oldest row of a list that is as long as it can be, else zero:
	// so much has to happen until rows fall off the list unseen.
	Oldest time.Time
}

// A Submission is one row of a site's list.
type Submission struct {
	ID       string // The site's own, unique within the site; where it shows none, one that the reader derives.
	Formerly string // The derived ID of a row whose number may not always be shown; "" on sites that always show it.
	At       time.Time
	ToMinute bool // The site shows no seconds; At is the beginning of the minute.
	About    bool // The site shows how long ago it was; At may be wrong by Off, and a later list knows better.
	Off      time.Duration
	Problem  Problem
	Status   string // One of the constants above.
	Final    bool   // Nothing will change its verdict, as system tests and hacks of a running contest may.
	Verdict  string // As the site writes it.
	Language string
	Points   *float64 // nil where the site gives none.
	URL      string
	Facts    *Facts // Of the problem; nil if the list shows none.
	// Contest is the one that the row belongs to, even if it was made after its end; zero for none.
	Contest       ContestRef
	Participation string // One of In..., or ByTime.
}

// A Problem as a site names it. Name is "" if the list does not show it.
type Problem struct{ Key, Name, URL string }

// A Rating is one rated contest.
type Rating struct {
	Contest, Name, URL string
	Rank, Rating       int
	At                 time.Time
}

// A Site is a judge site.
type Site interface {
	Info() Info
	// Submissions yields an account's submissions a page at a time, in the site's order.
	// It fetches a page only as the caller keeps asking, and none behind covered ground:
	// what the caller does with a page is done before the next one is asked for.
	// It yields an error once, last; ErrNoHandle means the handle does not exist.
	// Ending without an error means that everything since CoveredAt was yielded.
	Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error]
	// Ratings returns the account's rated contests, oldest first.
	Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error)
}

// A Resolver is a site whose lists are asked for by a number, not by the handle.
type Resolver interface {
	// Resolve returns Account.Key. It returns ErrNoHandle on proof of absence.
	Resolve(ctx context.Context, get Getter, handle string) (string, error)
}

// A Renamer is a site on which people take new handles.
type Renamer interface {
	// Renamed returns the handle that the site itself leads to from one that it does
	// not know any more; "" where it leads nowhere.
	Renamed(ctx context.Context, get Follower, handle string) (string, error)
}

// A Catalogue is a site whose submission lists do not name their problems.
type Catalogue interface {
	// Problems returns every problem of the site by Key with its Name and URL.
	Problems(ctx context.Context, get Getter) ([]Problem, error)
}

var registered = registry.New("judge site", func(s Site) string { return s.Info().Name })

func register(s Site) { registered.Add(s) }

// All returns every site by name.
func All() []Site { return registered.All() }

// ByName returns a site, or false.
func ByName(name string) (Site, bool) { return registered.ByName(name) }
