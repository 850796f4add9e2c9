package posts

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	pg "laurel/models/db"
)

// A Row is a post as pages list it, with the member whose it is.
type Row struct {
	Post
	Member, DisplayName string
	OwnerID             *int64    // Who follows the member, where that is a custom one.
	Line                []LikesAt `gorm:"-"` // Oldest first.
}

// LikesAt is how many likes a look saw; nil is that it was not told.
type LikesAt struct {
	At    time.Time
	Likes *int64
}

// DueNow says whether the post waits for a look.
func (p *Post) DueNow(now time.Time) bool {
	return p.NextUpdateAt != nil && !p.NextUpdateAt.After(now)
}

// lineLooks is how many values a small line has at most.
const lineLooks = 60

// postRows reads posts p with whose they are; a condition follows.
var postRows = `
	SELECT ` + pg.Columns[Post]("p") + `, coalesce(m.name, '') AS member, coalesce(m.display_name, '') AS display_name, m.owner_id
	FROM posts p
	LEFT JOIN members m ON m.id = p.member_id `

// OfMember returns a page of a member's posts, newest first, those behind
// cursor, with their small lines.
func OfMember(ctx context.Context, db *gorm.DB, member int64, after pg.Cursor, limit int) (posts []Row, next pg.Cursor, err error) {
	where := `WHERE p.member_id = @member`
	if after != (pg.Cursor{}) {
		where += ` AND (p.created_at, p.id) < (@at, @id)`
	}
	err = db.WithContext(ctx).Raw(postRows+where+` ORDER BY p.created_at DESC, p.id DESC LIMIT @limit`,
		pg.Named("member", member, "at", after.At, "id", after.ID, "limit", limit+1)).Scan(&posts).Error
	if err != nil {
		return nil, next, fmt.Errorf("posts of member %d: %w", member, err)
	}
	if len(posts) > limit {
		posts = posts[:limit]
		next = pg.Cursor{At: posts[limit-1].CreatedAt, ID: posts[limit-1].ID}
	}
	return posts, next, addLines(ctx, db, posts)
}

// bestBy are the numbers by which the best posts are told, as pages name them.
var bestBy = map[string]string{"likes": "likes", "reposts": "reposts", "views": "views"}

// Best returns the members' posts of a scope (all, month or week) with most
// of a number: likes, reposts or views. Posts of which it is not known are none.
func Best(ctx context.Context, db *gorm.DB, scope, by string, limit int, now time.Time) (posts []Row, err error) {
	days, ok := pg.Scopes[scope]
	if !ok {
		return nil, &pg.InputError{Field: "scope", Message: fmt.Sprintf("no scope is named %q; known are all, month and week", pg.CleanText(scope))}
	}
	column, ok := bestBy[by]
	if !ok {
		return nil, &pg.InputError{Field: "by", Message: fmt.Sprintf("posts are not told by %q; known are likes, reposts and views", pg.CleanText(by))}
	}
	where := `WHERE p.member_id IS NOT NULL AND p.` + column + ` IS NOT NULL`
	if days > 0 {
		where += ` AND p.created_at >= @since`
	}
	err = db.WithContext(ctx).Raw(postRows+where+` ORDER BY p.`+column+` DESC, p.id LIMIT @limit`, pg.Named("since", now.AddDate(0, 0, -days), "limit", limit)).Scan(&posts).Error
	if err != nil {
		return nil, fmt.Errorf("best posts: %w", err)
	}
	return posts, addLines(ctx, db, posts)
}

// Newest returns the posts that were followed last.
func Newest(ctx context.Context, db *gorm.DB, limit int) (posts []Row, err error) {
	if err = db.WithContext(ctx).Raw(postRows+`ORDER BY p.id DESC LIMIT @limit`, pg.Named("limit", limit)).Scan(&posts).Error; err != nil {
		return nil, fmt.Errorf("newest posts: %w", err)
	}
	return posts, addLines(ctx, db, posts)
}

// addLines reads the small lines of posts, one statement for all.
func addLines(ctx context.Context, db *gorm.DB, posts []Row) error {
	if len(posts) == 0 {
		return nil
	}
	var networks, hosts, ids []string
	for i := range posts {
		networks, hosts, ids = append(networks, posts[i].Network), append(hosts, posts[i].Host), append(ids, posts[i].ExternalID)
	}
	const of = `x.network = k.network AND x.host = k.host AND x.post = k.post`
	var rows []struct {
		N     int
		At    time.Time
		Likes *int64
	}
	err := db.WithContext(ctx).Raw(`
		SELECT k.n, s.at, s.likes FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@ids AS text[])) WITH ORDINALITY AS k(network, host, post, n)
		CROSS JOIN LATERAL (
			SELECT x._from AS at, x.likes FROM shard_post_metrics x WHERE `+of+`
			UNION ALL (SELECT x._from, x.likes FROM shard__past_post_metrics x WHERE `+of+` ORDER BY x._from DESC LIMIT @limit)) s
		ORDER BY k.n, s.at`, pg.Named("networks", &networks, "hosts", &hosts, "ids", &ids, "limit", lineLooks)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("lines of posts: %w", err)
	}
	for _, r := range rows {
		p := &posts[r.N-1]
		p.Line = append(p.Line, LikesAt{r.At, r.Likes})
	}
	return nil
}

// ShownNamed returns a post by a name that FindPost finds. What a proxy made of an
// at:// address is taken for it.
func ShownNamed(ctx context.Context, db *gorm.DB, key Key) (p Row, err error) {
	if rest, ok := strings.CutPrefix(key.ExternalID, "at:/"); ok && !strings.HasPrefix(rest, "/") {
		key.ExternalID = "at://" + rest
	}
	found, err := Find(ctx, db, key)
	if err != nil {
		return p, err
	}
	if err := db.WithContext(ctx).Raw(postRows+`WHERE p.id = @id`, pg.Named("id", found.ID)).Scan(&p).Error; err != nil {
		return p, fmt.Errorf("post %s: %w", key, err)
	}
	return p, nil
}

// A NumbersSpan is a time through which looks saw the same numbers.
type NumbersSpan struct {
	Numbers
	From     time.Time
	LastSeen time.Time
	Looks    []time.Time // In order; From is the first.
}

// NumbersOf returns what a post's numbers were, oldest first.
func NumbersOf(ctx context.Context, db *gorm.DB, key Key) ([]NumbersSpan, error) {
	shard, err := archive.Lookup(ctx, db, "post_metrics")
	if err != nil {
		return nil, err
	}
	rows, err := archive.History(ctx, db, shard, archive.Query{Key: archive.Row{"network": key.Network, "host": key.Host, "post": key.ExternalID}})
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", key, err)
	}
	spans := make([]NumbersSpan, len(rows))
	for i, r := range rows {
		s := &spans[i]
		for name, n := range map[string]**int64{"likes": &s.Likes, "reposts": &s.Reposts, "replies": &s.Replies, "quotes": &s.Quotes, "bookmarks": &s.Bookmarks, "views": &s.Views} {
			if v, ok := r.Data[name].(int64); ok {
				*n = &v
			}
		}
		s.From, s.LastSeen, s.Looks = r.ValidFrom, r.ValidFrom, r.Retrieved
		if len(s.Looks) > 0 {
			s.LastSeen = s.Looks[len(s.Looks)-1]
		}
	}
	return spans, nil
}
