package posts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// PostStates are the states a post can have.
var PostStates = []string{PostActive, PostFinished, PostGone, PostProtected, PostInvalid, PostPaused}

// Tier is the name of the tier in which a post is, "" where it is fetched no more.
func (p *Post) Tier(tiers Tiers, now time.Time) string {
	if p.NextUpdateAt == nil {
		return ""
	}
	tier, _ := tiers.Of(now.Sub(p.CreatedAt))
	return tier.Name
}

// A Filter is which posts; zero fields do not filter.
type Filter struct {
	MemberID       int64
	Network, State string
}

const (
	// postsAtOnce is how far a list that is filtered goes back with one statement,
	// and postWindows how often: a part of it may have few posts, or none, and goes on.
	postsAtOnce = 200_000
	postWindows = 10
)

// Followed returns at most limit posts behind cursor: a member's, newest
// first; else those that were added last first.
func Followed(ctx context.Context, db *gorm.DB, f Filter, cursor pg.Cursor, limit int) (posts []Row, next pg.Cursor, err error) {
	if f.MemberID != 0 {
		return f.ofMember(ctx, db, cursor, limit)
	}
	var before int64
	if err := db.WithContext(ctx).Raw(`SELECT coalesce(max(id), 0) + 1 FROM posts`).Row().Scan(&before); err != nil {
		return nil, next, fmt.Errorf("newest post: %w", err)
	}
	if cursor != (pg.Cursor{}) {
		before = min(before, cursor.ID)
	}
	for n := 0; n < postWindows && before > 1; n++ {
		from := max(before-postsAtOnce, 1)
		part, err := f.where(ctx, db).Where("id < ? AND id >= ?", before, from).Order("id DESC").Limit(limit + 1 - len(posts)).Find(ctx)
		if err != nil {
			return nil, next, fmt.Errorf("posts: %w", err)
		}
		if posts = append(posts, part...); len(posts) > limit {
			posts = posts[:limit]
			return posts, pg.Cursor{At: posts[limit-1].AddedAt, ID: posts[limit-1].ID}, nil
		}
		before = from
	}
	if before > 1 {
		next = pg.Cursor{At: time.Unix(0, 0), ID: before}
	}
	return posts, next, nil
}

// ofMember returns a page of a member's posts, newest first, those behind a cursor.
func (f Filter) ofMember(ctx context.Context, db *gorm.DB, cursor pg.Cursor, limit int) (posts []Row, next pg.Cursor, err error) {
	q := f.where(ctx, db).Where("member_id = ?", f.MemberID)
	if cursor != (pg.Cursor{}) {
		q = q.Where("(created_at, id) < (?, ?)", cursor.At, cursor.ID)
	}
	if posts, err = q.Order("created_at DESC, id DESC").Limit(limit + 1).Find(ctx); err != nil {
		return nil, next, fmt.Errorf("posts of member %d: %w", f.MemberID, err)
	}
	if len(posts) > limit {
		posts = posts[:limit]
		next = pg.Cursor{At: posts[limit-1].CreatedAt, ID: posts[limit-1].ID}
	}
	return posts, next, nil
}

// visibleRow is the clause of who may see a post: as its member.
const visibleRow = "visible_to(?, member_id, audience)"

func (f Filter) where(ctx context.Context, db *gorm.DB) gorm.ChainInterface[Row] {
	q := gorm.G[Row](db).Where(visibleRow, members.Asking(ctx))
	if f.Network != "" {
		q = q.Where("network = ?", f.Network)
	}
	if f.State != "" {
		q = q.Where("state = ?", f.State)
	}
	return q
}

// ErrManyHosts means that several places of a network have a post of that number.
var ErrManyHosts = errors.New("several servers have a post with this number")

// Find returns the post of that name, or that had it until its true one was
// known. Without a host all places of the network are searched, each with one
// step into the index.
func Find(ctx context.Context, db *gorm.DB, key Key) (Row, error) {
	found, err := gorm.G[Row](db).Where(`
		id IN (SELECT coalesce(n.post_id, p.id) FROM post_pools o
			LEFT JOIN posts p ON p.network = o.network AND p.host = o.host AND p.external_id = @id
			LEFT JOIN post_names n ON n.network = o.network AND n.host = o.host AND n.name = @id
			WHERE o.network = @network AND (@host = '' OR o.host = @host))`,
		pg.Named("network", key.Network, "host", strings.ToLower(pg.CleanText(key.Host)), "id", pg.CleanText(key.ExternalID))).
		Where(visibleRow, members.Asking(ctx)).Limit(2).Find(ctx)
	switch {
	case err != nil:
		return Row{}, fmt.Errorf("post %s: %w", key, err)
	case len(found) == 0:
		return Row{}, pg.ErrNotFound
	case len(found) > 1:
		return Row{}, ErrManyHosts
	}
	return found[0], nil
}

// Forget ends that a post is followed. What was seen of it stays in the archive.
func Forget(ctx context.Context, db *gorm.DB, id int64, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := emitPosts(ctx, tx, []int64{id}, now); err != nil {
			return err
		}
		return pg.Touched(tx.Exec(`DELETE FROM posts WHERE id = @id`, pg.Named("id", id)), pg.ErrNotFound)
	})
}

// MembersNamed returns members by their names in small letters. Names that nobody
// has are not there.
func MembersNamed(ctx context.Context, db *gorm.DB, names []string) (map[string]members.Member, error) {
	lower := pg.Column(names, func(name *string) string { return strings.ToLower(pg.CleanText(*name)) })
	all, err := gorm.G[members.Member](db).Select("id, name, custom, role, owner_id").
		Where("lower(name) = ANY(CAST(? AS text[])) AND visible_to(?, id, audience)", lower, members.Asking(ctx)).Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("members by name: %w", err)
	}
	by := make(map[string]members.Member, len(all))
	for i := range all {
		by[strings.ToLower(all[i].Name)] = all[i]
	}
	return by, nil
}
