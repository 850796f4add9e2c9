package standings

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// RatedSites are the sites on whose boards of ratings the viewer sees somebody, by name.
func RatedSites(ctx context.Context, db *gorm.DB) (sites []string, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("rated"), pg.Named("asking", members.Asking(ctx))).Scan(&sites).Error
	if err != nil {
		return nil, fmt.Errorf("rated sites: %w", err)
	}
	for i, board := range sites {
		sites[i] = strings.TrimPrefix(board, "rating:")
	}
	return sites, nil
}
