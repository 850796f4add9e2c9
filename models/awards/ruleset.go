package awards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
)

// A Ruleset is what is counted at the moment: the awards that run, with the
// objectives that their counters belong to. Workers keep one each and read it
// again when its generation in the database has moved on.
type Ruleset struct {
	mu         sync.Mutex
	generation int64
	awards     map[int64]*runningAward
	objectives map[int64]*runningObjective
	bySource   map[string][]*runningObjective // Filled as sources are met.
	stopped    []int64                        // Awards that this program cannot read.
}

// A runningAward is an award in the version that runs.
type runningAward struct {
	ID         int64
	State      rules.State
	Number     int // Of the version.
	Recounting bool
	Award      rules.Award
	objectives []*runningObjective
}

// A runningObjective has counters of its own.
type runningObjective struct {
	id        int64
	award     *runningAward
	objective *rules.Objective
	activated time.Time
}

// current returns the ruleset as of this transaction, which must hold LockRuleset
// shared: what is counted does not change until it ends.
func (s *Ruleset) current(ctx context.Context, tx *gorm.DB) (*Ruleset, error) {
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock_shared(@class, 0)`,
		pg.Named("class", events.LockRuleset)).Error; err != nil {
		return nil, fmt.Errorf("lock the ruleset: %w", err)
	}
	var generation int64
	if err := tx.WithContext(ctx).Raw(`SELECT generation FROM award_ruleset`).Scan(&generation).Error; err != nil {
		return nil, fmt.Errorf("generation of awards: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation != generation {
		if err := s.load(ctx, tx); err != nil {
			return nil, err
		}
		s.generation = generation
		if err := s.noteStopped(ctx, tx); err != nil {
			return nil, err
		}
	}
	// What was read is never changed, so that others may read again meanwhile.
	return &Ruleset{generation: s.generation, awards: s.awards, objectives: s.objectives, bySource: map[string][]*runningObjective{}}, nil
}

func (s *Ruleset) load(ctx context.Context, tx *gorm.DB) error {
	var rows []struct {
		ID          int64
		State       rules.State
		Version     int
		ActivatedAt time.Time
		Document    string
		Recounting  bool
		Objective   int64
		Name        string
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT a.id, a.state, a.version, a.activated_at, CAST(v.document AS text) AS document, o.id AS objective, o.name,
			EXISTS (SELECT FROM award_recounts r WHERE r.award_id = a.id AND r.finished_at IS NULL) AS recounting
		FROM awards a JOIN award_versions v ON v.award_id = a.id AND v.number = a.version
		JOIN objectives o ON o.award_id = a.id AND o.retired_at IS NULL
		WHERE a.state IN ('active', 'paused') ORDER BY a.id, o.id`).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("awards that run: %w", err)
	}
	s.awards, s.objectives, s.stopped = map[int64]*runningAward{}, map[int64]*runningObjective{}, nil
	for _, r := range rows {
		a := s.awards[r.ID]
		if a == nil {
			doc, mistakes := rules.Parse([]byte(r.Document))
			if len(mistakes) > 0 {
				s.stopped = append(s.stopped, r.ID)
				continue // Written for a filter that this program does not have: it waits, the others go on.
			}
			a = &runningAward{ID: r.ID, State: r.State, Number: r.Version, Recounting: r.Recounting, Award: doc}
			s.awards[r.ID] = a
		}
		for i := range a.Award.Objectives {
			if o := &a.Award.Objectives[i]; o.ID == r.Name {
				s.objectives[r.Objective] = &runningObjective{r.Objective, a, o, r.ActivatedAt}
				a.objectives = append(a.objectives, s.objectives[r.Objective])
			}
		}
	}
	return nil
}

// of returns the objectives that events of a source may count for.
func (s *Ruleset) of(source string) []*runningObjective {
	list, ok := s.bySource[source]
	if !ok {
		for _, a := range s.awards {
			for _, o := range a.objectives {
				if o.objective.MayCount(source) {
					list = append(list, o)
				}
			}
		}
		slices.SortFunc(list, func(a, b *runningObjective) int { return cmp.Compare(a.id, b.id) })
		s.bySource[source] = list
	}
	return list
}

// contribution of an event that is the newest of its item to an objective, and
// whether it came too late to count.
func (o *runningObjective) contribution(e *rules.Event, arrived time.Time) (c counted, late bool) {
	if !o.award.Award.Backfill.Counts(e.At, o.activated) {
		return counted{}, false
	}
	period, in := o.award.Award.Window.Period(e)
	if !in {
		return counted{}, false
	}
	got := o.objective.Contribution(e)
	if got.Amount == 0 {
		return counted{}, false
	}
	c = counted{o.id, period.Start, got.Status, got.Key, int64(got.Amount)}
	if !period.Late(arrived) {
		return c, false
	}
	// What is taken back late is taken back, unless the award is for good.
	if got.Status != rules.Active && o.award.Award.Permanence.Kind != "permanent" {
		return c, false
	}
	return counted{}, true
}

// CountedAwards are the documents of the awards for which events count.
func CountedAwards(ctx context.Context, db *gorm.DB) ([]rules.Award, error) {
	var s Ruleset
	if err := s.load(ctx, db); err != nil {
		return nil, err
	}
	list := make([]rules.Award, 0, len(s.awards))
	for _, a := range s.awards {
		list = append(list, a.Award)
	}
	return list, nil
}
