package awards

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
)

// An AwardGrant is a level of an award that somebody has, or had.
type AwardGrant struct {
	ID            int64
	AwardID       int64
	MemberID      int64
	Period        string
	Level         int // From 1.
	AwardVersion  int
	GrantedAt     time.Time // When the goal was reached.
	FoundAt       time.Time // When that was found out.
	GivenBy       string    // The admin, where it was given by hand.
	RevokedAt     *time.Time
	RevokedReason string
	Locked        bool // Given or taken by hand: progress changes it no more.
}

// An evaluation is what the awards of a batch come to.
type evaluation struct {
	now      time.Time
	taken    int // Out of the queue.
	pairs    []*pair
	byMember map[int64][]*pair
}

// A pair is one member's award in one period.
type pair struct {
	pendingKey
	award    *runningAward
	counters map[string]rules.Amount // Of active items, by objective.
	version  int64
	progress rules.Progress
	grants   map[int]*AwardGrant // By level.
	reached  map[int]time.Time   // By level, as far as they were dated now.
	barred   bool                // Banned: it is evaluated, and nothing is given.
	// changedAt is when the oldest of the items happened that changed; nil: any may have. Levels that
	// were reached before keep their dates.
	changedAt *time.Time
	was       int // The level reached before.
}

// Evaluate evaluates at most limit awards of members whose counters changed:
// their progress, what is granted and what is lost, in one transaction. It
// returns how many it took from the queue; 0 means that nothing waits, or that
// somebody else is at it.
func Evaluate(ctx context.Context, db *gorm.DB, s *Ruleset, limit int, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		ruleset, err := s.current(ctx, tx)
		if err != nil {
			return err
		}
		var free bool
		if err := tx.Raw(`SELECT pg_try_advisory_xact_lock(@class, 0)`,
			pg.Named("class", events.LockGrant)).Scan(&free).Error; err != nil || !free {
			return err
		}
		r, err := takePending(ctx, tx, ruleset, limit, now)
		if err != nil {
			return err
		}
		if n = r.taken; n == 0 || len(r.pairs) == 0 {
			return nil
		}
		return r.apply(ctx, tx)
	})
	if err != nil {
		return 0, fmt.Errorf("grant awards: %w", err)
	}
	return n, nil
}

// takePending takes the oldest rows out of the queue. What belongs to an award
// that does not run, or is being recounted, needs none: all its
// members are marked when it does, or is done.
func takePending(ctx context.Context, tx *gorm.DB, s *Ruleset, limit int, now time.Time) (*evaluation, error) {
	var rows []struct {
		AwardID, MemberID int64
		Period            string
		Banned            bool
		Here              bool
		N                 int
		ChangedAt         *time.Time
	}
	err := tx.WithContext(ctx).Raw(queries.Must("take_pending"), pg.Named("limit", limit)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("queue of awards: %w", err)
	}
	r := &evaluation{now: now, byMember: map[int64][]*pair{}}
	for _, row := range rows {
		r.taken += row.N
		if a := s.awards[row.AwardID]; row.Here && a != nil && !a.Recounting {
			p := &pair{pendingKey: pendingKey{row.AwardID, row.MemberID, row.Period}, award: a, counters: map[string]rules.Amount{},
				grants: map[int]*AwardGrant{}, reached: map[int]time.Time{}, barred: row.Banned, changedAt: row.ChangedAt}
			r.pairs = append(r.pairs, p)
			r.byMember[row.MemberID] = append(r.byMember[row.MemberID], p)
		}
	}
	return r, nil
}

// apply works out what the pairs come to, and stores it.
func (r *evaluation) apply(ctx context.Context, tx *gorm.DB) error {
	if err := r.readCounters(ctx, tx); err != nil {
		return err
	}
	for _, p := range r.pairs {
		p.progress = p.award.Award.Progress(p.counters)
	}
	if err := r.readGrants(ctx, tx); err != nil {
		return err
	}
	if err := r.writeProgress(ctx, tx); err != nil {
		return err
	}
	changes := r.changes()
	dated := append(r.mayBeRedated(), changes...)
	if err := r.date(ctx, tx, dated); err != nil {
		return err
	}
	if err := redate(ctx, tx, dated, r.now); err != nil {
		return err
	}
	if err := writeGrants(ctx, tx, changes, r.now); err != nil {
		return err
	}
	return r.noticeNear(ctx, tx)
}

// find is the pair that a row belongs to.
func (r *evaluation) find(award, member int64, period string) *pair {
	for _, p := range r.byMember[member] {
		if p.Award == award && p.Period == period {
			return p
		}
	}
	return nil
}

// readCounters reads what is active, in one statement with its versions.
func (r *evaluation) readCounters(ctx context.Context, tx *gorm.DB) error {
	var objectives, members []int64
	var periods []string
	of := map[int64]*runningObjective{}
	for _, p := range r.pairs {
		for _, o := range p.award.objectives {
			of[o.id] = o
			objectives, members, periods = append(objectives, o.id), append(members, p.Member), append(periods, p.Period)
		}
	}
	var rows []struct {
		ObjectiveID, MemberID int64
		Period                string
		Amount, Version       int64
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT c.objective_id, c.member_id, c.period, c.amount, c.version
		FROM unnest(CAST(@objectives AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]))
			AS g(objective_id, member_id, period)
		JOIN objective_counters c ON c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period
			AND c.status = 'active'`,
		pg.Named("objectives", &objectives, "members", &members, "periods", &periods)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("counters: %w", err)
	}
	for _, row := range rows {
		o := of[row.ObjectiveID]
		p := r.find(o.award.ID, row.MemberID, row.Period)
		p.counters[o.objective.ID] = rules.Amount(row.Amount)
		p.version = max(p.version, row.Version)
	}
	return nil
}

func (r *evaluation) keys() (ids, members []int64, periods []string) {
	for _, p := range r.pairs {
		ids, members, periods = append(ids, p.Award), append(members, p.Member), append(periods, p.Period)
	}
	return ids, members, periods
}

func (r *evaluation) readGrants(ctx context.Context, tx *gorm.DB) error {
	ids, members, periods := r.keys()
	var rows []struct {
		AwardGrant
		Reached int
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[AwardGrant]("g")+`, coalesce(u.level, 0) AS reached
		FROM unnest(CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[])) AS p(award_id, member_id, period)
		JOIN award_grants g ON g.member_id = p.member_id AND g.award_id = p.award_id AND g.period = p.period
		LEFT JOIN user_awards u ON u.member_id = p.member_id AND u.award_id = p.award_id AND u.period = p.period`,
		pg.Named("awards", &ids, "members", &members, "periods", &periods)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("grants: %w", err)
	}
	for i := range rows {
		g := &rows[i].AwardGrant
		p := r.find(g.AwardID, g.MemberID, g.Period)
		p.grants[g.Level], p.was = g, rows[i].Reached
	}
	return nil
}

// writeProgress stores how far each is. Who has not begun has no row.
func (r *evaluation) writeProgress(ctx context.Context, tx *gorm.DB) error {
	ids, members, periods := r.keys()
	var progress, goals []string
	var levels, versions []int64
	var started []bool
	for _, p := range r.pairs {
		progress, goals = append(progress, p.progress.Value.String()), append(goals, p.progress.Goal.String())
		levels, versions, started = append(levels, int64(p.progress.Level)), append(versions, p.version), append(started,
			p.progress.Started)
	}
	err := tx.WithContext(ctx).Exec(queries.Must("write_progress"),
		pg.Named("awards", &ids, "members", &members, "periods", &periods, "progress", &progress, "goals", &goals, "levels", &levels,
			"started", &started, "versions", &versions, "now", r.now)).Error
	if err != nil {
		return fmt.Errorf("progress: %w", err)
	}
	return nil
}

// A grantChange is one level of an award that somebody gets or loses.
type grantChange struct {
	*pair
	level  int
	what   string // granted, granted again or revoked.
	reason string
	at     time.Time // When it was reached.
}

// changes are what the progress means for the grants: all levels up to the one
// reached, which a threshold passed unseen cannot miss, and by the permanence of
// the award, none above.
func (r *evaluation) changes() (list []*grantChange) {
	for _, p := range r.pairs {
		if !p.award.State.Grants() || p.barred {
			continue
		}
		list = p.lost(p.gained(list, r.now), r.now)
	}
	slices.SortStableFunc(list, func(a, b *grantChange) int { return a.level - b.level })
	return list
}

func (p *pair) gained(list []*grantChange, now time.Time) []*grantChange {
	for level := 1; level <= p.progress.Level; level++ {
		switch g := p.grants[level]; {
		case g == nil:
			list = append(list, &grantChange{p, level, "granted", "reached", now})
		case g.RevokedAt != nil && g.Locked:
			return list // Taken by hand, and with it all above.
		case g.RevokedAt != nil:
			list = append(list, &grantChange{p, level, "granted again", "reached again", g.GrantedAt})
		}
	}
	return list
}

func (p *pair) lost(list []*grantChange, now time.Time) []*grantChange {
	for level, g := range p.grants {
		if level > p.progress.Level && g.RevokedAt == nil && !g.Locked && p.award.Award.Permanence.Revokes(g.FoundAt, now) {
			reason := fmt.Sprintf("progress fell to %s of %s", p.progress.Shown(), p.progress.Goal)
			list = append(list, &grantChange{p, level, "revoked", reason, g.GrantedAt})
		}
	}
	return list
}
