// Package polite is the one HTTP client for the outside world.
//
// It asks a host one request at a time, waits the host's gap in between (for
// all processes together: the database it is given keeps the request slots),
// stays away for as long as a host asks, says honestly who it is, and connects
// to no address that is not public. It knows no site: what a page means is for
// others; it says only whether there is a page to read.
package polite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Kinds of Error, the words of the outcomes they lead to.
const (
	Blocked     = "blocked"
	RateLimited = "rate_limited"
	ServerError = "server_error"
	Unreachable = "unreachable"
	TooLarge    = "parse_error"
)

// An Error says why there is no page to read.
type Error struct {
	Kind    string
	Message string
	RetryAt time.Time // When the host wants to be asked again; zero where it did not say.
	NotSent bool      // The host was not asked: it wants to be left alone until RetryAt.
	// Status is what the host answered where it is about this page alone, as far as
	// that is certain: a refusal, a fault of its own, a redirect to nowhere.
	Status int
	// Location is where the host sends us and we did not go: another host.
	Location string
}

func (e *Error) Error() string { return e.Message }

// Slots gives request slots; package models/polite implements it.
type Slots interface {
	Take(ctx context.Context, r SlotRequest) (taken bool, at time.Time, err error)
	Renew(ctx context.Context, keys []string, holder string, hold time.Duration) error
	End(ctx context.Context, keys []string, holder string, next time.Time) error
}

// A SlotRequest is who wants to send a request to whom; see models/polite.
type SlotRequest struct {
	Keys              []string
	Holder            string
	Gap, Hold, Urgent time.Duration
}

// A Client fetches pages. Its zero limits are replaced by New.
type Client struct {
	Slots     Slots
	UserAgent string
	HTTP      *http.Client // From Guarded.
	Now       func() time.Time
	Sleep     func(ctx context.Context, d time.Duration) error
	Rate      float64             // Divides every gap and pause; 1 outside tests.
	Mirrors   map[string]*url.URL // Replaces scheme and host of every address of a source.
	MaxBytes  int64               // Of a body, unpacked.

	gates gates
}

// Limits of one request.
const (
	maxRedirects = 5
	maxPause     = time.Hour        // The longest Retry-After we believe.
	defaultPause = time.Minute      // After a 429 without one.
	hold         = 10 * time.Second // After which the slot of a holder that died is free; a living one renews it.
	holdAtLeast  = time.Second      // Also where Rate divides it.
	longestWait  = 15 * time.Second // For a slot, before giving the work back.
)

// A Request is one page to fetch.
type Request struct {
	Address string
	Source  string        // Whose page it is: a site's name.
	Gap     time.Duration // The source's, between two requests.
	Urgent  bool          // Somebody waits: goes before the others of this process.
	// ETag and LastModified are those of the page as it was read last, if it was:
	// a page that is still the same comes back as status 304 without a body.
	ETag, LastModified string
	// Header is sent along, such as a cookie that the host gave for this chain of
	// requests. Body, where it is not empty, is sent by POST, as JSON unless Header has
	// a Content-Type; such a question is not repeated elsewhere, so no redirect is followed.
	Header map[string]string
	Body   string
	// Allowed is asked before each redirect is followed; its error is the answer. Nil
	// follows all within the host.
	Allowed func(address string) error
}

// A Page is what came back: a 2xx answer, or a 4xx that only the reader of the
// site can understand.
type Page struct {
	Status int
	Body   []byte
	Header http.Header
	// Address is where the page came from, after redirects, in the words of the
	// host that was asked and not of its mirror.
	Address string
}

// Get fetches a page, following redirects within the host, each request in a
// slot of its own. An error is an *Error where the outside world is the cause; a question
// with a body that was sent elsewhere comes with a page that has the status alone.
func (c *Client) Get(ctx context.Context, r Request) (Page, error) {
	u, err := url.Parse(r.Address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return Page{}, fmt.Errorf("address %q: not an http address", r.Address)
	}
	for range maxRedirects + 1 {
		page, location, err := c.fetch(ctx, r, u)
		if err != nil || location == "" {
			return page, err
		}
		if r.Body != "" {
			return page, &Error{Kind: Unreachable, Message: fmt.Sprintf("%s redirects a query to another address (%s)", u.Host,
				shorten(location))}
		}
		next, ok := c.follow(r.Source, u, location)
		if !ok {
			return Page{}, &Error{Kind: Unreachable, Status: http.StatusFound, Location: elsewhere(u, location),
				Message: fmt.Sprintf("%s redirects to another host (%s), which Laurel does not follow", u.Host, shorten(location))}
		}
		if r.Allowed != nil {
			if err := r.Allowed(next.String()); err != nil {
				return Page{}, err
			}
		}
		u = next
	}
	return Page{}, &Error{Kind: Unreachable, Status: http.StatusFound, Message: u.Host + " redirects without end"}
}

// follow returns where a redirect leads, and false where that is another host.
// The port stays, and the scheme changes to https only, never back.
func (c *Client) follow(source string, from *url.URL, location string) (*url.URL, bool) {
	to, err := from.Parse(location)
	if err != nil || to.Scheme != "https" && to.Scheme != "http" {
		return nil, false
	}
	mirror := c.Mirrors[source]
	switch mirrored := mirror != nil && strings.EqualFold(to.Host, mirror.Host); {
	case !mirrored && !strings.EqualFold(to.Hostname(), from.Hostname()):
		return nil, false
	case mirrored, to.Scheme == from.Scheme, to.Scheme == "http": // A mirror's own name is the same host.
		to.Scheme, to.Host = from.Scheme, from.Host
	default:
		to.Host = strings.TrimSuffix(from.Host, ":80")
	}
	return to, true
}

// elsewhere is the whole address to which a redirect leads, "" where that is none.
func elsewhere(from *url.URL, location string) string {
	to, err := from.Parse(location)
	if err != nil || to.Host == "" || to.Scheme != "https" && to.Scheme != "http" {
		return ""
	}
	return to.String()
}

// fetch makes one request in a slot.
func (c *Client) fetch(ctx context.Context, r Request, u *url.URL) (page Page, location string, err error) {
	leave, err := c.gates.enter(ctx, r.Source, r.Urgent)
	if err != nil {
		return page, "", err
	}
	defer leave()
	for {
		page, location, err = c.inSlot(ctx, r, u)
		if !errors.Is(err, errLate) {
			return page, location, err
		}
	}
}

// errLate says that nothing was sent: the process stood still for so long that its slot may be
// somebody else's by now.
var errLate = errors.New("the slot has ended")

// inSlot takes a slot and makes one request in it.
func (c *Client) inSlot(ctx context.Context, r Request, u *url.URL) (page Page, location string, err error) {
	keys := []string{"host:" + strings.ToLower(u.Host), "source:" + r.Source}
	slices.Sort(keys)
	holder, gap := uuid.NewString(), c.divide(r.Gap)
	until, err := c.takeSlot(ctx, r, keys, holder, gap)
	if err != nil {
		// A call that was cancelled may have taken the slot without our knowing.
		if _, refused := errors.AsType[*Error](err); !refused {
			err = errors.Join(err, c.Slots.End(context.WithoutCancel(ctx), keys, holder, c.Now()))
		}
		return page, "", err
	}
	stop := c.holdSlot(ctx, keys, holder)
	page, location, answered, err := c.do(ctx, r, u, until)
	stop()
	next := answered.Add(gap)
	if e, ok := errors.AsType[*Error](err); ok && e.RetryAt.After(next) {
		next = e.RetryAt
	}
	// The slot is given back also when our own work was cancelled.
	if endErr := c.Slots.End(context.WithoutCancel(ctx), keys, holder, next); endErr != nil && err == nil {
		err = endErr
	}
	return page, location, err
}

// takeSlot sleeps until the slot is ours, and returns until when it is, unless it is renewed.
func (c *Client) takeSlot(ctx context.Context, r Request, keys []string, holder string, gap time.Duration) (until time.Time, err error) {
	poll := min(max(gap/8, time.Millisecond), 100*time.Millisecond)
	want := SlotRequest{Keys: keys, Holder: holder, Gap: gap, Hold: c.hold()}
	if r.Urgent {
		want.Urgent = 3 * poll
	}
	for {
		until = c.Now().Add(want.Hold)
		taken, at, err := c.Slots.Take(ctx, want)
		if err != nil || taken {
			return until, err
		}
		d := at.Sub(c.Now())
		if d > gap+longestWait {
			return until, &Error{Kind: RateLimited, Message: r.Source + " asked for a pause", RetryAt: at, NotSent: true}
		}
		if d <= 0 {
			d = poll // Somebody is asking right now; when they finish is not known.
		}
		if err := c.Sleep(ctx, d); err != nil {
			return until, err
		}
	}
}

func (c *Client) hold() time.Duration { return max(c.divide(hold), holdAtLeast) }

// holdSlot renews the slot until the function it returns is called: while a host
// takes its time to answer, nobody else may ask it.
func (c *Client) holdSlot(ctx context.Context, keys []string, holder string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for c.Sleep(ctx, c.hold()/3) == nil {
			c.renew(context.WithoutCancel(ctx), keys, holder)
		}
	}()
	return func() { cancel(); <-done }
}

// renew is not cancelled by an answer that comes meanwhile: that would cost a
// connection to the database, which is closed under the statement.
func (c *Client) renew(ctx context.Context, keys []string, holder string) {
	ctx, cancel := context.WithTimeout(ctx, c.hold())
	defer cancel()
	_ = c.Slots.Renew(ctx, keys, holder, c.hold()) // The next one is soon, and a few may fail.
}

func (c *Client) divide(d time.Duration) time.Duration { return time.Duration(float64(d) / c.Rate) }

// request is what is sent for r: to a mirror where the source has one.
func (c *Client) request(ctx context.Context, r Request, u *url.URL) (*http.Request, error) {
	target := *u
	if mirror := c.Mirrors[r.Source]; mirror != nil {
		target.Scheme, target.Host = mirror.Scheme, mirror.Host
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if r.Body != "" {
		req, err = http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(r.Body))
	}
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", r.Address, err)
	}
	if r.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for key, value := range r.Header {
		req.Header.Set(key, value)
	}
	if target.Host != u.Host {
		req.Header.Set("X-Forwarded-Host", u.Host) // One mirror may stand for several hosts that share a path.
	}
	req.Header.Set("User-Agent", c.UserAgent)
	req.Header.Set("Accept", "application/json, text/html;q=0.9, */*;q=0.5")
	if r.ETag != "" {
		req.Header.Set("If-None-Match", r.ETag)
	}
	if r.LastModified != "" {
		req.Header.Set("If-Modified-Since", r.LastModified)
	}
	return req, nil
}

// do sends the request, unless the slot has ended, and reads the answer, which began at answered.
// The slot is checked when all else is done, so that nothing comes between that and the request.
func (c *Client) do(ctx context.Context, r Request, u *url.URL, until time.Time) (
	page Page, location string, answered time.Time, err error) {
	ctx, began := c.traced(ctx)
	req, err := c.request(ctx, r, u)
	if err != nil {
		return page, "", c.Now(), err
	}
	if !c.Now().Before(until) {
		return page, "", c.Now(), errLate
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return page, "", began(), c.unreachable(ctx, u.Host, "no connection", err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, c.MaxBytes+1))
	if err != nil {
		return page, "", began(), c.unreachable(ctx, u.Host, "the answer could not be read", err)
	}
	if int64(len(body)) > c.MaxBytes {
		return page, "", began(), &Error{Kind: TooLarge, Status: http.StatusOK,
			Message: fmt.Sprintf("the answer of %s is larger than %d MB", u.Host, c.MaxBytes>>20)}
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 && res.Header.Get("Location") != "" {
		return Page{Status: res.StatusCode}, res.Header.Get("Location"), began(), nil
	}
	return Page{Status: res.StatusCode, Body: body, Header: res.Header, Address: u.String()}, "", began(), c.classify(u.Host, res, body)
}

// unreachable puts a transport error into words, those of why where nothing
// better is known; a call that we cancelled stays what it is.
func (c *Client) unreachable(ctx context.Context, host, why string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		why = refused.Error()
	} else if t, ok := errors.AsType[net.Error](err); ok && t.Timeout() {
		why = "no answer in time"
	} else if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		why = "the answer was cut off"
	}
	return &Error{Kind: Unreachable, Message: host + ": " + why}
}

func shorten(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "..."
	}
	return s
}
