package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
)

// A Shown is an award as pages show it, in the version that runs, or the newest one
// before any does.
type Shown struct {
	Award
	Document string
	Holders  int64          // Registered members who have it now, at whatever level.
	Doc      rules.Award    `gorm:"-"`
	Mistakes rules.Mistakes `gorm:"-"` // Written for a filter that this program does not have.
}

// TableName is a view.
func (Shown) TableName() string { return "shown_awards" }

// AfterFind reads the document.
func (s *Shown) AfterFind(*gorm.DB) error {
	s.Doc, s.Mistakes = rules.Parse([]byte(s.Document))
	return nil
}

// AllShown are all awards that a viewer may see, those that can be earned first.
func AllShown(ctx context.Context, db *gorm.DB, viewer int64) ([]Shown, error) {
	list, err := gorm.G[Shown](db).Where("award_visible(id, state, secret, ?)", viewer).
		Order("state = 'retired', activated_at, id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("awards: %w", err)
	}
	return list, nil
}

// ShownNamed is an award that a viewer may see, or ErrNotFound. Support and
// admins see them all.
func ShownNamed(ctx context.Context, db *gorm.DB, slug string, viewer *members.Member) (Shown, error) {
	id, all := int64(0), false
	if viewer != nil {
		id, all = viewer.ID, viewer.Supports()
	}
	s, err := gorm.G[Shown](db).Where("slug = ? AND (? OR award_visible(id, state, secret, ?))", pg.CleanText(slug), all, id).First(ctx)
	if err != nil {
		return s, fmt.Errorf("award %q: %w", slug, err)
	}
	return s, nil
}

// All are all awards, for admins, by title.
func All(ctx context.Context, db *gorm.DB) ([]Shown, error) {
	list, err := gorm.G[Shown](db).Order("title, id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("awards: %w", err)
	}
	return list, nil
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

// CountRegistered is how many members can have an award: rarity is a part of them. Hidden ones are
// in neither, so that both are the same for everybody.
func CountRegistered(ctx context.Context, db *gorm.DB) (n int64, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT count(id) FROM members WHERE NOT custom AND banned_at IS NULL AND audience < 2`).
		Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("registered members: %w", err)
	}
	return n, nil
}

// A Holder is a member with the highest level they have of an award in a period.
type Holder struct {
	ID                int64 // Of the grant.
	MemberID          int64
	Name, DisplayName string
	Period            string
	Level             int
	GrantedAt         time.Time
	GivenBy           string
}

// Holders returns at most limit who have an award, newest first, behind a
// cursor, and the cursor to go on with.
func Holders(ctx context.Context, db *gorm.DB, awardID int64, after pg.Cursor, limit int) (list []Holder, next pg.Cursor, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("holders"),
		pg.Named("award", awardID, "first", after == pg.Cursor{}, "at", after.At, "id", after.ID, "limit", limit+1,
			"asking", members.Asking(ctx))).Scan(&list).Error
	if err != nil {
		return nil, next, fmt.Errorf("holders of award %d: %w", awardID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].GrantedAt, ID: list[limit-1].ID}
	}
	return list, next, nil
}

// LevelHolders is how many members have reached each level of an award, the first one first. Hidden
// members are in none of them.
func LevelHolders(ctx context.Context, db *gorm.DB, a *Shown) ([]int, error) {
	reached := make([]int, len(a.Doc.Levels))
	if len(reached) == 0 {
		return nil, nil
	}
	var list []struct{ Level, Members int }
	if err := db.WithContext(ctx).Raw(queries.Must("level_holders"), pg.Named("award", a.ID)).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("levels of award %q: %w", a.Slug, err)
	}
	for _, l := range list { // Who has a level has reached those below it.
		for i := range min(l.Level, len(reached)) {
			reached[i] += l.Members
		}
	}
	return reached, nil
}

// CountGrants is how often an award was given, also to those who lost it since.
func CountGrants(ctx context.Context, db *gorm.DB, awardID int64) (int64, error) {
	n, err := gorm.G[AwardGrant](db).Where("award_id = ?", awardID).Count(ctx, "*")
	if err != nil {
		return 0, fmt.Errorf("grants of award %d: %w", awardID, err)
	}
	return n, nil
}

// Recompute lets a member's award be evaluated again, in all its periods.
func Recompute(ctx context.Context, db *gorm.DB, awardID, memberID int64) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Exec(`INSERT INTO award_pending (award_id, member_id, period)
			SELECT award_id, member_id, period FROM award_members WHERE award_id = @award AND member_id = @member`,
			pg.Named("award", awardID, "member", memberID)).Error
		if err != nil {
			return err
		}
		return pg.Wake(ctx, tx, events.WakeAwards)
	})
	if err != nil {
		return fmt.Errorf("recompute award %d of member %d: %w", awardID, memberID, err)
	}
	return nil
}
