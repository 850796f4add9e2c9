package posts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A New is a post to follow. CreatedAt is nil where it is not known until the first
// fetch.
type New struct {
	Key
	MemberID  *int64
	URL       string
	CreatedAt *time.Time
}

// postLead is by how much a post may be younger than our clock.
const postLead = 5 * time.Minute

// Wake is heard on ChannelAsked where a post of a network is wanted at once.
func Wake(network string) string { return "fetch posts of " + network }

// Add follows posts, each to be fetched as soon as its time comes. One that is
// followed already, by this name or by its true one, stays as it is, but gets an
// owner if it had none. It returns how many are new. One statement, however many
// they are.
func Add(ctx context.Context, db *gorm.DB, posts []New, now time.Time) (added int, err error) {
	if len(posts) == 0 {
		return 0, nil
	}
	if i := slices.IndexFunc(posts, func(p New) bool { return p.Unborn(now) }); i >= 0 {
		return 0, &pg.InputError{Field: "created_at", Message: fmt.Sprintf("%s says it was written at %s, which is in the future",
			posts[i].Key, posts[i].CreatedAt.Format(time.RFC3339))}
	}
	err = db.WithContext(ctx).Raw(queries.Must("add"),
		pg.Named("now", now, "networks", pg.Column(posts, func(p *New) string { return p.Network }),
			"hosts", pg.Column(posts, func(p *New) string { return p.Host }),
			"ids", pg.Column(posts, func(p *New) string { return p.ExternalID }),
			"urls", pg.Column(posts, func(p *New) string { return pg.CleanText(p.URL) }),
			"members", pg.Column(posts, func(p *New) *int64 { return p.MemberID }),
			"created", pg.Column(posts, func(p *New) time.Time { return *cmp.Or(p.CreatedAt, &now) }))).Row().Scan(&added)
	if err != nil {
		return 0, fmt.Errorf("add posts: %w", err)
	}
	return added, nil
}

// Unborn says whether a post would be younger than any clock allows.
func (p *New) Unborn(now time.Time) bool {
	return p.CreatedAt != nil && p.CreatedAt.After(now.Add(postLead))
}

// Refresh has a post fetched at once, whatever its tier. It returns from
// when on that can be requested again, which is coolDown later; asked is false where
// that is later than now.
func Refresh(ctx context.Context, db *gorm.DB, id int64, bufferTTL, coolDown time.Duration, now time.Time) (
	asked bool, again time.Time, err error) {
	var was *time.Time
	err = db.WithContext(ctx).Raw(queries.Must("refresh"),
		pg.Named("id", id, "now", now, "due", now.Add(-bufferTTL), "since", now.Add(-coolDown), "channel", pg.ChannelAsked,
			"wake", Wake(""))).Row().Scan(&asked, &was)
	if err != nil {
		return false, now, fmt.Errorf("refresh a post: %w", err)
	}
	if asked || was == nil {
		return asked, now.Add(coolDown), nil
	}
	return false, was.Add(coolDown), nil
}
