package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
)

// An Explanation says all there is to say about one member and one award.
type Explanation struct {
	Standing
	Member    members.Member
	Waiting   bool // It is in the queue of pending members.
	Items     []ExplainedItem
	MoreItems bool
	Log       []LogLine
	MoreLog   bool
	GrantLog  []GrantLogLine
	Bans      []Ban
	Sources   []events.Source // That may count.
}

// An ExplainPart is which part of the long lists is wanted: items behind one, the
// log before a line.
type ExplainPart struct {
	After  ItemPlace
	Before int64 // 0 is the newest line.
	Limit  int
	Others bool // Of ReasonsOf: also what did not count, which is for the member alone.
}

// An ItemPlace is where an item stands among those of a member, newest first.
// The zero value is before all.
type ItemPlace struct {
	At          time.Time
	Source, Key string
}

// An LogLine is how one event changed an objective. Those of one event have one
// ID, and are never parted: Limit counts events.
type LogLine struct {
	ID                           int64
	At                           time.Time
	Objective                    string // Empty for what was not counted at all.
	Source, Key, EventID, Reason string
	Was, Became                  *string // [period, status, cell, millionths]; nil is nothing.
}

// A GrantLogLine is one thing that became of a grant.
type GrantLogLine struct {
	Level  int
	Period string
	At     time.Time
	What   string // granted, kept (locked by hand while held), revoked or granted again.
	Reason string
	Author string
}

// Explain says why a member has an award, or has not.
func Explain(ctx context.Context, db *gorm.DB, m *members.Member, shown Shown, part ExplainPart, now time.Time) (*Explanation, error) {
	x := &Explanation{Member: *m}
	list, err := StandingsOf(ctx, db, m, []Shown{shown}, now)
	if err != nil {
		return nil, err
	}
	x.Standing = list[0]
	for _, read := range []func(context.Context, *gorm.DB, ExplainPart) error{x.readSources, x.readItems, x.readLog, x.readGrantLog} {
		if err := read(ctx, db, part); err != nil {
			return nil, fmt.Errorf("explain award %q of %s: %w", shown.Slug, m.Name, err)
		}
	}
	x.Bans, err = BansOf(ctx, db, m.ID)
	return x, err
}

// readSources keeps the sources of which an event could count.
func (x *Explanation) readSources(ctx context.Context, db *gorm.DB, _ ExplainPart) error {
	all, err := events.Sources(ctx, db, "")
	if err != nil {
		return err
	}
	for _, s := range all {
		for i := range x.Doc.Objectives {
			if x.Doc.Objectives[i].MayCount(s.Source) {
				x.Sources = append(x.Sources, s)
				break
			}
		}
	}
	return db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM award_pending WHERE award_id = @award AND member_id = @member)`,
		pg.Named("award", x.ID, "member", x.Member.ID)).Scan(&x.Waiting).Error
}

// readLog reads what changed this award's objectives, those of former versions too.
func (x *Explanation) readLog(ctx context.Context, db *gorm.DB, part ExplainPart) error {
	sources := make([]string, len(x.Sources))
	for i, s := range x.Sources {
		sources[i] = s.Source
	}
	err := db.WithContext(ctx).Raw(queries.Must("explain_log"),
		pg.Named("member", x.Member.ID, "award", x.ID, "before", part.Before, "sources", &sources, "limit", part.Limit+1)).Scan(
		&x.Log).Error
	rows, last := 0, int64(0)
	for i := range x.Log {
		if id := x.Log[i].ID; id != last {
			rows, last = rows+1, id
		}
		if rows > part.Limit {
			x.Log, x.MoreLog = x.Log[:i], true
			break
		}
	}
	return err
}

func (x *Explanation) readGrantLog(ctx context.Context, db *gorm.DB, _ ExplainPart) error {
	return db.WithContext(ctx).Raw(`
		SELECT g.level, g.period, l.at, l.what, l.reason, l.author FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id
		WHERE g.member_id = @member AND g.award_id = @award ORDER BY l.id DESC LIMIT 500`,
		pg.Named("member", x.Member.ID, "award", x.ID)).Scan(&x.GrantLog).Error
}

// Why says as text why the award is not held now; nothing where it is.
func (x *Explanation) Why() []string {
	if x.Has() {
		return nil
	}
	var why []string
	say := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	switch {
	case x.Member.Custom:
		say("%s is followed without an account, and only members with an account can earn awards.", x.Member.Name)
	case x.Member.BannedAt != nil:
		say("%s is banned from awards since %s.", x.Member.Name, x.Member.BannedAt.UTC().Format(time.RFC3339))
	}
	if !x.State.Grants() {
		say("The award is %s, so nobody can earn it now.", x.State)
	}
	for _, m := range x.Mistakes {
		say("This version of Laurel cannot read the award: %s.", m)
	}
	if x.Recounting {
		say("The award is being recounted; grants follow when that is done.")
	}
	for _, g := range x.Grants {
		if g.Period == x.Period && g.RevokedAt != nil {
			say("Level %d was taken %s: %s.", g.Level, map[bool]string{true: "by hand, so progress does not restore it",
				false: "when progress fell"}[g.Locked], g.RevokedReason)
		}
	}
	for _, s := range x.Sources {
		if s.PausedAt != nil && s.Waiting > 0 {
			say("The source %s is paused; %d of its events wait.", s.Source, s.Waiting)
		}
	}
	return append(why, x.whyProgress()...)
}

func (x *Explanation) whyProgress() (why []string) {
	if x.Value.Rat == nil || x.Goal.Rat == nil {
		return nil
	}
	if x.Value.Cmp(x.Goal.Rat) < 0 {
		why = append(why, fmt.Sprintf("Progress is %s of %s.", x.Value, x.Goal))
		for _, m := range x.Missing {
			why = append(why, m.String()+".")
		}
	}
	for _, c := range x.Counters {
		if c.Status != rules.Active {
			why = append(why, fmt.Sprintf("%s: %s with status %s, which does not count.", c.Objective, c.Amount, c.Status))
		}
	}
	if x.Waiting {
		why = append(why, "A recent change is not evaluated yet.")
	}
	return why
}
