package forums

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// readExport reads a mailbox file. It may hold messages that the page did not
// list, and not hold some that it did: their dates are wrong.
func readExport(s Step, a Answer, api string) (Found, error) {
	file, err := bulk(a)
	if err != nil {
		return Found{}, err
	}
	f, seen := Found{}, map[string]bool{}
	for m, err := range ReadMbox(bytes.NewReader(file), s.Base, MaxUnpacked) {
		if err != nil {
			return Found{}, err
		}
		if len(f.Messages) >= maxListed {
			return Found{}, fmt.Errorf("%w: more than %d messages", ErrTooLarge, maxListed)
		}
		hash := hashOf(m.MessageID)
		if m.MessageID == "" || seen[hash] {
			continue // It was given an id when it was archived, which is not in the file.
		}
		seen[hash] = true
		m.URL = messageURL(s.Base, hash)
		if m.InReplyTo != "" {
			m.Parent = messageURL(s.Base, hashOf(m.InReplyTo))
		}
		f.Messages = append(f.Messages, m)
	}
	for _, l := range s.Listed {
		if hash := lastPart(l.URL); !seen[hash] {
			f.Steps = append(f.Steps, Step{Address: api + "email/" + hash + "/", What: Message, Base: s.Base, Static: true})
		}
	}
	f.Complete = len(f.Steps) == 0
	return f, nil
}

var feed = regexp.MustCompile(`(?i)href="([^"]*/list/[^/"@]+@[^/"@]+/)feed/?"`)

// Detect knows the pages of a list and what the interface says of it.
func (hyperkitty) Detect(at *url.URL, a Answer) (string, bool) {
	page := inCharset(a.Body, a.Header)
	if m := feed.FindStringSubmatch(page); m != nil && strings.Contains(page, "hyperkitty") {
		if to, err := at.Parse(m[1]); err == nil && to.Hostname() == at.Hostname() {
			base, err := directory(to.String())
			return base, err == nil
		}
	}
	before, list, ok := strings.Cut(at.Path, "/list/")
	name, _, _ := strings.Cut(list, "/")
	if !ok || !strings.Contains(name, "@") {
		return "", false
	}
	var it struct{ Count, Emails, MailingList any }
	if json := decode(a.Body, &it) == nil && (it.Count != nil || it.Emails != nil || it.MailingList != nil); !json &&
		!strings.Contains(page, "/hyperkitty.css") {
		return "", false
	}
	to := *at
	to.RawPath, to.RawQuery = "", ""
	to.Path = strings.TrimSuffix(before, "/api") + "/list/" + name + "/"
	base, err := directory(to.String())
	return base, err == nil
}
