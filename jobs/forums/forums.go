// Package forums reads archives of mailing lists and forums, one kind of archive
// a file (or a few).
//
// A kind is given answers and knows only addresses and formats: it makes no HTTP
// client, never sleeps, never sees the database and does not know what time it
// is. One request is one Step, and reading its answer has no side effects: what
// was seen before, what to ask next and how politely is with the walker. The
// rule that holds everywhere in it: a page that is not surely what was asked for
// (a login form, an error page with status 200) is an error, so that it is never
// taken for an archive that has nothing new. And an index is always read whole,
// for archives are sorted by what senders wrote as date and not by arrival:
// whoever stops at the first message he knows loses 2 to 5 of a hundred.
package forums

import (
	"errors"
	"net/url"
	"time"

	"laurel/jobs/registry"
)

// An Answer is what came back, whatever its status. Header may be nil.
type Answer struct {
	Status int
	Header func(name string) string
	Body   []byte
}

// What a Step leads to.
const (
	Root    = "root"    // Where every walk begins. Never static.
	Period  = "period"  // The index of a month or the like.
	Page    = "page"    // An older page of the same list.
	Message = "message" // One message.
	Bulk    = "bulk"    // Many whole messages in one file.
)

// A Step is one request. It holds all that is needed to read its answer, and it
// can be stored as JSON.
type Step struct {
	Address string
	What    string
	Base    string // Of the forum.
	Period  string // "" where the kind has none.
	// Static answers do not change once they were read without an error: their
	// addresses need not be asked again.
	Static bool
	Bulk   string `json:",omitempty"` // Of a period: the address of its bulk, "" for none.
	// Listed is what the index lists, for the bulk that is to be read against it.
	// Pipermail's can be read without, where the index is gone: then a message is
	// known by its file and its id.
	Listed []Listed `json:",omitempty"`
	Empty  int      `json:",omitempty"` // How many pages without anything came before this one.
	// Count is how many messages the list held when the step was found, where its
	// addresses shift with what arrives; Span is the time between the first and the
	// last message of the page before.
	Count int           `json:",omitempty"`
	Span  time.Duration `json:",omitempty"`
	Until string        `json:",omitempty"` // Of a page that was left out: where it was gone on.
}

// A Listed message is one that an index shows.
type Listed struct {
	URL       string // As Mail.URL.
	Address   string // Of the step that fetches it, which may be another than URL.
	MessageID string // "" if the index does not show it.
	Number    int    // The archive's own, 0 where it has none.
	Subject   string
	Author    string
	SentAt    time.Time // Zero if unknown.
}

// A Span is one period of an archive, as its root shows it.
type Span struct {
	Name  string    // 2014-July
	Start time.Time // Zero where the name is not understood. Wrong dates make wrong periods: 1945 exists.
	// Size is the label of the bulk, as shown. Where it is the same as before,
	// nothing has come (to the byte below a KB, to the KB above).
	Size  string
	Bytes int64 // What the label says, about; 0 where there is none.
	Index Step
}

// Found is what an answer holds.
type Found struct {
	Messages []Mail
	// Steps are what to ask next, first things first: newest messages, then older
	// pages. A page after one that showed nothing new may be left out by whoever
	// has been behind it before.
	Steps  []Step
	Spans  []Span   // A root's periods, newest first.
	Listed []Listed // Every message an index shows, in its order.
	Bulk   *Step    // One request that gives the messages of Listed.
	// Complete says that nothing is left out: an index that lists as many messages
	// as it says there are, the last page of a list.
	Complete bool
	// Low and High are the numbers between which every message that is not here
	// is not shown at all: deleted, hidden or private. 0 where nothing is proved.
	Low, High int
	// Count is how many messages the list holds, 0 if unknown. Shifted says
	// that some were deleted since the page before, and are between it and this one.
	Count   int
	Shifted bool
	Guessed bool // What is listed may not exist.
	Broken  []Broken
	// NoIndex and NoFollow are what a page asks of robots.
	NoIndex, NoFollow bool
	Note              string // Something an admin should know, "" mostly.
}

// A Mail is a message as it was written, or a post of a forum. All is UTF-8
// without NUL.
type Mail struct {
	URL        string // Where a person reads it.
	MessageID  string // Without brackets; "" if the archive does not show it.
	InReplyTo  string // The id of the message it answers.
	References []string
	Parent     string // The URL of the message it answers, where that is what the archive gives.
	Thread     string // The URL of the discussion, where there is such a thing.
	Author     string // The name, or what is shown instead.
	Address    string // As shown: "ada at example.org" is left so. A forum's user name.
	Obfuscated bool   // Address is not one that mail could be sent to.
	Subject    string
	SentAt     time.Time // UTC. Zero where no date was understood.
	SentShown  string    // As shown.
	// Approximate dates are not to be relied on: pages print one zone's time with
	// another's name, some have no zone at all, and 1945 is stored as it was written.
	Approximate bool
	Body        string // Plain text.
	HTML        bool   // Body was made from HTML.
	Truncated   bool   // Body was longer.
	Links       []string
	Attachments []string // Addresses where the archive keeps them, else their names.
	Number      int      // The archive's own, 0 where it has none.
	Period      string
	Version     int       // Counts edits from 1, 0 where messages cannot be edited.
	UpdatedAt   time.Time // Of the last edit.
	Wiki        bool      // Anybody may edit it.
	Deleted     bool      // Withdrawn or hidden: Body is what is left in its place.
}

// Info is what must be known of a kind without asking anybody.
type Info struct {
	Name   string        // In code and addresses: pipermail.
	Title  string        // On pages: Pipermail.
	Hint   string        // What a base looks like, for the form.
	Gap    time.Duration // Between two requests to one forum.
	Upload bool          // It comes as a file; see ReadMbox.
}

// A Kind is a kind of archive.
type Kind interface {
	Info() Info
	// Start returns the step that every walk over the forum begins with.
	Start(base string) (Step, error)
	// Read reads the answer to a step. Its errors are ErrGone, ErrFormat and
	// ErrTooLarge; then nothing of the answer was used.
	Read(s Step, a Answer) (Found, error)
	// Detect returns the base of the forum that a page belongs to.
	Detect(at *url.URL, a Answer) (base string, ok bool)
}

var (
	// ErrFormat is an answer that is not in the format of its kind.
	ErrFormat = errors.New("page not understood")
	// ErrGone is the archive's word that there is no such page.
	ErrGone = errors.New("no such page")
	// ErrTooLarge is a page or an unpacked file beyond all measure.
	ErrTooLarge = errors.New("too large")
)

var registered = registry.New("kind of forum", func(k Kind) string { return k.Info().Name })

func register(k Kind) { registered.Add(k) }

// All returns every kind by name.
func All() []Kind { return registered.All() }

// ByName returns a kind, or false.
func ByName(name string) (Kind, bool) { return registered.ByName(name) }

// Detect finds out what kind of archive a page belongs to, and the forum's base. The
// address is the one the answer came from in the end.
func Detect(address string, a Answer) (kind, base string, ok bool) {
	at, err := webAddress(address)
	if err != nil || a.Status != statusOK {
		return "", "", false
	}
	a.Body = a.Body[:min(len(a.Body), MaxPage)]
	for _, k := range All() {
		if base, ok := k.Detect(at, a); ok {
			return k.Info().Name, base, true
		}
	}
	return "", "", false
}
