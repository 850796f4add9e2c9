package shards

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
