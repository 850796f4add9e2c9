package forums

import (
	"crypto/sha1" //nolint:gosec // How HyperKitty names messages; nothing is protected by it.
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// HyperKitty is the archive of Mailman 3, read through its REST interface
// (hyperkitty/api in version 1.3): a list of messages by the time they were
// archived, newest first, a message each, and a mailbox file between two dates.
// It has no periods: its pages are what periods are elsewhere.
//
// The list is asked for by offset. Mail that arrives meanwhile shifts it down,
// so that messages show twice; mail that is deleted shifts it up: where the list
// is shorter than it was a page ago, we go back by as much. A page of which the
// server dies is asked for in smaller parts, down to the message that is ill.
type hyperkitty struct{}

func init() { register(hyperkitty{}) }

const (
	pageSize = 100
	overlap  = 5
	narrower = 4 // By how much smaller the parts are in which a broken page is asked for.
)

func (hyperkitty) Info() Info {
	return Info{Name: "hyperkitty", Title: "HyperKitty", Hint: "https://lists.example.org/hyperkitty/list/ada@lists.example.org/",
		Gap: time.Second}
}

func (k hyperkitty) Start(base string) (Step, error) {
	base, err := directory(base)
	if err != nil {
		return Step{}, err
	}
	api, ok := listAPI(base)
	if !ok {
		return Step{}, fmt.Errorf("%q is not the address of a list in HyperKitty (want %s)", base, k.Info().Hint)
	}
	start := emailsPage(base, api, 0, pageSize, 0)
	start.What = Root
	return start, nil
}

func emailsPage(base, api string, offset, limit, count int) Step {
	return Step{Address: fmt.Sprintf("%semails/?limit=%d&offset=%d", api, limit, offset), What: Page, Base: base, Count: count}
}

var listPath = regexp.MustCompile(`^(.*/)(?:api/)?list/([^/@]+@[^/@]+)/$`)

// listAPI returns where the interface has what the page at base shows.
func listAPI(base string) (string, bool) {
	m := listPath.FindStringSubmatch(base)
	if m == nil {
		return "", false
	}
	return m[1] + "api/list/" + m[2] + "/", true
}

func (hyperkitty) Read(s Step, a Answer) (Found, error) {
	api, ok := listAPI(s.Base)
	if !ok {
		return Found{}, fmt.Errorf("%w: %q is not a list", ErrFormat, s.Base)
	}
	if s.What == Bulk {
		return readExport(s, a, api)
	}
	raw, err := body(a)
	if err != nil {
		return Found{}, err
	}
	switch s.What {
	case Root, Page:
		return readEmails(s, raw, api)
	case Message:
		return readEmail(s, raw)
	}
	return Found{}, fmt.Errorf("%w: hyperkitty has no %q", ErrFormat, s.What)
}

// An email is a message in the interface. Its addresses are often http:// ones
// of a host behind a proxy, so only what they end in counts.
type email struct {
	MessageID string `json:"message_id"`
	Hash      string `json:"message_id_hash"`
	Thread    string
	Sender    struct{ Address string }
	Name      string `json:"sender_name"`
	Subject   string
	Date      string
	Parent    *string
	Content   *string
	Files     []struct{ Name string } `json:"attachments"`
}

var hashed = regexp.MustCompile(`^[A-Z2-7]{32}$`)

// hashOf is how HyperKitty names the page of a message.
func hashOf(messageID string) string {
	sum := sha1.Sum([]byte(messageID)) //nolint:gosec // As above.
	return base32.StdEncoding.EncodeToString(sum[:])
}

func readEmails(s Step, raw []byte, api string) (Found, error) {
	var page struct {
		Count   *int
		Next    *string
		Results []json.RawMessage
	}
	if err := decode(raw, &page); err != nil {
		return Found{}, err
	}
	if page.Count == nil || page.Results == nil || len(page.Results) > maxListed {
		return Found{}, fmt.Errorf("%w: no list of messages", ErrFormat)
	}
	f, known := Found{Complete: page.Next == nil, Count: *page.Count}, map[string]bool{}
	var dates []time.Time
	for i, item := range page.Results {
		var e email
		if err := decode(item, &e); !hashed.MatchString(e.Hash) {
			f.Broken = append(f.Broken, Broken{emailsPage(s.Base, api, offset(s.Address)+i, 1, *page.Count),
				fmt.Sprintf("a message without a name: %v", err)})
			continue
		}
		if known[e.Hash] {
			continue
		}
		known[e.Hash] = true
		d, ok := readDate(e.Date)
		if ok {
			dates = append(dates, d.at)
		}
		f.Listed = append(f.Listed, Listed{URL: messageURL(s.Base, e.Hash), Address: api + "email/" + e.Hash + "/",
			MessageID: messageID(e.MessageID), Subject: line(e.Subject), Author: line(e.Name), SentAt: d.at})
		f.Steps = append(f.Steps, Step{Address: api + "email/" + e.Hash + "/", What: Message, Base: s.Base, Static: true})
	}
	if len(page.Results) > 1 && len(f.Listed) == 0 {
		return Found{}, fmt.Errorf("%w: no message has a name", ErrFormat)
	}
	if from, to, ok := between(dates); ok {
		address := fmt.Sprintf("%sexport/messages.mbox.gz?start=%s&end=%s", s.Base, from.Format(time.DateOnly),
			to.AddDate(0, 0, 1).Format(time.DateOnly))
		f.Bulk = &Step{Address: address, What: Bulk, Base: s.Base, Listed: f.Listed}
	}
	f.olderEmails(s, api, len(page.Results), page.Next != nil)
	return f, nil
}

// olderEmails finds out where the next page begins: with the last messages of this
// one once more, or further up where messages were deleted meanwhile.
func (f *Found) olderEmails(s Step, api string, results int, more bool) {
	at, limit := offset(s.Address), limitOf(s.Address)
	if at > 0 && s.Count > f.Count {
		f.Shifted = true
		f.Complete = false
		back := max(at-(s.Count-f.Count)-overlap, 0)
		f.Steps = append(f.Steps, emailsPage(s.Base, api, back, pageSize, f.Count))
		return
	}
	next := at + max(results-min(overlap, limit/narrower), 1)
	if more && results > 0 && next < f.Count { // A server that does not know offsets says "next" for ever.
		f.Steps = append(f.Steps, emailsPage(s.Base, api, next, min(limit*narrower, pageSize), f.Count))
	}
}

// Detour asks for a part of a page, and leaves a single message out.
func (hyperkitty) Detour(s Step) (instead Found, left, ok bool) {
	api, ok := listAPI(s.Base)
	at, limit := offset(s.Address), limitOf(s.Address)
	switch {
	case !ok || s.What == Message:
		return Found{}, false, false
	case limit > 1:
		return Found{Steps: []Step{emailsPage(s.Base, api, at, max(limit/narrower, 1), s.Count)}}, false, true
	case s.Count > 0 && at+1 >= s.Count:
		return Found{Complete: true}, true, true
	}
	return Found{Steps: []Step{emailsPage(s.Base, api, at+1, narrower, s.Count)}}, true, true
}

// Return follows a message to where what came since has shifted it.
func (hyperkitty) Return(s Step, count int) Step {
	api, ok := listAPI(s.Base)
	if !ok || s.Count == 0 || count == 0 {
		return s
	}
	return emailsPage(s.Base, api, max(offset(s.Address)+count-s.Count, 0), limitOf(s.Address), count)
}

func offset(address string) int { return queryNumber(address, "offset") }

func limitOf(address string) int { return queryNumber(address, "limit") }

func queryNumber(address, name string) int {
	u, err := url.Parse(address)
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(u.Query().Get(name))
	if err != nil || n < 0 || n > 1<<30 {
		return 0
	}
	return n
}

// between returns the days in which the messages of a page were sent. One message
// in twenty may have a wrong date without making the export one of all years.
func between(dates []time.Time) (from, to time.Time, ok bool) {
	if len(dates) == 0 {
		return from, to, false
	}
	slices.SortFunc(dates, time.Time.Compare)
	spare := len(dates) / 20
	from, to = dates[0], dates[len(dates)-1]
	inner, outer := dates[len(dates)-1-spare].Sub(dates[spare]), to.Sub(from)
	if inner < outer/4 {
		from, to = dates[spare], dates[len(dates)-1-spare]
	}
	return from, to, true
}

func messageURL(base, hash string) string { return base + "message/" + hash + "/" }

// lastPart returns the hash at the end of an address, "" where there is none.
func lastPart(address string) string {
	parts := strings.Split(strings.TrimRight(address, "/"), "/")
	if hash := parts[len(parts)-1]; hashed.MatchString(hash) {
		return hash
	}
	return ""
}

func readEmail(s Step, raw []byte) (Found, error) {
	var e email
	if err := decode(raw, &e); err != nil {
		return Found{}, err
	}
	if e.Content == nil || !hashed.MatchString(e.Hash) || lastPart(s.Address) != "" && lastPart(s.Address) != e.Hash {
		return Found{}, fmt.Errorf("%w: not the message asked for", ErrFormat)
	}
	m := Mail{URL: messageURL(s.Base, e.Hash), MessageID: messageID(e.MessageID), Author: line(e.Name), Subject: line(e.Subject)}
	m.setAddress(e.Sender.Address)
	if m.Author == "" {
		m.Author = m.Address
	}
	if e.Parent != nil && lastPart(*e.Parent) != "" {
		m.Parent = messageURL(s.Base, lastPart(*e.Parent))
	}
	if thread := lastPart(e.Thread); thread != "" {
		m.Thread = s.Base + "thread/" + thread + "/"
	}
	m.setDate(e.Date)
	m.setBody(*e.Content)
	for _, file := range e.Files {
		m.attach(file.Name)
	}
	return Found{Messages: []Mail{m}, Complete: true}, nil
}
