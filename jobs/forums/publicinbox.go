package forums

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"regexp"
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

type atom struct {
	XMLName xml.Name
	Entries []struct {
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
	} `xml:"entry"`
}

func readFeed(s Step, raw []byte) (Found, error) {
	var feed atom
	d := xml.NewDecoder(bytes.NewReader(raw))
	d.Strict, d.CharsetReader = false, readCharset
	if err := d.Decode(&feed); err != nil || feed.XMLName.Local != "feed" {
		return Found{}, fmt.Errorf("%w: not a feed: %w", ErrFormat, errors.Join(err))
	}
	f := Found{}
	cursor := until(s.Address)
	var oldest time.Time
	for _, e := range feed.Entries {
		if len(e.Link) == 0 || len(f.Messages) >= maxListed {
			continue
		}
		id := idIn(e.Link[0].Href)
		m := Mail{URL: inboxURL(s.Base, id), MessageID: id, InReplyTo: idIn(e.ReplyTo.Href), Author: line(e.Name), Subject: line(e.Title.Text)}
		if e.Title.Type == "html" { // Escaped once more.
			m.Subject = line(plainText(e.Title.Text))
		}
		m.setDate(e.Updated)
		if id == "" || m.SentAt.IsZero() {
			return Found{}, fmt.Errorf("%w: a message without id or date", ErrFormat)
		}
		if !cursor.IsZero() && m.SentAt.After(cursor) { // A server that does not know ?t= shows the newest ones for ever.
			return Found{}, fmt.Errorf("%w: message of %s behind %s", ErrFormat, m.SentAt.Format(time.RFC3339), cursor.Format(time.RFC3339))
		}
		if oldest.IsZero() || m.SentAt.Before(oldest) {
			oldest = m.SentAt
		}
		m.Approximate = true // When it arrived, not what its sender wrote.
		m.setAddress(e.Email)
		if m.Author == "" {
			m.Author = m.Address
		}
		m.setBody(preformatted(e.Content.Inner))
		f.Messages = append(f.Messages, m)
	}
	f.older(s, cursor, oldest)
	return f, nil
}

// older finds out where the next page begins: with the last messages of this
// one, once more. Where a whole page is of one second, the next second comes.
func (f *Found) older(s Step, cursor, oldest time.Time) {
	switch {
	case oldest.IsZero():
		f.Complete = true
		return
	case oldest.Equal(cursor) && len(f.Messages) < 20: // Only those that were on the page before.
		f.Complete = true
		return
	case oldest.Equal(cursor):
		f.Note = fmt.Sprintf("more messages arrived at %s than a page shows", cursor.Format(time.RFC3339))
		oldest = oldest.Add(-time.Second)
	}
	f.Steps = []Step{{Address: s.Base + "new.atom?t=" + oldest.Format(stamp), What: Page, Base: s.Base}}
}

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
