package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Notices are an outbox. A notice is written in the transaction of what it reports,
// once per member, award, period, level and kind, and released a minute later if it is
// still true then: an award that comes and goes within the minute is never heard of,
// and one that flaps is heard of once.

// Kinds of notices.
const (
	NoticeGranted = "granted"
	NoticeOlder   = "older" // Granted, and reached long ago: together, in one line.
	NoticeRevoked = "revoked"
	NoticeNear    = "near"    // One step away.
	NoticeNew     = "new"     // An award that is new and fits.
	NoticeRenamed = "renamed" // A site has renamed a handle: who has it always hears of it.
	NoticeSite    = "site"    // Something is amiss with a judge site: for admins, who always hear of it.
	NoticeFollow  = "follow"  // Somebody asks to follow the member, who always hears of it.
)

// Kinds are what members choose from. Older ones go with those granted.
var Kinds = []string{NoticeGranted, NoticeRevoked, NoticeNear, NoticeNew}

// WakeNotices is said on ChannelAsked where an e-mail is to be sent at once.
const WakeNotices = "send e-mails"

const (
	// Delay is how long a notice waits to become untrue.
	Delay = time.Minute
	// Fresh is how old news may be.
	Fresh = 48 * time.Hour
	// announceDelay lets awards that are activated one after the other be announced together.
	announceDelay = 10 * time.Minute
)

// AnnounceLater lets an award that is activated for the first time be announced to
// those whom it fits, once it is known who they are.
func AnnounceLater(tx *gorm.DB, awardID int64, now time.Time) error {
	return tx.Exec(`INSERT INTO notice_announcements (award_id, created_at, due_at) VALUES (@id, @now, @due) ON CONFLICT DO NOTHING`,
		pg.Named("id", awardID, "now", now, "due", now.Add(announceDelay))).Error
}

// FollowRequest notifies a member, once, that somebody asks to follow them. It is not sent where the
// request is withdrawn within the minute, nor while the member may not see who asks.
func FollowRequest(ctx context.Context, tx *gorm.DB, memberID, followerID int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO notices (member_id, follower_id, period, level, kind, created_at, due_at)
		VALUES (@member, @follower, '', 0, 'follow', @now, @due) ON CONFLICT DO NOTHING`,
		pg.Named("member", memberID, "follower", followerID, "now", now, "due", now.Add(Delay))).Error
	if err != nil {
		return fmt.Errorf("notify member %d of a request: %w", memberID, err)
	}
	return nil
}
