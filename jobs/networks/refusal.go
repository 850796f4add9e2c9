package networks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kinds of a Refusal, and what to do.
const (
	RateLimited  = "rate_limited" // Give the rows back; the credential rests until Until.
	Capped       = "capped"       // The month's reads or the money are used up: until the period ends or a person acts.
	Unauthorized = "unauthorized" // The credential is no good.
	Forbidden    = "forbidden"    // The credential is good, but not for this.
	BadRequest   = "bad_request"  // One of the ids is bad: split the batch to find it.
	TooMany      = "too_many"     // The server takes smaller batches than we know: see Batch.
	ServerError  = "server_error" // It is broken or busy; try later.
	Format       = "format"       // Not an answer of this network, or one we do not understand.
)

// A Refusal is an answer that shows nothing: nobody of the batch was seen, and
// nobody is missing.
type Refusal struct {
	Kind    string
	Message string // In the network's words where it has some.
	// Until is when the quota comes back, zero where the network does not say.
	Until time.Time
	// After is how long to wait from now, where the server counts so.
	After time.Duration
	// Batch is with TooMany how many ids the server does take; 0 where it does not say.
	Batch int
	Quota Quota
}

// OfUs says that it is about who asked: the posts may be asked for with another
// credential, or later.
func (r *Refusal) OfUs() bool {
	return r != nil && slices.Contains([]string{RateLimited, Capped, Unauthorized, Forbidden}, r.Kind)
}

func (r *Refusal) Error() string { return strings.ReplaceAll(r.Kind, "_", " ") + ": " + r.Message }

// strange is the Refusal of an answer that is not in the network's format.
func strange(a Answer, format string, args ...any) *Refusal {
	return refusal(a, Format, fmt.Sprintf(format, args...))
}

func refusal(a Answer, kind, message string) *Refusal {
	r := &Refusal{
		Kind:    kind,
		Message: bounded(cmp.Or(clean(message), "status "+strconv.Itoa(a.Status)), 300),
		Quota:   quota(a),
	}
	if kind == RateLimited || kind == ServerError {
		r.After = retryAfter(a)
	}
	if kind == RateLimited {
		r.Until = rested(a, r.Quota)
	}
	return r
}

// rested returns when the quota comes back. X counts days beside quarters of an
// hour: where a day's is used up, the next quarter brings nothing.
func rested(a Answer, q Quota) time.Time {
	until := q.Reset
	for _, day := range []string{"x-app-limit-24hour-", "x-user-limit-24hour-"} {
		if reset, ok := instant(header(a, day+"reset")); ok && header(a, day+"remaining") == "0" && reset.After(until) {
			until = reset
		}
	}
	return until
}

// byStatus is what a status means where the body does not say more. Only what is
// left is for the network to read: found is false for all others.
func byStatus(a Answer) (kind string, found bool) {
	switch {
	case a.Status == 200:
		return "", true
	case a.Status == 400:
		return BadRequest, false
	case a.Status == 401:
		return Unauthorized, false
	case a.Status == 402:
		return Capped, false
	case a.Status == 403:
		return Forbidden, false
	case a.Status == 413 || a.Status == 414 || a.Status == 431: // The address with all ids in it is too long for somebody on the way.
		return TooMany, false
	case a.Status == 429:
		return RateLimited, false
	case a.Status == 408 || a.Status == 425 || a.Status >= 500 && a.Status < 600:
		return ServerError, false
	}
	return Format, false
}

// quota reads the three headers, which every network names a little differently.
// A reset is in seconds since 1970 on X and Bluesky and ISO 8601 on Mastodon.
func quota(a Answer) Quota {
	for _, prefix := range []string{"x-rate-limit-", "x-ratelimit-", "ratelimit-"} {
		limit, err1 := strconv.Atoi(header(a, prefix+"limit"))
		remaining, err2 := strconv.Atoi(header(a, prefix+"remaining"))
		reset, ok := instant(header(a, prefix+"reset"))
		if err1 == nil && err2 == nil && ok && limit > 0 && remaining >= 0 {
			return Quota{Known: true, Limit: limit, Remaining: remaining, Reset: reset}
		}
	}
	return Quota{}
}

// instant reads either form of a reset. Small numbers are spans of time by the
// clock of a standard that none of these networks follows; they are not believed.
func instant(text string) (time.Time, bool) {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return believable(time.Unix(seconds, 0))
	}
	return when(text)
}

// retryAfter reads Retry-After in seconds. The form with a date is compared with
// the answer's own Date, for the package does not know the time.
func retryAfter(a Answer) time.Duration {
	text := header(a, "Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return min(time.Duration(min(seconds, 1<<20))*time.Second, 24*time.Hour)
	}
	const layout = "Mon, 02 Jan 2006 15:04:05 GMT"
	until, err1 := time.Parse(layout, text)
	now, err2 := time.Parse(layout, header(a, "Date"))
	if err1 != nil || err2 != nil {
		return 0
	}
	return min(max(until.Sub(now), 0), 24*time.Hour)
}

func header(a Answer, name string) string {
	if a.Header == nil {
		return ""
	}
	return strings.TrimSpace(a.Header(name))
}
