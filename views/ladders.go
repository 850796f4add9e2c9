package views

// rowsOf is "42 of 42 rows" or "first 100 of 5,000 rows".
func rowsOf(shown, size int) string {
	if shown < size {
		return "first " + Number(shown) + " of " + Number(size) + " rows"
	}
	return Number(shown) + " of " + Number(size) + " rows"
}

// ladderText says which list is shown, and how far from the instant it was seen.
func ladderText(p Ladder) string {
	zone := "times in " + p.Now.Location().String()
	if p.Seen.IsZero() {
		return zone
	}
	text := "list of " + stamp(p.Seen, p.Now)
	if gap := p.At.Sub(p.Seen); gap > 0 {
		text += " (" + span(gap) + " before)"
	}
	text += ", " + rowsOf(p.Stored, p.Size)
	if p.Next.IsZero() {
		text += " · not checked since"
	} else {
		text += " · next check " + span(p.Next.Sub(p.At)) + " after"
	}
	return text + " · " + zone
}

func noListText(p Ladder) string {
	if p.First.IsZero() {
		return "No data for this ranking yet."
	}
	switch p.Ended {
	case "":
	case "source gone":
		return "This ranking's source was gone by then. Step back to an earlier check."
	default:
		return "This ranking was no longer shown by then. Step back to an earlier check."
	}
	return "No data for this ranking yet at that time. The first is from " + longStamp(p.First, p.Now) + "."
}

// nobodyText says why a list that was seen shows nobody.
func nobodyText(p Ladder) string {
	if p.Size == 0 {
		return "The ranking was empty at this check."
	}
	return "This check showed only the number of rows."
}

// rankText is a rank; a dash for a player whom a list shows without one.
func rankText(rank *int64) string {
	if rank == nil {
		return valueText("")
	}
	return Number(int(*rank))
}

// up is by how many places a player rose: below 0 of one who fell.
func (r LadderRow) up() int {
	if r.Rank == nil || r.Was == nil {
		return 0
	}
	return int(*r.Was - *r.Rank)
}

// moveMark is "▲ 1", "▼ 1", "=" or "new".
func moveMark(r LadderRow) string {
	switch up := r.up(); {
	case up > 0:
		return "▲ " + Number(up)
	case up < 0:
		return "▼ " + Number(-up)
	case !r.New && (r.Rank == nil) == (r.Was == nil):
		return "="
	}
	return moveWords(r)
}

func moveWords(r LadderRow) string {
	switch up := r.up(); {
	case r.New:
		return "new"
	case up > 0:
		return "up " + count(up, "place")
	case up < 0:
		return "down " + count(-up, "place")
	case r.Was != nil && r.Rank == nil:
		return "no longer ranked"
	case r.Was == nil && r.Rank != nil:
		return "not ranked before"
	}
	return "unchanged"
}

func moveClass(r LadderRow) string {
	switch up := r.up(); {
	case up > 0:
		return good
	case up < 0:
		return bad
	}
	return "soft"
}

func leftText(r LadderRow) string {
	text := "was unranked"
	if r.Rank != nil {
		text = "was " + Number(int(*r.Rank))
	}
	if r.Score != "" {
		text += " with " + r.Score
	}
	return text
}
