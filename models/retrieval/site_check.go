package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A SiteCheck is a host that an admin is about to add, and a job's answer to whether it can be read.
type SiteCheck struct {
	ID               int64
	Kind, Name, Home string
	Token            []byte
	RequestedAt      time.Time
	LeasedUntil      *time.Time
	AnsweredAt       *time.Time
	Message          string // What is wrong; "" is nothing.
}

// TableName is GORM's.
func (SiteCheck) TableName() string { return "site_checks" }

// Site is what is to be added.
func (c *SiteCheck) Site() *members.DeclaredSite {
	return &members.DeclaredSite{Kind: c.Kind, Name: c.Name, Home: c.Home, Token: c.Token}
}

// WakeSiteChecks is heard on ChannelAsked where a host is to be asked.
const WakeSiteChecks = "check sites"

// RequestSiteCheck asks whether a host answers as its kind does.
func RequestSiteCheck(ctx context.Context, db *gorm.DB, s *members.DeclaredSite, now time.Time) (int64, error) {
	c := SiteCheck{Kind: s.Kind, Name: s.Name, Home: s.Home, Token: s.Token, RequestedAt: now}
	if err := gorm.G[SiteCheck](db).Create(ctx, &c); err != nil {
		return 0, fmt.Errorf("ask for a check of %s: %w", s.Home, err)
	}
	return c.ID, pg.Wake(ctx, db, WakeSiteChecks)
}

// SiteCheckByID returns a check with its answer, if there is one by now.
func SiteCheckByID(ctx context.Context, db *gorm.DB, id int64) (SiteCheck, error) {
	return gorm.G[SiteCheck](db).Where("id = ?", id).Take(ctx)
}

// ClaimSiteCheck leases the check that has waited for longest; false where none waits.
func ClaimSiteCheck(ctx context.Context, db *gorm.DB, until, now time.Time) (c SiteCheck, ok bool, err error) {
	res := db.WithContext(ctx).Raw(`
		UPDATE site_checks c SET leased_until = @until WHERE id = (
			SELECT id FROM site_checks WHERE answered_at IS NULL AND (leased_until IS NULL OR leased_until <= @now)
			ORDER BY requested_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+pg.Columns[SiteCheck]("c"), pg.Named("until", until, "now", now)).Scan(&c)
	if res.Error != nil {
		return c, false, fmt.Errorf("claim a check of a site: %w", res.Error)
	}
	return c, res.RowsAffected == 1, nil
}

// AnswerSiteCheck stores what is wrong with a host, and forgets its token. The first answer stays.
func AnswerSiteCheck(ctx context.Context, db *gorm.DB, id int64, message string, now time.Time) error {
	err := db.WithContext(ctx).Exec(`
		UPDATE site_checks SET answered_at = @now, leased_until = NULL, token = NULL, message = @message
		WHERE id = @id AND answered_at IS NULL`, pg.Named("id", id, "message", pg.CleanText(message), "now", now)).Error
	if err != nil {
		return fmt.Errorf("answer the check %d of a site: %w", id, err)
	}
	return nil
}
