package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A CredentialUse is what a credential was used for in a time.
type CredentialUse struct{ Requests, Posts, Charged int64 }

// A UsedCredential is a credential without its token, and its use.
type UsedCredential struct {
	Credential `gorm:"embedded"`
	HasToken   bool
	Month      CredentialUse `gorm:"embedded;embeddedPrefix:month_"` // This UTC month,
	Today      CredentialUse `gorm:"embedded;embeddedPrefix:today_"` // and this UTC day.
}

// Left is how many requests the window has left, and when it ends: nil where the
// next request begins another one.
func (c *UsedCredential) Left(now time.Time) (int, *time.Time) {
	if c.ResetAt == nil || !c.ResetAt.After(now) {
		return c.Quota, nil
	}
	return c.Remaining, c.ResetAt
}

// UsedCredentials returns all credentials with their use, or the one of an id that
// is not 0. Their tokens are not read.
func UsedCredentials(ctx context.Context, db *gorm.DB, id int64, now time.Time) (all []UsedCredential, err error) {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	err = db.WithContext(ctx).Raw(queries.Must("credentials"),
		pg.Named("id", id, "month", month, "today", now.Truncate(24*time.Hour))).Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	return all, nil
}
