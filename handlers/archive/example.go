package archive

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	views "laurel/views/archive"
)

// pushExample shows how a program pushes rows of a shard, with values by its fields.
func (h *Handlers) pushExample(s *archive.Shard, now time.Time) *views.PushExample {
	//nolint:gosec // A shell variable, no token.
	return &views.PushExample{Rows: exampleRows(s, now), Tokens: "/settings/data#tokens",
		Command: `curl -H "Authorization: Bearer $TOKEN" -d @rows.json '` + h.URL + "/api/v1/archive/" + s.Name + "'"}
}

// exampleRows are two rows that the shard takes: they differ in each field, so
// no two of them can say that they have the same value of a unique key.
func exampleRows(s *archive.Shard, now time.Time) string {
	seen := now.UTC().Truncate(time.Second)
	var rows []string
	for i := range 2 {
		lines := []string{`"retrieved_at": ` + jsonText(seen)}
		for _, fields := range [][]shards.Field{s.Key, s.Data} {
			var values []string
			for _, f := range fields {
				values = append(values, jsonText(f.Name)+": "+jsonText(exampleValue(f, i, seen)))
			}
			if len(values) > 0 {
				lines = append(lines, strings.Join(values, ", "))
			}
		}
		rows = append(rows, "  {"+strings.Join(lines, ",\n   ")+"}")
	}
	return "[\n" + strings.Join(rows, ",\n") + "\n]"
}

// exampleValue is a value of a field, and another one in the second row.
func exampleValue(f shards.Field, row int, seen time.Time) any {
	switch f.Type {
	case shards.Integer:
		return row + 1
	case shards.Number:
		return 1874.5 - 73*float64(row)
	case shards.Boolean:
		return row == 0
	case shards.Timestamp:
		return seen.Add(-time.Duration(row+1) * time.Hour)
	case shards.ListType:
		return []string{"first", "second"}[:row+1]
	case shards.JSON:
		return map[string]any{"won": row + 1}
	}
	return fmt.Sprint(strings.ReplaceAll(f.Name, "_", " "), " ", row+1)
}

func jsonText(v any) string {
	text, _ := json.Marshal(v) // Texts, numbers and times never fail.
	return string(text)
}
