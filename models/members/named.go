package members

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Named returns those of some names, whatever their case, whom the viewer may see, by name in lower case.
func Named(ctx context.Context, db *gorm.DB, names *[]string) (map[string]Member, error) {
	var rows []Member
	err := db.WithContext(ctx).Raw(`
		SELECT m.id, m.name, m.display_name, m.custom FROM members m
		WHERE lower(m.name) = ANY(SELECT lower(n) FROM unnest(CAST(@names AS text[])) AS n)
			AND visible_to(@asking, m.id, m.audience)`, pg.Named("names", names, "asking", Asking(ctx))).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("members by name: %w", err)
	}
	all := make(map[string]Member, len(rows))
	for _, m := range rows {
		all[strings.ToLower(m.Name)] = m
	}
	return all, nil
}
