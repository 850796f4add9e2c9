package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// emit reports members' posts to awards that are not as they were, or are gone. A post is one item: what it
// counted before is taken back as it counts anew, so the same rise never counts twice, and a fall counts, too.
func (s *fetchStore) emit(ctx context.Context, tx *gorm.DB) error {
	var ids []int64
	for _, r := range s.results {
		if r.Post.MemberID == nil || s.lost[r.Post.ID] {
			continue
		}
		changed := r.What == ResultFound && (r.Post.MetricsAt == nil || !r.Seen.same(&r.Post.Numbers) || r.Post.State == PostGone)
		if changed || r.What == ResultGone || r.What == ResultAbsent {
			ids = append(ids, r.Post.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return events.Emit(ctx, tx, "posts", queries.Must("changed"), pg.Named("ids", &ids, "at", s.now), s.now)
}

// emitPosts reports members' posts to awards, as they are and before they go.
func emitPosts(ctx context.Context, tx *gorm.DB, ids []int64, now time.Time) error {
	return events.Emit(ctx, tx, "posts", `SELECT member_id, item FROM posts_events WHERE id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids), now)
}

// count returns how many posts of a request were found, missing, and are to be paid for.
func (s *fetchStore) count(p *Poll) (found, missing, cost int) {
	today := s.now.UTC().Truncate(24 * time.Hour)
	for i := range p.Results {
		switch r := &p.Results[i]; r.What {
		case ResultFound:
			found++
			if s.Rule.Charged && !s.lost[r.Post.ID] && (r.Post.ChargedOn == nil || r.Post.ChargedOn.Before(today)) {
				cost++
			}
		case ResultAbsent, ResultGone, ResultProtected:
			missing++
		}
	}
	return found, missing, cost
}

// log stores each request for a while, and adds to what its credential was used for on
// this UTC day.
func (s *fetchStore) log(ctx context.Context, tx *gorm.DB) error {
	var found, missing, cost []int
	for i := range s.Polls {
		f, m, c := s.count(&s.Polls[i])
		found, missing, cost = append(found, f), append(missing, m), append(cost, c)
	}
	err := tx.WithContext(ctx).Exec(queries.Must("log_polls"),
		pg.Named("network", s.Pool.Network, "host", s.Pool.Host, "now", s.now, "today", s.now.UTC().Truncate(24*time.Hour),
			"found", &found, "missing", &missing, "cost", &cost,
			"credentials", pg.Column(s.Polls, func(p *Poll) int64 { return p.CredentialID }),
			"asked", pg.Column(s.Polls, func(p *Poll) int { return p.Asked }),
			"took", pg.Column(s.Polls, func(p *Poll) int64 { return p.Took.Milliseconds() }),
			"outcomes", pg.Column(s.Polls, func(p *Poll) string { return p.Outcome }),
			"messages", pg.Column(s.Polls, func(p *Poll) string { return pg.CleanText(p.Message) }))).Error
	if err != nil {
		return fmt.Errorf("log requests: %w", err)
	}
	return nil
}
