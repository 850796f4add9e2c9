package retrieval

import (
	"context"
	"time"

	"gorm.io/gorm"
)

// AlarmCatalogue is of a list of problems or contests that became much shorter.
const AlarmCatalogue = "catalogue"

// CatalogueShrank opens the alarm of a site's list that lacks so much that it is refused.
func CatalogueShrank(ctx context.Context, db *gorm.DB, site, list, message string, now time.Time) error {
	return openAlarm(ctx, db, Alarm{Site: site, Kind: AlarmCatalogue, Subject: list, Message: message}, now)
}

// CatalogueRead closes that alarm.
func CatalogueRead(ctx context.Context, db *gorm.DB, site, list string, now time.Time) error {
	return closeAlarm(ctx, db, site, AlarmCatalogue, list, now)
}
