package views

import "strconv"

// rowsOf is "42 of 42 rows" or "first 100 of 5,000 rows".
func rowsOf(shown, size int) string {
	if shown < size {
		return "first " + number(shown) + " of " + number(size) + " rows"
	}
	return number(shown) + " of " + number(size) + " rows"
}

// ladderText says which list is shown, and how far from the instant it was seen.
func ladderText(p Ladder) string {
	zone := "times as in " + p.Now.Location().String()
	if p.Seen.IsZero() {
		return zone
	}
	text := "one list, seen " + stamp(p.Seen, p.Now)
	if gap := p.At.Sub(p.Seen); gap > 0 {
		text += " (" + span(gap) + " before)"
	}
	text += ", " + rowsOf(p.Stored, p.Size)
	if p.Next.IsZero() {
		text += " · no look since"
	} else {
		text += " · next look " + span(p.Next.Sub(p.At)) + " after"
	}
	return text + " · " + zone
}

func noListText(p Ladder) string {
	if p.First.IsZero() {
		return "No list of this ladder was ever seen. An admin can send one: POST /api/v1/archive/responses."
	}
	switch p.Ended {
	case "":
	case "source gone":
		return "This ladder was no more by then: its source was gone. Step to a look before."
	default:
		return "This ladder was not shown any more by then. Step to a look before."
	}
	return "No list of this ladder was seen by then. The first one is of " + longStamp(p.First, p.Now) + ": step to the next look."
}

// moveMark is "▲ 1", "▼ 1", "=" or "new".
func moveMark(r LadderRow) string {
	switch {
	case r.Was == 0:
		return "new"
	case r.Was > r.Rank:
		return "▲ " + number(r.Was-r.Rank)
	case r.Was < r.Rank:
		return "▼ " + number(r.Rank-r.Was)
	}
	return "="
}

func moveWords(r LadderRow) string {
	switch {
	case r.Was == 0:
		return "new"
	case r.Was > r.Rank:
		return "up " + count(r.Was-r.Rank, "place")
	case r.Was < r.Rank:
		return "down " + count(r.Rank-r.Was, "place")
	}
	return "unchanged"
}

func moveClass(r LadderRow) string {
	switch {
	case r.Was > r.Rank:
		return good
	case r.Was != 0 && r.Was < r.Rank:
		return bad
	}
	return "soft"
}

func leftText(r LadderRow) string {
	text := "was " + strconv.Itoa(r.Rank)
	if r.Score != "" {
		text += " with " + r.Score
	}
	return text
}
