package posts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Tier is how often posts younger than an age are fetched.
type Tier struct {
	Name  string // As it was configured: 18m.
	Under time.Duration
	Every time.Duration
}

// Tiers are in the order of age. A post that is as old as the last one says gets
// one last fetch and is finished.
type Tiers []Tier

// DefaultTiers are 18 minutes, in which half of all that happens to a post
// happens, an hour, a day, a week and a month; about 80 fetches in a life.
const DefaultTiers = "18m=3m,60m=10m,1d=1h,7d=6h,30d=24h"

// ParseTiers reads tiers such as DefaultTiers. An interval is never longer than
// its tier: a post would leave it without a fetch.
func ParseTiers(text string) (Tiers, error) {
	var tiers Tiers
	var before time.Duration
	for part := range strings.SplitSeq(text, ",") {
		name, every, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			name, every, ok = strings.Cut(strings.TrimSpace(part), ":")
		}
		under, err := parseAge(name)
		interval, err2 := parseAge(every)
		switch {
		case !ok || err != nil || err2 != nil:
			return nil, fmt.Errorf("%q is not an age and an interval, such as 18m=3m or 7d=6h", part)
		case under <= before:
			return nil, fmt.Errorf("%q: ages must grow from one tier to the next", part)
		case interval > under-before:
			return nil, fmt.Errorf("%q: the interval is longer than the tier, which begins at %s", part, before)
		}
		tiers = append(tiers, Tier{strings.TrimSpace(name), under, interval})
		before = under
	}
	return tiers, nil
}

// parseAge reads a duration in which a day may be named, too.
func parseAge(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n <= 0 || n > 36500 {
			return 0, fmt.Errorf("%q is not a number of days", text)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d <= 0 {
		err = fmt.Errorf("%q is not above 0", text)
	}
	return d, err
}

// Life is the age at which a post is finished.
func (t Tiers) Life() time.Duration { return t[len(t)-1].Under }

// Of returns the tier of a post of that age, and false where it is finished. A
// clock that is behind makes nothing unborn.
func (t Tiers) Of(age time.Duration) (Tier, bool) {
	i, _ := slices.BinarySearchFunc(t, max(age, 0), func(tier Tier, age time.Duration) int {
		return cmp.Compare(tier.Under, age+1) // A post as old as its tier says is in the next one.
	})
	if i == len(t) {
		return Tier{}, false
	}
	return t[i], true
}

// A Pace is by how much fetches are further apart than the tiers ask for.
type Pace struct {
	Slowdown  float64 // For want of requests; 1 is not at all.
	EveryDays float64 // For want of money: days between two fetches of a post that is older than one; 0 is no matter.
}

// Next is when a post created at created is fetched again after a fetch at now,
// and false where that was the last one. Up to a tenth of the interval is taken
// off by part, 0 to 1, so that what came together does not stay together.
func (t Tiers) Next(created, now time.Time, pace Pace, part float64) (time.Time, bool) {
	age := now.Sub(created)
	tier, ok := t.Of(age)
	if !ok {
		return time.Time{}, false
	}
	every := float64(tier.Every) * max(pace.Slowdown, 1)
	if age >= 24*time.Hour {
		every = max(every, pace.EveryDays*float64(24*time.Hour))
	}
	next, end := now.Add(time.Duration(every*(1-part/10))), created.Add(t.Life())
	if next.After(end) {
		next = end // The last fetch.
	}
	return next, true
}
