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
	pg "laurel/models/db"
)

// A Poll is one request to a network, and what came of it.
type Poll struct {
	CredentialID int64
	Outcome      string // As of a retrieval; docs/design/posts.md names them.
	Message      string
	Took         time.Duration
	Asked        int
	Looks        []Look // Of all posts that it asked for.
}

// A Rule is what decides when posts are looked at again.
type Rule struct {
	Tiers   Tiers
	Pace    Pace
	Charged bool // The network wants money for each post and UTC day.
}

// Store stores what requests to a pool showed: the numbers, when each post is
// due again, a snapshot in the archive, and an event where a member's post has
// other numbers now; and frees the posts. All in one transaction, set by set.
// Posts that somebody else claimed meanwhile are left alone: their lease was lost.
// It returns how many were stored.
func Store(ctx context.Context, db *gorm.DB, pool Pool, lease Lease, polls []Poll, rule Rule, clock func() time.Time) (stored int, err error) {
	now := clock()
	var looks []*Look
	for i := range polls {
		for j := range polls[i].Looks {
			looks = append(looks, &polls[i].Looks[j])
		}
	}
	slices.SortFunc(looks, func(a, b *Look) int { return cmp.Compare(a.Post.ID, b.Post.ID) }) // As others lock several.
	var rows postColumns
	for _, l := range looks {
		rows.add(l, l.settle(rule.Tiers, rule.Pace, rule.Charged, rand.Float64(), now), now)
	}
	for range 3 { // The database may write them in another order, and somebody else wait for us, and we for him.
		if stored, err = rows.storeAll(ctx, db, pool, lease, polls, rule.Charged, now, clock); !pg.IsRetry(err) {
			break
		}
	}
	if err != nil {
		return 0, fmt.Errorf("store posts of %s: %w", pool, err)
	}
	return stored, nil
}

// storeAll is StorePosts in one transaction.
func (c *postColumns) storeAll(ctx context.Context, db *gorm.DB, pool Pool, lease Lease, polls []Poll, charged bool, now time.Time, clock func() time.Time) (stored int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		lost, err := c.store(tx, lease, now)
		if err != nil {
			return err
		}
		stored = len(c.ids) - len(lost)
		if err := archivePosts(ctx, tx, pool, polls, lost, now, clock); err != nil {
			return err
		}
		if err := emitPosts(ctx, tx, polls, lost, now); err != nil {
			return err
		}
		return logPolls(ctx, tx, pool, polls, lost, charged, now)
	})
	return stored, err
}

// postColumns are what looks make of rows, as the lists that a statement unnests.
type postColumns struct {
	ids, likes, reposts, replies, quotes, bookmarks, views []*int64
	found, looked                                          []bool
	states, errs, authors, texts, urls                     []string
	originals                                              []*string
	attempts, missing                                      []int64
	next, since, created, charged                          []*time.Time
}

func (c *postColumns) add(l *Look, to postChange, now time.Time) {
	seen := l.Seen
	if seen == nil {
		seen = &Seen{Numbers: l.Post.Numbers}
	}
	n := seen.all()
	c.ids = append(c.ids, &l.Post.ID)
	for i, list := range []*[]*int64{&c.likes, &c.reposts, &c.replies, &c.quotes, &c.bookmarks, &c.views} {
		*list = append(*list, n[i])
	}
	c.found, c.looked, c.states, c.errs = append(c.found, l.What == LookFound), append(c.looked, to.looked), append(c.states, to.state), append(c.errs, pg.CleanText(to.err))
	c.authors, c.texts, c.urls = append(c.authors, pg.CleanText(seen.Author)), append(c.texts, pg.CleanText(seen.Text)), append(c.urls, pg.CleanText(seen.URL))
	c.attempts, c.missing = append(c.attempts, int64(to.attempts)), append(c.missing, int64(min(to.missing, 30_000)))
	c.next, c.since, c.charged = append(c.next, to.next), append(c.since, to.missingSince), append(c.charged, to.charged)
	var original *string
	if seen.RepostOf != "" {
		original = &seen.RepostOf
	}
	var created *time.Time
	if !seen.CreatedAt.IsZero() && !seen.CreatedAt.After(now.Add(postLead)) {
		created = &seen.CreatedAt
	}
	c.originals, c.created = append(c.originals, original), append(c.created, created)
}

// store writes the rows that still are the lease's, and returns which ones are not.
func (c *postColumns) store(tx *gorm.DB, lease Lease, now time.Time) (lost map[int64]bool, err error) {
	var list *string
	err = tx.Raw(queries.Must("store"),
		pg.Named("now", now, "claimed", lease.From, "ids", &c.ids, "likes", &c.likes, "reposts", &c.reposts, "replies", &c.replies, "quotes", &c.quotes, "bookmarks", &c.bookmarks, "views", &c.views,
			"found", &c.found, "looked", &c.looked, "states", &c.states, "errs", &c.errs, "authors", &c.authors, "texts", &c.texts, "urls", &c.urls, "originals", &c.originals,
			"attempts", &c.attempts, "missing", &c.missing, "next", &c.next, "since", &c.since, "created", &c.created, "charged", &c.charged, "lease", lease.ID)).Row().Scan(&list)
	if err != nil || list == nil {
		return nil, err
	}
	var ids []int64
	if err := json.Unmarshal([]byte(*list), &ids); err != nil {
		return nil, err
	}
	lost = make(map[int64]bool, len(ids))
	for _, id := range ids {
		lost[id] = true
	}
	return lost, nil
}

// archivePosts keeps what each request showed: the numbers, or that it failed.
func archivePosts(ctx context.Context, tx *gorm.DB, pool Pool, polls []Poll, lost map[int64]bool, now time.Time, clock func() time.Time) error {
	rows := []archive.Row{}
	var failed *Poll
	for i := range polls {
		for j := range polls[i].Looks {
			if l := &polls[i].Looks[j]; !lost[l.Post.ID] && l.What == LookFound {
				rows = append(rows, metricsRow(l))
			}
		}
		if polls[i].Outcome != pg.OutcomeOK {
			failed = &polls[i]
		}
	}
	page := archive.Response{Source: pool.Network, Address: "posts of " + pool.String(), At: now, Own: true, Clock: clock}
	switch {
	case len(rows) > 0:
		page.Shards = map[string][]archive.Row{"post_metrics": rows}
	case failed != nil:
		page.Outcome, page.Message = failed.Outcome, pg.CleanText(failed.Message)
	default:
		return nil
	}
	_, err := archive.Store(ctx, tx, page, now)
	return err
}

func metricsRow(l *Look) archive.Row {
	row := archive.Row{"network": l.Post.Network, "host": l.Post.Host, "post": l.Post.ExternalID}
	for i, n := range l.Seen.all() {
		name := [...]string{"likes", "reposts", "replies", "quotes", "bookmarks", "views"}[i]
		if row[name] = nil; n != nil {
			row[name] = *n
		}
	}
	return row
}
