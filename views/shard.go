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
	case p.Empty:
		return "Nothing was ever seen of this shard. It fills itself when a page that shows it is read, or when an admin sends rows: POST /api/v1/archive/" + p.Name + "."
	case filtered(p.Filter):
		return "No row with this key was valid at this instant. Leave a field empty to see more, or choose another instant."
	}
	return "No row was valid at this instant. Choose another one: the newest are under \"now\"."
}

func (r shardRowLine) because() string {
	became := ""
	if r.Next != "" {
		became = " to " + r.Next
	}
	return reason{Certainty: r.Certainty, at: r.page.At, now: r.page.Now, became: became}.text()
}

func (r shardRowLine) words() string { return strings.Join(r.Key, ", ") }

func sinceText(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return stamp(t, now)
}
