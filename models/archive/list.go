package archive

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// PutList stores what a response showed of a list of size items, of which these
// are the first. An empty list is a list.
func PutList(ctx context.Context, db *gorm.DB, items []any, size int) (shards.List, error) {
	l, err := shards.ListOf(items, size)
	if err != nil {
		return shards.List{}, err
	}
	text, err := json.Marshal(l.Items)
	if err != nil {
		return shards.List{}, err
	}
	err = db.WithContext(ctx).Exec(`
		INSERT INTO archive_lists (id, size, complete, items) VALUES (@id, @size, @complete, CAST(@items AS jsonb)) ON CONFLICT DO NOTHING`,
		pg.Named("id", l.ID, "size", l.Size, "complete", l.Complete, "items", string(text))).Error
	if err != nil {
		return shards.List{}, fmt.Errorf("list of %d: %w", size, err)
	}
	return l, nil
}

// ListByID returns a list, or gorm.ErrRecordNotFound.
func ListByID(ctx context.Context, db *gorm.DB, id string) (shards.List, error) {
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
		return shards.List{}, fmt.Errorf("list %s: %w", id, err)
	}
	l := shards.List{ID: id, Size: rows[0].Size, Complete: rows[0].Complete}
	return l, json.Unmarshal([]byte(rows[0].Items), &l.Items)
}
