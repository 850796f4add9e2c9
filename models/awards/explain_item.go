package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// An ExplainedItem is an item of the ledger, and what each objective of an award
// says of it.
type ExplainedItem struct {
	Source, Key, EventID, Status string
	At, ArrivedAt                time.Time
	Body                         string
	Verdicts                     []ItemVerdict
}

// Place is where the item stands among those of its member.
func (i *ExplainedItem) Place() ItemPlace { return ItemPlace{i.At, i.Source, i.Key} }

// An ItemVerdict is what one objective says of an item.
type ItemVerdict struct {
	Objective            string
	Filters              []rules.Verdict
	Period, Status, Cell string       // Of what it contributes now.
	Amount               rules.Amount // 0 is nothing.
	Because              rules.Phrase
}

// readItems reads the items of sources that may count, newest first.
func (x *Explanation) readItems(ctx context.Context, db *gorm.DB, part ExplainPart) error {
	sources := make([]string, len(x.Sources))
	for i, s := range x.Sources {
		sources[i] = s.Source
	}
	var rows []ledgerItem
	err := db.WithContext(ctx).Raw(queries.Must("explain_items"),
		pg.Named("member", x.Member.ID, "sources", &sources, "first", part.After == ItemPlace{}, "at", part.After.At, "source",
			pg.CleanText(part.After.Source), "key", pg.CleanText(part.After.Key), "limit", part.Limit+1)).
		Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("items: %w", err)
	}
	if err := describe(ctx, db, rows); err != nil {
		return err
	}
	if len(rows) > part.Limit {
		rows, x.MoreItems = rows[:part.Limit], true
	}
	objectives, err := x.objectives(ctx, db)
	if err != nil {
		return err
	}
	for i := range rows {
		item, err := explainItem(&rows[i], objectives)
		if err != nil {
			return err
		}
		x.Items = append(x.Items, item)
	}
	return nil
}

// describe puts the events of own rows on items that were read without.
func describe(ctx context.Context, db *gorm.DB, items []ledgerItem) error {
	keys := map[string][]string{}
	for i := range items {
		if items[i].own() {
			keys[items[i].Source] = append(keys[items[i].Source], items[i].Key)
		}
	}
	for source, list := range keys {
		rows, err := ownRows(ctx, db, source, list)
		if err != nil {
			return err
		}
		for i := range items {
			if r := rows[items[i].Key]; r != nil && items[i].Source == source {
				items[i].Body, items[i].Zone, items[i].ArrivedAt, items[i].Status = r.Body, r.Zone, r.ArrivedAt, r.Status
			}
		}
	}
	return nil
}

// objectives are those of the document, with the ids they are counted by; 0 where
// they are not.
func (x *Explanation) objectives(ctx context.Context, db *gorm.DB) ([]*runningObjective, error) {
	var live []struct {
		ID   int64
		Name string
	}
	if err := db.WithContext(ctx).Raw(`SELECT id, name FROM objectives WHERE award_id = @award AND retired_at IS NULL`,
		pg.Named("award", x.ID)).Scan(&live).Error; err != nil {
		return nil, fmt.Errorf("objectives: %w", err)
	}
	if len(x.Mistakes) > 0 {
		return nil, nil // What cannot be read counts nothing.
	}
	award := &runningAward{ID: x.ID, Award: x.Doc}
	list := make([]*runningObjective, len(x.Doc.Objectives))
	for i := range x.Doc.Objectives {
		list[i] = &runningObjective{award: award, objective: &x.Doc.Objectives[i]}
		if x.ActivatedAt != nil {
			list[i].activated = *x.ActivatedAt
		}
		for _, l := range live {
			if l.Name == x.Doc.Objectives[i].ID {
				list[i].id = l.ID
			}
		}
	}
	return list, nil
}

func explainItem(row *ledgerItem, objectives []*runningObjective) (ExplainedItem, error) {
	item := ExplainedItem{Source: row.Source, Key: row.Key, EventID: row.EventID, Status: row.Status, At: row.At, ArrivedAt: row.ArrivedAt,
		Body: row.Body}
	contributed, err := readCounted(row.Contributions)
	if err != nil {
		return item, err
	}
	e, mistakes := rules.ParseEvent([]byte(row.Body))
	e.Zone = zoneOf(row.Zone)
	for _, o := range objectives {
		v := ItemVerdict{Objective: o.objective.ID}
		for _, c := range contributed {
			if o.id != 0 && c.Objective == o.id {
				v.Period, v.Status, v.Cell, v.Amount = c.Period, c.Status, c.Cell, rules.Amount(c.Amount)
			}
		}
		if len(mistakes) > 0 {
			v.Because = rules.Say("the event cannot be read: %s", mistakes[0].String())
		} else {
			v.Filters = o.objective.Verdicts(&e)
			v.Because = o.because(&e, &v, row.ArrivedAt)
		}
		item.Verdicts = append(item.Verdicts, v)
	}
	return item, nil
}

// because says as text why an item counts, or does not.
func (o *runningObjective) because(e *rules.Event, v *ItemVerdict, arrived time.Time) rules.Phrase {
	for _, f := range v.Filters {
		if !f.Pass {
			return rules.Say("%s does not pass; it passes if %s", f.Filter, f.Wants)
		}
	}
	c, late := o.contribution(e, arrived)
	_, in := o.award.Award.Window.Period(e)
	switch {
	case o.id == 0:
		return rules.Say("the award does not count now")
	case !o.award.Award.Backfill.Counts(e.At, o.activated):
		return rules.Say("it happened before the award counts")
	case !in:
		return rules.Say("it happened outside the window")
	case late:
		return rules.Say("it arrived after its period had closed")
	case c.Amount == 0:
		return rules.Say("the rule adds nothing for it")
	case v.Amount != rules.Amount(c.Amount) || v.Cell != c.Cell:
		return rules.Say("it counts as it was when it arrived; a recount may change that")
	case v.Status != rules.Active:
		return rules.Say("it counts as %s, which does not count", v.Status)
	}
	return rules.Say("it counts")
}
