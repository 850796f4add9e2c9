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
	err = db.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (
			SELECT DISTINCT ON (network, host, external_id) * FROM (
				SELECT coalesce(t.network, g.network) AS network, coalesce(t.host, g.host) AS host, coalesce(t.external_id, g.external_id) AS external_id, g.url, g.member_id, g.created_at
				FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@ids AS text[]), CAST(@urls AS text[]), CAST(@members AS bigint[]), CAST(@created AS timestamptz[]))
					AS g(network, host, external_id, url, member_id, created_at)
				LEFT JOIN post_names n ON n.network = g.network AND n.host = g.host AND n.name = g.external_id LEFT JOIN posts t ON t.id = n.post_id) g
			ORDER BY network, host, external_id, member_id),
		pools AS (INSERT INTO post_pools (network, host) SELECT DISTINCT network, host FROM given ORDER BY network, host ON CONFLICT DO NOTHING),
		known AS MATERIALIZED (SELECT p.id, g.member_id FROM given g JOIN posts p USING (network, host, external_id) WHERE p.member_id IS NULL AND g.member_id IS NOT NULL),
		nobodys AS MATERIALIZED ( -- In this order, as looks are stored; by their numbers, for who waits here may wait for their names to change.
			SELECT p.id, k.member_id FROM known k JOIN posts p ON p.id = k.id WHERE p.member_id IS NULL ORDER BY p.id FOR UPDATE OF p),
		taken AS (UPDATE posts p SET member_id = n.member_id FROM nobodys n WHERE p.id = n.id),
		made AS (
			INSERT INTO posts AS p (network, host, external_id, url, member_id, created_at, added_at, next_update_at)
			SELECT network, host, external_id, url, member_id, created_at, @now, @now FROM given WHERE NOT EXISTS (SELECT FROM posts p WHERE (p.network, p.host, p.external_id) = (given.network, given.host, given.external_id))
			ORDER BY network, host, external_id
			ON CONFLICT (network, host, external_id) DO UPDATE SET member_id = EXCLUDED.member_id WHERE p.member_id IS NULL AND EXCLUDED.member_id IS NOT NULL
			RETURNING xmax = 0 AS fresh)
		SELECT count(*) FILTER (WHERE fresh) FROM made`,
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
