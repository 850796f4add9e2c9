package networks

import (
	"net/url"
	"regexp"
	"strings"
)

// Recognise finds the network that a link in a message leads to. Text that is
// not a whole link is nobody's: a bare number would be every network's.
func Recognise(text string) (Ref, bool) {
	if !strings.Contains(text, "://") {
		return Ref{}, false
	}
	for _, n := range All() {
		if ref, ok := n.Parse(text); ok {
			return ref, true
		}
	}
	return Ref{}, false
}

// A link is a web address taken apart.
type link struct {
	host string   // In small letters, with its port if one is named.
	path []string // Decoded, without empty parts.
	// fragment is what follows #, without it.
	fragment string
}

// hostname is what we let into an address as a host: names in ASCII, as servers
// give them in their own links, and a port.
var hostname = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$`)

// readLink takes a web address apart. A scheme may be left out, as people do;
// what a sentence puts around a link falls off.
func readLink(text string) (link, bool) {
	text = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(text), `<("'[`), `>)"'].,;:!?`)
	if len(text) > 2000 || strings.ContainsAny(text, "\x00\\ \t\r\n") {
		return link{}, false
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		return link{}, false
	}
	if u.Scheme = strings.ToLower(u.Scheme); u.Scheme != "https" && u.Scheme != "http" {
		return link{}, false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), defaultPort[u.Scheme])
	if !hostname.MatchString(host) || strings.Contains(host, "..") {
		return link{}, false
	}
	path := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	return link{host, path, u.Fragment}, true
}

var defaultPort = map[string]string{"https": ":443", "http": ":80"}

// under returns the host without the first of the given prefixes that it has.
func (l link) under(prefixes ...string) string {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(l.host, p); ok {
			return rest
		}
	}
	return l.host
}

// web returns an address that a page may link to, "" for anything else.
func web(address string) string {
	address = clean(address)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || len(address) > 2000 {
		return ""
	}
	return address
}
