package awards

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// A DryRunResult is what a version of an award would do if it were activated now.
type DryRunResult struct {
	Version  int            `json:"version"`
	Members  int            `json:"members"` // Of how many members the ledger was read.
	Of       int64          `json:"of"`      // How many members it has; more than Members where a sample was taken.
	Sampled  bool           `json:"sampled"`
	Items    int64          `json:"items"`            // How many items of the ledger were read.
	Holders  int            `json:"holders"`          // Who would hold it.
	Gained   int            `json:"gained"`           // Would get it, or a level more.
	Lost     int            `json:"lost"`             // Would lose it.
	Kept     int            `json:"kept"`             // Would fall below and keep it, by the award's permanence.
	Near     int            `json:"near"`             // One whole unit of one objective away.
	Notices  int            `json:"notices"`          // Members who would be notified: who reached it within the last two days.
	TooOld   int            `json:"too_old"`          // Who would not be notified: it was longer ago.
	Backfill int            `json:"backfill_seconds"` // That counting the whole ledger would take, about.
	Samples  []DryRunSample `json:"samples"`
}

// A DryRunSample is one member for whom the version would change something.
type DryRunSample struct {
	Member   string        `json:"member"`
	Change   string        `json:"change"` // gains, loses, keeps or near.
	Progress rules.Decimal `json:"progress"`
	Goal     rules.Decimal `json:"goal"`
	Level    int           `json:"level"` // Reached now; 0 for none.
}

// A dry run reads all members up to a number of items, and at a part of them
// by their number beyond it, so that the form answers within seconds.
const (
	dryRunItems   = 1_000_000
	dryRunSamples = 10
	noticeUntil   = 48 * time.Hour
	recountRate   = 10_000 // Items a second, as make bench has it on two cores.
)

// DryRun evaluates a version of an award, the newest where number is 0, from the
// ledger without changing anything.
func DryRun(ctx context.Context, db *gorm.DB, a *Award, number int, now time.Time) (DryRunResult, error) {
	v, err := VersionOf(ctx, db, a, number)
	if err != nil {
		return DryRunResult{}, err
	}
	doc, mistakes := v.Parsed()
	if len(mistakes) > 0 {
		return DryRunResult{}, &pg.InputError{Field: mistakes[0].Path, Message: mistakes.Error()}
	}
	r, err := DryRunOf(ctx, db, a, &doc, now)
	r.Version = v.Number
	return r, err
}

// DryRunOf is DryRun of a document that is not saved.
func DryRunOf(ctx context.Context, db *gorm.DB, a *Award, doc *rules.Award, now time.Time) (r DryRunResult, err error) {
	r.Samples = []DryRunSample{}
	d := &dryRun{DryRunResult: &r, doc: doc, activated: now, now: now}
	if a.ActivatedAt != nil {
		d.activated = *a.ActivatedAt
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := d.readHolders(ctx, tx, a.ID); err != nil {
			return err
		}
		return d.readItems(ctx, tx)
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}) // One view of grants and items, while both go on.
	if err != nil {
		return r, fmt.Errorf("dry run of award %q: %w", doc.Slug, err)
	}
	r.Sampled = int64(r.Members) < r.Of
	slices.SortFunc(r.Samples, func(x, y DryRunSample) int {
		return cmp.Or(cmp.Compare(x.Change, y.Change), cmp.Compare(x.Member, y.Member))
	})
	return r, nil
}

// A dryRun goes through the ledger member by member.
type dryRun struct {
	*DryRunResult
	doc            *rules.Award
	activated, now time.Time
	holders        map[int64]*heldLevels
	member         int64
	name           string
	banned         bool
	items          map[string][]rules.Counted // Of the member, by period.
}

// A heldLevels is what a member has of the award, by period.
type heldLevels struct {
	levels map[string]map[int]time.Time
	locked bool
}

func (d *dryRun) readHolders(ctx context.Context, tx *gorm.DB, awardID int64) error {
	grants, err := gorm.G[AwardGrant](tx).Where("award_id = ? AND revoked_at IS NULL", awardID).Find(ctx)
	if err != nil {
		return err
	}
	d.holders = map[int64]*heldLevels{}
	for _, g := range grants {
		h := d.holders[g.MemberID]
		if h == nil {
			h = &heldLevels{levels: map[string]map[int]time.Time{}}
			d.holders[g.MemberID] = h
		}
		if h.levels[g.Period] == nil {
			h.levels[g.Period] = map[int]time.Time{}
		}
		h.levels[g.Period][g.Level] = g.FoundAt
		h.locked = h.locked || g.Locked
	}
	return nil
}

// membersAtOnce is how many members are read together.
const membersAtOnce = 100

// readItems reads the ledger in the order of members: all of it, or of every
// so many-th member.
func (d *dryRun) readItems(ctx context.Context, tx *gorm.DB) error {
	var size struct{ Items, Members int64 }
	err := tx.WithContext(ctx).Raw(`
		SELECT (SELECT count(id) FROM members WHERE NOT custom) AS members, (
			SELECT CAST(coalesce(sum(greatest(reltuples, 0)), 0) AS bigint) FROM pg_class
			WHERE oid IN (CAST('items' AS regclass), CAST('submissions' AS regclass), CAST('days' AS regclass),
				CAST('ratings' AS regclass), CAST('posts' AS regclass))) AS items`).
		Scan(&size).Error
	if err != nil {
		return err
	}
	d.Of = size.Members
	d.Backfill = int((size.Items + recountRate - 1) / recountRate)
	s := span{every: max(1, size.Items/dryRunItems), sources: d.sources()}
	for more := true; more; {
		if more, err = d.readMembers(ctx, tx, &s); err != nil {
			return err
		}
	}
	return nil
}

// sources are those of which items can count by the document; nil is any.
func (d *dryRun) sources() []string {
	objectives := make([]*runningObjective, len(d.doc.Objectives))
	for i := range d.doc.Objectives {
		objectives[i] = &runningObjective{objective: &d.doc.Objectives[i]}
	}
	return sourcesOf(objectives)
}

// readMembers reads and evaluates the next members, and reports whether there were any.
func (d *dryRun) readMembers(ctx context.Context, tx *gorm.DB, s *span) (bool, error) {
	var list []struct {
		ID     int64
		Name   string
		Banned bool
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT id, name, banned_at IS NOT NULL AS banned FROM members
		WHERE NOT custom AND id > @after AND id % @every = 0 ORDER BY id LIMIT @limit`,
		pg.Named("after", s.after, "every", s.every, "limit", membersAtOnce)).Scan(&list).Error
	if err != nil || len(list) == 0 {
		return false, err
	}
	s.last = list[len(list)-1].ID
	items, err := s.read(ctx, tx)
	if err != nil {
		return false, err
	}
	n := 0
	for _, m := range list {
		d.member, d.name, d.banned, d.items = m.ID, m.Name, m.Banned, map[string][]rules.Counted{}
		d.Members++
		for ; n < len(items) && items[n].MemberID <= m.ID; n++ {
			if i := &items[n]; i.MemberID == m.ID && !i.gone {
				d.Items++
				d.count(i.Source, i.Zone, i.Body, i.ArrivedAt)
			}
		}
		d.evaluate()
	}
	s.after = s.last
	return true, nil
}

// count adds what one item would contribute.
func (d *dryRun) count(source, zone, body string, arrived time.Time) {
	var e rules.Event
	read := false
	for i := range d.doc.Objectives {
		o := &d.doc.Objectives[i]
		if !o.MayCount(source) {
			continue
		}
		if !read {
			var mistakes rules.Mistakes
			if e, mistakes = rules.ParseEvent([]byte(body)); len(mistakes) > 0 {
				return
			}
			e.Zone, read = zoneOf(zone), true
		}
		r := runningObjective{objective: o, award: &runningAward{Award: *d.doc}, activated: d.activated}
		if c, _ := r.contribution(&e, arrived); c.Amount != 0 {
			d.items[c.Period] = append(d.items[c.Period], rules.Counted{At: e.At, Objective: o.ID, Contribution: c.plain()})
		}
	}
}
