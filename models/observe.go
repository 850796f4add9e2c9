package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// What a look finds out is archived in the transaction that stores it, as pages:
// those of the site, seen for a member (the viewer), and the member's own page
// of Laurel, which shows what was counted. A page is looked at when its look
// ends. All of a transaction goes into the archive in one piece, at its end.

// OwnSource is Laurel itself as a source of the archive.
const OwnSource = "laurel"

// memberAddress is the member's own page in the archive.
func memberAddress(name string) string { return "/u/" + name }

// observe archives what a look found.
func observe(ctx context.Context, tx *gorm.DB, m *members.Member, a *Account, res Result, changed bool, now time.Time) error {
	var pages []archive.Response
	for _, p := range res.Pages {
		p.Source, p.Viewer, p.At, p.Message = a.Site, m.Name, now, pg.CleanText(p.Message)
		pages = append(pages, p)
	}
	if res.RatingsRead && res.RatingsAddress != "" {
		pages = append(pages, ratingsPage(m, a, res, now))
	}
	ok := res.Outcome == pg.OutcomeOK
	if ok || res.Requests > 0 { // A failure that asked nothing says nothing of the site.
		list := archive.Response{Source: a.Site, Address: res.Address, Viewer: m.Name, At: now, Own: true}
		if ok {
			if err := addTotals(ctx, tx, m, a, &list); err != nil {
				return err
			}
		} else {
			list.Outcome, list.Message = res.Outcome, a.Message
		}
		pages = append(pages, list)
	}
	if changed && !ok { // It failed after some pages: what they gave counts, and is shown.
		part := archive.Response{Source: OwnSource, Address: memberAddress(m.Name) + "?site=" + a.Site, Viewer: m.Name, At: now, Own: true}
		if err := addTotals(ctx, tx, m, a, &part); err != nil {
			return err
		}
		pages = append(pages, part)
	}
	if changed || ok {
		own, err := memberPages(ctx, tx, []int64{m.ID}, now)
		if err != nil {
			return err
		}
		pages = append(pages, own...)
	}
	if len(pages) == 0 {
		return nil
	}
	_, err := archive.StoreAll(ctx, tx, pages, now)
	return err
}

// addTotals adds what is counted of an account to the page it was counted from.
func addTotals(ctx context.Context, tx *gorm.DB, m *members.Member, a *Account, p *archive.Response) error {
	var t Account
	err := tx.WithContext(ctx).Raw(`SELECT submissions, accepted, solved, statuses FROM accounts WHERE id = @id`, pg.Named("id", a.ID)).Scan(&t).Error
	if err != nil {
		return fmt.Errorf("totals of %s: %w", a, err)
	}
	p.Shards = map[string][]archive.Row{"account_totals": {{"member": m.Name, "site": a.Site, "handle": a.Handle,
		"submissions": t.Submissions, "accepted": t.Accepted, "solved": t.Solved, "statuses": t.Statuses}}}
	return nil
}

// ratingsPage is the page of rated contests, which shows all of them.
func ratingsPage(m *members.Member, a *Account, res Result, now time.Time) archive.Response {
	p := archive.Response{Source: a.Site, Address: res.RatingsAddress, Viewer: m.Name, At: now,
		Shards: map[string][]archive.Row{}, Complete: map[string][]archive.Row{"account_contest": {{"site": a.Site, "handle": a.Handle}}}}
	best := 0
	for _, r := range res.Ratings {
		best = max(best, r.Rating)
	}
	byContest := map[string]archive.Row{}
	for _, r := range res.Ratings {
		if byContest[r.Contest] != nil {
			continue // A site's slip; ratings keeps the first, too.
		}
		row := archive.Row{"site": a.Site, "handle": a.Handle, "contest": pg.CleanText(r.Contest), "name": pg.CleanText(r.Name), "url": pg.CleanText(r.URL),
			"rank": r.Rank, "rating": r.Rating, "rated_at": r.At}
		byContest[r.Contest] = row
		p.Shards["account_contest"] = append(p.Shards["account_contest"], row)
	}
	if n := len(res.Ratings); n > 0 {
		p.Shards["account_rating"] = []archive.Row{{"site": a.Site, "handle": a.Handle, "rating": res.Ratings[n-1].Rating, "best": best}}
	}
	return p
}

// memberPages are what Laurel's pages of members say of them as persons and in sums.
func memberPages(ctx context.Context, tx *gorm.DB, ids []int64, now time.Time) ([]archive.Response, error) {
	var rows []struct {
		members.Member
		Stats submissions.MemberStats `gorm:"embedded"`
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT m.id, m.name, m.display_name, m.time_zone, s.submissions, s.accepted, s.solved, s.day_streak, s.best_day_streak, s.ac_streak, s.best_ac_streak, s.last_day, s.newest_at
		FROM members m LEFT JOIN member_stats s ON s.member_id = m.id WHERE m.id = ANY(CAST(@ids AS bigint[]))`, pg.Named("ids", &ids)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("pages of members: %w", err)
	}
	var pages []archive.Response
	for _, r := range rows {
		var lastDay, newest any
		if r.Stats.LastDay != nil {
			lastDay = r.Stats.LastDay.Format(time.DateOnly)
		}
		if r.Stats.NewestAt != nil {
			newest = *r.Stats.NewestAt
		}
		pages = append(pages, archive.Response{Source: OwnSource, Address: memberAddress(r.Name), Viewer: r.Name, At: now, Own: true, Shards: map[string][]archive.Row{
			"member_person": {{"member": r.Name, "display_name": r.DisplayName, "time_zone": r.TimeZone}},
			"member_totals": {{"member": r.Name, "submissions": r.Stats.Submissions, "accepted": r.Stats.Accepted, "solved": r.Stats.Solved}},
			"member_streaks": {{"member": r.Name, "day_streak": r.Stats.DayStreak, "best_day_streak": r.Stats.BestDayStreak, "last_day": lastDay,
				"accepted_streak": r.Stats.AcStreak, "best_accepted_streak": r.Stats.BestAcStreak, "newest_at": newest}}}})
	}
	return pages, nil
}

// A lostHandle is an account that went away.
type lostHandle struct {
	MemberID     int64
	Member, Site string
}

// observeEdit archives what an edit changed of members: those whose page shows
// something else now, and the handles that went.
func observeEdit(ctx context.Context, tx *gorm.DB, ids []int64, lost []lostHandle, now time.Time) error {
	pages, err := memberPages(ctx, tx, ids, now)
	if err != nil {
		return err
	}
	for _, l := range lost {
		pages = append(pages, archive.Response{Source: OwnSource, Address: memberAddress(l.Member) + "?site=" + l.Site, Viewer: l.Member, At: now, Own: true,
			Complete: map[string][]archive.Row{"account_totals": {{"member": l.Member, "site": l.Site}}}})
	}
	if len(pages) == 0 {
		return nil
	}
	_, err = archive.StoreAll(ctx, tx, pages, now)
	return err
}

// forgetMembers takes from the archive what is about members alone. What sites
// showed of their handles stays; nobody can tell any more for whom it was seen.
func forgetMembers(ctx context.Context, tx *gorm.DB, names []string) error {
	var shards []*archive.Shard
	for _, s := range archive.BuiltIn() {
		if s.Key[0].Name == "member" {
			shards = append(shards, s)
		}
	}
	if err := archive.Forget(ctx, tx, shards, "member", names); err != nil {
		return err
	}
	err := tx.WithContext(ctx).Exec(`
		UPDATE archive_pages SET viewer = 'forgotten ' || id, address = CASE source WHEN @own THEN '/u/' ELSE address END
		WHERE viewer = ANY(CAST(@names AS text[]))`, pg.Named("own", OwnSource, "names", &names)).Error
	if err != nil {
		return fmt.Errorf("forget the looks for %v: %w", names, err)
	}
	return forgetInLadders(ctx, tx, names)
}
