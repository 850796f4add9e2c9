package posts

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A Row is a post as it is listed, with the member whose it is.
type Row struct {
	Post
	Member, DisplayName string    // "" where it is nobody's.
	OwnerID             *int64    // Who follows the member, where that is a custom one.
	Line                []LikesAt `gorm:"-"` // Oldest first.
}

// TableName is GORM's: the view with the names of members.
func (Row) TableName() string { return "post_list" }

// Whose is the member whose post it is, nil where it is nobody's.
func (p *Row) Whose() *members.Member {
	if p.MemberID == nil {
		return nil
	}
	return &members.Member{ID: *p.MemberID, OwnerID: p.OwnerID}
}

// LikesAt is how many likes a fetch saw; nil is that the network did not say.
type LikesAt struct {
	At    time.Time
	Likes *int64
}

// DueNow says whether the post waits to be fetched.
func (p *Post) DueNow(now time.Time) bool {
	return p.NextUpdateAt != nil && !p.NextUpdateAt.After(now)
}

// linePoints is how many values a small line has at most.
const linePoints = 60

// OfMember returns a page of a member's posts, newest first, those behind
// cursor, with their small lines.
func OfMember(ctx context.Context, db *gorm.DB, member int64, after pg.Cursor, limit int) (posts []Row, next pg.Cursor, err error) {
	if posts, next, err = (Filter{MemberID: member}).ofMember(ctx, db, after, limit); err != nil {
		return nil, next, err
	}
	return posts, next, addLines(ctx, db, posts)
}

// bestBy are the numbers by which the best posts are found, as pages name them.
var bestBy = map[string]string{"likes": "likes", "reposts": "reposts", "views": "views"}

// Best returns the members' posts of a scope (all, month or week) with most
// of a number: likes, reposts or views. Posts of which it is not known are none.
func Best(ctx context.Context, db *gorm.DB, scope, by string, limit int, now time.Time) (posts []Row, err error) {
	days, ok := pg.Scopes[scope]
	if !ok {
		return nil, &pg.InputError{Field: "scope",
			Message: fmt.Sprintf("no scope is named %q; use all, month or week", pg.CleanText(scope))}
	}
	column, ok := bestBy[by]
	if !ok {
		return nil, &pg.InputError{Field: "by",
			Message: fmt.Sprintf("posts cannot be sorted by %q; use likes, reposts or views", pg.CleanText(by))}
	}
	q := gorm.G[Row](db).Where("member_id IS NOT NULL AND NOT off_boards AND "+column+" IS NOT NULL").
		Where(visibleRow, members.Asking(ctx))
	if days > 0 {
		q = q.Where("created_at >= ?", now.AddDate(0, 0, -days))
	}
	if posts, err = q.Order(column + " DESC, id").Limit(limit).Find(ctx); err != nil {
		return nil, fmt.Errorf("best posts: %w", err)
	}
	return posts, addLines(ctx, db, posts)
}

// Newest returns the posts that were followed last.
func Newest(ctx context.Context, db *gorm.DB, limit int) ([]Row, error) {
	posts, err := gorm.G[Row](db).Where(visibleRow, members.Asking(ctx)).Order("id DESC").Limit(limit).Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("newest posts: %w", err)
	}
	return posts, addLines(ctx, db, posts)
}

// addLines reads the small lines of posts, one statement for all.
func addLines(ctx context.Context, db *gorm.DB, posts []Row) error {
	if len(posts) == 0 {
		return nil
	}
	var rows []struct {
		N     int
		At    time.Time
		Likes *int64
	}
	err := db.WithContext(ctx).Raw(queries.Must("lines"),
		pg.Named("limit", linePoints, "networks", pg.Column(posts, func(p *Row) string { return p.Network }),
			"hosts", pg.Column(posts, func(p *Row) string { return p.Host }),
			"ids", pg.Column(posts, func(p *Row) string { return p.ExternalID }))).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("lines of posts: %w", err)
	}
	for _, r := range rows {
		p := &posts[r.N-1]
		p.Line = append(p.Line, LikesAt{r.At, r.Likes})
	}
	return nil
}

// ShownNamed returns a post by a name that Find finds. What a proxy made of an
// at:// address is taken for it.
func ShownNamed(ctx context.Context, db *gorm.DB, key Key) (Row, error) {
	if rest, ok := strings.CutPrefix(key.ExternalID, "at:/"); ok && !strings.HasPrefix(rest, "/") {
		key.ExternalID = "at://" + rest
	}
	return Find(ctx, db, key)
}

// A NumbersSpan is a time through which fetches saw the same numbers.
type NumbersSpan struct {
	Numbers
	From     time.Time
	LastSeen time.Time
	Fetches  []time.Time // In order; From is the first.
}

// NumbersOf returns what a post's numbers were, oldest first.
func NumbersOf(ctx context.Context, db *gorm.DB, key Key) ([]NumbersSpan, error) {
	shard, err := archive.Lookup(ctx, db, "post_metrics")
	if err != nil {
		return nil, err
	}
	rows, err := archive.History(ctx, db, shard,
		archive.Query{Key: shards.Row{"network": key.Network, "host": key.Host, "post": key.ExternalID}})
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", key, err)
	}
	spans := make([]NumbersSpan, len(rows))
	for i, r := range rows {
		s := &spans[i]
		for name, n := range map[string]**int64{"likes": &s.Likes, "reposts": &s.Reposts, "replies": &s.Replies, "quotes": &s.Quotes,
			"bookmarks": &s.Bookmarks, "views": &s.Views} {
			if v, ok := r.Data[name].(int64); ok {
				*n = &v
			}
		}
		s.From, s.LastSeen, s.Fetches = r.ValidFrom, r.ValidFrom, r.Retrieved
		if len(s.Fetches) > 0 {
			s.LastSeen = s.Fetches[len(s.Fetches)-1]
		}
	}
	return spans, nil
}
