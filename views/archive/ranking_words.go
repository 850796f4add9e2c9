package archive

import (
	"laurel/views/parts"
)

// rowsOf is "42 of 42 rows" or "first 100 of 5,000 rows".
func rowsOf(shown, size int) string {
	if shown < size {
		return "first " + parts.Number(shown) + " of " + parts.Number(size) + " rows"
	}
	return parts.Number(shown) + " of " + parts.Number(size) + " rows"
}

// rankingText says which list is shown, and how far from the instant it was seen.
func rankingText(p Ranking) string {
	zone := "times in " + p.Now.Location().String()
	if p.Seen.IsZero() {
		return zone
	}
	text := "list of " + parts.Stamp(p.Seen, p.Now)
	if gap := p.At.Sub(p.Seen); gap > 0 {
		text += " (" + parts.Span(gap) + " before)"
	}
	text += ", " + rowsOf(p.Stored, p.Size)
	if p.Next.IsZero() {
		text += " · not checked since"
	} else {
		text += " · next check " + parts.Span(p.Next.Sub(p.At)) + " after"
	}
	return text + " · " + zone
}

func noListText(p Ranking) string {
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
	return "No data for this ranking yet at that time. The first is from " + parts.LongStamp(p.First, p.Now) + "."
}

// nobodyText says why a list that was seen shows nobody.
func nobodyText(p Ranking) string {
	if p.Size == 0 {
		return "The ranking was empty at this check."
	}
	return "This check showed only the number of rows."
}

// rankText is a rank; a dash for a player whom a list shows without one.
func rankText(rank *int64) string {
	if rank == nil {
		return parts.ValueText("")
	}
	return parts.Number(int(*rank))
}

// up is by how many places a player rose: below 0 of one who fell.
func (r RankingRow) up() int {
	if r.Rank == nil || r.Was == nil {
		return 0
	}
	return int(*r.Was - *r.Rank)
}

// moveMark is "▲ 1", "▼ 1", "=" or "new".
func moveMark(r RankingRow) string {
	switch up := r.up(); {
	case up > 0:
		return "▲ " + parts.Number(up)
	case up < 0:
		return "▼ " + parts.Number(-up)
	case !r.New && (r.Rank == nil) == (r.Was == nil):
		return "="
	}
	return moveWords(r)
}

func moveWords(r RankingRow) string {
	switch up := r.up(); {
	case r.New:
		return "new"
	case up > 0:
		return "up " + parts.Plural(up, "place")
	case up < 0:
		return "down " + parts.Plural(-up, "place")
	case r.Was != nil && r.Rank == nil:
		return "no longer ranked"
	case r.Was == nil && r.Rank != nil:
		return "not ranked before"
	}
	return "unchanged"
}

func moveClass(r RankingRow) string {
	switch up := r.up(); {
	case up > 0:
		return parts.Good
	case up < 0:
		return parts.Bad
	}
	return "soft"
}

func leftText(r RankingRow) string {
	text := "was unranked"
	if r.Rank != nil {
		text = "was " + parts.Number(int(*r.Rank))
	}
	if r.Score != "" {
		text += " with " + r.Score
	}
	return text
}
