package forums

import (
	"strings"
	"testing"
	"time"
)

const agent = "Laurel/1.0 (+https://laurel.example/robot)"

// TestRobots is RFC 9309 as a table; examples 2.2.2 and 5 are its own.
func TestRobots(t *testing.T) {
	const rfc = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\nUser-Agent: " +
		"foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\nUser-Agent: barbot\nUser-Agent: bazbot\nDisallow: " +
		"/example/page.html\n\nUser-Agent: quxbot\n"
	for _, tt := range []struct {
		name, file, agent, path string
		want                    bool
	}{
		{"no rules", "", agent, "/a", true},
		{"none but HTML", "<html><body>User-agent: *<br>Disallow: /</body></html>", agent, "/a", true},
		{"everybody", "User-agent: *\nDisallow: /", agent, "/a", false},
		{"robots.txt itself", "User-agent: *\nDisallow: /", agent, "/robots.txt", true},
		{"our own group", "User-agent: *\nDisallow: /\nUser-agent: laurel\nDisallow: /b", agent, "/a", true},
		{"our own group, in any case and with a version", "User-agent: LAUREL/2\nDisallow: /a", agent, "/a", false},
		{"a longer name is another's", "User-agent: laurelbot\nDisallow: /", agent, "/a", true},
		{"two groups of one name", "User-agent: laurel\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: laurel\nDisallow: /b", agent,
			"/b", false},
		{"one group of two names", "User-agent: x\nUser-agent: laurel\nDisallow: /a", agent, "/a", false},
		{"one group of two names, with other lines between",
			"User-agent: x\nCrawl-delay: 1\nSitemap: https://a/\n\nUser-agent: laurel\nDisallow: /a", "x", "/a", false},
		{"rules before any name", "Disallow: /\nUser-agent: x\nDisallow: /", agent, "/a", true},
		{"most octets win: allow", "User-agent: *\nDisallow: /a\nAllow: /a/b", agent, "/a/b/c", true},
		{"most octets win: disallow", "User-agent: *\nAllow: /a\nDisallow: /a/b", agent, "/a/b/c", false},
		{"the order does not count", "User-agent: *\nAllow: /a/b\nDisallow: /a", agent, "/a/b", true},
		{"of two as long, allow", "User-agent: *\nDisallow: /page\nAllow: /page", agent, "/page", true},
		{"an empty disallow", "User-agent: *\nDisallow:", agent, "/a", true},
		{"star", "User-agent: *\nDisallow: /*/private", agent, "/a/b/private/c", false},
		{"star and dollar", "User-agent: *\nDisallow: /*.gz$", agent, "/2004-April.txt.gz", false},
		{"star and dollar, not at the end", "User-agent: *\nDisallow: /*.gz$", agent, "/2004-April.txt.gz?x", true},
		{"dollar alone", "User-agent: *\nDisallow: /$", agent, "/a", true},
		{"dollar alone, the root", "User-agent: *\nDisallow: /$", agent, "/", false},
		{"a path with a star of its own", "User-agent: *\nDisallow: /a%2Ab", agent, "/a*b", false},
		{"a path with a star of its own, in percent", "User-agent: *\nDisallow: /a%2Ab", agent, "/a%2ab", false},
		{"a path without", "User-agent: *\nDisallow: /a%2Ab", agent, "/axb", true},
		{"dollar in the middle", "User-agent: *\nDisallow: /a$b", agent, "/a$bc", false},
		{"query", "User-agent: *\nDisallow: /*?", agent, "/posts.json?before=1", false},
		{"small and capital letters differ in paths", "User-agent: *\nDisallow: /A", agent, "/a", true},
		{"percent in the rule", "User-agent: *\nDisallow: /foo/bar/%62%61%7A", agent, "/foo/bar/baz", false},
		{"percent in the path", "User-agent: *\nDisallow: /foo/bar/baz", agent, "/foo/bar/%62%61%7a", false},
		{"UTF-8 in the rule", "User-agent: *\nDisallow: /foo/bar/ツ", agent, "/foo/bar/%e3%83%84", false},
		{"UTF-8 in the path", "User-agent: *\nDisallow: /foo/bar/%E3%83%84", agent, "/foo/bar/ツ", false},
		{"an escaped slash is none", "User-agent: *\nDisallow: /a%2Fb", agent, "/a/b", true},
		{"comments, spaces and endings of lines", "\ufeffUSER-AGENT : * # all\r\r\n  disallow :  /a # b\r\n", agent, "/a", false},
		{"RFC: foobot", rfc, "foobot/1.0", "/example/other.html", false},
		{"RFC: foobot, allowed", rfc, "foobot/1.0", "/example/page.html", true},
		{"RFC: bazbot", rfc, "bazbot", "/example/page.html", false},
		{"RFC: quxbot has a group without rules", rfc, "quxbot", "/example/page.html", true},
		{"RFC: the others", rfc, "otherbot", "/a.gif", false},
		{"RFC: the others, elsewhere", rfc, "otherbot", "/publications/a", true},
	} {
		if got := ParseRobots([]byte(tt.file)).Allowed(tt.agent, tt.path); got != tt.want {
			t.Errorf("%s: %s allowed: %t, want %t", tt.name, tt.path, got, tt.want)
		}
	}
}

func TestRobotsOfAnswers(t *testing.T) {
	for status, want := range map[int]bool{200: false, 204: true, 401: true, 403: true, 404: true, 410: true, 429: false, 500: false,
		503: false, 0: false, 304: false} {
		file := ""
		if status == 200 {
			file = "User-agent: *\nDisallow: /"
		}
		r := RobotsOf(status, []byte(file))
		if got := r.Allowed(agent, "/a"); got != want || !r.Allowed(agent, "/robots.txt") {
			t.Errorf("status %d: allowed %t, want %t", status, got, want)
		}
	}
	if !(*Robots)(nil).Allowed(agent, "/a") || (*Robots)(nil).CrawlDelay(agent) != 0 {
		t.Error("no rules forbid something")
	}
}

func TestCrawlDelay(t *testing.T) {
	for file, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 10":                                     10 * time.Second,
		"User-agent: *\nCrawl-delay: 0.5":                                    500 * time.Millisecond,
		"User-agent: *\nCrawl-delay: 10\nUser-agent: laurel\nCrawl-delay: 2": 2 * time.Second,
		"User-agent: *\nCrawl-delay: -1":                                     0,
		"User-agent: *\nCrawl-delay: NaN":                                    0,
		"User-agent: *\nCrawl-delay: soon":                                   0,
		"User-agent: *\nCrawl-delay: 1e300":                                  maxDelay,
		"Crawl-delay: 10":                                                    0,
	} {
		if got := ParseRobots([]byte(file)).CrawlDelay(agent); got != want {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
}

func TestHostileRobotsEnd(t *testing.T) {
	r := ParseRobots([]byte("User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("*a", 900)+"b$\n", 250)))
	if !r.Allowed(agent, "/"+strings.Repeat("a", 4000)) {
		t.Error("matches what has no b")
	}
	if r := ParseRobots([]byte(strings.Repeat("User-agent: *\n", 1<<16))); !r.Allowed(agent, "/") {
		t.Error("no rules")
	}
	cut := "User-agent: *\n" + strings.Repeat("#\n", maxRobots/2-10) + "Disallow: /private"
	if len(cut) <= maxRobots || !ParseRobots([]byte(cut)).Allowed(agent, "/p") {
		t.Error("half a rule counts")
	}
	long := strings.Repeat("#\n", maxRobots/2)
	if !ParseRobots([]byte(long+"User-agent: *\nDisallow: /\n")).Allowed(agent, "/") {
		t.Error("reads on for ever")
	}
}
