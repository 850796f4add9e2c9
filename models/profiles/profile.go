package profiles

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Profile is a member's page in four queries: the person with sums and a year
// of days, the accounts, their ratings, and the newest submissions.
type Profile struct {
	members.Member
	Stats    submissions.MemberStats
	Owner    string            // Of a custom member: who follows.
	Days     []submissions.Day // Those with submissions since the day asked for, oldest first.
	Accounts []AccountRatings
	Recent   []submissions.Submission
	Track    forums.Track
	Said     []Said // By site.
}

// Said is what a site says of a member: the title it gives, and what the member wrote there.
type Said struct {
	Site, Title, Country, Organisation string
}

// AccountRatings is an account with its rated contests, oldest first.
type AccountRatings struct {
	members.Account
	Ratings []submissions.RatingFound
}

// Of returns a member's profile with the days since since (a civil day)
// and at most recent submissions, or ErrNotFound.
func Of(ctx context.Context, db *gorm.DB, name string, since time.Time, recent int) (Profile, error) {
	p, err := person(ctx, db, name, since)
	if err != nil {
		return p, fmt.Errorf("profile of %q: %w", name, err)
	}
	if p.Accounts, err = RatingsOf(ctx, db, p.ID); err != nil {
		return p, fmt.Errorf("profile of %q: %w", name, err)
	}
	page, err := submissions.Of(ctx, db, submissions.Filter{MemberID: p.ID}, pg.Cursor{}, false, recent)
	p.Recent = page.Items
	return p, err
}

func person(ctx context.Context, db *gorm.DB, name string, since time.Time) (Profile, error) {
	var row struct {
		members.Member
		submissions.MemberStats
		Owner, Days, Track, Said string
	}
	if !members.MemberName.MatchString(name) {
		return Profile{}, pg.ErrNotFound
	}
	err := db.WithContext(ctx).Raw(queries.Must("person"),
		pg.Named("name", name, "since", since, "most", forums.ProfileTrack, "asking", members.Asking(ctx))).Scan(&row).Error
	if err != nil {
		return Profile{}, err
	}
	if row.ID == 0 {
		return Profile{}, pg.ErrNotFound
	}
	p := Profile{Member: row.Member, Owner: row.Owner, Stats: row.MemberStats, Days: readDays(row.Days, since)}
	if row.Said != "" {
		if err := json.Unmarshal([]byte(row.Said), &p.Said); err != nil {
			return p, err
		}
	}
	p.Track, err = forums.ReadTrack(row.Track)
	return p, err
}

// readDays reads a day's distance from since, its submissions, the accepted and the undetailed
// ones, four numbers a day. As JSON, a year of them took over four times as long.
func readDays(text string, since time.Time) []submissions.Day {
	var days []submissions.Day
	var n [4]int
	i := 0
	for field := range strings.FieldsSeq(text) {
		n[i], _ = strconv.Atoi(field) // Postgres wrote it.
		if i++; i == len(n) {
			days = append(days, submissions.Day{Day: since.AddDate(0, 0, n[0]), Submissions: n[1], Accepted: n[2], Undetailed: n[3]})
			i = 0
		}
	}
	return days
}

// RatingsOf returns members' accounts with their rated contests.
func RatingsOf(ctx context.Context, db *gorm.DB, ids ...int64) ([]AccountRatings, error) {
	accounts, err := members.AccountsOf(ctx, db, ids...)
	if err != nil {
		return nil, err
	}
	out := make([]AccountRatings, len(accounts))
	byID := map[int64]*AccountRatings{}
	for i, a := range accounts {
		out[i].Account = a
		byID[a.ID] = &out[i]
	}
	// Rows are scanned by hand: a profile has many, and GORM's way costs as much
	// as everything else on it.
	rows, err := db.WithContext(ctx).Raw(`
		SELECT r.account_id, r.contest, r.name, r.url, r.rank, r.rating, r.rated_at
		FROM ratings r JOIN accounts a ON a.id = r.account_id WHERE a.member_id = ANY(CAST(@ids AS bigint[]))
			ORDER BY r.rated_at, r.contest`, pg.Named("ids", &ids)).Rows()
	if err != nil {
		return nil, fmt.Errorf("ratings of members %d: %w", ids, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		var r submissions.RatingFound
		if err := rows.Scan(&id, &r.Contest, &r.Name, &r.URL, &r.Rank, &r.Rating, &r.At); err != nil {
			return nil, fmt.Errorf("ratings of members %d: %w", ids, err)
		}
		if a := byID[id]; a != nil { // Else it was added since the first query.
			a.Ratings = append(a.Ratings, r)
		}
	}
	return out, rows.Err()
}
