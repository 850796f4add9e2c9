package sites

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Cataloguer is a site whose problems and contests are listed somewhere.
type Cataloguer interface {
	// Lists are its lists, those first that others refer to.
	Lists() []List
}

// A List is one list of a site's catalogue.
type List struct {
	Name    string // Among the site's lists: problems, contests, ratings.
	Address string // What is asked for first. It is not read again while it stays the same.
	Extent  Extent
	// Names says of a list that is not Whole that it tells which problems or contests there are; else
	// it tells something of some.
	Names    bool
	Contests bool // It is of contests that come: it is read often near a start and an end.
	// Read reads the list. ErrUnchanged of a Getter comes back as it is.
	Read func(ctx context.Context, get Getter) (Listing, error)
}

// Extent says what may be concluded from what a list lacks.
type Extent int

// Extents of lists.
const (
	Part  Extent = iota // Nothing: it shows some, such as contests of these days.
	Grows               // It never becomes much shorter.
	Whole               // It never becomes much shorter, and what it lacks is gone.
)

// ErrUnchanged means that a list is as it was when it was read last.
var ErrUnchanged = errors.New("the list has not changed")

// A Listing is what one list tells.
type Listing struct {
	Problems []ListedProblem
	Contests []ListedContest
	Links    []ContestProblem
}

// Items counts what a list tells.
func (c *Listing) Items() int { return len(c.Problems) + len(c.Contests) + len(c.Links) }

// A ListedProblem is a problem of a list. Name and URL are "" where it does not tell them.
type ListedProblem struct {
	Problem
	Difficulty   *int   // On the site's own scale, as people are shown it; nil: the list gives none.
	Source       string // Who rates it, where that is not the site; "" for the site.
	Experimental bool   // The source itself calls the difficulty a guess.
	Tags         []string
}

// A ListedContest is a contest of a list. Starts is zero while nobody knows it.
type ListedContest struct {
	Key, Name, URL string
	Starts, Ends   time.Time
}

// A ContestProblem says that a problem is in a contest, and what it is called there.
type ContestProblem struct{ Contest, Problem, Label string }

// lasting is a contest by its start, in seconds since 1970, and its length. One that is
// believed to begin before there were judge sites counts something else.
func lasting(c ListedContest, start, seconds int64) (ListedContest, error) {
	if c.Key == "" {
		return c, fmt.Errorf("%w: a contest without a key", ErrFormat)
	}
	if start == 0 {
		return c, nil
	}
	starts, err := epoch(start)
	if err != nil {
		return c, fmt.Errorf("contest %s: %w", c.Key, err)
	}
	if c.Starts = starts; seconds < 0 || seconds > 100*365*86400 {
		return c, fmt.Errorf("%w: contest %s lasts %d seconds", ErrFormat, c.Key, seconds)
	}
	c.Ends = starts.Add(time.Duration(seconds) * time.Second)
	return c, nil
}

// rated is a difficulty that is on some scale, or nil.
func rated(d *int) *int {
	if d == nil || *d > hardest || *d < -hardest {
		return nil
	}
	return d
}
