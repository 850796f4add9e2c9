package awards

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A Standing is how a member stands with an award.
type Standing struct {
	Shown
	Period     string // Of the window, where it has periods.
	Value      rules.Decimal
	Goal       rules.Decimal // Of the next level, or of the last one.
	Level      int           // Reached now.
	Started    bool
	UpdatedAt  *time.Time
	Recounting bool            // Counters are being counted: they are not all there.
	Counters   []Counter       // By objective, then status.
	Missing    []rules.Missing // For the next level.
	Grants     []StandingGrant // All periods, newest first; those that were lost, too.
	Pin        int             // Its place among the pinned ones, from 1; 0 is none.
}

// An Counter is what a member's items in one status add up to.
type Counter struct {
	AwardID   int64
	Objective string
	Period    string
	Status    string
	Amount    rules.Amount
}

// A StandingGrant is a grant with the id of its newest badge.
type StandingGrant struct {
	AwardGrant
	Badge string
}

// Has reports whether the member has the award now, at any level.
func (s *Standing) Has() bool {
	for _, g := range s.Grants {
		if g.RevokedAt == nil {
			return true
		}
	}
	return false
}

// StandingsOf returns how a member stands with these awards, in their order.
func StandingsOf(ctx context.Context, db *gorm.DB, m *members.Member, shown []Shown, now time.Time) ([]Standing, error) {
	r, err := readStandings(ctx, db, m.ID, shown)
	if err != nil {
		return nil, fmt.Errorf("awards of %s: %w", m.Name, err)
	}
	list := make([]Standing, len(shown))
	for i := range shown {
		s := &list[i]
		s.Shown, s.Grants, s.Pin = shown[i], r.grants[shown[i].ID], r.pins[shown[i].ID]
		_, s.Recounting = r.recounts[s.ID]
		if len(s.Mistakes) == 0 {
			s.Period = currentPeriod(&s.Doc, now, m.Location())
			s.fill(r)
		}
	}
	return list, nil
}

// currentPeriod is the one that counts now, or counted last.
func currentPeriod(doc *rules.Award, now time.Time, zone *time.Location) string {
	p, in := doc.Window.Period(&rules.Event{At: now, Zone: zone})
	if !in && doc.Window.Until != nil && !now.Before(doc.Window.Until.Time) {
		p, _ = doc.Window.Period(&rules.Event{At: doc.Window.Until.Add(-12 * time.Hour)})
	}
	return p.Start
}

// fill takes over what was read. The stored progress is the worker's: grants
// come of it. What is missing is computed from the counters.
func (s *Standing) fill(r *standingRows) {
	active := map[string]rules.Amount{}
	for _, c := range r.counters[s.ID] {
		if c.Period == s.Period {
			s.Counters = append(s.Counters, c)
			if c.Status == rules.Active {
				active[c.Objective] = c.Amount
			}
		}
	}
	s.Value = rules.Decimal{Rat: new(big.Rat)}
	for _, u := range r.progress[s.ID] {
		if u.Period == s.Period {
			s.Level, s.Started, s.UpdatedAt = u.Level, u.Started, &u.UpdatedAt
			if v, ok := new(big.Rat).SetString(u.Progress); ok {
				s.Value.Rat = v
			}
		}
	}
	next := s.Doc
	if s.Level < len(s.Doc.Levels) {
		next.Strategy.Goal = &s.Doc.Levels[s.Level].Goal
	}
	s.Goal = *next.Strategy.Goal
	if s.Value.Cmp(s.Goal.Rat) < 0 {
		s.Missing = next.Missing(active)
	}
}

type progressRow struct {
	AwardID   int64
	Period    string
	Progress  string
	Level     int
	Started   bool
	UpdatedAt time.Time
}

// standingRows are the rows about one member, by award.
type standingRows struct {
	progress map[int64][]progressRow
	counters map[int64][]Counter
	grants   map[int64][]StandingGrant
	pins     map[int64]int
	recounts map[int64]Recount
}

func readStandings(ctx context.Context, db *gorm.DB, member int64, shown []Shown) (*standingRows, error) {
	ids := make([]int64, len(shown))
	for i := range shown {
		ids[i] = shown[i].ID
	}
	args := pg.Named("member", member, "ids", &ids)
	r := &standingRows{pins: map[int64]int{}}
	var progress []progressRow
	err := db.WithContext(ctx).Raw(`
		SELECT award_id, period, CAST(progress AS text) AS progress, level, started, updated_at FROM user_awards
		WHERE member_id = @member AND award_id = ANY(CAST(@ids AS bigint[]))`, args).Scan(&progress).Error
	if err != nil {
		return nil, err
	}
	r.progress = byAward(progress, func(p progressRow) int64 { return p.AwardID })
	var counters []Counter
	err = db.WithContext(ctx).Raw(`
		SELECT o.award_id, o.name AS objective, c.period, c.status, c.amount FROM objective_counters c
			JOIN objectives o ON o.id = c.objective_id AND o.retired_at IS NULL
		WHERE c.member_id = @member AND o.award_id = ANY(CAST(@ids AS bigint[])) AND c.amount > 0
			ORDER BY o.id, c.status <> 'active', c.status`, args).Scan(&counters).Error
	if err != nil {
		return nil, err
	}
	r.counters = byAward(counters, func(c Counter) int64 { return c.AwardID })
	var grants []StandingGrant
	err = db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[AwardGrant]("g")+`,
			(SELECT id FROM badges b WHERE b.grant_id = g.id AND b.superseded_by IS NULL ORDER BY b.log_id DESC LIMIT 1) AS badge
		FROM award_grants g WHERE member_id = @member AND award_id = ANY(CAST(@ids AS bigint[]))
			ORDER BY granted_at DESC, level DESC, id DESC`, args).Scan(&grants).Error
	if err != nil {
		return nil, err
	}
	r.grants = byAward(grants, func(g StandingGrant) int64 { return g.AwardID })
	var pins []struct {
		AwardID int64
		Place   int
	}
	if err := db.WithContext(ctx).Raw(`SELECT award_id, place FROM award_pins WHERE member_id = @member`,
		args).Scan(&pins).Error; err != nil {
		return nil, err
	}
	for _, p := range pins {
		r.pins[p.AwardID] = p.Place
	}
	r.recounts, err = OpenRecounts(ctx, db)
	return r, err
}

func byAward[T any](rows []T, id func(T) int64) map[int64][]T {
	by := map[int64][]T{}
	for _, row := range rows {
		by[id(row)] = append(by[id(row)], row)
	}
	return by
}

// Pins are how many awards a member can show first.
const Pins = 3

// Pin shows an award that the member has first on their page, behind those
// that are pinned already.
func Pin(ctx context.Context, db *gorm.DB, member, award int64) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var taken []struct {
			AwardID int64
			Place   int
		}
		if err := tx.Raw(`SELECT id FROM members WHERE id = @member FOR UPDATE`,
			pg.Named("member", member)).Scan(new(int64)).Error; err != nil {
			return err
		}
		if err := tx.Raw(`SELECT award_id, place FROM award_pins WHERE member_id = @member ORDER BY place`,
			pg.Named("member", member)).Scan(&taken).Error; err != nil {
			return err
		}
		place := 1
		for _, p := range taken {
			if p.AwardID == award {
				return nil
			}
			if p.Place == place {
				place++
			}
		}
		if place > Pins {
			return &pg.InputError{Field: "award", Message: fmt.Sprintf("%d awards are pinned already; unpin one first", Pins)}
		}
		res := tx.Exec(`
			INSERT INTO award_pins (member_id, award_id, place)
			SELECT @member, @award, @place WHERE EXISTS (SELECT FROM award_grants
				WHERE member_id = @member AND award_id = @award AND revoked_at IS NULL)`,
			pg.Named("member", member, "award", award, "place", place))
		if res.Error == nil && res.RowsAffected == 0 {
			return &pg.InputError{Field: "award", Message: "you can pin only awards that you have"}
		}
		return res.Error
	})
	if err != nil {
		return fmt.Errorf("pin award %d: %w", award, err)
	}
	return nil
}

// Unpin takes an award from those that are shown first.
func Unpin(ctx context.Context, db *gorm.DB, member, award int64) error {
	err := db.WithContext(ctx).Exec(`DELETE FROM award_pins WHERE member_id = @member AND award_id = @award`,
		pg.Named("member", member, "award", award)).Error
	if err != nil {
		return fmt.Errorf("unpin award %d: %w", award, err)
	}
	return nil
}

// LevelTitle is what a level is called, from 1.
func LevelTitle(doc *rules.Award, level int) string {
	if level >= 1 && level <= len(doc.Levels) {
		return cmp.Or(doc.Levels[level-1].Title, fmt.Sprintf("level %d", level))
	}
	return ""
}
