package awards

import (
	"context"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/events"
)

// An event of an own source says which row changed; what counts is the row as it is now. So the order of events
// does not matter, and an event that is handled twice changes nothing.

// applyOwn works out what changed rows change. Those that cannot be read are dead.
func applyOwn(ctx context.Context, tx *gorm.DB, t *batch, source string, list []queued) (map[string]*ledgerItem, []deadEvent, error) {
	newest := map[string]*queued{}
	keys := make([]string, 0, len(list))
	for i := range list {
		key := "item:" + events.Item(list[i].EventID)
		if newest[key] == nil {
			keys = append(keys, key)
		}
		newest[key] = &list[i]
	}
	items, err := readItems(ctx, tx, source, keys)
	if err != nil {
		return nil, nil, err
	}
	rows := map[string]*ownRow{}
	if len(t.ruleset.of(source)) > 0 {
		if rows, err = ownRows(ctx, tx, source, keys); err != nil {
			return nil, nil, err
		}
	}
	var dead []deadEvent
	for _, key := range keys {
		item := items[key]
		if item == nil {
			item = &ledgerItem{Source: source, Key: key}
			items[key] = item
		}
		if mistakes := t.applyRow(newest[key], item, rows[key]); len(mistakes) > 0 {
			dead = append(dead, deadEvent{newest[key], rows[key].Body, mistakes.Error()})
		}
	}
	return items, dead, nil
}

// applyRow lets an item contribute what its row is worth now; nothing where there is none.
func (t *batch) applyRow(q *queued, item *ledgerItem, row *ownRow) (mistakes rules.Mistakes) {
	was, from, at := item.counted, item.MemberID, item.At
	item.counted, item.EventID = nil, q.EventID
	if row != nil {
		e, wrong := rules.ParseEvent([]byte(row.Body))
		if len(wrong) > 0 {
			item.counted = was
			return wrong
		}
		e.Zone = zoneOf(row.Zone)
		item.MemberID, item.At, item.FirstAt, item.Status, item.ArrivedAt = row.MemberID, row.At, row.At, row.Status, row.ArrivedAt
		for _, o := range t.ruleset.of(item.Source) {
			c, late := o.contribution(&e, row.ArrivedAt)
			if late {
				if c = contributedBefore(o.id, was); c.Amount == 0 {
					t.note(logKey{row.MemberID, o.award.ID, item.Source, item.Key, q.EventID, "late"}, loggedChange{objective: o.id})
				}
			}
			if c.Amount != 0 {
				item.counted = append(item.counted, c)
			}
		}
	}
	moved := item.Rev > 0 && !at.Equal(item.At)
	item.changed = moved || from != item.MemberID || writeCounted(was) != writeCounted(item.counted)
	if moved {
		item.FirstAt = earlier(at, item.At) // Dates may change from the earlier one on.
	}
	t.move(item, from, was, "event")
	for _, c := range item.counted {
		if o := t.ruleset.objectives[c.Objective]; o != nil && moved {
			t.mark(item, o, item.MemberID, c)
		}
	}
	item.FirstAt = item.At
	return nil
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
