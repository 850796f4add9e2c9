package archive

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
)

// What a shard's rows are about is told by the names of its key fields, also in shards that
// admins declared. Each condition is on a row x, and holds for rows that are about nobody here.
const (
	aboutMember = `NOT EXISTS (SELECT FROM members m WHERE lower(m.name) = lower(x.member) AND NOT visible_to(@asking, m.id, m.audience))`
	// An account may be that of several members: one whom the viewer may see is enough.
	aboutAccount = `coalesce((
		SELECT bool_or(visible_to(@asking, m.id, m.audience))
		FROM (
			SELECT a.member_id FROM accounts a WHERE a.site = x.site AND lower(a.handle) = lower(x.handle)
			UNION ALL
			SELECT a.member_id FROM accounts a
			WHERE a.former_handle <> '' AND a.site = x.site AND lower(a.former_handle) = lower(x.handle)
			UNION ALL
			SELECT r.member_id FROM removed_accounts r WHERE r.site = x.site AND lower(r.handle) = lower(x.handle)) h
		JOIN members m ON m.id = h.member_id), true)`
	// Our own ranking is of members.
	aboutPlayer = `(x.ladder <> 'solved' OR NOT EXISTS (SELECT FROM members m
		WHERE lower(m.name) = lower(x.player) AND (m.off_boards OR NOT visible_to(@asking, m.id, m.audience))))`
	aboutPost = `NOT EXISTS (SELECT FROM posts p JOIN members m ON m.id = p.member_id
		WHERE p.network = x.network AND p.host = x.host AND p.external_id = x.post AND NOT visible_to(@asking, m.id, m.audience))`
)

// visible is the condition that the one who asks may see a row x of the shard; "true" where
// its rows are about nobody, and for who sees all.
func (s *Shard) visible(ctx context.Context, args map[string]any) string {
	var parts []string
	for _, about := range []struct {
		key       []string
		condition string
	}{
		{[]string{"member"}, aboutMember}, {[]string{"site", "handle"}, aboutAccount},
		{[]string{"ladder", "player"}, aboutPlayer}, {[]string{"network", "host", "post"}, aboutPost},
	} {
		if s.hasTexts(about.key) {
			parts = append(parts, about.condition)
		}
	}
	if len(parts) == 0 || members.Asking(ctx) == members.Everything {
		return "true"
	}
	args["asking"] = members.Asking(ctx)
	return strings.Join(parts, " AND ")
}

// hasTexts says whether the key has all these fields, as texts.
func (s *Shard) hasTexts(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains(s.Key, shards.Field{Name: name, Type: shards.Text})
	})
}

// Visible says whether the one who asks may see rows of a whole key.
func Visible(ctx context.Context, db *gorm.DB, s *Shard, key shards.Row) (ok bool, err error) {
	args := pg.Named()
	condition := s.visible(ctx, args)
	if condition == "true" {
		return true, nil
	}
	var fields []string
	for i, f := range s.Key {
		arg, err := s.keyArg(key, i, "k", args)
		if err != nil {
			return false, err
		}
		fields = append(fields, arg+" AS "+quote(f.Name))
	}
	err = one(db.WithContext(ctx), "SELECT "+condition+" FROM (SELECT "+strings.Join(fields, ", ")+") x", args, &ok)
	return ok, err
}
