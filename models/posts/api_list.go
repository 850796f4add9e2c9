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

// A FollowedPost is a post as programs are told of it, and whose it is.
type FollowedPost struct {
	Post
	Owner   *string // The member's name.
	OwnerOf *int64  // Who follows the member, where that is a custom one.
}

// FollowedBy is the member whose post it is, nil where it is nobody's.
func (p *FollowedPost) FollowedBy() *members.Member {
	if p.MemberID == nil {
		return nil
	}
	return &members.Member{ID: *p.MemberID, OwnerID: p.OwnerOf}
}

// Tier is the name of the tier in which a post is, "" where it is looked at no more.
func (p *Post) Tier(tiers Tiers, now time.Time) string {
	if p.NextUpdateAt == nil {
		return ""
	}
	tier, _ := tiers.Of(now.Sub(p.CreatedAt))
	return tier.Name
}

// Unborn says whether a post would be younger than any clock allows.
func (p *New) Unborn(now time.Time) bool {
	return p.CreatedAt != nil && p.CreatedAt.After(now.Add(postLead))
}

// followed reads posts p with whose they are; a condition follows.
var followed = `
	SELECT ` + pg.Columns[Post]("p") + `, m.name AS owner, m.owner_id AS owner_of
	FROM posts p
	LEFT JOIN members m ON m.id = p.member_id `

// A Filter says which posts; zero fields do not filter.
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
func Followed(ctx context.Context, db *gorm.DB, f Filter, cursor pg.Cursor, limit int) (posts []FollowedPost, next pg.Cursor, err error) {
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
		var part []FollowedPost
		err := db.WithContext(ctx).Raw(followed+`WHERE p.id < @before AND p.id >= @from `+f.where()+` ORDER BY p.id DESC LIMIT @limit`,
			pg.Named("before", before, "from", from, "network", f.Network, "state", f.State, "limit", limit+1-len(posts))).Scan(&part).Error
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

func (f Filter) ofMember(ctx context.Context, db *gorm.DB, cursor pg.Cursor, limit int) (posts []FollowedPost, next pg.Cursor, err error) {
	where := `WHERE p.member_id = @member ` + f.where()
	if cursor != (pg.Cursor{}) {
		where += ` AND (p.created_at, p.id) < (@at, @id)`
	}
	err = db.WithContext(ctx).Raw(followed+where+` ORDER BY p.created_at DESC, p.id DESC LIMIT @limit`,
		pg.Named("member", f.MemberID, "network", f.Network, "state", f.State, "at", cursor.At, "id", cursor.ID, "limit", limit+1)).Scan(&posts).Error
	if err != nil {
		return nil, next, fmt.Errorf("posts of member %d: %w", f.MemberID, err)
	}
	if len(posts) > limit {
		posts = posts[:limit]
		next = pg.Cursor{At: posts[limit-1].CreatedAt, ID: posts[limit-1].ID}
	}
	return posts, next, nil
}

func (f Filter) where() (conditions string) {
	if f.Network != "" {
		conditions += ` AND p.network = @network`
	}
	if f.State != "" {
		conditions += ` AND p.state = @state`
	}
	return conditions
}

// ErrManyHosts means that several places of a network have a post of that number.
var ErrManyHosts = errors.New("several servers have a post of this number")

// Find returns the post of that name, or that had it until its true one was
// known. Without a host all places of the network are looked through, each with one
// step into the index.
func Find(ctx context.Context, db *gorm.DB, key Key) (FollowedPost, error) {
	var found []FollowedPost
	err := db.WithContext(ctx).Raw(`
		WITH named AS (
			SELECT coalesce(n.post_id, p.id) AS id FROM post_pools o
			LEFT JOIN posts p ON p.network = o.network AND p.host = o.host AND p.external_id = @id
			LEFT JOIN post_names n ON n.network = o.network AND n.host = o.host AND n.name = @id
			WHERE o.network = @network AND (@host = '' OR o.host = @host))
		`+followed+`WHERE p.id IN (SELECT id FROM named) LIMIT 2`,
		pg.Named("network", key.Network, "host", strings.ToLower(pg.CleanText(key.Host)), "id", pg.CleanText(key.ExternalID))).Scan(&found).Error
	switch {
	case err != nil:
		return FollowedPost{}, fmt.Errorf("post %s: %w", key, err)
	case len(found) == 0:
		return FollowedPost{}, pg.ErrNotFound
	case len(found) > 1:
		return FollowedPost{}, ErrManyHosts
	}
	return found[0], nil
}

// Forget ends that a post is followed. What was seen of it stays in the archive.
func Forget(ctx context.Context, db *gorm.DB, id int64) error {
	res := db.WithContext(ctx).Exec(`DELETE FROM posts WHERE id = @id`, pg.Named("id", id))
	if res.Error == nil && res.RowsAffected == 0 {
		return pg.ErrNotFound
	}
	return res.Error
}

// MembersNamed returns members by their names in small letters. Names that nobody
// has are not there.
func MembersNamed(ctx context.Context, db *gorm.DB, names []string) (map[string]members.Member, error) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(pg.CleanText(name))
	}
	var all []members.Member
	err := db.WithContext(ctx).Raw(`SELECT id, name, custom, role, owner_id FROM members WHERE lower(name) = ANY(CAST(@names AS text[]))`, pg.Named("names", &lower)).Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("members by name: %w", err)
	}
	by := make(map[string]members.Member, len(all))
	for i := range all {
		by[strings.ToLower(all[i].Name)] = all[i]
	}
	return by, nil
}
