package handlers_test

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/members"
)

// Who may see which kind of member, written out: the kinds of marked members, and the readers.
var mayRead = map[string]map[string]bool{
	"open":   {"visitor": true, "stranger": true, "hidden": true, "signed": true, "owner": true},
	"hidden": {"hidden": true},
	"signed": {"stranger": true, "hidden": true, "signed": true, "owner": true},
	"boards": {"visitor": true, "stranger": true, "hidden": true, "signed": true, "owner": true},
	"custom": {"stranger": true, "hidden": true, "signed": true, "owner": true},
	"proved": {"visitor": true, "stranger": true, "hidden": true, "signed": true, "owner": true},
}

// boards are the addresses of rankings: in none of them is who stays off the boards.
var boards = regexp.MustCompile(`^/(api/v1/leaderboard|leaderboard|ladders/solved)`)

// uncrawled are routes that answer nothing that could be crawled, and why.
var uncrawled = map[string]string{
	"/setup":                  "is over once there is an admin",
	"/my-handle/:key":         "wants the key of a proof",
	"/confirm-address":        "wants a token of an e-mail",
	"/metrics":                "has numbers only; it is asked from this machine",
	"/static/*":               "has no files in a test",
	"/awards/:slug/picture.*": "shows no member",
}

// A reader asks for pages, with a cookie, or for the API, with a token.
type reader struct {
	browser *handlerstest.Browser
	token   string
}

func (r *reader) get(path string) handlerstest.Answer {
	if strings.HasPrefix(path, "/api/") && r.token != "" {
		return r.browser.Get(path, "Authorization", "Bearer "+r.token)
	}
	return r.browser.Get(path)
}

// A markedWorld is a site with marked members, and all addresses there are.
type markedWorld struct {
	*handlerstest.AwardSite
	readers   map[string]*reader
	addresses []string
}

// mark is what is in all that belongs to a member of a kind; its name is in addresses, too.
func mark(kind string) string     { return "wq" + kind }
func markName(kind string) string { return "zq" + kind }

func (w *markedWorld) reads(t *testing.T, name string) {
	t.Helper()
	m, err := members.ByName(t.Context(), w.DB.DB, name)
	if err != nil {
		t.Fatal(err)
	}
	w.readers[strings.TrimPrefix(name, "zq")] = &reader{w.SignedIn(t, name), w.Program(t, m).Token}
}

// crawl finds addresses: what pages and answers for programs link to, as an admin.
func (w *markedWorld) crawl(t *testing.T, from []string) {
	t.Helper()
	boss, shapes := w.readers["boss"], map[string]int{}
	seen, todo := map[string]bool{}, slices.Clone(from)
	for _, at := range todo {
		seen[at] = true
	}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		w.addresses = append(w.addresses, path)
		a := boss.get(path)
		if a.StatusCode >= 500 {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
		for _, next := range append(linksOf(a.Text, w.URL), a.Header.Get("Location")) {
			if next = strings.TrimPrefix(next, w.URL); strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//") && !seen[next] && !endless(next) {
				seen[next] = true
				if shape := w.shape(next); shapes[shape] < ofEachShape {
					shapes[shape]++
					todo = append(todo, next)
				}
			}
		}
	}
}

// shape is an address without what differs between addresses of the same kind.
func (w *markedWorld) shape(path string) string {
	u, err := url.Parse(path)
	if err != nil {
		return path
	}
	c := w.Echo.NewContext(nil, nil)
	w.Echo.Router().Find("GET", u.Path, c)
	return fmt.Sprint(c.Path(), slices.Sorted(maps.Keys(u.Query())))
}

// ofEachShape is how many addresses of a kind that links lead to are read: of each member some.
const ofEachShape = 6

var link = regexp.MustCompile(`(?:href|src|hx-get|sse-connect)="([^"]+)"|"(?:url|href|next_page|badge)":"([^"]+)"`)

func linksOf(text, own string) (all []string) {
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		at := html.UnescapeString(m[1] + m[2])
		at, _, _ = strings.Cut(at, "#")
		all = append(all, strings.TrimPrefix(at, own))
	}
	return all
}

// endless are addresses of which there is one for each instant: one is enough.
func endless(path string) bool {
	u, err := url.Parse(path)
	if err != nil {
		return true
	}
	q := u.Query()
	return strings.HasPrefix(path, "/sign-in?") || strings.HasPrefix(path, "/static/") || len(q) > 3 ||
		q.Has("at") && (q.Has("cursor") || q.Has("page")) || q.Has("from") && q.Has("to")
}

// readable is an answer with its headers, where what was asked for is taken out.
func readable(a handlerstest.Answer) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if name == "Etag" { // A hash, also of the address.
			continue
		}
		fmt.Fprintln(&b, name, a.Header[name])
	}
	plain, err := url.QueryUnescape(b.String())
	if err != nil {
		plain = b.String()
	}
	return strings.ToLower(plain + a.Text)
}

func TestVisibility(t *testing.T) {
	t.Parallel()
	w := newMarkedWorld(t)
	w.crawl(t, w.given(t))
	w.checkRoutes(t)
	t.Run("no link leads to nothing", w.linksLead)
	t.Run("nobody sees what they may not", w.nobodySees)
	t.Run("nobody changes whom they may not see", w.nobodyChanges)
	t.Run("a feed's token", w.feedToken)
	t.Run("a community for members only leaks nothing", w.membersOnly)
}

func (w *markedWorld) nobodySees(t *testing.T) {
	leaks, asked := 0, 0
	for _, who := range []string{"visitor", "stranger", "hidden", "owner"} {
		for _, path := range w.addresses {
			asked++
			for kind, readers := range mayRead {
				if readers[who] && (kind != "boards" || !boards.MatchString(path)) {
					continue
				}
				if said := w.leaks(t, who, path, kind); said != "" {
					leaks += len(said)
					t.Errorf("%s reads at %s of %s: %q", who, path, kind, said)
				}
			}
		}
	}
	t.Logf("%d addresses, %d answers read, %d bytes leaked", len(w.addresses), asked, leaks)
}

// leaks is what an answer says of a member whom its reader may not see. Where the address has
// the member's mark itself, the answer must be that to a mark that nobody has.
func (w *markedWorld) leaks(t *testing.T, who, path, kind string) string {
	t.Helper()
	said := readable(w.readers[who].get(path))
	marks := []string{mark(kind), markName(kind)}
	toNobody := strings.NewReplacer(marks[0], "wqnoone", marks[1], "zqnoone")
	if changed := toNobody.Replace(path); changed != path && readable(w.readers[who].get(changed)) == toNobody.Replace(said) {
		return ""
	}
	for _, m := range marks {
		if at := strings.Index(said, m); at >= 0 {
			return said[max(0, at-100):min(len(said), at+100)]
		}
	}
	return ""
}

// linksLead follows links of pages as those who read them: none may lead to nothing, nor to what its reader may not see.
func (w *markedWorld) linksLead(t *testing.T) {
	for _, who := range []string{"boss", "owner", "visitor"} {
		shapes, seen, todo := map[string]int{}, map[string]bool{"/": true}, []string{"/"}
		for followed := 0; len(todo) > 0; followed++ {
			path := todo[0]
			todo = todo[1:]
			a := w.readers[who].browser.Get(path)
			if a.StatusCode == http.StatusNotFound || a.StatusCode == http.StatusForbidden {
				t.Errorf("as %s, a link leads to %s: status %d", who, path, a.StatusCode)
			}
			if a.Header.Get("Content-Type") != "text/html; charset=UTF-8" {
				continue
			}
			for _, m := range anchor.FindAllStringSubmatch(a.Text, -1) {
				next, _, _ := strings.Cut(strings.TrimPrefix(html.UnescapeString(m[1]+m[2]), w.URL), "#")
				if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || seen[next] || endless(next) {
					continue
				}
				seen[next] = true
				if shape := w.shape(next); shapes[shape] < ofEachShape {
					shapes[shape]++
					todo = append(todo, next)
				}
			}
			if len(todo) == 0 && followed < 50 {
				t.Errorf("as %s, only %d links were followed", who, followed)
			}
		}
	}
}

var anchor = regexp.MustCompile(`<a [^>]*href=(?:"([^"]+)"|([^" >]+))`)

// checkRoutes fails for a route of which no address is crawled.
func (w *markedWorld) checkRoutes(t *testing.T) {
	t.Helper()
	crawled := map[string]bool{}
	for _, path := range w.addresses {
		path, _, _ = strings.Cut(path, "?")
		c := w.Echo.NewContext(nil, nil)
		w.Echo.Router().Find("GET", path, c)
		crawled[c.Path()] = true
	}
	for _, r := range w.Routes() {
		if r.Method == "GET" && !crawled[r.Path] && uncrawled[r.Path] == "" && r.Role != web.Admin {
			t.Errorf("GET %s: the crawl knows no address of it: give it one in params or given, or say in uncrawled why not", r.Path)
		}
	}
}

// A button or a change about a member whom one may not see is answered as about nobody.
func (w *markedWorld) nobodyChanges(t *testing.T) {
	stranger := w.readers["stranger"]
	for _, r := range w.Routes() {
		if r.Method == "GET" || r.Role == web.Admin || !strings.Contains(r.Path, ":name") {
			continue
		}
		var said []string
		for _, name := range []string{markName("hidden"), "zqnoone"} {
			path := strings.NewReplacer(":name", name, ":site", "codeforces", ":id", "1").Replace(r.Path)
			header := []string{"Sec-Fetch-Site", "same-origin"}
			if strings.HasPrefix(path, "/api/") {
				header = []string{"Authorization", "Bearer " + stranger.token}
			}
			a := stranger.browser.Do(r.Method, path, strings.NewReader("{}"), header...)
			said = append(said, fmt.Sprint(a.StatusCode, strings.ReplaceAll(readable(a), name, "")))
		}
		if said[0] != said[1] {
			t.Errorf("%s %s: of a hidden member\n%s\nof nobody\n%s", r.Method, r.Path, said[0], said[1])
		}
	}
}

// A community for members only says nothing to others, wherever they ask.
func (w *markedWorld) membersOnly(t *testing.T) {
	if err := members.SetMembersOnly(t.Context(), w.DB.DB, true); err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{"/feed.atom": true, "/healthz": true, "/readyz": true, "/static/*": true, "/robots.txt": true, "/sign-in": true, "/privacy": true, "/logo.png": true, "/sign-up": true, "/forgot": true, "/my-handle": true, "/setup": true,
		"/confirm-address": true, "/unsubscribe": true, "/badges/verify": true, "/badges/:id": true, "/badges/status/:list": true, "/did.json": true,
		"/.well-known/did.json": true, "/awards/:slug/picture.svg": true, "/awards/:slug/picture.png": true, "/api/v1/openapi.yaml": true, "/scripts/leetcode.user.js": true,
		"/u/:name/card.svg": true, "/u/:name/badge.svg": true, "/u/:name/preview.png": true, "/preview.png": true, "/metrics": true}
	visitor := w.readers["visitor"]
	for _, path := range append(w.addresses, "/nothing", "/api/v1/nothing") {
		a := visitor.get(path)
		plain, _, _ := strings.Cut(path, "?")
		c := w.Echo.NewContext(nil, nil)
		w.Echo.Router().Find("GET", plain, c)
		switch feed := strings.HasSuffix(plain, ".atom"); {
		case open[c.Path()]:
		case strings.HasPrefix(path, "/sitemap"):
			a.Is(t, http.StatusNotFound)
		case feed || strings.HasPrefix(path, "/api/"):
			if a.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s: status %d, want 401", path, a.StatusCode)
			}
		case a.StatusCode != http.StatusSeeOther || a.To() != "/sign-in?next="+url.QueryEscape(path):
			t.Errorf("%s: status %d to %q, want to be led to the sign-in", path, a.StatusCode, a.To())
		}
		for kind := range mayRead {
			if c.Path() == "/badges/:id" && mayRead[kind]["visitor"] {
				continue // Its holder gave the address away.
			}
			if said := w.leaks(t, "visitor", path, kind); said != "" {
				t.Errorf("a visitor reads at %s of %s: %q", path, kind, said)
			}
		}
		if strings.Contains(a.Text, "Wqforum") {
			t.Errorf("a visitor reads the name of a forum at %s", path)
		}
	}
	w.readers["stranger"].get("/").Is(t, http.StatusOK)
	visitor.get("/sign-in?next=%2Fu%2Fann").Is(t, http.StatusOK, "Sign in")
}

// A feed's token works in feeds, as its owner, and nowhere else.
func (w *markedWorld) feedToken(t *testing.T) {
	stranger, err := members.ByName(t.Context(), w.DB.DB, "stranger")
	if err != nil {
		t.Fatal(err)
	}
	token, err := members.CreateFeedToken(t.Context(), w.DB.DB, stranger.ID, w.Time)
	if err != nil {
		t.Fatal(err)
	}
	visitor := w.readers["visitor"].browser
	visitor.Get("/u/zqsigned/messages.atom").Is(t, http.StatusNotFound)
	visitor.Get("/u/zqsigned/messages.atom?token="+token).Is(t, http.StatusOK, mark("signed"))
	visitor.Get("/u/zqhidden/messages.atom?token="+token).Is(t, http.StatusNotFound)
	visitor.Get("/u/zqsigned?token="+token).Is(t, http.StatusNotFound)
	visitor.Get("/u/ann/messages.atom?token=feed_wrong").Is(t, http.StatusUnauthorized)
	visitor.Get("/api/v1/members/zqsigned", "Authorization", "Bearer "+token).Is(t, http.StatusUnauthorized)
	if err := members.SetMembersOnly(t.Context(), w.DB.DB, true); err != nil {
		t.Fatal(err)
	}
	visitor.Get("/forums/news/feed.atom").Is(t, http.StatusUnauthorized)
	visitor.Get("/forums/news/feed.atom?token="+token).Is(t, http.StatusOK, mark("signed"))
}
