package sites

import (
	"context"
	"time"
)

// A Rounder is a site with contests, of each of which it lists everybody's
// submissions: after one, that tells of many accounts at once.
type Rounder interface {
	// Rounds returns contests, those to come among them, in any order.
	Rounds(ctx context.Context, get Getter) ([]Round, error)
	// TookPart returns which of some handles took part in a contest.
	TookPart(ctx context.Context, get Getter, contest string, handles []string) ([]string, error)
	// RoundPage reads the rows of a contest, newest first, from a place on (1 is the
	// first). A page without rows is the end. What a team submits is everybody's of it.
	RoundPage(ctx context.Context, get Getter, contest string, from int) (RoundPage, error)
	// RoundAddress is what the archive calls these pages.
	RoundAddress(contest string) string
}

// A Round is a contest.
type Round struct {
	Contest, Name string
	Begins, Ends  time.Time
	Over          bool // Says the site: it may last longer than was announced.
	Settled       bool // It also says that verdicts do not change any more.
}

// A RoundPage is a page of a contest's submissions.
type RoundPage struct {
	Rows  []Fed
	Shown int // How many the site showed: those of teams once, those of nobody, too.
}
