package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// emitPosts tells awards of members' posts whose numbers are not as they were, or
// that are gone. A post is one item: what its event before counted is taken back
// as this one counts, so the same rise never counts twice, and a fall counts, too.
func emitPosts(ctx context.Context, tx *gorm.DB, polls []Poll, lost map[int64]bool, now time.Time) error {
	var ids []int64
	for i := range polls {
		for j := range polls[i].Looks {
			l := &polls[i].Looks[j]
			if l.Post.MemberID == nil || lost[l.Post.ID] {
				continue
			}
			changed := l.What == LookFound && (l.Post.MetricsAt == nil || !l.Seen.same(&l.Post.Numbers) || l.Post.State == PostGone)
			if changed || l.What == LookGone || l.What == LookAbsent {
				ids = append(ids, l.Post.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return events.Emit(ctx, tx, "posts", `
		SELECT m.id AS member_id, m.name, m.time_zone AS zone, p.network || '/' || p.host || '/' || p.external_id AS item, 'post' AS type, p.network AS object,
			CASE p.state WHEN 'gone' THEN 'deleted' ELSE 'active' END AS status, p.created_at AS at,
			json_build_object('network', p.network, 'likes', p.likes, 'reposts', p.reposts, 'replies', p.replies, 'quotes', p.quotes, 'bookmarks', p.bookmarks, 'views', p.views,
				'repost', p.repost_of IS NOT NULL, 'text', nullif(p.text, ''), 'url', nullif(p.url, '')) AS facts
		FROM posts p JOIN members m ON m.id = p.member_id AND NOT m.custom
		WHERE p.id = ANY(CAST(@ids AS bigint[])) AND p.metrics_at IS NOT NULL AND (p.state = 'gone' OR p.metrics_at = @at) ORDER BY p.id`, pg.Named("ids", &ids, "at", now), now)
}

// logPolls keeps each request for a while, and adds to what its credential was
// used for on this UTC day.
func logPolls(ctx context.Context, tx *gorm.DB, pool Pool, polls []Poll, lost map[int64]bool, charged bool, now time.Time) error {
	var credentials, asked, found, missing, cost, took []int64
	var outcomes, messages []string
	today := now.UTC().Truncate(24 * time.Hour)
	for i := range polls {
		p := &polls[i]
		var f, m, c int64
		for j := range p.Looks {
			switch l := &p.Looks[j]; l.What {
			case LookFound:
				f++
				if charged && !lost[l.Post.ID] && (l.Post.ChargedOn == nil || l.Post.ChargedOn.Before(today)) {
					c++
				}
			case LookAbsent, LookGone, LookProtected:
				m++
			}
		}
		credentials, asked, found, missing, cost = append(credentials, p.CredentialID), append(asked, int64(p.Asked)), append(found, f), append(missing, m), append(cost, c)
		took, outcomes, messages = append(took, p.Took.Milliseconds()), append(outcomes, p.Outcome), append(messages, pg.CleanText(p.Message))
	}
	err := tx.WithContext(ctx).Exec(`
		WITH given AS MATERIALIZED (
			SELECT * FROM unnest(CAST(@credentials AS bigint[]), CAST(@asked AS integer[]), CAST(@found AS integer[]), CAST(@missing AS integer[]), CAST(@cost AS integer[]), CAST(@took AS integer[]), CAST(@outcomes AS text[]), CAST(@messages AS text[]))
				AS g(credential_id, asked, found, missing, cost, took, outcome, message)),
		costs AS (SELECT credential_id, count(*) AS requests, sum(found) AS posts, sum(cost) AS charged FROM given GROUP BY credential_id),`+charge+`
		INSERT INTO post_polls (network, host, credential_id, at, asked, found, missing, outcome, message, took_ms)
		SELECT @network, @host, c.id, @now, asked, found, missing, outcome, message, took FROM given LEFT JOIN credentials c ON c.id = credential_id`,
		pg.Named("credentials", &credentials, "asked", &asked, "found", &found, "missing", &missing, "cost", &cost, "took", &took, "outcomes", &outcomes, "messages", &messages,
			"today", today, "network", pool.Network, "host", pool.Host, "now", now)).Error
	if err != nil {
		return fmt.Errorf("log requests: %w", err)
	}
	return nil
}
