package archive

import (
	"encoding/json"
	"fmt"
	"strings"

	"laurel/models/archive/shards"
	"laurel/views/parts"
)

// listText is a list as pages show it. An empty one, and one of which the page shows only the first part, say so.
func listText(l shards.List) string {
	if len(l.Items) == 0 {
		return listSize(&l)
	}
	return listSize(&l) + ": " + itemsText(l.Items)
}

func listSize(l *shards.List) string {
	switch {
	case !l.Complete:
		return fmt.Sprintf("first %s of %s", parts.Number(len(l.Items)), parts.Plural(l.Size, "item"))
	case l.Size == 0:
		return "empty list"
	}
	return parts.Plural(l.Size, "item")
}

// itemsText are items, cut where they are many.
func itemsText(items []json.RawMessage) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		var word string
		if json.Unmarshal(item, &word) != nil || string(item) == "null" {
			word = string(item)
		}
		if b.Len()+len(word) > maxShown {
			b.WriteString("…")
			break
		}
		b.WriteString(word)
	}
	return b.String()
}

// listChange is what the second list has more and less than the first.
func listChange(from, to shards.List) string {
	added, removed := to.Changes(from)
	var words []string
	if len(added) > 0 {
		words = append(words, "added "+itemsText(added))
	}
	if len(removed) > 0 {
		words = append(words, "removed "+itemsText(removed))
	}
	if len(words) == 0 && len(from.Items) == len(to.Items) && from.Size == to.Size {
		return "another order"
	}
	if len(words) == 0 {
		return "the same items"
	}
	return strings.Join(words, "; ")
}
