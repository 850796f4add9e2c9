package home

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

// Leaders is a table of members with their ranks: of a leaderboard, or of a part of one.
type Leaders struct {
	Label string  // For those who hear it.
	Value string  // What is counted, as the heading of its column.
	Own   *Leader // The viewer's own row, above all others; nil for none.
	Rows  []Leader
	// Which columns there are beside the rank, the name and the value.
	Change, Streak, Weeks, Data bool
	Solved                      string // The heading of all that was ever solved; "" without that column.
	Plain                       bool   // Values have no commas: ratings.
}

// A Leader is a row of it.
type Leader struct {
	ID                int64  // Of the member; 0 where nobody has the name any more.
	Name, DisplayName string // In addresses, and as shown.
	Custom, Own       bool
	Rank              int
	Was               int // A week ago; 0: not on the board then, or not known.
	Value             int
	Solved, Streak    int
	Weeks             []int    // What was solved in each of the last weeks, the oldest first.
	Incomplete        []string // The titles of sites of which something is not read.
}

func (l Leaders) value(ctx context.Context, n int) string {
	if l.Plain {
		return strconv.Itoa(n)
	}
	return texts.Number(ctx, n)
}

// marked is the class of the viewer's own row.
func (r Leader) marked() templ.Attributes {
	if r.Own {
		return templ.Attributes{"class": "own"}
	}
	return nil
}

// change is a sign and a number, its class, and the same in words.
func (r Leader) change(ctx context.Context) (shown, class, words string) {
	switch n := r.Was - r.Rank; {
	case r.Was == 0:
		return "", "same", texts.T(ctx, "not known")
	case n > 0:
		return "▲ " + texts.Number(ctx, n), "up", texts.N(ctx, n, "%d place up", "%d places up")
	case n < 0:
		return "▼ " + texts.Number(ctx, -n), "down", texts.N(ctx, -n, "%d place down", "%d places down")
	}
	return "–", "same", texts.T(ctx, "no change")
}

// data says of which sites something is missing.
func (r Leader) data(ctx context.Context) string {
	if len(r.Incomplete) > 2 {
		return texts.N(ctx, len(r.Incomplete), "%d site incomplete", "%d sites incomplete")
	}
	return texts.T(ctx, "%s incomplete", strings.Join(r.Incomplete, ", "))
}

// dashed is a number, or a dash for none.
func dashed(ctx context.Context, n int) string {
	if n == 0 {
		return "–"
	}
	return texts.Number(ctx, n)
}
