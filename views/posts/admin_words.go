package posts

import (
	"strconv"
	"time"

	"laurel/views/parts"
)

// Admin is the admins' page of how posts are followed.
type Admin struct {
	Frame       parts.Frame
	Now         time.Time
	Wrong       string
	Pools       []Pool
	Failures    []Failure
	Credentials []Credential
	Polls       []Poll
	Networks    []Network
	Form        parts.Form
}

// A Pool is the posts of one host of a network, which share requests.
type Pool struct {
	Network, Title, Host string
	Due, Leased          int
	Dead                 int       // Leases that ended without a result.
	Oldest               time.Time // Zero: nothing is due.
	Requests, Failed     int       // Of the last hour.
	Asked, Batch         int       // Posts asked for in them, and how many fit into one.
	Tiers                []TierCount
	Slowdown, EveryDays  float64
	Demand, Supply       float64 // Requests an hour.
	Measured             time.Time
	Closed               bool // It can only be asked with a credential, and there is none that may be used.
}

// A TierCount is how many posts of a tier are followed.
type TierCount struct {
	Tier  Tier
	Posts int
}

func (p Pool) name() string {
	if p.Host != "" {
		return p.Title + " at " + p.Host
	}
	return p.Title
}

// dueCounted is how many posts that are due are counted at most.
const dueCounted = 100_000

func (p Pool) due() string {
	if p.Due >= dueCounted {
		return "more than " + parts.Number(p.Due)
	}
	return parts.Number(p.Due)
}

func (p Pool) oldest(now time.Time) string {
	if p.Oldest.IsZero() {
		return "-"
	}
	return lasting(parts.English, max(now.Sub(p.Oldest), 0))
}

// fill is how full the requests of the last hour were.
func (p Pool) fill() string {
	if p.Requests == 0 {
		return "no request"
	}
	mean := strconv.FormatFloat(float64(p.Asked)/float64(p.Requests), 'f', 1, 64)
	return mean + " of " + parts.Number(p.Batch)
}

func (p Pool) mood() string {
	switch {
	case p.Closed, p.Requests == 0 && p.Failed > 0:
		return parts.Bad
	case p.Slowdown > 1.005, p.EveryDays > 0, p.Failed > 0:
		return parts.Wait
	}
	return parts.Good
}

// pace says how demand and supply stand, and what to do where there is too little.
func (p Pool) pace() string {
	switch {
	case p.Closed:
		return "No usable credential, so nothing is updated. Add or resume one."
	case p.Measured.IsZero(), p.Supply == 0:
		return "Demand and supply are measured within 5 minutes."
	}
	text := rate(p.Demand) + " requests an hour needed, " + rate(p.Supply) + " available"
	switch {
	case p.Requests == 0 && p.Failed > 0:
		return text + ", but none succeeded in the last hour. See the failures below; every post will be retried."
	case p.Slowdown > 1.005:
		return text + ". Every interval is stretched " + strconv.FormatFloat(p.Slowdown, 'f', 2, 64) +
			" times. Add a credential or raise the intervals (LAUREL_POST_TIERS)."
	case p.EveryDays > 0:
		return text + ". To stay within the budget, posts older than a day are checked every " +
			strconv.FormatFloat(p.EveryDays, 'f', 1, 64) + " days. Raise the monthly budget or add a credential."
	}
	return text + ". Every post is checked on schedule."
}

// rate writes requests an hour.
func rate(n float64) string {
	if n > 0 && n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return parts.Number(int(n + 0.5))
}

// A Failure is why requests of the last hour failed.
type Failure struct {
	Pool, Outcome, Message string
	N                      int
	Last                   time.Time
}

// A Poll is one request.
type Poll struct {
	ID                         int64
	Pool, Credential           string
	At                         time.Time
	Asked, Found, Missing, Mil int
	Outcome, Message           string
}

// outcomes are what becomes of a request, as text.
var postOutcomes = map[string]string{"ok": "answered", "rate_limited": "asked to slow down", "blocked": "turned away",
	"server_error": "server error", "parse_error": "could not be read", "unreachable": "no answer"}

func outcomeWords(outcome string) string {
	if words := postOutcomes[outcome]; words != "" {
		return words
	}
	return outcome
}

// leased is how many posts somebody is at, and how many of these have been lost:
// who had them is dead, and they are due again.
func (p Pool) leased() string {
	if p.Dead > 0 {
		return parts.Number(p.Leased) + ", " + parts.Number(p.Dead) + " lost"
	}
	return parts.Number(p.Leased)
}
