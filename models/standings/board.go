package standings

import (
	"fmt"
	"slices"
	"strings"

	pg "laurel/models/db"
)

// What a board orders by, and of which time.
var (
	Orders  = []string{"solved", "streak", "awards"} // And rating: with a site.
	Periods = []string{"week", "month", "year", "all"}
)

// A Board is one order of members.
type Board struct {
	By string // solved, streak, awards, or rating: and a site.
	In string // week, month, year or all; of what is solved only.
}

// NewBoard checks what somebody asked for; "" stands for solved and all.
func NewBoard(by, in string) (Board, error) {
	b := Board{By: "solved", In: "all"}
	if by != "" {
		b.By = pg.CleanText(by)
	}
	if in != "" {
		b.In = pg.CleanText(in)
	}
	if site, rated := b.Site(); !slices.Contains(Orders, b.By) && (!rated || site == "") {
		return b, &pg.InputError{Field: "by", Message: fmt.Sprintf("no order is named %q; use solved, streak, awards or rating:SITE", b.By)}
	}
	if !slices.Contains(Periods, b.In) || b.By != "solved" && b.In != "all" {
		return b, &pg.InputError{Field: "in", Message: fmt.Sprintf("%s has no period %q; solved has week, month, year and all", b.By, b.In)}
	}
	return b, nil
}

// Site is the site of a board of ratings.
func (b Board) Site() (site string, rated bool) { return strings.CutPrefix(b.By, "rating:") }

// Key is the board in the database.
func (b Board) Key() string {
	if b.By == "solved" {
		return "solved:" + b.In
	}
	return b.By
}
