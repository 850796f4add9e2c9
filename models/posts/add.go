package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A New is a post to follow. CreatedAt is nil where it is not known yet: the
// first look tells.
type New struct {
	Key
	MemberID  *int64
	URL       string
	CreatedAt *time.Time
}

// postLead is by how much a post may be younger than our clock.
const postLead = 5 * time.Minute

// Wake is heard on ChannelAsked where a post of a network is wanted at once.
func Wake(network string) string { return "look at posts of " + network }

// Add follows posts, each to be looked at as soon as its turn comes. One that
// is followed already, by this name or by its true one, stays as it is, but gets an
// owner if it had none. It returns
// how many are new. One statement, however many they are.
func Add(ctx context.Context, db *gorm.DB, posts []New, now time.Time) (added int, err error) {
	if len(posts) == 0 {
		return 0, nil
	}
	n := len(posts)
	networks, hosts, ids, urls := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	members, created := make([]*int64, n), make([]time.Time, n)
	for i := range posts {
		p := &posts[i]
		networks[i], hosts[i], ids[i], urls[i], members[i], created[i] = p.Network, p.Host, p.ExternalID, pg.CleanText(p.URL), p.MemberID, now
		if p.CreatedAt != nil {
			if created[i] = *p.CreatedAt; created[i].After(now.Add(postLead)) {
				return 0, &pg.InputError{Field: "created_at", Message: fmt.Sprintf("%s says it was written at %s, which is in the future", p.Key, p.CreatedAt.Format(time.RFC3339))}
			}
		}
	}
	err = db.WithContext(ctx).Raw(queries.Must("add"),
		pg.Named("networks", &networks, "hosts", &hosts, "ids", &ids, "urls", &urls, "members", &members, "created", &created, "now", now)).Row().Scan(&added)
	if err != nil {
		return 0, fmt.Errorf("add posts: %w", err)
	}
	return added, nil
}

// Refresh lets a post be looked at at once, whatever its tier. It returns from
// when on that can be asked for again, which is coolDown later; asked is false where
// that is later than now.
func Refresh(ctx context.Context, db *gorm.DB, id int64, bufferTTL, coolDown time.Duration, now time.Time) (asked bool, again time.Time, err error) {
	var was *time.Time
	err = db.WithContext(ctx).Raw(`
		WITH old AS (SELECT id, network, asked_at FROM posts WHERE id = @id AND state NOT IN ('invalid', 'paused') FOR UPDATE),
		moved AS (
			UPDATE posts p SET asked_at = @now, next_update_at = least(p.next_update_at, CAST(@due AS timestamptz)) FROM old
			WHERE p.id = old.id AND (old.asked_at IS NULL OR old.asked_at <= @since) RETURNING pg_notify(@channel, @whom || p.network))
		SELECT (SELECT count(*) FROM moved) > 0, (SELECT asked_at FROM old)`,
		pg.Named("id", id, "now", now, "due", now.Add(-bufferTTL), "since", now.Add(-coolDown), "channel", pg.ChannelAsked, "whom", Wake(""))).Row().Scan(&asked, &was)
	if err != nil {
		return false, now, fmt.Errorf("refresh a post: %w", err)
	}
	if asked || was == nil {
		return asked, now.Add(coolDown), nil
	}
	return false, was.Add(coolDown), nil
}
