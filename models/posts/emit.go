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
	return events.Emit(ctx, tx, "posts", queries.Must("changed"), pg.Named("ids", &ids, "at", now), now)
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
	err := tx.WithContext(ctx).Exec(queries.Must("log_polls"),
		pg.Named("credentials", &credentials, "asked", &asked, "found", &found, "missing", &missing, "cost", &cost, "took", &took, "outcomes", &outcomes, "messages", &messages,
			"today", today, "network", pool.Network, "host", pool.Host, "now", now)).Error
	if err != nil {
		return fmt.Errorf("log requests: %w", err)
	}
	return nil
}
