package archive

import (
	"context"

	"laurel/views/parts"
	"laurel/views/texts"
)

// rowsOf is "42 of 42 rows" or "first 100 of 5,000 rows".
func rowsOf(ctx context.Context, shown, size int) string {
	if shown < size {
		return texts.T(ctx, "first %d of %d rows", shown, size)
	}
	return texts.T(ctx, "%d of %d rows", shown, size)
}

// rankingText says which list is shown, and how far from the instant it was seen.
func rankingText(ctx context.Context, p Ranking) string {
	zone := texts.T(ctx, "times in %s", p.Now.Location().String())
	if p.Seen.IsZero() {
		return zone
	}
	text := texts.T(ctx, "list of %s", texts.Stamp(ctx, p.Seen, p.Now))
	if gap := p.At.Sub(p.Seen); gap > 0 {
		text += " (" + texts.T(ctx, "%s before", texts.Span(ctx, gap)) + ")"
	}
	text += ", " + rowsOf(ctx, p.Stored, p.Size)
	if p.Next.IsZero() {
		text += " · " + texts.T(ctx, "not checked since")
	} else {
		text += " · " + texts.T(ctx, "next check %s later", texts.Span(ctx, p.Next.Sub(p.At)))
	}
	return text + " · " + zone
}

func noListText(ctx context.Context, p Ranking) string {
	if p.First.IsZero() {
		return texts.T(ctx, "No data for this ranking yet.")
	}
	switch p.Ended {
	case "":
	case "source gone":
		return texts.T(ctx, "This ranking's source was gone by then. Step back to an earlier check.")
	default:
		return texts.T(ctx, "This ranking was no longer shown by then. Step back to an earlier check.")
	}
	return texts.T(ctx, "No data for this ranking yet at that time. The first is from %s.", texts.LongStamp(ctx, p.First, p.Now))
}

// nobodyText says why a list that was seen shows nobody.
func nobodyText(ctx context.Context, p Ranking) string {
	if p.Size == 0 {
		return texts.T(ctx, "The ranking was empty at this check.")
	}
	return texts.T(ctx, "This check showed only the number of rows.")
}

// rankText is a rank; a dash for a player whom a list shows without one.
func rankText(ctx context.Context, rank *int64) string {
	if rank == nil {
		return parts.ValueText("")
	}
	return texts.Number(ctx, int(*rank))
}

// up is by how many places a player rose: below 0 of one who fell.
func (r RankingRow) up() int {
	if r.Rank == nil || r.Was == nil {
		return 0
	}
	return int(*r.Was - *r.Rank)
}

// moveMark is "▲ 1", "▼ 1", "=" or "new".
func moveMark(ctx context.Context, r RankingRow) string {
	switch up := r.up(); {
	case up > 0:
		return "▲ " + texts.Number(ctx, up)
	case up < 0:
		return "▼ " + texts.Number(ctx, -up)
	case !r.New && (r.Rank == nil) == (r.Was == nil):
		return "="
	}
	return moveWords(ctx, r)
}

func moveWords(ctx context.Context, r RankingRow) string {
	switch up := r.up(); {
	case r.New:
		return texts.T(ctx, "new")
	case up > 0:
		return texts.N(ctx, up, "up %d place", "up %d places")
	case up < 0:
		return texts.N(ctx, -up, "down %d place", "down %d places")
	case r.Was != nil && r.Rank == nil:
		return texts.T(ctx, "no longer ranked")
	case r.Was == nil && r.Rank != nil:
		return texts.T(ctx, "not ranked before")
	}
	return texts.T(ctx, "unchanged")
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

func leftText(ctx context.Context, r RankingRow) string {
	text := texts.T(ctx, "was unranked")
	if r.Rank != nil {
		text = texts.T(ctx, "was %d", int(*r.Rank))
	}
	if r.Score != "" {
		text += " " + texts.T(ctx, "with %s", r.Score)
	}
	return text
}
