package posts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/responses"
)

// A Poll is one request to a network, and what came of it.
type Poll struct {
	CredentialID int64
	Outcome      string // As of a retrieval; docs/design/posts.md names them.
	Message      string
	Took         time.Duration
	Asked        int
	Results      []Result // Of all posts that it asked for.
}

// A Rule is what decides when posts are fetched again.
type Rule struct {
	Tiers   Tiers
	Pace    Pace
	Charged bool // The network wants money for each post and UTC day.
}

// A Fetch is what requests to a pool showed of posts that were claimed for them.
type Fetch struct {
	Pool  Pool
	Lease Lease
	Polls []Poll
	// Answers are the raw ones, kept for a while.
	Answers []responses.Answer
	Rule    Rule
	Clock   func() time.Time
}

// A fetchStore stores a Fetch.
type fetchStore struct {
	Fetch
	now     time.Time
	results []*Result
	changes []postChange
	lost    map[int64]bool // Posts that somebody else claimed meanwhile.
}

// Store stores what requests to a pool showed: the numbers, when each post is
// due again, a snapshot in the archive, and an event where a member's post has
// other numbers now; and frees the posts. All in one transaction, set by set.
// Posts that somebody else claimed meanwhile are left alone: their lease was lost.
// It returns how many were stored.
func Store(ctx context.Context, db *gorm.DB, f Fetch) (stored int, err error) {
	s := &fetchStore{Fetch: f, now: f.Clock()}
	for i := range f.Polls {
		for j := range f.Polls[i].Results {
			s.results = append(s.results, &f.Polls[i].Results[j])
		}
	}
	slices.SortFunc(s.results, func(a, b *Result) int { return cmp.Compare(a.Post.ID, b.Post.ID) }) // As others lock several.
	for _, r := range s.results {
		s.changes = append(s.changes, r.apply(f.Rule, rand.Float64(), s.now))
	}
	for range 3 { // The database may write them in another order, and somebody else wait for us, and we for him.
		err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return s.store(ctx, tx) })
		if !pg.IsRetry(err) {
			break
		}
	}
	if err != nil {
		return 0, fmt.Errorf("store posts of %s: %w", f.Pool, err)
	}
	return len(s.results) - len(s.lost), nil
}

func (s *fetchStore) store(ctx context.Context, tx *gorm.DB) error {
	if err := s.write(tx); err != nil {
		return err
	}
	if err := s.archive(ctx, tx); err != nil {
		return err
	}
	if err := s.emit(ctx, tx); err != nil {
		return err
	}
	if _, err := responses.Store(ctx, tx, responses.Owner{Kind: responses.Poll}, s.Answers, s.now); err != nil {
		return err
	}
	return s.log(ctx, tx)
}

// write writes the rows that still are the lease's, and finds out which ones are not.
func (s *fetchStore) write(tx *gorm.DB) error {
	number := func(i int) *[]*int64 {
		return pg.Column(s.results, func(r **Result) *int64 { return (*r).seen().all()[i] })
	}
	text := func(of func(*Seen) string) *[]string {
		return pg.Column(s.results, func(r **Result) string { return pg.CleanText(of((*r).seen())) })
	}
	var lost *string
	err := tx.Raw(queries.Must("store"),
		pg.Named("now", s.now, "claimed", s.Lease.From, "lease", s.Lease.ID,
			"ids", pg.Column(s.results, func(r **Result) int64 { return (*r).Post.ID }),
			"likes", number(0), "reposts", number(1), "replies", number(2), "quotes", number(3), "bookmarks", number(4), "views", number(5),
			"found", pg.Column(s.results, func(r **Result) bool { return (*r).What == ResultFound }),
			"authors", text(func(p *Seen) string { return p.Author }),
			"texts", text(func(p *Seen) string { return p.Text }),
			"urls", text(func(p *Seen) string { return p.URL }),
			"originals", text(func(p *Seen) string { return p.RepostOf }),
			"created", pg.Column(s.results, func(r **Result) *time.Time { return (*r).seen().created(s.now) }),
			"answered", pg.Column(s.changes, func(c *postChange) bool { return c.answered }),
			"states", pg.Column(s.changes, func(c *postChange) string { return c.state }),
			"errs", pg.Column(s.changes, func(c *postChange) string { return pg.CleanText(c.err) }),
			"attempts", pg.Column(s.changes, func(c *postChange) int { return c.attempts }),
			"missing", pg.Column(s.changes, func(c *postChange) int { return min(c.missing, 30_000) }),
			"next", pg.Column(s.changes, func(c *postChange) *time.Time { return c.next }),
			"since", pg.Column(s.changes, func(c *postChange) *time.Time { return c.missingSince }),
			"charged", pg.Column(s.changes, func(c *postChange) *time.Time { return c.charged }))).Row().Scan(&lost)
	s.lost = map[int64]bool{}
	if err != nil || lost == nil {
		return err
	}
	var ids []int64
	if err := json.Unmarshal([]byte(*lost), &ids); err != nil {
		return err
	}
	for _, id := range ids {
		s.lost[id] = true
	}
	return nil
}

// seen is what was seen of a post, or else the numbers that it had.
func (l *Result) seen() *Seen {
	if l.Seen == nil {
		return &Seen{Numbers: l.Post.Numbers}
	}
	return l.Seen
}

// created is when a post was written, unless that is unknown or cannot be.
func (p *Seen) created(now time.Time) *time.Time {
	if p.CreatedAt.IsZero() || p.CreatedAt.After(now.Add(postLead)) {
		return nil
	}
	return &p.CreatedAt
}

// archive stores what each request showed: the numbers, or that it failed.
func (s *fetchStore) archive(ctx context.Context, tx *gorm.DB) error {
	rows := []shards.Row{}
	for _, r := range s.results {
		if !s.lost[r.Post.ID] && r.What == ResultFound {
			rows = append(rows, metricsRow(r))
		}
	}
	page := archive.Response{Source: s.Pool.Network, Address: "posts of " + s.Pool.String(), At: s.now, Own: true, Clock: s.Clock}
	failed := slices.IndexFunc(s.Polls, func(p Poll) bool { return p.Outcome != pg.OutcomeOK })
	switch {
	case len(rows) > 0:
		page.Shards = map[string][]shards.Row{"post_metrics": rows}
	case failed >= 0:
		page.Outcome, page.Message = s.Polls[failed].Outcome, pg.CleanText(s.Polls[failed].Message)
	default:
		return nil
	}
	_, err := archive.Store(ctx, tx, page, s.now)
	return err
}

func metricsRow(l *Result) shards.Row {
	row := shards.Row{"network": l.Post.Network, "host": l.Post.Host, "post": l.Post.ExternalID}
	for i, n := range l.Seen.all() {
		name := [...]string{"likes", "reposts", "replies", "quotes", "bookmarks", "views"}[i]
		if row[name] = nil; n != nil {
			row[name] = *n
		}
	}
	return row
}
