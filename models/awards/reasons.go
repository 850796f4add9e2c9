package awards

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
)

// Reasons say to members why somebody has an award, or not yet: what counted first.
type Reasons struct {
	Standing
	Counted []ExplainedItem // Newest first; a part of them.
	More    bool
	Not     []ExplainedItem // Of the newest items of any kind, those that do not count.
}

// ReasonsOf finds what counted behind a place, and at the first place also what did not, if that is asked for.
func ReasonsOf(ctx context.Context, db *gorm.DB, m *members.Member, shown Shown, part ExplainPart, now time.Time) (*Reasons, error) {
	x := &Explanation{Member: *m}
	list, err := StandingsOf(ctx, db, m, []Shown{shown}, now)
	if err != nil {
		return nil, err
	}
	x.Standing = list[0]
	r := &Reasons{Standing: list[0]}
	if err := x.readCounted(ctx, db, part, r); err != nil {
		return nil, fmt.Errorf("what counted of %s for award %q: %w", m.Name, shown.Slug, err)
	}
	if !part.Others || part.After != (ItemPlace{}) {
		return r, nil
	}
	for _, read := range []func(context.Context, *gorm.DB, ExplainPart) error{x.readSources, x.readItems} {
		if err := read(ctx, db, part); err != nil {
			return nil, fmt.Errorf("what did not count of %s for award %q: %w", m.Name, shown.Slug, err)
		}
	}
	for i := range x.Items {
		if !x.Items[i].Counts() {
			r.Not = append(r.Not, x.Items[i])
		}
	}
	return r, nil
}

// Counts says whether the item is progress of any objective.
func (i *ExplainedItem) Counts() bool {
	for _, v := range i.Verdicts {
		if v.Amount != 0 && v.Status == rules.Active {
			return true
		}
	}
	return false
}

// readCounted reads the items that contribute to the award, whatever their status, and keeps those that count.
func (x *Explanation) readCounted(ctx context.Context, db *gorm.DB, part ExplainPart, r *Reasons) error {
	objectives, err := x.objectives(ctx, db)
	if err != nil {
		return err
	}
	var ids []string
	for _, o := range objectives {
		if o.id != 0 {
			ids = append(ids, fmt.Sprint(o.id))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var rows []ledgerItem
	err = db.WithContext(ctx).Raw(queries.Must("counted_items"), pg.Named("member", x.Member.ID,
		"objectives", `\[(`+strings.Join(ids, "|")+`),"[^"]*","active",`, "first", part.After == ItemPlace{}, "at", part.After.At,
		"source", pg.CleanText(part.After.Source), "key", pg.CleanText(part.After.Key), "limit", part.Limit+1)).Scan(&rows).Error
	if err != nil {
		return err
	}
	if err := describe(ctx, db, rows); err != nil {
		return err
	}
	if len(rows) > part.Limit {
		rows, r.More = rows[:part.Limit], true
	}
	for i := range rows {
		item, err := explainItem(&rows[i], objectives)
		if err != nil {
			return err
		}
		r.Counted = append(r.Counted, item)
	}
	return nil
}

// Plainly says why an item does not count for an award.
func (i *ExplainedItem) Plainly() (list []rules.Phrase) {
	said := map[string]bool{}
	for _, v := range i.Verdicts {
		words := v.Because
		for _, f := range v.Filters {
			if !f.Pass {
				words = rules.Say("it counts only if %s", f.Wants)
				break
			}
		}
		if s := words.String(); !said[s] {
			said[s], list = true, append(list, words)
		}
	}
	return list
}
