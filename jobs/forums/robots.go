package forums

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// Robots are the rules of a host's robots.txt (RFC 9309). Those of nil and of
// the zero value allow all.
type Robots struct {
	groups map[string]*group // By product token in small letters, groups of one name put together; "*" is for the others.
	closed bool
}

type group struct {
	rules []rule
	delay time.Duration
}

type rule struct {
	pattern string // Normalised.
	allow   bool
}

// Bounds, of which RFC 9309 asks for at least 500 KiB.
const (
	maxRobots  = 512 << 10
	maxDelay   = 5 * time.Minute // Longer ones are mistakes, as other crawlers judge them.
	maxPattern = 2_000
)

// ParseRobots reads a robots.txt. It knows no errors: what is not a rule is no
// rule, so that a page of HTML allows all.
func ParseRobots(file []byte) *Robots {
	file = bytes.TrimPrefix(CutRobots(file), []byte("\ufeff"))
	r := &Robots{groups: map[string]*group{}}
	var current []*group // Of the user-agent lines above.
	naming := false      // The line above was such a line: the next one joins it.
	for _, text := range strings.FieldsFunc(string(file), func(c rune) bool { return c == '\n' || c == '\r' }) {
		text, _, _ = strings.Cut(text, "#")
		key, value, ok := strings.Cut(text, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "user-agent":
			if !naming {
				current = nil
			}
			current, naming = append(current, r.named(value)), true
		case "allow", "disallow":
			naming = false
			if value != "" && len(value) <= maxPattern { // An empty one says nothing.
				add(current, rule{pattern(value), strings.EqualFold(strings.TrimSpace(key), "allow")})
			}
		case "crawl-delay": // Not in the RFC, and no end of a list of names.
			for _, g := range current {
				g.delay = max(g.delay, seconds(value))
			}
		}
	}
	return r
}

// CutRobots returns what is read of a robots.txt: whole lines, for half a rule is
// another one.
func CutRobots(file []byte) []byte {
	if len(file) <= maxRobots {
		return file
	}
	return file[:bytes.LastIndexAny(file[:maxRobots], "\r\n")+1]
}

func add(groups []*group, r rule) {
	for i, g := range groups {
		if i == 0 || groups[i-1] != g { // A name twice in one list.
			g.rules = append(g.rules, r)
		}
	}
}

// named returns the one group of a product token.
func (r *Robots) named(agent string) *group {
	token := productToken(agent)
	if r.groups[token] == nil {
		r.groups[token] = &group{}
	}
	return r.groups[token]
}

// RobotsOf returns the rules that an answer to /robots.txt amounts to: none
// where there is no such file, and nothing is allowed while the host fails.
// Where it is 0 there was no answer at all.
func RobotsOf(status int, file []byte) *Robots {
	switch {
	case status >= 200 && status < 300:
		return ParseRobots(file)
	case status >= 400 && status < 500 && status != 429:
		return &Robots{}
	}
	return &Robots{closed: true}
}

// productToken is what of a User-Agent counts: letters, - and _.
func productToken(agent string) string {
	agent = strings.TrimSpace(agent)
	if strings.HasPrefix(agent, "*") {
		return "*"
	}
	end := strings.IndexFunc(agent, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_'
	})
	if end >= 0 {
		agent = agent[:end]
	}
	return strings.ToLower(agent)
}

func (r *Robots) of(agent string) *group {
	if r == nil {
		return nil
	}
	if g := r.groups[productToken(agent)]; g != nil {
		return g
	}
	return r.groups["*"]
}

// Allowed reports whether an agent may ask for a path (with its query, if any). Of
// the rules that match, the one of most octets wins; of two as long, allow.
func (r *Robots) Allowed(agent, path string) bool {
	if path == "/robots.txt" {
		return true
	}
	if r != nil && r.closed {
		return false
	}
	g := r.of(agent)
	if g == nil {
		return true
	}
	if path == "" {
		path = "/"
	}
	path = special.Replace(normalise(path))
	longest, allowed := -1, true
	for _, rule := range g.rules {
		if n := len(rule.pattern); (n > longest || n == longest && rule.allow) && rule.matches(path) {
			longest, allowed = n, rule.allow
		}
	}
	return allowed
}

// CrawlDelay returns how long an agent is asked to wait between two requests.
func (r *Robots) CrawlDelay(agent string) time.Duration {
	if g := r.of(agent); g != nil {
		return g.delay
	}
	return 0
}

func seconds(value string) time.Duration {
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || !(s > 0) { // NaN is not.
		return 0
	}
	return time.Duration(min(s, maxDelay.Seconds()) * float64(time.Second))
}

// special is how a path writes what means something in a pattern.
var special = strings.NewReplacer("*", "%2A", "$", "%24")

// pattern normalises a rule's path. A $ that is not at the end is a letter.
func pattern(value string) string {
	value = normalise(value)
	before, anchored := strings.CutSuffix(value, "$")
	if before = strings.ReplaceAll(before, "$", "%24"); anchored {
		before += "$"
	}
	return before
}

// matches searches the pattern at the beginning of the path: * is anything, $ at
// the end is the end.
func (r rule) matches(path string) bool {
	pattern, anchored := strings.CutSuffix(r.pattern, "$")
	pieces := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, pieces[0]) {
		return false
	}
	path = path[len(pieces[0]):]
	if len(pieces) == 1 {
		return !anchored || path == ""
	}
	last := len(pieces) - 1
	for _, piece := range pieces[1:last] { // The first place is as good as any later one.
		at := strings.Index(path, piece)
		if at < 0 {
			return false
		}
		path = path[at+len(piece):]
	}
	if anchored {
		return strings.HasSuffix(path, pieces[last])
	}
	return strings.Contains(path, pieces[last])
}

// normalise writes a path in the one way in which patterns and paths compare:
// octets beyond ASCII in percent, letters and digits never.
func normalise(path string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				i += 2
				if c = byte(n); !unreserved(c) {
					b.WriteString(string([]byte{'%', digits[c>>4], digits[c&15]}))
					continue
				}
			}
		}
		if c >= 0x80 || c <= ' ' {
			b.WriteString(string([]byte{'%', digits[c>>4], digits[c&15]}))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
