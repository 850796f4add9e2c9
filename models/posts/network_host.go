package posts

import (
	"fmt"
	"regexp"
	"strings"

	pg "laurel/models/db"
)

// hostName is what may stand for a server in an address: a name in ASCII and a port.
var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$`)

// CheckHost returns the name of a place of the network as it is stored, and an
// InputError about "host" where it is none. A network that is one place has "".
func (n *Network) CheckHost(host string) (string, error) {
	host = strings.ToLower(strings.TrimSpace(host))
	switch {
	case !n.Hosts && host != "":
		return "", &pg.InputError{Field: "host", Message: fmt.Sprintf("%s has only one server; leave the host out", n.Title)}
	case n.Hosts && host == "":
		return "", &pg.InputError{Field: "host", Message: fmt.Sprintf(
			"%s has many servers; name one, such as %s", n.Title, n.HomeServer)}
	case n.Hosts && (!hostName.MatchString(host) || strings.Contains(host, "..")):
		return "", &pg.InputError{Field: "host", Message: "this is not the name of a server, such as " + n.HomeServer}
	}
	return host, nil
}

// accountName is what an account on a network may be called: a name, a domain or
// a DID. What else a network asks of it, the first fetch shows.
var accountName = regexp.MustCompile(`^[A-Za-z0-9_](?:[A-Za-z0-9_.:-]{0,252}[A-Za-z0-9_])?$`)

// CheckAccount takes a handle as people write it, @name or @name@host, and
// returns its parts as they are stored, or an InputError.
func (n *Network) CheckAccount(handle, host string) (string, string, error) {
	handle, host = strings.TrimPrefix(strings.TrimSpace(handle), "@"), strings.TrimSpace(host)
	if name, at, ok := strings.Cut(handle, "@"); ok && n.Hosts {
		if host != "" && !strings.EqualFold(host, at) {
			return "", "", &pg.InputError{Field: "host", Message: "the handle names a different server"}
		}
		handle, host = name, at
	}
	if !accountName.MatchString(handle) {
		return "", "", &pg.InputError{Field: "handle",
			Message: "this is not an account name such as ada, @ada@mastodon.social or ada.bsky.social"}
	}
	host, err := n.CheckHost(host)
	return handle, host, err
}
