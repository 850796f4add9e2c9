package awards

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
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
func (c Card) rarity(ctx context.Context) string {
	if c.Holders == 0 {
		return texts.T(ctx, "Not earned by anyone yet")
	}
	return texts.N(ctx, c.Holders, "%d of %d members has it (%s)", "%d of %d members have it (%s)", c.Registered,
		parts.Percent(c.Holders, c.Registered))
}

// share is rarity on a card.
func (c Card) share(ctx context.Context) string {
	if c.Holders == 0 {
		return c.rarity(ctx)
	}
	return texts.T(ctx, "%s have it", parts.Percent(c.Holders, c.Registered))
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
func (c Card) goalWords(ctx context.Context) string {
	if len(c.Levels) == 0 {
		return texts.T(ctx, "Goal: %s", c.Goal)
	}
	words := make([]string, len(c.Levels))
	for i, l := range c.Levels {
		words[i] = l.Title + " " + l.Goal
	}
	return strings.Join(words, ", ")
}

// stateNote is what a state means to members; "" where there is nothing to say.
func (c Card) stateNote(ctx context.Context) string {
	switch c.State {
	case "paused":
		return texts.T(ctx, "Paused: progress counts, but nobody can earn it now")
	case "retired":
		return texts.T(ctx, "Retired: can no longer be earned")
	case "draft":
		return texts.T(ctx, "Draft: cannot be earned yet")
	case "hidden":
		return texts.T(ctx, "Hidden from members")
	}
	return ""
}

// words are how far somebody is: "8 of 15", and towards what.
func (s Standing) words(ctx context.Context) string {
	if s.Next != "" && !s.Done {
		return texts.T(ctx, "%s of %s to %s", s.Value, s.Goal, s.Next)
	}
	return texts.T(ctx, "%s of %s", s.Value, s.Goal)
}

// has says since when the award is held: "Gold since 3 Nov".
func (s Standing) has(ctx context.Context, now time.Time) string {
	if len(s.Grants) == 0 {
		return ""
	}
	since := texts.Date(ctx, s.Grants[0].At.In(now.Location()), now)
	if s.Level == "" {
		return texts.T(ctx, "Earned %s", since)
	}
	return texts.T(ctx, "%s since %s", s.Level, since)
}

// grantWords is one grant in a list.
func grantWords(ctx context.Context, g Grant, now time.Time) string {
	w := parts.Glue(g.Level, ", ", texts.Date(ctx, g.At.In(now.Location()), now))
	if g.Period != "" {
		w += ", " + texts.T(ctx, "for the period from %s", g.Period)
	}
	if g.By != "" {
		w += ", " + texts.T(ctx, "given by %s", g.By)
	}
	return w
}

// counterWords are what items in a status come to.
func counterWords(ctx context.Context, c Counter) string {
	switch c.Status {
	case "active":
		return texts.T(ctx, "%s: %s count", c.Objective, c.Amount)
	case "moderation":
		return texts.T(ctx, "%s: %s do not count yet (in moderation)", c.Objective, c.Amount)
	}
	return texts.T(ctx, "%s: %s do not count (%s)", c.Objective, c.Amount, c.Status)
}
