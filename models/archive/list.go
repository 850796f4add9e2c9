package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// takeLists takes the lists out of rows, to be stored with them.
func (p *parsed) takeLists(s *Shard, rows []shards.Row) error {
	for _, f := range s.Data {
		if f.Type != shards.ListType {
			continue
		}
		for n, row := range rows {
			if row[f.Name] == nil {
				continue
			}
			l, err := shards.ListIn(row[f.Name])
			if err != nil {
				return &shards.InputError{Shard: s.Name, Row: n, Field: f.Name, Message: err.Error()}
			}
			p.lists = append(p.lists, l)
		}
	}
	return nil
}

// putLists stores the lists of responses, in one order. As in rankings, they come before all locks of the archive.
func putLists(tx *gorm.DB, rs []*parsed) error {
	byID := map[string]shards.List{}
	for _, p := range rs {
		for _, l := range p.lists {
			byID[l.ID] = l
		}
	}
	if len(byID) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(byID))
	sizes, complete, items := make([]int64, len(ids)), make([]bool, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		text, err := json.Marshal(byID[id].Items)
		if err != nil {
			return err
		}
		sizes[i], complete[i], items[i] = int64(byID[id].Size), byID[id].Complete, string(text)
	}
	return tx.Exec(`
		INSERT INTO archive_lists (id, size, complete, items)
		SELECT id, size, complete, CAST(items AS jsonb)
		FROM unnest(CAST(@ids AS text[]), CAST(@sizes AS bigint[]), CAST(@complete AS boolean[]), CAST(@items AS text[]))
			AS l(id, size, complete, items)
		ORDER BY id ON CONFLICT DO NOTHING`,
		pg.Named("ids", &ids, "sizes", &sizes, "complete", &complete, "items", &items)).Error
}

// withLists puts lists where data of rows name them, in one statement for all.
func withLists(db *gorm.DB, data []map[string]any) error {
	wanted := map[string]bool{}
	for _, d := range data {
		for _, v := range d {
			if id, ok := v.(shards.ListID); ok {
				wanted[string(id)] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := listsByID(db, slices.Sorted(maps.Keys(wanted)))
	if err != nil {
		return err
	}
	for _, d := range data {
		for name, v := range d {
			if id, ok := v.(shards.ListID); ok {
				if l, there := found[string(id)]; there { // Else the check says that it is not.
					d[name] = l
				}
			}
		}
	}
	return nil
}

func listsByID(db *gorm.DB, ids []string) (map[string]shards.List, error) {
	var rows []struct {
		ID       string
		Size     int
		Complete bool
		Items    string
	}
	err := db.Raw(`SELECT id, size, complete, items FROM archive_lists WHERE id = ANY(CAST(@ids AS text[]))`,
		pg.Named("ids", &ids)).Scan(&rows).Error
	found := map[string]shards.List{}
	for _, r := range rows {
		l := shards.List{ID: r.ID, Size: r.Size, Complete: r.Complete}
		if err == nil {
			err = json.Unmarshal([]byte(r.Items), &l.Items)
		}
		found[r.ID] = l
	}
	return found, err
}

// withListsIn is withLists of what somebody reads.
func withListsIn[T any](db *gorm.DB, list []T, of func(*T) map[string]any) error {
	data := make([]map[string]any, len(list))
	for i := range list {
		data[i] = of(&list[i])
	}
	return withLists(db, data)
}

func snapshotData(s *Snapshot) map[string]any { return s.Data }

// PutList stores what a response showed of a list of size items, of which these
// are the first. An empty list is a list.
func PutList(ctx context.Context, db *gorm.DB, items []any, size int) (shards.List, error) {
	l, err := shards.ListOf(items, size)
	if err != nil {
		return shards.List{}, err
	}
	err = putLists(db.WithContext(ctx), []*parsed{{lists: []shards.List{l}}})
	if err != nil {
		return shards.List{}, fmt.Errorf("list of %d: %w", size, err)
	}
	return l, nil
}

// ListByID returns a list, or gorm.ErrRecordNotFound.
func ListByID(ctx context.Context, db *gorm.DB, id string) (shards.List, error) {
	found, err := listsByID(db.WithContext(ctx), []string{id})
	if err == nil && len(found) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return shards.List{}, fmt.Errorf("list %s: %w", id, err)
	}
	return found[id], nil
}
