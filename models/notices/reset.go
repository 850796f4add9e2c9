package notices

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	pg "laurel/models/db"
)

// ResetFor is how long the link to choose a new password works.
const ResetFor = 2 * time.Hour

var (
	resetPerNetwork = pg.Limit{Burst: 10, Per: time.Hour}
	resetPerMember  = pg.Limit{Burst: 3, Per: time.Hour}
)

// RequestReset has a link to choose a new password sent to a member of that name or e-mail address, if
// they have confirmed an address. Whether there is one is not said: it answers the same to all, until too
// many come from one network.
func RequestReset(ctx context.Context, db *gorm.DB, who, network string, now time.Time) error {
	if err := resetPerNetwork.Take(ctx, db, "reset from "+network, "requests from your network", now); err != nil {
		return err
	}
	var found []struct {
		ID      int64
		Address string
	}
	err := db.WithContext(ctx).Raw(`
		SELECT m.id, s.address
		FROM members m JOIN notice_settings s ON s.member_id = m.id
		WHERE (lower(m.name) = lower(@who) OR lower(s.address) = lower(@who)) AND s.address <> '' AND m.suspended_at IS NULL
		ORDER BY m.id LIMIT 5`, pg.Named("who", pg.CleanText(who))).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("request a new password: %w", err)
	}
	for _, m := range found {
		err := resetPerMember.Take(ctx, db, fmt.Sprint("reset of ", m.ID), "requests", now)
		if limited, ok := errors.AsType[*pg.Error](err); ok && limited.Code == pg.CodeLimited {
			continue // Their mailbox has some already.
		}
		if err == nil {
			err = db.WithContext(ctx).Exec(`
				INSERT INTO notice_deliveries (key, channel, member_id, address, created_at, due_at)
				VALUES (@key, 'reset', @id, @address, @now, @now)`,
				pg.Named("key", uuid.NewString(), "id", m.ID, "address", m.Address, "now", now)).Error
		}
		if err != nil {
			return fmt.Errorf("request a new password of member %d: %w", m.ID, err)
		}
	}
	return pg.Wake(ctx, db, WakeNotices)
}

// resetContent makes the link of a delivery. Each attempt makes another one: only its hash is stored.
func resetContent(ctx context.Context, db *gorm.DB, d *Delivery) (l Content, err error) {
	l.Secret = pg.NewToken("")
	hash := pg.HashToken(l.Secret)
	res := db.WithContext(ctx).Raw(queries.Must("reset_link"), pg.Named("member", d.MemberID, "address", d.Address,
		"hash", &hash, "at", d.CreatedAt, "until", d.CreatedAt.Add(ResetFor))).Scan(&l.Name)
	if err := pg.Touched(res, pg.ErrNotFound); err != nil {
		return l, fmt.Errorf("link of delivery %d: %w", d.ID, err)
	}
	return l, nil
}
