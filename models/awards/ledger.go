package awards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
)

// Of foreign items the ledger holds the newest event. What Laurel stores itself is its own event: of it the
// ledger holds only what counts, without a body, and here both come together.

// An ownRow is one of Laurel's own rows as an event.
type ownRow struct {
	Source, Key   string
	MemberID      int64
	Zone          string
	At, ArrivedAt time.Time
	Status        string
	Body          string

	KeptFor       int64 // The member for whom the ledger keeps it; 0: nobody.
	KeptAt        time.Time
	Contributions string
	Rev           int
}

// item is the row as an item of the ledger.
func (r *ownRow) item() ledgerItem {
	return ledgerItem{Source: r.Source, Key: r.Key, MemberID: r.MemberID, At: r.At, FirstAt: r.At, Status: r.Status, Zone: r.Zone,
		ArrivedAt: r.ArrivedAt, Body: r.Body, Contributions: cmp.Or(r.Contributions, "[]"), Rev: r.Rev,
		keptFor: r.KeptFor, keptAt: r.KeptAt}
}

// ownRows reads rows of an own source by the keys of their items. What is gone is not there.
func ownRows(ctx context.Context, tx *gorm.DB, source string, keys []string) (map[string]*ownRow, error) {
	rows := map[string]*ownRow{}
	if len(keys) == 0 {
		return rows, nil
	}
	items := make([]string, len(keys))
	for i, k := range keys {
		items[i] = strings.TrimPrefix(k, "item:")
	}
	var list []ownRow
	if err := ownQuery(tx.WithContext(ctx), source, &items).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("rows of %s: %w", source, err)
	}
	for i := range list {
		list[i].Source = source
		rows[list[i].Key] = &list[i]
	}
	return rows, nil
}

func ownQuery(tx *gorm.DB, source string, items *[]string) *gorm.DB {
	switch source {
	case "days":
		return tx.Raw(queries.Must("own_days"), pg.Named("items", items))
	case "messages":
		return tx.Raw(queries.Must("own_messages"), pg.Named("items", items))
	case "posts":
		return tx.Raw(queries.Must("own_posts"), pg.Named("items", items))
	case "ratings":
		return tx.Raw(queries.Must("own_ratings"), pg.Named("items", items))
	}
	return tx.Raw(queries.Must("own_submissions"), pg.Named("items", items))
}

// A span is which part of the ledger is read: of members by their number, and of sources; nil is any.
type span struct {
	after, last int64
	every       int64 // One of so many members; 0 is all.
	sources     []string
}

// read reads all items of a span in the order of members, what Laurel stores itself and what others sent.
func (s *span) read(ctx context.Context, tx *gorm.DB) (list []ledgerItem, err error) {
	args := pg.Named("after", s.after, "last", s.last, "every", max(1, s.every), "any", s.sources == nil, "sources", &s.sources)
	var own []ownRow
	if err := tx.WithContext(ctx).Raw(queries.Must("own_of_members"), args).Scan(&own).Error; err != nil {
		return nil, fmt.Errorf("own rows: %w", err)
	}
	var kept []ledgerItem
	err = tx.WithContext(ctx).Raw(`SELECT `+itemColumns+` FROM items WHERE member_id > @after AND member_id <= @last
		AND member_id % @every = 0 AND (@any OR source = ANY(CAST(@sources AS text[])))`, args).Scan(&kept).Error
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	known := make(map[[2]string]bool, len(own))
	for i := range own {
		known[[2]string{own[i].Source, own[i].Key}] = true
		list = append(list, own[i].item())
	}
	gone := map[string][]*ledgerItem{} // By source: those without a row, here.
	for i := range kept {
		switch k := &kept[i]; {
		case !k.own():
			list = append(list, *k)
		case !known[[2]string{k.Source, k.Key}]:
			gone[k.Source] = append(gone[k.Source], k)
		}
	}
	if list, err = addGone(ctx, tx, list, gone); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b ledgerItem) int {
		return cmp.Or(cmp.Compare(a.MemberID, b.MemberID), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Key, b.Key))
	})
	for i := range list {
		list[i].counted, err = readCounted(list[i].Contributions)
		list[i].broken = err != nil
	}
	return list, nil
}

// restore sets what the newest event of an item says of its state. What the ledger said instead is in misread.
func (i *ledgerItem) restore(e *rules.Event) {
	was := *i
	i.Seq, i.At, i.Status, i.EventID = e.Seq, e.At.Truncate(time.Microsecond), e.Standing(), e.ID
	if i.FirstAt.Equal(was.At) || i.FirstAt.After(i.At) {
		i.FirstAt = i.At
	}
	if i.state() != was.state() {
		i.misread = was.state()
	}
}

// state is what orders an item's events and dates it, for people.
func (i *ledgerItem) state() string {
	return fmt.Sprintf("%s by %s, number %d, at %s, first at %s", i.Status, i.EventID, i.Seq, stamped(&i.At), stamped(&i.FirstAt))
}

// own says whether an item is one of Laurel's own rows.
func (i *ledgerItem) own() bool { return events.Own(i.Source) }

// of is the member for whom what the item contributed is counted.
func (i *ledgerItem) of() int64 {
	if i.own() && i.keptFor != 0 {
		return i.keptFor
	}
	return i.MemberID
}

// addGone adds the items of which nobody has the row any more. Where another member has it now, it is theirs.
func addGone(ctx context.Context, tx *gorm.DB, list []ledgerItem, gone map[string][]*ledgerItem) ([]ledgerItem, error) {
	for source, items := range gone {
		keys := make([]string, len(items))
		for i, k := range items {
			keys[i] = k.Key
		}
		theirs, err := ownRows(ctx, tx, source, keys)
		if err != nil {
			return nil, err
		}
		for _, k := range items {
			if _, ok := theirs[k.Key]; !ok {
				k.gone, k.keptFor, k.keptAt = true, k.MemberID, k.At
				list = append(list, *k)
			}
		}
	}
	return list, nil
}
