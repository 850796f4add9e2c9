package views

import (
	"slices"
	"strings"
	"time"
)

func filtered(fields []ShardField) bool {
	return slices.ContainsFunc(fields, func(f ShardField) bool { return f.Value != "" })
}

// noShardRows says why there are no rows, and what to do.
func noShardRows(p Shard) string {
	switch {
	case p.Mistake != "":
		return "Nothing is shown until that is corrected."
	case p.Empty && p.Example != nil:
		return "Nothing was pushed yet. " + forWhat(p)
	case p.Empty && p.Declared:
		return "Nothing was pushed yet. " + forWhat(p) + " It fills when a program of an admin pushes rows."
	case p.Empty:
		return "Nothing was ever seen of this shard. It fills itself when a page that shows it is read, or when an admin sends rows: POST /api/v1/archive/" + p.Name + "."
	case p.Without != nil && p.Without.Certainty.class() == NeverSeen:
		return "No row with this key was seen by this instant. Step to the next change to see the first one."
	case p.Without != nil:
		return "No row with this key was valid at this instant. This is the last one before it, and how it ended:"
	case p.Whole:
		return "No row with this key was ever seen. Every letter counts, also whether it is a capital. Leave a field empty to see the rows that there are."
	case filtered(p.Filter):
		return "No row with this key was valid at this instant. Leave a field empty to see more, or choose another instant."
	}
	return "No row was valid at this instant. Choose another one: the newest are under \"now\"."
}

// forWhat says what the rows of a declared shard are about.
func forWhat(p Shard) string {
	var key []string
	for _, f := range p.Filter {
		key = append(key, f.Name)
	}
	text := "This shard is for the " + list(p.Fields) + " of each " + list(key)
	if len(p.Fields) == 0 {
		text = "This shard is for which " + list(key) + " there are"
	}
	return text + ", as seen over time."
}

// list is "rank", "rank and score", "rank, score and title".
func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// shownRows are the rows of the table: those of the instant, or what is known of
// the key otherwise.
func shownRows(p Shard) []ShardRow {
	if p.Without != nil {
		return []ShardRow{*p.Without}
	}
	return p.Rows
}

func (r shardRowLine) because() string {
	became := ""
	if r.Next != "" {
		became = " to " + r.Next
	}
	text := reason{Certainty: r.Certainty, at: r.page.At, now: r.page.Now, became: became}.text()
	if !r.Again.IsZero() {
		text = join(text, "seen again "+when(r.Again, r.page.At, r.page.Now))
	}
	return text
}

func (r shardRowLine) words() string { return strings.Join(r.Key, ", ") }

func sinceText(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return stamp(t, now)
}
