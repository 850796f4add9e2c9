package history

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// What a fetch finds out is archived in the transaction that stores it, as pages:
// those of the site, seen for a member (the viewer), and the member's own page
// of Laurel, which shows what was counted. A page is fetched when its fetch
// ends. All of a transaction goes into the archive in one piece, at its end.

// OwnSource is Laurel itself as a source of the archive.
const OwnSource = "laurel"

// MemberAddress is the member's own page in the archive.
func MemberAddress(name string) string { return "/u/" + name }

// MemberPages are what Laurel's pages of members say of them as persons and in sums.
func MemberPages(ctx context.Context, tx *gorm.DB, ids []int64, now time.Time) ([]archive.Response, error) {
	var rows []struct {
		members.Member
		Stats submissions.MemberStats `gorm:"embedded"`
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT m.id, m.name, m.display_name, m.time_zone, s.submissions, s.accepted, s.solved, s.day_streak, s.best_day_streak, s.ac_streak,
			s.best_ac_streak, s.last_day, s.newest_at
		FROM members m LEFT JOIN member_stats s ON s.member_id = m.id WHERE m.id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids)).Scan(&rows).Error
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
		pages = append(pages, archive.Response{Source: OwnSource, Address: MemberAddress(r.Name), Viewer: r.Name, At: now, Own: true,
			Shards: map[string][]shards.Row{
				"member_person": {{"member": r.Name, "display_name": r.DisplayName, "time_zone": r.TimeZone}},
				"member_totals": {{"member": r.Name, "submissions": r.Stats.Submissions, "accepted": r.Stats.Accepted,
					"solved": r.Stats.Solved}},
				"member_streaks": {{"member": r.Name, "day_streak": r.Stats.DayStreak, "best_day_streak": r.Stats.BestDayStreak,
					"last_day":        lastDay,
					"accepted_streak": r.Stats.AcStreak, "best_accepted_streak": r.Stats.BestAcStreak, "newest_at": newest}}}})
	}
	return pages, nil
}

// A LostHandle is an account that went away.
type LostHandle struct {
	MemberID     int64
	Member, Site string
}

// RecordEdit archives what an edit changed of members: those whose page shows
// something else now, and the handles that went.
func RecordEdit(ctx context.Context, tx *gorm.DB, ids []int64, lost []LostHandle, now time.Time) error {
	pages, err := MemberPages(ctx, tx, ids, now)
	if err != nil {
		return err
	}
	for _, l := range lost {
		pages = append(pages, archive.Response{Source: OwnSource, Address: MemberAddress(l.Member) + "?site=" + l.Site, Viewer: l.Member,
			At: now, Own: true, Complete: map[string][]shards.Row{"account_totals": {{"member": l.Member, "site": l.Site}},
				"account_undetailed": {{"member": l.Member, "site": l.Site}}}})
	}
	if len(pages) == 0 {
		return nil
	}
	_, err = archive.StoreAll(ctx, tx, pages, now)
	return err
}

// RecordCounts archives what is counted of a member, and of one account, after its rows were
// changed by somebody else than its site.
func RecordCounts(ctx context.Context, tx *gorm.DB, m *members.Member, a *members.Account, now time.Time) error {
	pages, err := MemberPages(ctx, tx, []int64{m.ID}, now)
	if err != nil {
		return err
	}
	page := archive.Response{Source: OwnSource, Address: MemberAddress(m.Name) + "?site=" + a.Site, Viewer: m.Name, At: now, Own: true}
	if err := AddCounts(ctx, tx, m, a.ID, &page); err != nil {
		return err
	}
	pages = append(pages, page)
	_, err = archive.StoreAll(ctx, tx, pages, now)
	return err
}

// AddCounts adds what is counted of a member's account to the page that it was counted from.
func AddCounts(ctx context.Context, tx *gorm.DB, m *members.Member, account int64, p *archive.Response) error {
	a, err := gorm.G[members.Account](tx).Where("id = ?", account).Take(ctx)
	if err != nil {
		return fmt.Errorf("counts of account %d: %w", account, err)
	}
	p.Shards = map[string][]shards.Row{"account_totals": {{"member": m.Name, "site": a.Site, "handle": a.Handle,
		"submissions": a.Submissions, "accepted": a.Accepted, "solved": a.Solved, "statuses": a.Statuses}}}
	if a.ReportedSubmissions == nil {
		return nil
	}
	p.Complete = map[string][]shards.Row{"account_undetailed": {{"member": m.Name, "site": a.Site}}}
	if submitted, solved := a.Undetailed(); submitted+solved > 0 {
		p.Shards["account_undetailed"] = []shards.Row{{"member": m.Name, "site": a.Site, "submissions": submitted, "solved": solved}}
	}
	return nil
}

// ForgetHandle deletes what the archive has of an account on a site, by all spellings of its handle.
func ForgetHandle(ctx context.Context, tx *gorm.DB, site string, spellings []string) error {
	var those []*archive.Shard
	for _, s := range archive.BuiltIn() {
		if s.Key[0].Name == "site" && s.Key[1].Name == "handle" {
			those = append(those, s)
		}
	}
	return archive.Forget(ctx, tx, those, map[string][]string{"site": {site}, "handle": spellings})
}

// ForgetMembers takes from the archive what is about members alone. What sites
// showed of their handles stays; nobody can tell any more for whom it was seen.
func ForgetMembers(ctx context.Context, tx *gorm.DB, names []string) error {
	var own []*archive.Shard
	for _, s := range archive.BuiltIn() {
		if s.Key[0].Name == "member" {
			own = append(own, s)
		}
	}
	if err := archive.Forget(ctx, tx, own, map[string][]string{"member": names}); err != nil {
		return err
	}
	err := tx.WithContext(ctx).Exec(`
		UPDATE archive_pages SET viewer = 'forgotten ' || id, address = CASE source WHEN @own THEN '/u/' ELSE address END
		WHERE viewer = ANY(CAST(@names AS text[]))`, pg.Named("own", OwnSource, "names", &names)).Error
	if err != nil {
		return fmt.Errorf("forget the fetches for %v: %w", names, err)
	}
	return forgetInRankings(ctx, tx, names)
}
