// Package events is the log of what happened: producers append, in the
// transaction of what they report, and package awards reads it.
package events

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// The bus is a table. An event is appended in the transaction of what it reports
// of, and read, in parts, by workers that move their position in the transaction
// of its effect: it has its effect once. Two of the same id are one event.

// EventParts is how many parts a source has; event_part in migrations knows it, too. All events
// about a member are in one part, which one worker at a time handles.
const EventParts = 16

// sourcesAtMost is how many sources there may be. Each has its own workers.
const sourcesAtMost = 200

// Who is woken on ChannelAsked beside the sites' jobs, whose names have no space.
const (
	WakeEvents   = "apply events"
	WakeAwards   = "grant awards"
	WakeRecounts = "recount awards"
)

// An Appended is what became of events that were sent.
type Appended struct {
	Accepted  int
	Waiting   int // For a member whom an admin makes or confirms.
	Duplicate int // Of the same source and id as one that is there, or earlier in the same list.
	Rejected  []RejectedEvent
}

// A RejectedEvent is one that cannot be taken: its place in the list, from 0,
// and why.
type RejectedEvent struct {
	Index  int
	Reason string
}

// Append appends the events that others send. A bad one hurts no other.
func Append(ctx context.Context, db *gorm.DB, events []rules.Event, now time.Time) (Appended, error) {
	var out Appended
	if len(events) == 0 {
		return out, nil
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		out = Appended{}
		members, err := eventMembers(ctx, tx, events)
		if err != nil {
			return err
		}
		var rows eventRows
		var unknown strangers
		for i := range events {
			reason := refusal(&events[i], members)
			switch _, known := members[memberOf(&events[i])]; {
			case reason != "":
				out.Rejected = append(out.Rejected, RejectedEvent{i, reason})
			case !known:
				err = unknown.add(i, &events[i])
			default:
				err = rows.add(&events[i], members)
			}
			if err != nil {
				return err
			}
		}
		if err := knowSources(ctx, tx, append(unknown.sources, rows.sources...), now); err != nil {
			return err
		}
		if err := unknown.wait(ctx, tx, &out, now); err != nil || len(rows.sources) == 0 {
			return err
		}
		out.Accepted, err = rows.insert(ctx, tx, now)
		out.Duplicate += len(rows.sources) - out.Accepted
		if err != nil || out.Accepted == 0 {
			return err
		}
		return seeNames(ctx, tx, rows.taken, now)
	})
	if err != nil {
		return Appended{}, fmt.Errorf("append events: %w", err)
	}
	return out, nil
}

// An eventMember is whom an event is about.
type eventMember struct {
	ID             int64
	Name, TimeZone string
	Custom         bool
}

// eventMembers finds the members that events name, by name in small letters.
func eventMembers(ctx context.Context, tx *gorm.DB, events []rules.Event) (map[string]eventMember, error) {
	names := map[string]bool{}
	var list []string
	for i := range events {
		if name := memberOf(&events[i]); !names[name] {
			names[name], list = true, append(list, name)
		}
	}
	var found []eventMember
	err := tx.WithContext(ctx).Raw(`SELECT id, name, time_zone, custom FROM members WHERE lower(name) = ANY(CAST(@names AS text[]))`,
		pg.Named("names", &list)).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("members: %w", err)
	}
	members := make(map[string]eventMember, len(found))
	for _, m := range found {
		members[strings.ToLower(m.Name)] = m
	}
	return members, nil
}

// eventRows are events as columns.
type eventRows struct {
	sources, ids, zones, bodies []string
	members                     []int64
	taken                       []*rules.Event
}

func memberOf(e *rules.Event) string { return strings.ToLower(pg.CleanText(e.Member)) }

// refusal says why an event can never be taken.
func refusal(e *rules.Event, members map[string]eventMember) string {
	if m := e.Check(); len(m) > 0 {
		return m.Error()
	}
	if Own(e.Source) {
		return "source: " + e.Source + " is a source of Laurel's own"
	}
	if m := members[memberOf(e)]; m.Custom {
		return "member: " + m.Name + " is followed without an account, and only members with an account can earn awards"
	}
	return ""
}

// add takes one event in.
func (r *eventRows) add(e *rules.Event, members map[string]eventMember) error {
	m := members[memberOf(e)]
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	r.sources, r.ids, r.bodies = append(r.sources, e.Source), append(r.ids, e.ID), append(r.bodies, string(body))
	r.zones, r.members, r.taken = append(r.zones, m.TimeZone), append(r.members, m.ID), append(r.taken, e)
	return nil
}

func (r *eventRows) insert(ctx context.Context, tx *gorm.DB, now time.Time) (accepted int, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("append"), pg.Named("sources", &r.sources, "ids", &r.ids, "members", &r.members,
		"zones", &r.zones, "bodies", &r.bodies, "now", now)).Scan(&accepted).Error
	if err != nil || accepted == 0 {
		return 0, err
	}
	return accepted, pg.Wake(ctx, tx, WakeEvents)
}

// KnowSource makes a source that has no events yet.
func KnowSource(ctx context.Context, tx *gorm.DB, source string, now time.Time) error {
	return knowSources(ctx, tx, []string{source}, now)
}

// knowSources makes the positions of sources that are new, and lets senders of
// the same source wait for each other, so that each sees what the other has
// sent.
func knowSources(ctx context.Context, tx *gorm.DB, sources []string, now time.Time) error {
	if len(sources) == 0 {
		return nil
	}
	sources = slices.Compact(slices.Sorted(slices.Values(sources)))
	err := tx.WithContext(ctx).Exec(`
		SELECT pg_advisory_xact_lock(@class, hashtext(source)) FROM (SELECT unnest(CAST(@sources AS text[])) AS source ORDER BY 1) s`,
		pg.Named("class", lockSource, "sources", &sources)).Error
	if err != nil {
		return fmt.Errorf("lock sources: %w", err)
	}
	var known int
	err = tx.WithContext(ctx).Raw(`
		SELECT count(*) FROM (SELECT source FROM event_sources UNION SELECT unnest(CAST(@sources AS text[]))) s`,
		pg.Named("sources", &sources)).Scan(&known).Error
	if err != nil {
		return fmt.Errorf("sources: %w", err)
	}
	if known > sourcesAtMost {
		return &pg.InputError{Field: "source", Message: fmt.Sprintf("%s would exceed the limit of %d sources; put what differs "+
			"between events into their type or object", strings.Join(sources, ", "), sourcesAtMost)}
	}
	err = tx.WithContext(ctx).Exec(`
		WITH made AS (
			INSERT INTO event_sources (source, first_at) SELECT source, @now FROM unnest(CAST(@sources AS text[])) source
			WHERE NOT EXISTS (SELECT FROM event_sources s WHERE s.source = source.source) ON CONFLICT DO NOTHING RETURNING source)
		INSERT INTO event_positions (source, part) SELECT source, part FROM made, generate_series(0, @parts - 1) part`,
		pg.Named("sources", &sources, "now", now, "parts", EventParts)).Error
	if err != nil {
		return fmt.Errorf("new sources: %w", err)
	}
	return nil
}

// Classes of advisory locks of the bus; the archive has its own.
const (
	lockSource  = 7_001 // With the source's hash: who appends.
	LockPart    = 7_002 // With the part: who handles the members in it.
	LockRuleset = 7_003 // Shared by who counts, alone for who changes what is counted.
	LockGrant   = 7_004 // Who grants.
	LockRoll    = 7_005 // Who makes and drops days.
)
