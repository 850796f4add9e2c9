package awards

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// CurrentVersion names all that a member's awards are shown from: the versions of
// the counters and of what was computed from them, the newest line in the log of
// grants, what is counted, and the ban. It is another one after any change.
func CurrentVersion(ctx context.Context, db *gorm.DB, memberID int64) (v string, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT concat_ws('-',
			(SELECT generation FROM award_ruleset),
			(SELECT max(version) FROM objective_counters WHERE member_id = @id),
			(SELECT concat_ws('/', count(period), sum(version), EXTRACT(epoch FROM max(updated_at)))
				FROM user_awards WHERE member_id = @id),
			(SELECT max(l.id) FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id WHERE g.member_id = @id),
			(SELECT md5(string_agg(id || state, ',' ORDER BY id)) FROM awards WHERE secret),
			(SELECT EXTRACT(epoch FROM banned_at) FROM members WHERE id = @id))`, pg.Named("id", memberID)).Scan(&v).Error
	if err != nil {
		return "", fmt.Errorf("version of the awards of member %d: %w", memberID, err)
	}
	return v, nil
}
