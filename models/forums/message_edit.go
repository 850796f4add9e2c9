package forums

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// editMessages writes anew what was edited since it was stored: text and subject. The
// older version is in nobody's way, and neither is one that comes again.
func editMessages(ctx context.Context, tx *gorm.DB, forum int64, messages []NewMessage, own string) (int, error) {
	var later []NewMessage
	for i := range messages {
		if messages[i].Version > 1 {
			later = append(later, messages[i])
		}
	}
	if len(later) == 0 {
		return 0, nil
	}
	c := columnsOf(later)
	rows, err := tx.WithContext(ctx).Raw(`
		UPDATE messages m SET subject = g.subject, body = g.body, version = g.version, edited_at = g.edited
		FROM (SELECT DISTINCT ON (url) * FROM unnest(CAST(@urls AS text[]), CAST(@subjects AS text[]), CAST(@bodies AS text[]),
			CAST(@versions AS bigint[]), CAST(@edited AS timestamptz[]))
			AS g(url, subject, body, version, edited) ORDER BY url, version DESC) g
		WHERE m.forum_id = @forum AND m.url = g.url AND m.version < g.version RETURNING m.serial, m.url`,
		pg.Named("forum", forum, "urls", &c.urls, "subjects", &c.subjects, "bodies", &c.bodies, "versions", &c.versions, "edited",
			&c.edited)).Rows()
	if err != nil {
		return 0, fmt.Errorf("edit messages: %w", err)
	}
	defer func() { _ = rows.Close() }()
	serials := map[string]int64{}
	for rows.Next() {
		var serial int64
		var address string
		if err := rows.Scan(&serial, &address); err != nil {
			return 0, fmt.Errorf("edit messages: %w", err)
		}
		serials[address] = serial
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("edit messages: %w", err)
	}
	if len(serials) == 0 {
		return 0, nil
	}
	return len(serials), referTo(ctx, tx, later, serials, own)
}
