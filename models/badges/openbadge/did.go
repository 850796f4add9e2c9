package openbadge

import (
	"fmt"
	"net/url"
	"strings"
)

// DID names a site by its address (DID, Method-Specific Identifier):
// https://laurel.example:8443 is did:web:laurel.example%3A8443, and what
// is there is read from /.well-known/did.json. The parts of a path follow
// behind colons, and then it is read from did.json in that folder.
//
// Anybody can look a site up only if it has a name and is reached by https.
// Other sites get a DID as well, by which they know their own badges.
func DID(site string) (string, error) {
	u, err := url.Parse(site)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return "", fmt.Errorf("%q is not the address of a site, such as https://laurel.example", site)
	}
	did := "did:web:" + escapeDID(strings.ToLower(u.Host))
	for part := range strings.SplitSeq(strings.Trim(u.Path, "/"), "/") {
		if part != "" {
			did += ":" + escapeDID(part)
		}
	}
	return did, nil
}

// escapeDID leaves the characters that DIDs are made of and escapes the rest.
func escapeDID(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
