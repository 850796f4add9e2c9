package posts

import "time"

// What a request learned of a post.
const (
	ResultFound     = "found"
	ResultAbsent    = "absent"    // Not in the answer, without a word.
	ResultGone      = "gone"      // The network says that it is not there.
	ResultProtected = "protected" // The network says that it is not for us.
	ResultInvalid   = "invalid"   // No id of the network.
	ResultUnknown   = "unsaid"    // Nothing was learned of it; asked again later.
)

// A Seen is a post as a network showed it.
type Seen struct {
	Numbers
	Author, Text, URL string
	RepostOf          string
	CreatedAt         time.Time // Zero where it is unknown.
}

// A Result is what a request learned of one post.
type Result struct {
	Post *Post // As it was claimed.
	What string
	Seen *Seen // Where it was found.
	Why  string
}

// How often a post must be missing, and for how long, before it counts as gone;
// and how far apart these fetches are at least.
const (
	missesForGone = 3
	missingFor    = 24 * time.Hour
	missingEvery  = time.Hour
	goneEvery     = 7 * 24 * time.Hour // Posts come back.
	failureWait   = 30 * time.Second
)

// A postChange is what a result makes of a row.
type postChange struct {
	state        string
	next         *time.Time
	attempts     int
	missing      int
	missingSince *time.Time
	err          string
	charged      *time.Time
	answered     bool
}

// apply decides what a result makes of a post: its state and when it is due again.
// part is a random number from 0 to 1.
func (l *Result) apply(rule Rule, part float64, now time.Time) postChange {
	p := l.Post
	c := postChange{state: p.State, missing: p.MissingCount, missingSince: p.MissingSince, err: l.Why, charged: p.ChargedOn,
		answered: true}
	created := p.CreatedAt
	if l.Seen != nil && !l.Seen.CreatedAt.IsZero() {
		created = l.Seen.CreatedAt
	}
	next, more := rule.Tiers.Next(created, now, rule.Pace, part)
	switch l.What {
	case ResultFound:
		c.state, c.missing, c.missingSince, c.err = PostActive, 0, nil, ""
		if c.next = &next; !more {
			c.state, c.next = PostFinished, nil
		}
		if rule.Charged {
			day := now.UTC().Truncate(24 * time.Hour)
			c.charged = &day
		}
	case ResultInvalid:
		c.state = PostInvalid
	case ResultUnknown:
		c.attempts, c.answered = p.Attempts+1, false
		wait := now.Add(min(failureWait<<min(p.Attempts, 10), 24*time.Hour))
		if tier, ok := rule.Tiers.Of(now.Sub(created)); ok && wait.After(now.Add(max(tier.Every, failureWait))) {
			wait = now.Add(max(tier.Every, failureWait))
		}
		c.next = &wait
	default:
		c.next = c.miss(l.What, next, more, now)
	}
	return c
}

// miss counts that a post was missing, and returns when it is fetched again: at
// least until that is certain, and then as long as its tiers last, for posts come
// back.
func (c *postChange) miss(what string, next time.Time, more bool, now time.Time) *time.Time {
	c.missing++
	if c.missingSince == nil {
		c.missingSince = &now
	}
	sure := c.missing >= missesForGone && now.Sub(*c.missingSince) >= missingFor
	every := missingEvery
	switch {
	case what == ResultProtected:
		c.state = PostProtected
	case sure:
		c.state, every = PostGone, goneEvery
	case !more:
		every = missingFor / (missesForGone - 1)
	}
	if sure && !more {
		return nil
	}
	if again := now.Add(every); !more || next.Before(again) {
		return &again
	}
	return &next
}
