package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/badges"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
)

// A Shown is an award as pages show it, in the version that runs.
type Shown struct {
	Award
	Document string
	Holders  int64          // Registered members who have it now, at whatever level.
	Doc      rules.Award    `gorm:"-"`
	Mistakes rules.Mistakes `gorm:"-"` // Written for a filter that this program does not have.
}

// shownAwards selects awards with the version that runs, or the newest one
// before any does. Who is banned is shown nowhere, and not counted.
const shownAwards = `
	SELECT a.*, CAST(v.document AS text) AS document, h.holders
	FROM awards a JOIN award_versions v ON v.award_id = a.id AND v.number = CASE WHEN a.version > 0 THEN a.version ELSE a.latest END
	CROSS JOIN LATERAL (
		SELECT count(DISTINCT g.member_id) AS holders FROM award_grants g
		JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL AND NOT m.custom
		WHERE g.award_id = a.id AND g.revoked_at IS NULL) h`

func findShown(ctx context.Context, db *gorm.DB, where string, args map[string]any) (list []Shown, err error) {
	if err := db.WithContext(ctx).Raw(shownAwards+where, args).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("awards: %w", err)
	}
	for i := range list {
		list[i].Doc, list[i].Mistakes = rules.Parse([]byte(list[i].Document))
	}
	return list, nil
}

// AllShown are all awards that a viewer may see, those that can be earned first.
func AllShown(ctx context.Context, db *gorm.DB, viewer int64) ([]Shown, error) {
	return findShown(ctx, db, ` WHERE`+badges.Seen+` ORDER BY a.state = 'retired', a.activated_at, a.id`, pg.Named("viewer", viewer))
}

// ShownNamed is an award that a viewer may see, or ErrNotFound. An admin
// sees them all.
func ShownNamed(ctx context.Context, db *gorm.DB, slug string, viewer *members.Member) (Shown, error) {
	where, id := badges.Seen, int64(0)
	if viewer != nil {
		id = viewer.ID
		if viewer.Role == members.RoleAdmin {
			where = ` true`
		}
	}
	list, err := findShown(ctx, db, ` WHERE a.slug = @slug AND`+where, pg.Named("slug", pg.CleanText(slug), "viewer", id))
	if err == nil && len(list) == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return Shown{}, fmt.Errorf("award %q: %w", slug, err)
	}
	return list[0], nil
}

// All are all awards, for admins, by title.
func All(ctx context.Context, db *gorm.DB) ([]Shown, error) {
	return findShown(ctx, db, ` WHERE @all ORDER BY v.document ->> 'title', a.id`, pg.Named("all", true))
}

// OpenRecounts are the recounts under way, by award.
func OpenRecounts(ctx context.Context, db *gorm.DB) (map[int64]Recount, error) {
	var list []Recount
	err := db.WithContext(ctx).Raw(`SELECT ` + recountColumns + ` FROM award_recounts WHERE finished_at IS NULL ORDER BY id`).Scan(
		&list).Error
	if err != nil {
		return nil, fmt.Errorf("recounts: %w", err)
	}
	open := map[int64]Recount{}
	for _, r := range list {
		open[r.AwardID] = r
	}
	return open, nil
}

// CountRegistered is how many members can have an award: rarity is a part of them.
func CountRegistered(ctx context.Context, db *gorm.DB) (n int64, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT count(*) FROM members WHERE NOT custom AND banned_at IS NULL`).Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("registered members: %w", err)
	}
	return n, nil
}

// A Holder is a member with the highest level they have of an award in a period.
type Holder struct {
	ID                int64 // Of the grant.
	Name, DisplayName string
	Period            string
	Level             int
	GrantedAt         time.Time
	GivenBy           string
}

// Holders returns at most limit who have an award, newest first, behind a
// cursor, and the cursor to go on with.
func Holders(ctx context.Context, db *gorm.DB, awardID int64, after pg.Cursor, limit int) (list []Holder, next pg.Cursor, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT g.id, m.name, m.display_name, g.period, g.level, g.granted_at, g.given_by
		FROM award_grants g JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL
		WHERE g.award_id = @award AND g.revoked_at IS NULL AND (@first OR (g.granted_at, g.id) < (@at, @id))
			AND NOT EXISTS (SELECT FROM award_grants h WHERE h.award_id = g.award_id AND h.member_id = g.member_id AND h.period = g.period
				AND h.level > g.level AND h.revoked_at IS NULL)
		ORDER BY g.granted_at DESC, g.id DESC LIMIT @limit`,
		pg.Named("award", awardID, "first", after == pg.Cursor{}, "at", after.At, "id", after.ID, "limit", limit+1)).Scan(&list).Error
	if err != nil {
		return nil, next, fmt.Errorf("holders of award %d: %w", awardID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].GrantedAt, ID: list[limit-1].ID}
	}
	return list, next, nil
}

// CountGrants is how often an award was given, also to those who lost it since.
func CountGrants(ctx context.Context, db *gorm.DB, awardID int64) (int64, error) {
	n, err := gorm.G[AwardGrant](db).Where("award_id = ?", awardID).Count(ctx, "*")
	if err != nil {
		return 0, fmt.Errorf("grants of award %d: %w", awardID, err)
	}
	return n, nil
}

// Recompute lets a member's award be reckoned anew, in all its periods.
func Recompute(ctx context.Context, db *gorm.DB, awardID, memberID int64) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Exec(`
			INSERT INTO award_dirty (award_id, member_id, period)
			SELECT CAST(@award AS bigint), CAST(@member AS bigint), c.period FROM objective_counters c
				JOIN objectives o ON o.id = c.objective_id
				WHERE o.award_id = @award AND o.retired_at IS NULL AND c.member_id = @member
			UNION SELECT CAST(@award AS bigint), CAST(@member AS bigint), period FROM user_awards
				WHERE award_id = @award AND member_id = @member
			UNION SELECT CAST(@award AS bigint), CAST(@member AS bigint), period FROM award_grants
				WHERE award_id = @award AND member_id = @member`,
			pg.Named("award", awardID, "member", memberID)).Error
		if err != nil {
			return err
		}
		return events.Wake(ctx, tx, events.WakeAwards)
	})
	if err != nil {
		return fmt.Errorf("recompute award %d of member %d: %w", awardID, memberID, err)
	}
	return nil
}
