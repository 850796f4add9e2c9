package badges

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A Badge is a grant as it is carried elsewhere, from when the award was won
// until it is lost.
type Badge struct {
	ID            string
	List, Place   int // In the lists of revocations.
	GrantedAt     time.Time
	RevokedAt     *time.Time
	RevokedReason string
	SupersededAt  *time.Time
	Current       string     // Of a superseded one: the badge that is current instead of it.
	CurrentAt     *time.Time // What that one says.
	Gone          bool       // Its member is deleted, and what follows is empty.

	Version                   int // Of the award, that it was won by.
	Slug, Period              string
	Level                     int
	GivenBy                   string
	MemberID                  int64
	Member, DisplayName, Zone string
	Public                    bool // Anybody may see it.
	Shown                     bool // The viewer may.
	Document                  string
	Doc                       rules.Award `gorm:"-"`
}

var badgeID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// Of is the badge of this id as a viewer (nil is a visitor) sees it, or
// ErrNotFound. Who was deleted, is banned, or has an award that is hidden or
// secret shows it to nobody, but may have it.
func Of(ctx context.Context, db *gorm.DB, id string, viewer *members.Member) (Badge, error) {
	b, err := Find(ctx, db, id, viewer)
	if err == nil && !b.Shown {
		err = fmt.Errorf("badge %s: %w", id, pg.ErrNotFound)
	}
	return b, err
}

// Find is the badge of this id, whoever asks: for those who have its file.
func Find(ctx context.Context, db *gorm.DB, id string, viewer *members.Member) (Badge, error) {
	var b Badge
	if !badgeID.MatchString(id) {
		return b, fmt.Errorf("badge %q: %w", id, pg.ErrNotFound)
	}
	of, isAdmin := int64(0), false
	if viewer != nil {
		of, isAdmin = viewer.ID, viewer.Supports()
	}
	res := db.WithContext(ctx).Raw(queries.Must("badge"), pg.Named("id", id, "viewer", of, "admin", isAdmin,
		"asking", members.Asking(ctx))).Scan(&b)
	if res.Error == nil && res.RowsAffected == 0 {
		res.Error = pg.ErrNotFound
	}
	if res.Error != nil {
		return b, fmt.Errorf("badge %s: %w", id, res.Error)
	}
	if b.Gone {
		b.Shown = false
	}
	b.Doc, _ = rules.Parse([]byte(b.Document)) // Its words can be read where a filter cannot.
	return b, nil
}

// RevokedPlaces are the places in a list whose badges were lost or superseded, or ErrNotFound.
func RevokedPlaces(ctx context.Context, db *gorm.DB, list int) (places []int, err error) {
	var there bool
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM badge_lists WHERE number = @list)`, pg.Named("list", list)).Scan(&there).Error
	if err == nil && !there {
		err = pg.ErrNotFound
	}
	if err == nil {
		err = db.WithContext(ctx).Raw(`
			SELECT place FROM badges WHERE list = @list AND (revoked_at IS NOT NULL OR superseded_by IS NOT NULL)
			UNION SELECT b.place FROM award_grant_log l JOIN badges b ON b.grant_id = l.grant_id AND b.log_id < l.id
				WHERE l.what = 'revoked' AND b.list = @list`,
			pg.Named("list", list)).Scan(&places).Error
	}
	if err != nil {
		return nil, fmt.Errorf("list %d of revoked badges: %w", list, err)
	}
	return places, nil
}

// Forget keeps of the badges of members who are deleted only what shows
// others whether they were revoked. The places stay taken.
func Forget(ctx context.Context, tx *gorm.DB, members []int64) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE badges b SET revoked_at = l.at FROM award_grants g, badge_losses l
		WHERE g.member_id = ANY(CAST(@members AS bigint[])) AND g.id = b.grant_id AND l.badge_id = b.id`,
		pg.Named("members", &members)).Error
	if err != nil {
		return fmt.Errorf("forget badges: %w", err)
	}
	return nil
}
