package forums

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A public-inbox is read by its Atom feed: new.atom has the newest 25 messages
// whole, and with ?t= those that arrived at that second or before, so the second
// in which the last one arrived is where the next page begins
// (lib/PublicInbox/Feed.pm, WwwAtomStream.pm). A list of 336 messages is 15
// requests: its HTML pages name only threads, which would be one request each,
// and all.mbox.gz is one that most servers have switched off. The Message-ID is
// the address, so nothing is ever taken twice.
//
// Files of mail are read, too: a thread's t.mbox.gz and a message's raw.
type publicinbox struct{}

func init() { register(publicinbox{}) }

func (publicinbox) Info() Info {
	return Info{Name: "public-inbox", Title: "public-inbox", Hint: "https://lists.example.org/imagej-devel/", Gap: time.Second}
}

func (publicinbox) Start(base string) (Step, error) {
	base, err := directory(base)
	return Step{Address: base + "new.atom", What: Root, Base: base}, err
}

const stamp = "20060102150405" // Of ?t=, in UTC.

func (publicinbox) Read(s Step, a Answer) (Found, error) {
	if a.Status == 300 { // No such message; other archives are offered.
		return Found{}, fmt.Errorf("%w: status 300", ErrGone)
	}
	switch s.What {
	case Root, Page:
		raw, err := body(a)
		if errors.Is(err, ErrGone) && s.What == Page {
			return Found{Complete: true}, nil // Nothing is older: the feed has no other word for it.
		}
		if err != nil {
			return Found{}, err
		}
		return readFeed(s, raw)
	case Message, Bulk:
		file, err := bulk(a)
		if err != nil {
			return Found{}, err
		}
		return readInbox(s, file)
	}
	if _, err := body(a); err != nil {
		return Found{}, err
	}
	return Found{}, fmt.Errorf("%w: public-inbox has no %q", ErrFormat, s.What)
}

type atomEntry struct {
	Name  string `xml:"author>name"`
	Email string `xml:"author>email"`
	Title struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	} `xml:"title"`
	Updated string `xml:"updated"`
	Link    []struct {
		Href string `xml:"href,attr"`
	} `xml:"link"`
	ReplyTo struct {
		Href string `xml:"href,attr"`
	} `xml:"in-reply-to"`
	Content struct {
		Inner string `xml:",innerxml"`
	} `xml:"content"`
}

// feedEntries takes a feed apart, so that an entry that is ill harms no other: one that
// cannot be read is nil. whole says that the feed has an end.
func feedEntries(raw []byte) (list []*atomEntry, whole bool, err error) {
	raw = bytes.Map(func(r rune) rune { // What XML does not know.
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			return ' '
		}
		return r
	}, raw)
	head, rest, some := bytes.Cut(raw, []byte("<entry"))
	if !bytes.Contains(head, []byte("<feed")) || bytes.Contains(head, []byte("<html")) {
		return nil, false, fmt.Errorf("%w: not a feed", ErrFormat)
	}
	for some && len(list) < maxListed {
		one, after, more := bytes.Cut(rest, []byte("<entry"))
		if body, _, closed := bytes.Cut(one, []byte("</entry>")); closed {
			var e atomEntry
			d := xml.NewDecoder(io.MultiReader(bytes.NewReader(declaration.Find(head)), strings.NewReader("<entry"), bytes.NewReader(body),
				strings.NewReader("</entry>")))
			d.Strict, d.CharsetReader = false, readCharset
			if d.Decode(&e) == nil {
				list = append(list, &e)
			} else {
				list = append(list, nil)
			}
		}
		rest, some = after, more
	}
	return list, bytes.HasSuffix(bytes.TrimSpace(raw), []byte("</feed>")), nil
}

var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*\?>`)

func readFeed(s Step, raw []byte) (Found, error) {
	list, whole, err := feedEntries(raw)
	if err != nil {
		return Found{}, err
	}
	f, cursor := Found{}, until(s.Address)
	var times []time.Time
	for _, e := range list {
		m, ok := e.mail(s.Base)
		if !ok {
			f.brokenEntry(s, times, cursor)
			continue
		}
		f.Messages = append(f.Messages, m)
		if !m.SentAt.IsZero() && (cursor.IsZero() || !m.SentAt.After(cursor)) { // Otherwise it has no time, and the server gave it today's.
			times = append(times, m.SentAt)
		}
	}
	// A server that does not know ?t= shows the newest ones for ever.
	if late := len(list) - len(f.Broken) - len(times); late > 0 && 2*late >= len(list) {
		return Found{}, fmt.Errorf("%w: %d of %d messages are not of before %s", ErrFormat, late, len(list), cursor.Format(time.RFC3339))
	}
	f.older(s, cursor, times)
	if f.Complete && !whole {
		return Found{}, fmt.Errorf("%w: the feed has no end", ErrFormat)
	}
	return f, nil
}

// mail makes a Mail of an entry, and is false where it does not say which.
func (e *atomEntry) mail(base string) (Mail, bool) {
	if e == nil || len(e.Link) == 0 {
		return Mail{}, false
	}
	id := idIn(e.Link[0].Href)
	m := Mail{URL: inboxURL(base, id), MessageID: id, InReplyTo: idIn(e.ReplyTo.Href), Author: line(e.Name), Subject: line(e.Title.Text)}
	if e.Title.Type == "html" { // Escaped once more.
		m.Subject = line(plainText(e.Title.Text))
	}
	m.setDate(e.Updated)
	m.Approximate = true // When it arrived, not what its sender wrote.
	m.setAddress(e.Email)
	if m.Author == "" {
		m.Author = m.Address
	}
	m.setBody(preformatted(e.Content.Inner))
	return m, id != ""
}

// brokenEntry notes one that cannot be read: later it is searched for from the second
// of the one before it on.
func (f *Found) brokenEntry(s Step, times []time.Time, cursor time.Time) {
	step := Step{Address: s.Base + "new.atom", What: Page, Base: s.Base}
	if len(times) > 0 {
		cursor = times[len(times)-1]
	}
	if !cursor.IsZero() {
		step.Address += "?t=" + cursor.Format(stamp)
	}
	f.Broken = append(f.Broken, Broken{step, "a message that cannot be read"})
}

// older finds out where the next page begins: with the last message of this one,
// once more. Where a whole page is of one second, the next second comes.
func (f *Found) older(s Step, cursor time.Time, times []time.Time) {
	if len(times) == 0 {
		f.Complete = true
		return
	}
	newest, oldest := slices.MaxFunc(times, time.Time.Compare), times[len(times)-1]
	if oldest.Equal(cursor) || oldest.Equal(newest) { // One whose place is wrong is no cursor, but it is better than none.
		oldest = slices.MinFunc(times, time.Time.Compare)
	}
	switch {
	case oldest.Equal(cursor) && len(times) < 20: // Only those that were on the page before.
		f.Complete = true
		return
	case oldest.Equal(cursor):
		f.Note = fmt.Sprintf("more messages arrived at %s than a page shows", cursor.Format(time.RFC3339))
		oldest = oldest.Add(-time.Second)
	}
	f.Steps = []Step{{Address: s.Base + "new.atom?t=" + oldest.Format(stamp), What: Page, Base: s.Base, Span: newest.Sub(oldest)}}
}

// Detour goes back by half of what the page before spans, and by twice as much where
// that cannot be read either: a page is found by its time alone.
func (publicinbox) Detour(s Step) (instead Found, left, ok bool) {
	cursor := until(s.Address)
	if s.What != Page || cursor.IsZero() {
		return Found{}, false, false
	}
	to := cursor.Add(-max(s.Span/2, time.Minute) << min(s.Empty, 12))
	instead.Steps = []Step{{Address: s.Base + "new.atom?t=" + to.Format(stamp), What: Page, Base: s.Base, Span: s.Span, Empty: s.Empty + 1}}
	return instead, s.Empty == 0, true
}

// Return is the same step: times do not shift.
func (publicinbox) Return(s Step, _ int) Step { return s }

// until returns the second a page was asked for, zero for the newest page.
func until(address string) time.Time {
	_, t, _ := strings.Cut(address, "?t=")
	at, err := time.Parse(stamp, t)
	if err != nil {
		return time.Time{}
	}
	return at
}

// idIn returns the Message-ID that an address of a message holds.
func idIn(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	id, err := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil {
		return ""
	}
	return messageID(id)
}

// inboxURL is where a message is. The host is the forum's, whatever a server
// behind a proxy thinks of itself.
func inboxURL(base, id string) string { return base + url.PathEscape(id) + "/" }

func readInbox(s Step, file []byte) (Found, error) {
	f := Found{Complete: true}
	for m, err := range ReadMbox(bytes.NewReader(file), s.Base, MaxUnpacked) {
		if err != nil {
			return Found{}, err
		}
		if len(f.Messages) >= maxListed {
			return Found{}, fmt.Errorf("%w: more than %d messages", ErrTooLarge, maxListed)
		}
		if m.MessageID != "" {
			m.URL = inboxURL(s.Base, m.MessageID)
			f.Messages = append(f.Messages, m)
		}
	}
	return f, nil
}

var newAtom = regexp.MustCompile(`(?i)href="?((?:\.\./)*|https?://[^"\s>]*/)new\.atom"?`)

// Detect knows pages by their link to the feed and the words at their end, and
// the feed itself.
func (publicinbox) Detect(at *url.URL, a Answer) (string, bool) {
	page := inCharset(a.Body, a.Header)
	m := newAtom.FindStringSubmatch(page)
	mirror := strings.Contains(page, "_/text/mirror") || strings.Contains(page, "public inbox") || strings.Contains(page, "public-inbox")
	if m == nil || !mirror {
		return "", false
	}
	to, err := at.Parse(m[1] + "new.atom")
	if err != nil || !strings.EqualFold(to.Hostname(), at.Hostname()) {
		return "", false
	}
	to.Scheme, to.Host = at.Scheme, at.Host
	base, err := directory(strings.TrimSuffix(to.String(), "new.atom"))
	return base, err == nil
}
