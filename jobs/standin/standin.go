// Package standin is the outside world in miniature: it speaks the protocol of
// every site over HTTP, with faults on request. Tests, benchmarks and the demo
// crawl it, so none of them needs a network.
//
// Its people are invented, and what they do is a pure function of seed, person,
// site and day: nothing is stored, so a second question, a second process and a
// restart give the same bytes, and a new submission appears only because time
// has passed. Paths are the real sites' paths, and
// where several sites have the same, the host says whose it is (X-Forwarded-Host,
// as Laurel sends it to a mirror): so one address can be every site at once.
package standin

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"laurel/jobs/registry"
)

// Options say what the world is like. The zero value is a small one.
type Options struct {
	Seed int64
	Now  func() time.Time // The time of day in this world; nil means the real one.
	// Start parts the people's past from what they do while they are watched.
	// Zero means the first day of 2026: a fixed day, or a restart would change history.
	Start   time.Time
	Begin   time.Time // Nobody submitted anything before; zero: no limit.
	People  int       // How many there are; 0 means 24.
	Instant bool      // Every history is 20 rows and one more for each day since Start: cheap to serve.
	Enforce bool      // Whoever asks faster than a site's gap is refused in the site's own words.
	Rate    float64   // Divides the gaps that Enforce keeps; 0 means 1.
	Replay  string    // A folder of recorded files that answers instead of the people; see replay.go.
	Log     *slog.Logger
	// Strangers is how many submissions a day are made, on sites that list those of
	// everybody, by people that nobody asks about.
	Strangers int
	Aliases   int  // LeetCode refuses questions about more people; 0 means any number.
	Ago       bool // CodeChef says of the last day only how long ago it was,
	AgoDays   bool // and of the three days before, too.
	Plain     bool // Every answer is in one form: see vary.
	Odd       int  // Of a thousand rows so many lack something: a cell, a field.

	Token       string           // Hosts of kinds answer only those who show it; "": anybody.
	Limits      map[string]Limit // By network; who is not in it has the real one's.
	Polls       bool             // Remember when each post was asked for.
	OldMastodon bool             // Before 4.3: posts are asked for one by one.
}

// A Server is every site on one address.
type Server struct {
	o        Options
	born     time.Time
	people   []*person
	byName   map[string]map[string]*person // By site, then by handle as the site compares it.
	journal  *journal
	renames  renames
	writings writings
	faults   faults
	quotas   quotas
	polls    polls
	replay   *replay
	broken   error // Why the folder of recorded files cannot be used.

	mu       sync.Mutex
	accepted map[string]time.Time // When each site last took a question, for Enforce.

	editing sync.RWMutex
	edited  map[string]*edits     // By site and person.
	keys    map[string]PrivateKey // Of Codeforces, by handle in small letters.

	closing chan struct{}
	close   sync.Once
}

// New makes a world. A replay folder that cannot be read is reported by every answer.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Start.IsZero() {
		o.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if o.People <= 0 {
		o.People = 24
	}
	if o.Rate <= 0 {
		o.Rate = 1
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o, born: time.Now(), journal: newJournal(), accepted: map[string]time.Time{},
		edited: map[string]*edits{}, keys: map[string]PrivateKey{},
		closing: make(chan struct{})}
	s.faults.seed = uint64(o.Seed)
	s.populate()
	if o.Replay != "" {
		if s.replay, s.broken = loadReplay(o.Replay); s.broken != nil {
			o.Log.Error("the folder of recorded files cannot be used", "folder", o.Replay, "err", s.broken)
		}
	}
	return s
}

// Close lets go of the questions that a timeout fault still holds.
func (s *Server) Close() { s.close.Do(func() { close(s.closing) }) }

// An answer is what a site says, made before it is sent so that a fault can cut it.
type answer struct {
	status int
	typ    string // Content type; JSON when empty.
	etag   string
	header http.Header
	body   []byte
}

// A question is one request to a site.
type question struct {
	r      *http.Request
	handle string // Whom it is about, "" for nobody; several are parted by semicolons.
	now    time.Time
}

// A site is the protocol of one site.
type site interface {
	name() string
	gap() time.Duration
	// serves says whether a path is the site's, and handle whom a request is about.
	serves(path string) bool
	handle(s *Server, r *http.Request) string
	answer(s *Server, q question) answer
	// unknown is the site's answer about a handle that does not exist, and
	// hurried its answer to somebody who asks too often.
	unknown(q question) answer
	hurried(q question) answer
}

var sites = registry.New("site", site.name)

func register(x site) { sites.Add(x) }

func siteNamed(name string) (site, error) {
	if x, ok := sites.ByName(name); ok {
		return x, nil
	}
	var known []string
	for _, x := range sites.All() {
		known = append(known, x.name())
	}
	return nil, fmt.Errorf("no site is named %q (known: %v)", name, known)
}

// ServeHTTP answers as the site whose path is asked for.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/standin/") {
		s.control(w, r)
		return
	}
	if x := siteOf(r); x != nil {
		s.serve(w, r, x)
		return
	}
	if r.URL.Path == "/robots.txt" { // Nobody's: the same on every site, and free of gaps.
		send(w, r, answer{status: http.StatusOK, typ: "text/plain", body: []byte("User-agent: *\nDisallow: /standin/\n")})
		return
	}
	s.note(question{r: r}, "", http.StatusNotFound, "")
	http.NotFound(w, r)
}

// A hosted site has paths that others have, too: it is asked by its host.
type hosted interface {
	site
	host() string
}

// siteOf is the site whose host is asked for, in the words of a client that
// finds it at another address, or else the first one that serves the path.
func siteOf(r *http.Request) site {
	name := cmp.Or(r.Header.Get("X-Forwarded-Host"), r.Host)
	for _, x := range sites.All() {
		if h, ok := x.(hosted); ok && strings.EqualFold(strings.TrimPrefix(name, "www."), h.host()) {
			return x
		}
	}
	for _, x := range sites.All() {
		if x.serves(r.URL.Path) {
			return x
		}
	}
	return nil
}

// serve answers one question, or does what a fault asks for instead.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, x site) {
	q := question{r: r, handle: x.handle(s, r), now: s.o.Now()}
	if s.o.Enforce && s.tooSoon(x) {
		a := x.hurried(q)
		s.note(q, x.name(), a.status, "enforced")
		send(w, r, a)
		return
	}
	reply := func() answer { return s.reply(x, q) }
	if f, ok := s.faults.next(x.name(), q); ok {
		s.note(q, x.name(), f.status(x, q), f.Kind)
		s.misbehave(w, r, x, q, f, reply)
		return
	}
	note := s.note(q, x.name(), 0, "") // Before the answer is made: the arrival is what counts.
	a := s.vary(x, q, reply())
	s.journal.setStatus(note, a.status)
	send(w, r, a)
}

func (s *Server) reply(x site, q question) answer {
	switch {
	case s.broken != nil:
		return answer{status: http.StatusInternalServerError, typ: "text/plain", body: []byte(s.broken.Error())}
	case s.replay != nil:
		return s.replay.answer(x, q)
	}
	return x.answer(s, q)
}

// tooSoon allows a twentieth of the gap for the jitter of the network: a client
// that sends on time must not be refused because one packet was slow.
func (s *Server) tooSoon(x site) bool {
	gap := time.Duration(float64(x.gap()) / s.o.Rate * 0.95)
	s.mu.Lock()
	defer s.mu.Unlock()
	now, last := time.Now(), s.accepted[x.name()]
	if !last.IsZero() && now.Sub(last) < gap {
		return true
	}
	s.accepted[x.name()] = now
	return false
}

func send(w http.ResponseWriter, r *http.Request, a answer) {
	h := w.Header()
	maps.Copy(h, a.header)
	h.Set("Content-Type", a.typ)
	if a.typ == "" {
		h.Set("Content-Type", "application/json; charset=utf-8")
	}
	if a.etag != "" {
		h.Set("ETag", a.etag)
		if r.Header.Get("If-None-Match") == a.etag {
			a.status, a.body = http.StatusNotModified, nil
		}
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // The client may have gone; nobody is left to report to.
}
