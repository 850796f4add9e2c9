package sites

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Kinds of what an address of a judge site leads to.
const (
	LinkProblem    = "problem"
	LinkNumber     = "number" // A problem by the number that people call it by, where its key is another.
	LinkSubmission = "submission"
	LinkContest    = "contest"
	LinkAccount    = "account"
)

// A Link is what an address of a judge site leads to. Key is as Submission and
// Problem name it, so that it is the same thing whether it is known yet or not;
// handles are in small letters, as sites do not distinguish them.
type Link struct{ Site, Kind, Key string }

// A linker reads the path and the query of an address of its site. It answers
// with no kind where these lead to nothing that messages are about.
type linker func(path []string, query url.Values) (kind, key string)

var linkers = map[string]struct {
	site string
	read linker
}{}

// registerLinks says how the addresses of a site are read, by their hosts. A site
// need not be one that submissions are read from. What * matches in a host is the
// first part of the path.
func registerLinks(site string, read linker, hosts ...string) {
	for _, host := range hosts {
		if taken, ok := linkers[host]; ok {
			panic("sites: " + host + " belongs to " + taken.site + " already")
		}
		linkers[host] = struct {
			site string
			read linker
		}{site, read}
	}
}

// Recognise says what an address leads to, by the address alone. hosted are sites of kinds.
func Recognise(text string, hosted ...Info) (Link, bool) {
	host, path, query, ok := readAddress(text)
	if !ok {
		return Link{}, false
	}
	for _, i := range hosted {
		if below, ok := i.within(host, path); ok && i.link != nil {
			return linkTo(i.Name, i.link, below, query)
		}
	}
	of, ok := linkers[strings.TrimPrefix(host, "www.")]
	if name, parent, has := strings.Cut(host, "."); !ok && has {
		of, ok = linkers["*."+parent]
		path = append([]string{name}, path...)
	}
	if !ok {
		return Link{}, false
	}
	return linkTo(of.site, of.read, path, query)
}

func linkTo(site string, read linker, path []string, query url.Values) (Link, bool) {
	kind, key := read(path, query)
	if kind == "" || !linkKey.MatchString(key) {
		return Link{}, false
	}
	return Link{site, kind, key}, true
}

// linkKey is what may be a key: it is part of our own addresses.
var linkKey = regexp.MustCompile(`^[\pL\pN_@+][\pL\pN_.@+ /-]{0,99}$`)

// readAddress takes a web address apart. What a sentence puts around it falls off;
// empty parts of the path do, too.
func readAddress(text string) (host string, path []string, query url.Values, ok bool) {
	text = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(text), `<("'[`), `>)"'].,;:!?*`)
	if len(text) > 2000 {
		return "", nil, nil, false
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		return "", nil, nil, false
	}
	if scheme := strings.ToLower(u.Scheme); scheme != "https" && scheme != "http" {
		return "", nil, nil, false
	}
	host = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), ":443"), ":80")
	return host, pathParts(u.Path), u.Query(), true
}

func pathParts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// under returns what follows the given parts at the beginning of a path; "*" is
// any part. It is nil where the path is another one, and where nothing follows.
func under(path []string, parts ...string) []string {
	if len(path) <= len(parts) {
		return nil
	}
	for i, p := range parts {
		if p != "*" && path[i] != p {
			return nil
		}
	}
	return path[len(parts):]
}

// oneOf returns the part that follows any of these at the beginning of a path.
func oneOf(path []string, first ...string) (string, bool) {
	if len(path) < 2 || !slices.Contains(first, path[0]) {
		return "", false
	}
	return path[1], true
}

var (
	anyHandle  = regexp.MustCompile(`^[a-z0-9_][a-z0-9_.-]{0,63}$`)
	linkNumber = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)
	linkSlug   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)
)

// fits returns the kind and the key where the key is of the form that its site has.
func fits(form *regexp.Regexp, kind, key string) (string, string) {
	if !form.MatchString(key) {
		return "", ""
	}
	return kind, key
}

// handled is a handle as links name it.
func handled(form *regexp.Regexp, handle string) (string, string) {
	return fits(form, LinkAccount, strings.ToLower(handle))
}

// HandleIn returns the handle that an address of the site leads to, as it is
// written there: people paste the address of their profile. Any other text comes
// back as it is.
func HandleIn(i Info, text string) string {
	address := strings.TrimSpace(text)
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	host, path, _, ok := readAddress(address)
	if !ok || len(path) == 0 {
		return text
	}
	link, known := Recognise(address, i)
	if !known && len(path) == 1 && linkers[strings.TrimPrefix(host, "www.")].site == i.Name &&
		i.Handle.MatchString(strings.TrimPrefix(path[0], "@")) {
		return strings.TrimPrefix(path[0], "@") // Many sites have short addresses of profiles.
	}
	if link.Site != i.Name || link.Kind != LinkAccount {
		return text
	}
	u, err := url.Parse(address)
	if err != nil {
		return text
	}
	written := pathParts(u.Path)
	for _, values := range u.Query() {
		written = append(written, values...)
	}
	for _, part := range written {
		if part = strings.TrimPrefix(part, "@"); strings.EqualFold(part, link.Key) {
			return part
		}
	}
	return text
}
