package harvest_test

import (
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A harbour is a forum of thousands of messages, invented, which every kind of
// archive that is one list shows in its own way. It may change between any two
// requests: between says how.
type harbour struct {
	mu      sync.Mutex
	letters []*harbourLetter // In the order of their arrival.
	gone    map[int]bool     // By number: deleted.
	moved   map[int]int      // By number: the thread to which it was moved.
	between func(request int)
	asked   int
	faults  map[string]http.HandlerFunc // By address, without the host.
	garbage map[int]bool                // By number: it cannot be read where it stands.
}

type harbourLetter struct {
	number, thread, inThread int // From 1.
	parent                   *harbourLetter
	at                       time.Time
}

// newHarbour is a forum of so many messages, a dozen in each thread; every seventh
// comes in the same second as the one before.
func newHarbour(messages int) *harbour {
	h := &harbour{gone: map[int]bool{}, moved: map[int]int{}, faults: map[string]http.HandlerFunc{}, garbage: map[int]bool{}}
	h.grow(messages)
	return h
}

func (h *harbour) locked(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

func (h *harbour) size() (n int) {
	h.locked(func() { n = len(h.letters) })
	return n
}

func (h *harbour) grow(messages int) {
	random := rand.New(rand.NewPCG(uint64(len(h.letters)), 3))
	last := map[int]*harbourLetter{}
	for _, l := range h.letters {
		last[l.thread] = l
	}
	for range messages {
		l := &harbourLetter{number: len(h.letters) + 1, inThread: 1, at: time.Date(2011, 1, 1, 0, 0, 0, 0, time.UTC)}
		l.thread = 1 + random.IntN(1+l.number/12)
		if before := last[l.thread]; before != nil {
			l.parent, l.inThread = before, before.inThread+1
		}
		if n := len(h.letters); n > 0 {
			if l.at = h.letters[n-1].at; l.number%7 != 0 {
				l.at = l.at.Add(time.Duration(60+random.IntN(36_000)) * time.Second)
			}
		}
		last[l.thread] = l
		h.letters = append(h.letters, l)
	}
}

// living are the messages that are shown, the newest first.
func (h *harbour) living() (all []*harbourLetter) {
	for _, l := range slices.Backward(h.letters) {
		if !h.gone[l.number] {
			all = append(all, l)
		}
	}
	return all
}

func (l *harbourLetter) id() string      { return fmt.Sprintf("wave.%d@harbour.example.org", l.number) }
func (l *harbourLetter) author() string  { return fmt.Sprintf("Pilot %d", l.number%23) }
func (l *harbourLetter) address() string { return fmt.Sprintf("pilot%d@example.org", l.number%23) }
func (l *harbourLetter) body() string {
	return fmt.Sprintf("Ship %d is in.\n%s", l.number, strings.Repeat("The tide is low. ", l.number%30))
}

func (l *harbourLetter) subject() string {
	if l.parent != nil {
		return fmt.Sprintf("Re: Berth %d", l.thread)
	}
	return fmt.Sprintf("Berth %d", l.thread)
}

func (l *harbourLetter) hash() string {
	sum := sha1.Sum([]byte(l.id()))
	return base32.StdEncoding.EncodeToString(sum[:])
}

// serve lets something happen between requests, and some of them fail.
func (h *harbour) serve(show http.HandlerFunc) http.HandlerFunc {
	return func(res http.ResponseWriter, req *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if req.URL.Path == "/robots.txt" {
			http.NotFound(res, req)
			return
		}
		if h.asked++; h.between != nil {
			h.between(h.asked)
		}
		if fault, ok := h.faults[req.URL.RequestURI()]; ok {
			fault(res, req)
			return
		}
		show(res, req)
	}
}

// kitty shows it as the interface of HyperKitty does. A page or an export that holds
// what cannot be read is a fault of the server, as it is in life.
func (h *harbour) kitty(res http.ResponseWriter, req *http.Request) {
	const list = "/api/list/berths@harbour.example.org/"
	rest, isAPI := strings.CutPrefix(req.URL.Path, list)
	switch {
	case isAPI && rest == "emails/":
		h.kittyPage(res, req)
	case isAPI && strings.HasPrefix(rest, "email/"):
		hash := strings.Trim(strings.TrimPrefix(rest, "email/"), "/")
		for _, l := range h.living() {
			if l.hash() == hash {
				if h.garbage[l.number] {
					break
				}
				m := h.kittyItem(l)
				m["content"], m["attachments"] = l.body(), []any{}
				_ = json.NewEncoder(res).Encode(m)
				return
			}
		}
		http.NotFound(res, req)
	case strings.HasSuffix(req.URL.Path, ".mbox.gz"):
		h.kittyExport(res, req)
	default:
		http.NotFound(res, req)
	}
}

func (h *harbour) kittyItem(l *harbourLetter) map[string]any {
	m := map[string]any{
		"url": "http://localhost/api/email/" + l.hash() + "/", "message_id": l.id(), "message_id_hash": l.hash(), "thread": fmt.Sprintf("http://localhost/api/thread/%032d/", l.thread),
		"sender": map[string]any{"address": strings.ReplaceAll(l.address(), "@", " (a) "), "mailman_id": nil}, "sender_name": l.author(), "subject": l.subject(),
		"date": l.at.Format("2006-01-02T15:04:05Z"), "parent": nil, "children": []any{},
	}
	if l.parent != nil {
		m["parent"] = "http://localhost/api/list/berths@harbour.example.org/email/" + l.parent.hash() + "/"
	}
	return m
}

func (h *harbour) kittyPage(res http.ResponseWriter, req *http.Request) {
	all := h.living()
	limit, offset := 10, 0
	if n, err := strconv.Atoi(req.FormValue("limit")); err == nil {
		limit = n
	}
	if n, err := strconv.Atoi(req.FormValue("offset")); err == nil {
		offset = n
	}
	results := []map[string]any{}
	for _, l := range all[min(offset, len(all)):min(offset+limit, len(all))] {
		if h.garbage[l.number] {
			res.WriteHeader(http.StatusInternalServerError)
			return
		}
		results = append(results, h.kittyItem(l))
	}
	page := map[string]any{"count": len(all), "next": nil, "previous": nil, "results": results}
	if offset+limit < len(all) {
		page["next"] = fmt.Sprintf("http://localhost%s?limit=%d&offset=%d", req.URL.Path, limit, offset+limit)
	}
	_ = json.NewEncoder(res).Encode(page)
}

func (h *harbour) kittyExport(res http.ResponseWriter, req *http.Request) {
	gz := gzip.NewWriter(res)
	for _, l := range slices.Backward(h.living()) {
		day := l.at.Format(time.DateOnly)
		if day < req.FormValue("start") || day >= req.FormValue("end") {
			continue
		}
		if h.garbage[l.number] { // The stream ends there.
			_ = gz.Flush()
			return
		}
		fmt.Fprintf(gz, "From %s %s\nFrom: %s <%s>\nDate: %s\nSubject: %s\nMessage-ID: <%s>\n", l.address(), l.at.Format(time.ANSIC), l.author(), l.address(), l.at.Format(time.RFC1123Z), l.subject(), l.id())
		if l.parent != nil {
			fmt.Fprintf(gz, "In-Reply-To: <%s>\n", l.parent.id())
		}
		fmt.Fprintf(gz, "\n%s\n\n", l.body())
	}
	_ = gz.Close()
}

// board shows it as /posts.json of Discourse does: 50 posts, those that are not to be
// seen left out.
func (h *harbour) board(res http.ResponseWriter, req *http.Request) {
	one, isPost := strings.CutPrefix(req.URL.Path, "/posts/")
	before, _ := strconv.Atoi(req.FormValue("before"))
	posts := []any{}
	for _, l := range h.living() {
		if isPost && one == fmt.Sprintf("%d.json", l.number) && !h.garbage[l.number] {
			_ = json.NewEncoder(res).Encode(h.post(l))
			return
		}
		if !isPost && (before <= 0 || l.number <= before) && len(posts) < 50 {
			if h.garbage[l.number] {
				posts = append(posts, map[string]any{"id": l.number, "cooked": nil, "topic_id": "?"})
				continue
			}
			posts = append(posts, h.post(l))
		}
	}
	if req.URL.Path != "/posts.json" {
		http.NotFound(res, req)
		return
	}
	_ = json.NewEncoder(res).Encode(map[string]any{"latest_posts": posts})
}

func (h *harbour) post(l *harbourLetter) map[string]any {
	topic, place := l.thread, l.inThread
	if to, ok := h.moved[l.number]; ok {
		topic, place = to, 100_000+l.number
	}
	p := map[string]any{"id": l.number, "name": l.author(), "username": fmt.Sprintf("pilot%d", l.number%23), "created_at": l.at.Format(time.RFC3339), "updated_at": l.at.Format(time.RFC3339), "raw": l.body(),
		"cooked": "<p>" + l.body() + "</p>", "post_number": place, "topic_id": topic, "topic_title": fmt.Sprintf("Berth %d", topic), "version": 1, "reply_to_post_number": nil}
	if l.parent != nil && l.inThread > 2 {
		p["reply_to_post_number"] = l.parent.inThread
	}
	return p
}

// inbox shows it as new.atom of public-inbox does: 25 messages that arrived at a
// second or before.
func (h *harbour) inbox(res http.ResponseWriter, req *http.Request) {
	until, err := time.Parse("20060102150405", req.FormValue("t"))
	var b strings.Builder
	n := 0
	for _, l := range h.living() {
		if err == nil && l.at.After(until) {
			continue
		}
		if n++; n > 25 {
			break
		}
		link := fmt.Sprintf(`<link href="http://localhost/berths/%s/"/>`, l.id())
		if h.garbage[l.number] {
			link = ""
		}
		fmt.Fprintf(&b, `<entry><author><name>%s</name><email>%s</email></author><title>%s</title><updated>%s</updated>%s<id>urn:uuid:%d</id>`, l.author(), l.address(), l.subject(), l.at.Format(time.RFC3339), link, l.number)
		if l.parent != nil {
			fmt.Fprintf(&b, `<thr:in-reply-to ref="urn:uuid:%d" href="http://localhost/berths/%s/"/>`, l.parent.number, l.parent.id())
		}
		fmt.Fprintf(&b, `<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><pre style="white-space:pre-wrap">%s</pre></div></content></entry>`, html.EscapeString(l.body()))
	}
	if req.URL.Path != "/berths/new.atom" || n == 0 {
		http.NotFound(res, req)
		return
	}
	fmt.Fprintf(res, `<?xml version="1.0" encoding="us-ascii"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0"><title>berths</title>%s</feed>`, b.String())
}
