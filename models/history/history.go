// Package history reads the archive: a member's profile and the rankings as they
// were at an instant, with how certain each figure is.
package history

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A History is a member's profile as it was known at an instant. All numbers
// come from the archive; days and submissions from when they were first seen and
// what they were before they were revised.
type History struct {
	Member      members.Member // As of now.
	At          time.Time
	From, Until time.Time // The period of Known, with At in it.
	DisplayName string    // As then, or as now where that was not known.
	Zone        *time.Location
	Known       []Known
	Stats       submissions.MemberStats
	Accounts    []AccountThen // Whose totals were known, by site.
	Days        []submissions.Day
	Recent      []submissions.Submission
	Pages       []PageFetches
	Failed      map[string][]time.Time // Fetches of that time which failed, by source.
}

// Known is what was known of one key of a shard around an instant.
type Known struct {
	Shard  *archive.Shard
	Source string // Who shows it: a site, or Laurel itself.
	Handle string
	Rows   []archive.Snapshot // Oldest first; see archive.Around.
	Valid  *archive.Snapshot  // The row of the instant.
	Before *archive.Snapshot  // The newest row that had ended by then.
	Next   *archive.Snapshot  // The first row that begins after it.
}

// An AccountThen is an account with its sums as known at an instant.
type AccountThen struct {
	Site, Handle                  string
	Submissions, Accepted, Solved int
	Undetailed, UndetailedSolved  int // Beyond these: see members.Account.Undetailed.
	Statuses                      json.RawMessage
	Seen                          time.Time // The fetch that showed it.
	Ratings                       []submissions.RatingFound
}

// historyWindow is how much of the time before and after the instant is shown.
const historyWindow = 30 * 24 * time.Hour

// A Query says which profile is wanted.
type Query struct {
	Member  string
	Sites   []members.Site
	At, Now time.Time
	Since   func(today time.Time) time.Time // The first of the days that are wanted.
	Recent  int                             // At most so many submissions.
}

// At returns a member's profile as known at an instant.
func At(ctx context.Context, db *gorm.DB, q Query) (History, error) {
	m, err := members.ByName(ctx, db, q.Member)
	if err != nil {
		return History{}, err
	}
	h := History{Member: m, At: q.At.UTC().Truncate(time.Microsecond), DisplayName: m.DisplayName, Zone: m.Location()}
	h.From, h.Until = h.At.Add(-historyWindow), h.At.Add(historyWindow)
	if h.Until.After(q.Now) {
		h.Until = q.Now
	}
	if !h.Until.After(h.At) {
		h.Until = h.At.Add(time.Microsecond)
	}
	for _, read := range []func() error{
		func() error { return h.readOwn(ctx, db, q.Sites) },
		func() error { return h.readSites(ctx, db) },
		func() error { return h.readPages(ctx, db) },
		func() error { return h.readFailed(ctx, db) },
		func() error { return h.readDays(ctx, db, q.Since(pg.CivilDay(h.At, h.Zone))) },
		func() error { return h.readRecent(ctx, db, q.Recent) },
	} {
		if err := read(); err != nil {
			return h, fmt.Errorf("history of %q: %w", q.Member, err)
		}
	}
	h.beginWithFetches()
	return h, nil
}

// beginWithFetches cuts off the time before the first fetch, of which there is
// nothing to tell.
func (h *History) beginWithFetches() {
	var first *time.Time
	for _, p := range h.Pages {
		if p.First != nil && (first == nil || p.First.Before(*first)) {
			first = p.First
		}
	}
	if first != nil && first.After(h.From) && !first.After(h.At) {
		h.From = first.Add(-h.Until.Sub(*first) / 50)
	}
}

// readOwn reads what Laurel itself counts: of the member, and of its accounts.
func (h *History) readOwn(ctx context.Context, db *gorm.DB, sites []members.Site) error {
	byMember := []shards.Row{{"member": h.Member.Name}}
	var bySite []shards.Row
	for _, s := range sites {
		bySite = append(bySite, shards.Row{"member": h.Member.Name, "site": s.Name})
	}
	known, err := h.read(ctx, db, []wanted{{"member_totals", byMember}, {"member_streaks", byMember}, {"member_person", byMember},
		{"account_totals", bySite}, {"account_undetailed", bySite}})
	if err != nil {
		return err
	}
	h.Known = known
	for _, k := range known {
		if k.Valid == nil {
			continue
		}
		d := figures(k.Valid.Data)
		switch k.Shard.Name {
		case "member_totals":
			h.Stats.Submissions, h.Stats.Accepted, h.Stats.Solved = d.integer("submissions"), d.integer("accepted"), d.integer("solved")
		case "member_streaks":
			h.Stats.DayStreak, h.Stats.BestDayStreak = d.integer("day_streak"), d.integer("best_day_streak")
			h.Stats.AcStreak, h.Stats.BestAcStreak = d.integer("accepted_streak"), d.integer("best_accepted_streak")
			h.Stats.LastDay, h.Stats.NewestAt = d.day("last_day"), d.time("newest_at")
		case "member_person":
			h.DisplayName = d.text("display_name")
			h.Zone = (&members.Member{TimeZone: d.text("time_zone")}).Location()
		case "account_totals":
			a := AccountThen{Site: k.Source, Handle: d.text("handle"), Submissions: d.integer("submissions"),
				Accepted: d.integer("accepted"), Solved: d.integer("solved"), Seen: k.Valid.ValidFrom}
			if k.Valid.SeenBefore != nil {
				a.Seen = *k.Valid.SeenBefore
			}
			a.Statuses, _ = k.Valid.Data["statuses"].(json.RawMessage)
			h.Accounts = append(h.Accounts, a)
		case "account_undetailed":
			for i := range h.Accounts { // They come first.
				if a := &h.Accounts[i]; a.Site == k.Source {
					a.Undetailed, a.UndetailedSolved = d.integer("submissions"), d.integer("solved")
				}
			}
		}
	}
	return nil
}

// readSites reads what the sites show of the handles that the member had then,
// or of those that it has had next or before.
func (h *History) readSites(ctx context.Context, db *gorm.DB) error {
	var keys []shards.Row
	for _, k := range h.Known {
		if k.Shard.Name != "account_totals" {
			continue
		}
		for _, row := range []*archive.Snapshot{k.Valid, k.Next, k.Before} {
			if row != nil {
				keys = append(keys, shards.Row{"site": k.Source, "handle": row.Data["handle"]})
				break
			}
		}
	}
	var want []wanted
	for _, s := range archive.BuiltIn() {
		if len(s.Key) == 2 && s.Key[0].Name == "site" && s.Key[1].Name == "handle" {
			want = append(want, wanted{s.Name, keys})
		}
	}
	known, err := h.read(ctx, db, append(want, wanted{"account_contest", keys}))
	if err != nil {
		return err
	}
	for _, k := range known {
		if k.Shard.Name != "account_contest" {
			h.Known = append(h.Known, k)
			continue
		}
		for i := range h.Accounts {
			if h.Accounts[i].Site == k.Source {
				h.Accounts[i].Ratings = contestsAt(k.Rows, h.At)
			}
		}
	}
	return nil
}

// Changes are the instants around At at which a fetch found something changed;
// nil where there is none.
func (h *History) Changes() (before, after *time.Time) {
	for _, k := range h.Known {
		for i := range k.Rows {
			r := &k.Rows[i]
			nearest(h.At, &r.ValidFrom, &before, &after)
			nearest(h.At, r.ValidUntil, &before, &after)
		}
	}
	return before, after
}

// nearest puts an instant, if there is one, in the place of before or after
// where it is nearer to t on that side.
func nearest(t time.Time, at *time.Time, before, after **time.Time) {
	switch {
	case at == nil:
	case at.Before(t) && (*before == nil || at.After(**before)):
		*before = at
	case at.After(t) && (*after == nil || at.Before(**after)):
		*after = at
	}
}
