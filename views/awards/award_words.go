package awards

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
)

func awardPath(slug string) string          { return "/awards/" + url.PathEscape(slug) }
func editorPath(slug string) string         { return "/admin/awards/" + url.PathEscape(slug) }
func explainPath(slug, n string) string     { return editorPath(slug) + "/members/" + url.PathEscape(n) }
func picturePath(slug string) string        { return awardPath(slug) + "/picture.svg" }
func versionPath(slug string, n int) string { return editorPath(slug) + "?version=" + strconv.Itoa(n) }

// A Card is an award as lists show it.
type Card struct {
	Slug, Title, Text string
	State             string // active, paused, retired ...
	Secret            bool
	Goal              string
	Levels            []Level
	Holders           int
	Registered        int       // Members who could have it.
	Mine              *Standing // Of the viewer, or of the member whose page it is.
}

// A Level is a goal on the way.
type Level struct {
	Title, Goal string
	At          time.Time // When it was reached; zero if it was not.
	Members     int       // Who have reached it.
}

// A Standing is how far somebody is with an award.
type Standing struct {
	Value, Goal string // Towards the next level: "8" of "15".
	Part        int    // Of 100; all of it only where the goal is reached.
	Next        string // The title of the next level; "" where there is one only.
	Started     bool
	Has         bool
	Done        bool     // Nothing is left to reach.
	Level       string   // The title of the level that is held,
	Reached     int      // and its number.
	ToGo        string   // One sentence: what is still to do.
	Missing     []string // In words.
	Counters    []Counter
	Grants      []Grant
	Updated     time.Time
	Recounting  bool
	Pin         int // Its place among the pinned ones, from 1; 0 is none.
}

// A Counter is what items in one status add up to.
type Counter struct{ Objective, Status, Amount string }

// A Grant is one level that was reached.
type Grant struct {
	Level, Period string
	At            time.Time
	By            string // Who gave it by hand.
	Badge         string // The id of its badge.
}

// rarity says how many have an award.
func (c Card) rarity() string {
	switch c.Holders {
	case 0:
		return "Not earned by anyone yet"
	case 1:
		return "1 of " + parts.Plural(c.Registered, "member") + " has it (" + parts.Percent(c.Holders, c.Registered) + ")"
	}
	return parts.Number(c.Holders) + " of " + parts.Plural(c.Registered, "member") + " have it (" + parts.Percent(c.Holders, c.Registered) +
		")"
}

// share is rarity on a card.
func (c Card) share() string {
	if c.Holders == 0 {
		return c.rarity()
	}
	return parts.Percent(c.Holders, c.Registered) + " have it"
}

// Since is when the newest level was earned.
func (s Standing) Since() (at time.Time) {
	for _, g := range s.Grants {
		if g.At.After(at) {
			at = g.At
		}
	}
	return at
}

// goalWords is "Goal: 15", or the levels with theirs.
func (c Card) goalWords() string {
	if len(c.Levels) == 0 {
		return "Goal: " + c.Goal
	}
	words := make([]string, len(c.Levels))
	for i, l := range c.Levels {
		words[i] = l.Title + " " + l.Goal
	}
	return strings.Join(words, ", ")
}

// stateNote is what a state means to members; "" where there is nothing to say.
func (c Card) stateNote() string {
	switch c.State {
	case "paused":
		return "Paused: progress counts, but nobody can earn it now"
	case "retired":
		return "Retired: can no longer be earned"
	case "draft":
		return "Draft: cannot be earned yet"
	case "hidden":
		return "Hidden from members"
	}
	return ""
}

// words are how far somebody is: "8 of 15", and towards what.
func (s Standing) words() string {
	w := s.Value + " of " + s.Goal
	if s.Next != "" && !s.Done {
		w += " to " + s.Next
	}
	return w
}

// has says since when the award is held: "Gold since 3 Nov".
func (s Standing) has(now time.Time) string {
	if len(s.Grants) == 0 {
		return ""
	}
	since := parts.Date(s.Grants[0].At.In(now.Location()), now)
	if s.Level == "" {
		return "Earned " + since
	}
	return s.Level + " since " + since
}

// grantWords is one grant in a list.
func grantWords(g Grant, now time.Time) string {
	w := parts.Glue(g.Level, ", ", parts.Date(g.At.In(now.Location()), now))
	if g.Period != "" {
		w += ", for the period from " + g.Period
	}
	if g.By != "" {
		w += ", given by " + g.By
	}
	return w
}

func counterWords(c Counter) string {
	return c.Objective + ": " + c.Amount + " " + statusWord(c.Status)
}

// statusWord is an item's status as counters say it.
func statusWord(status string) string {
	switch status {
	case "active":
		return "count"
	case "moderation":
		return "do not count yet (in moderation)"
	}
	return "do not count (" + status + ")"
}
