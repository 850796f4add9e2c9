package posts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
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
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := addPosts(ctx, tx, posts, now, &added); err != nil {
			return err
		}
		return emitNamed(ctx, tx, *pg.Column(posts, func(p *New) Key { return p.Key }), now)
	})
	if err != nil {
		return 0, fmt.Errorf("add posts: %w", err)
	}
	return added, nil
}

func addPosts(ctx context.Context, tx *gorm.DB, posts []New, now time.Time, added *int) error {
	return tx.WithContext(ctx).Raw(queries.Must("add"),
		pg.Named("now", now, "networks", pg.Column(posts, func(p *New) string { return p.Network }),
			"hosts", pg.Column(posts, func(p *New) string { return p.Host }),
			"ids", pg.Column(posts, func(p *New) string { return p.ExternalID }),
			"urls", pg.Column(posts, func(p *New) string { return pg.CleanText(p.URL) }),
			"members", pg.Column(posts, func(p *New) *int64 { return p.MemberID }),
			"created", pg.Column(posts, func(p *New) time.Time { return *cmp.Or(p.CreatedAt, &now) }))).Row().Scan(added)
}

// emitNamed reports members' posts to awards by their names: they may have come to a member with numbers already.
func emitNamed(ctx context.Context, tx *gorm.DB, keys []Key, now time.Time) error {
	return events.Emit(ctx, tx, "posts", `
		SELECT e.member_id, e.item
		FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@names AS text[])) AS g(network, host, name)
		LEFT JOIN post_names n USING (network, host, name)
		JOIN posts p ON p.id = n.post_id
			OR n.post_id IS NULL AND p.network = g.network AND p.host = g.host AND p.external_id = g.name
		JOIN posts_events e ON e.id = p.id`,
		pg.Named("networks", pg.Column(keys, func(k *Key) string { return k.Network }),
			"hosts", pg.Column(keys, func(k *Key) string { return k.Host }),
			"names", pg.Column(keys, func(k *Key) string { return k.ExternalID })), now)
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
