package archive

import (
	"slices"
	"strings"
	"time"

	"laurel/views/parts"
)

func filtered(fields []ShardField) bool {
	return slices.ContainsFunc(fields, func(f ShardField) bool { return f.Value != "" })
}

// noShardRows says why there are no rows, and what to do.
func noShardRows(p Shard) string {
	switch {
	case p.Mistake != "":
		return "Correct the filter to see rows."
	case p.Empty && p.Example != nil:
		return "Nothing pushed yet. " + forWhat(p)
	case p.Empty && p.Declared:
		return "Nothing pushed yet. " + forWhat(p) + " An admin's program pushes its rows."
	case p.Empty:
		return "No rows yet. Rows come from checked pages, or from an admin: POST /api/v1/archive/" + p.Name + "."
	case p.Without != nil && p.Without.Certainty.class() == NeverSeen:
		return "No row with this key at this time yet. The next change shows the first one."
	case p.Without != nil:
		return "No row with this key at this time. The last one before it, and how it ended:"
	case p.Whole:
		return "No row with this key. Keys are case-sensitive. Leave a field empty to see more rows."
	case filtered(p.Filter):
		return "No row with this key at this time. Leave a field empty to see more, or choose another time."
	}
	return "No rows at this time. Choose another time, or \"now\" for the newest."
}

// forWhat says what the rows of a declared shard are about.
func forWhat(p Shard) string {
	var key []string
	for _, f := range p.Filter {
		key = append(key, f.Name)
	}
	text := "This shard holds the " + list(p.Fields) + " of each " + list(key)
	if len(p.Fields) == 0 {
		text = "This shard lists each " + list(key)
	}
	return text + " over time."
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
	text := reason{Certainty: r.Certainty, at: r.page.At, now: r.page.Now, became: became}.text(parts.English)
	if !r.Again.IsZero() {
		text = parts.Join(text, "seen again "+parts.When(r.Again, r.page.At, r.page.Now))
	}
	return text
}

func (r shardRowLine) words() string { return strings.Join(r.Key, ", ") }

func sinceText(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return parts.Stamp(t, now)
}
