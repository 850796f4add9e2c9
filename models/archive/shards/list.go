package shards

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
)

// A List is a list as one response showed it: the order, the size, and whether
// it is all. It never changes; its id is made of its content, so that equal
// lists are one, and a shard with a text field for the id says when a page
// showed which.
type List struct {
	ID       string            `json:"id"`
	Size     int               `json:"size"`     // As the page says; it may show fewer.
	Complete bool              `json:"complete"` // All Size items are here.
	Items    []json.RawMessage `json:"items"`
}

// A ListID is a list by its name alone, as rows have it.
type ListID string

var listName = regexp.MustCompile(`^[0-9a-f]{32}(-[0-9a-f]+)*$`)

// ListIn reads what a row says of a field of type list: a JSON list is all of it, {"items": [...], "size": 10} are the first of 10.
func ListIn(v any) (List, error) {
	items, ok := v.([]any)
	if ok {
		return ListOf(items, len(items))
	}
	m, ok := v.(map[string]any)
	if ok {
		items, ok = m["items"].([]any)
	}
	if !ok {
		return List{}, errors.New(`must be a list, or {"items": [...], "size": N} of one that is cut`)
	}
	for name := range m {
		if !slices.Contains([]string{"id", "items", "size", "complete"}, name) {
			return List{}, fmt.Errorf("has %q, and may have items and size", name)
		}
	}
	complete, said := m["complete"].(bool)
	if m["size"] == nil && complete {
		return ListOf(items, len(items))
	}
	given, err := cleanInteger(m["size"])
	size, ok := given.(int64)
	switch {
	case err != nil || !ok || size < 0 || size > math.MaxInt32:
		return List{}, errors.New("needs size: how many items there are in all, also those that are cut")
	case said && complete != (int(size) == len(items)):
		return List{}, fmt.Errorf("is complete if size is the number of items: %d are given of %d", len(items), size)
	}
	return ListOf(items, int(size))
}

// Changes are the items that the list has and another one has not, and those which only that one has.
func (l List) Changes(from List) (added, removed []json.RawMessage) {
	return itemsWithout(l.Items, from.Items), itemsWithout(from.Items, l.Items)
}

func itemsWithout(items, others []json.RawMessage) (out []json.RawMessage) {
	left := map[string]int{} // An item may be there twice.
	for _, item := range others {
		left[string(item)]++
	}
	for _, item := range items {
		if left[string(item)]--; left[string(item)] < 0 {
			out = append(out, item)
		}
	}
	return out
}

// ListOf is a list with the name that its content gives it.
func ListOf(items []any, size int) (List, error) {
	if size < len(items) {
		return List{}, &InputError{Row: -1, Field: "size", Message: fmt.Sprintf("%d is less than the %d items given", size, len(items))}
	}
	l := List{Size: size, Complete: size == len(items), Items: make([]json.RawMessage, len(items))}
	for i, item := range items {
		v, err := cleanJSON(item)
		if err != nil {
			return List{}, &InputError{Row: i, Message: err.Error()}
		}
		l.Items[i] = json.RawMessage("null")
		if text, ok := v.(string); ok {
			l.Items[i] = json.RawMessage(text)
		}
	}
	text, err := json.Marshal(l.Items)
	if err != nil {
		return List{}, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", size, text))
	l.ID = hex.EncodeToString(sum[:16])
	return l, nil
}
