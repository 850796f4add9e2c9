package forums

import (
	"context"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

func forumPath(slug string) string      { return "/forums/" + url.PathEscape(slug) }
func feedPath(slug string) string       { return forumPath(slug) + "/feed.atom" }
func messagePath(serial int64) string   { return "/messages/" + strconv.FormatInt(serial, 10) }
func aboutPath(kind, key string) string { return "/forums?about=" + url.QueryEscape(kind+":"+key) }
func adminForumPath(slug, do string) string {
	return "/admin/forums/" + url.PathEscape(slug) + "/" + do
}
func threadPath(forum string, serial int64) string {
	return forumPath(forum) + "/threads/" + strconv.FormatInt(serial, 10)
}
func inspectionPath(id int64) string { return "/admin/forums/looks/" + strconv.FormatInt(id, 10) }

// Index is the page of all forums, and of what is found in them.
type Index struct {
	Frame     parts.Frame
	Now       time.Time
	Forums    []Forum
	Search    string
	About     string // What the messages talk about, as text; "" for all.
	AboutRef  string // The same as in the address.
	AboutFeed string // The address of what is written about it from now on.
	Mistake   string
	Threads   []Thread // Of all forums, where no messages are asked for.
	Messages  []Letter
	Older     string
	Newest    string // The address of the first page; "" on it.
}

// A Forum is an archive that is harvested.
type Forum struct {
	Slug, Name, Kind, URL string
	State                 string // open, paused or finished.
	Running, Kicked       bool   // Kicked: it is due now.
	Messages              int
	Missing               int // Listed by the archive, and not stored.
	Covered, NextRun      time.Time
	Outcome, Message      string // Of the last run.
	Robots                string
	Run                   Run
	Duplicates, Requests  int
	NotModified           int
	Gap                   time.Duration // Between two requests.
	BurstAgain            time.Time     // When a burst may begin again; zero for at once.
}

// A Run is a walk through a forum.
type Run struct {
	Why                                             string
	Started, Ended                                  time.Time // Zero where it did not, or never began.
	Requests, NotModified, New, Duplicates, Missing int
	Outcome, Message                                string
}

// A OneForum is one forum: its threads, or the messages that were found in it.
type OneForum struct {
	Frame   parts.Frame
	Now     time.Time
	Forum   Forum
	History History
	Gaps    []Gap
	Periods int
	Threads []Thread
	Found   []Letter // Where something is searched for.
	Search  string
	Older   string
	Newest  string
}

// A Gap is a part of an archive of which not all is stored.
type Gap struct {
	Period         string
	Listed, Stored int
	Checked        time.Time
}

// A Thread is a discussion in a list.
type Thread struct {
	Serial           int64 // Of its first message.
	Subject          string
	Author, Member   string // Who began it.
	MemberID         int64  // 0 where that is no member.
	Forum, ForumName string
	Problems         []parts.Choice // That it links to: address and name.
	Messages, People int
	First, Last      time.Time // Zero where no date was understood.
	Slots            []int     // How many messages came in equal parts of its time; none of a small one.
}

// A OneThread is one discussion, or a part of a long one.
type OneThread struct {
	Frame           parts.Frame
	Now             time.Time
	Forum           Forum
	Thread          Thread
	Letters         []ThreadLetter
	Earlier, Later  string // Addresses of the parts before and behind.
	From, To, Total int    // Which messages are shown, from 1.
	Writers         []Writer
}

// A Writer is somebody who wrote in a thread.
type Writer struct {
	Name, Member string
	ID           int64 // 0 where it is no member.
	Messages     int
}

// A ThreadLetter is a message in its thread.
type ThreadLetter struct {
	Letter     Letter
	Depth      int // How deep it is indented: at most 4.
	URL        string
	Body       string
	Cut        bool // The rest of the text is on the message's own page.
	NewSubject bool // Its subject is another than the thread's.
}

// A Letter is a message in a list.
type Letter struct {
	Serial           int64
	Forum, ForumName string
	Author, Member   string
	Subject, Excerpt string
	Sent             time.Time // Zero where no date was understood.
	Approximate      bool
	Marked           []Mark // Where it was found: instead of the excerpt.
}

// A Mark is a part of a text that holds a word that was searched for, or does not.
type Mark struct {
	Text string
	Hit  bool
}

// A OneMessage is one message.
type OneMessage struct {
	Frame     parts.Frame
	Now       time.Time
	Letter    Letter
	Shown     string // The date as the archive shows it.
	URL       string // The original.
	Stored    time.Time
	Body      string
	Refs      []Reference
	Selectand string // a or b, where the message compares two members.
	Compared  string // a/b, by their names.
	Thread    int    // How many messages it has, this one among them.
	ThreadOf  string // The address of the thread's page.
	Previous  *Letter
	Next      *Letter
}

// A Reference is a thing that a message talks about.
type Reference struct{ Kind, Key, URL string }

// MemberMessages is what a member wrote.
type MemberMessages struct {
	Frame       parts.Frame
	Now         time.Time
	Name        string
	DisplayName string
	Own         bool
	Feed        string // Its address.
	Messages    []Letter
	Older       string
	Newest      string
}

// subject is never empty: a link needs a word.
func (l Letter) subject(ctx context.Context) string {
	return parts.OrElse(parts.Subject(l.Subject), texts.T(ctx, "(no subject)"))
}

func (t Thread) subject(ctx context.Context) string {
	return parts.OrElse(parts.Subject(t.Subject), texts.T(ctx, "(no subject)"))
}

func (l Letter) author(ctx context.Context) string {
	return parts.OrElse(l.Author, texts.T(ctx, "somebody"))
}

// when is the date of a message, and says so where it is not to be relied on.
func (l Letter) when(ctx context.Context, now time.Time) string {
	switch {
	case l.Sent.IsZero():
		return texts.T(ctx, "at an unknown time")
	case l.Approximate:
		return texts.T(ctx, "about %s", texts.Date(ctx, l.Sent.In(now.Location()), now))
	}
	return texts.Exact(ctx, l.Sent, now)
}

// state says as text how a forum is checked.
func (f Forum) state(ctx context.Context, now time.Time) string {
	switch {
	case f.Running:
		return texts.T(ctx, "updating now")
	case f.Kicked:
		return texts.T(ctx, "update starting")
	case f.State == "paused":
		return texts.T(ctx, "paused")
	case f.State == "finished":
		return texts.T(ctx, "closed")
	case f.NextRun.IsZero():
		return texts.T(ctx, "open")
	}
	return texts.T(ctx, "next update %s", texts.Next(ctx, f.NextRun, now))
}

// updated says when all of a forum was read last.
func (f Forum) updated(ctx context.Context, now time.Time) string {
	if f.Covered.IsZero() {
		return texts.T(ctx, "still loading")
	}
	return texts.T(ctx, "updated %s", texts.Ago(ctx, f.Covered, now))
}

// trouble says what went wrong at the last check; "" where nothing did.
func (f Forum) wentWrong() string { return outcomeWrong(f.Outcome, f.Message) }

func (r Run) wentWrong() string { return outcomeWrong(r.Outcome, r.Message) }

func outcomeWrong(outcome, message string) string {
	if outcome == "" || outcome == "ok" {
		return ""
	}
	return parts.OrElse(message, strings.ReplaceAll(outcome, "_", " "))
}

// kindTitle is a kind of archive as people write it.
func kindTitle(kind string) string {
	switch kind {
	case "pipermail":
		return "Pipermail"
	case "hyperkitty":
		return "HyperKitty"
	case "discourse":
		return "Discourse"
	}
	return kind
}

// words is what a reference is called.
func (r Reference) words(ctx context.Context) string {
	switch r.Kind {
	case "member":
		return r.Key
	case "comparison":
		one, other, _ := strings.Cut(r.Key, "/")
		return texts.T(ctx, "comparison of %s and %s", one, other)
	}
	return About(ctx, r.Kind, r.Key)
}

// Of robots.txt, jobs write these for everybody.
var _ = []string{texts.Mark("robots.txt allows it"), texts.Mark("robots.txt could not be read; no requests are sent until it can")}

// kinds are what messages can be about.
var kinds = map[string]string{"member": texts.Mark("member"), "problem": texts.Mark("problem"), "contest": texts.Mark("contest"),
	"account": texts.Mark("account"), "post": texts.Mark("post"),
	"submission": texts.Mark("submission"), "comparison": texts.Mark("comparison")}

// About names what messages are about: "problem codeforces/4A".
func About(ctx context.Context, kind, key string) string {
	return parts.OrElse(texts.Say(ctx, kinds[kind]), kind) + " " + key
}

// page is our own page of what a reference is about, or else all messages about the
// same.
func (r Reference) page() string {
	one, other, _ := strings.Cut(r.Key, "/")
	switch r.Kind {
	case "member":
		return parts.ProfilePath(r.Key)
	case "problem":
		return parts.ProblemPath(one, other)
	case "comparison":
		return parts.ComparePath(one, other)
	}
	return aboutPath(r.Kind, r.Key)
}

// A block is a part of a message's text: paragraphs that were written, or that are
// quoted.
type block struct {
	quoted     bool
	lines      int // Those that are not empty.
	paragraphs [][]piece
}

// A piece is text, or a link.
type piece struct{ text, href string }

// textBlocks cuts a message's text into what was written and what is quoted.
func textBlocks(body string) []block {
	var blocks []block
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			b := &blocks[len(blocks)-1]
			b.paragraphs = append(b.paragraphs, pieces(strings.Join(paragraph, "\n")))
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(body, "\r\n", "\n"), "\n") {
		line = strings.TrimRight(line, " \t\r")
		text := strings.TrimLeft(line, " ")
		quoted := strings.HasPrefix(text, ">") && len(line)-len(text) < 4
		if quoted {
			line = strings.TrimPrefix(strings.TrimPrefix(text, ">"), " ")
		}
		if line == "" {
			end()
			continue
		}
		if len(blocks) == 0 || blocks[len(blocks)-1].quoted != quoted {
			end()
			blocks = append(blocks, block{quoted: quoted})
		}
		blocks[len(blocks)-1].lines++
		paragraph = append(paragraph, line)
	}
	end()
	return blocks
}

var linkInText = regexp.MustCompile(`https?://[^\s<>"'` + "`" + `\\^{|}\x00-\x1f]+`)

// pieces finds the links of a text.
func pieces(text string) (all []piece) {
	from := 0
	for _, at := range linkInText.FindAllStringIndex(text, -1) {
		address := strings.TrimRight(text[at[0]:at[1]], ".,;:!?*_])")
		if rest := text[at[0]+len(address) : at[1]]; strings.HasPrefix(rest, ")") &&
			strings.Count(address, "(") > strings.Count(address, ")") {
			address += ")"
		}
		if parts.SafeLink(address) == "" {
			continue
		}
		if at[0] > from {
			all = append(all, piece{text: text[from:at[0]]})
		}
		all, from = append(all, piece{address, address}), at[0]+len(address)
	}
	if from < len(text) {
		all = append(all, piece{text: text[from:]})
	}
	return all
}
