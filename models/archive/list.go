package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
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

// PutList stores what a response showed of a list of size items, of which these
// are the first. An empty list is a list.
func PutList(ctx context.Context, db *gorm.DB, items []any, size int) (List, error) {
	l, err := listOf(items, size)
	if err != nil {
		return List{}, err
	}
	text, err := json.Marshal(l.Items)
	if err != nil {
		return List{}, err
	}
	err = db.WithContext(ctx).Exec(`
		INSERT INTO archive_lists (id, size, complete, items) VALUES (@id, @size, @complete, CAST(@items AS jsonb)) ON CONFLICT DO NOTHING`,
		pg.Named("id", l.ID, "size", l.Size, "complete", l.Complete, "items", string(text))).Error
	if err != nil {
		return List{}, fmt.Errorf("list of %d: %w", size, err)
	}
	return l, nil
}

// listOf is a list with the name that its content gives it.
func listOf(items []any, size int) (List, error) {
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

// ListByID returns a list, or gorm.ErrRecordNotFound.
func ListByID(ctx context.Context, db *gorm.DB, id string) (List, error) {
	var rows []struct {
		Size     int
		Complete bool
		Items    string
	}
	err := db.WithContext(ctx).Raw(`SELECT size, complete, items FROM archive_lists WHERE id = @id`, pg.Named("id", id)).Scan(&rows).Error
	if err == nil && len(rows) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return List{}, fmt.Errorf("list %s: %w", id, err)
	}
	l := List{ID: id, Size: rows[0].Size, Complete: rows[0].Complete}
	return l, json.Unmarshal([]byte(rows[0].Items), &l.Items)
}
