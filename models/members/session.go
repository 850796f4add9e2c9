package members

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// SeenEvery is how coarsely is known when a session was last used: a page view writes no more often.
const SeenEvery = 15 * time.Minute

// A Session is where a member is signed in. Its token is the one of the table sessions, which has its end.
type Session struct {
	Token     string // Hashed.
	MemberID  int64
	Device    string // The browser and its system.
	StartedAt time.Time
	SeenAt    time.Time
}

// TableName is where sessions' members are stored.
func (Session) TableName() string { return "member_sessions" }

// StartSession says whose a session is that was just stored.
func StartSession(ctx context.Context, db *gorm.DB, s Session) error {
	s.Device = pg.CleanText(s.Device)
	err := db.WithContext(ctx).Exec(`
		INSERT INTO member_sessions (token, member_id, device, started_at, seen_at)
		VALUES (@token, @member, @device, @at, @at)
		ON CONFLICT (token) DO UPDATE SET member_id = EXCLUDED.member_id, device = EXCLUDED.device,
			started_at = EXCLUDED.started_at, seen_at = EXCLUDED.seen_at`,
		pg.Named("token", s.Token, "member", s.MemberID, "device", s.Device, "at", s.StartedAt)).Error
	if err != nil {
		return fmt.Errorf("start a session of member %d: %w", s.MemberID, err)
	}
	return nil
}

// InSession returns whose a session is, or ErrNotFound: it was ended, or the member is suspended. It notes
// that it is used, at most every SeenEvery.
func InSession(ctx context.Context, db *gorm.DB, token string, now time.Time) (Member, error) {
	var found struct {
		Member
		SeenAt time.Time
	}
	res := db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[Member]("m")+`, s.seen_at
		FROM member_sessions s JOIN members m ON m.id = s.member_id
		WHERE s.token = @token AND m.suspended_at IS NULL`, pg.Named("token", token)).Scan(&found)
	if err := pg.Touched(res, pg.ErrNotFound); err != nil {
		return Member{}, fmt.Errorf("member of a session: %w", err)
	}
	if now.Sub(found.SeenAt) < SeenEvery {
		return found.Member, nil
	}
	err := db.WithContext(ctx).Exec(`UPDATE member_sessions SET seen_at = @now WHERE token = @token AND seen_at < @now`,
		pg.Named("token", token, "now", now)).Error
	if err != nil {
		return Member{}, fmt.Errorf("note that a session is used: %w", err)
	}
	return found.Member, nil
}

// SessionsOf returns where a member is signed in, the last used first.
func SessionsOf(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) (list []Session, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[Session]("s")+`
		FROM member_sessions s JOIN sessions t ON t.token = s.token AND t.expiry > @now
		WHERE s.member_id = @member ORDER BY s.seen_at DESC, s.token LIMIT 100`,
		pg.Named("member", memberID, "now", now)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("sessions of member %d: %w", memberID, err)
	}
	return list, nil
}

// EndSessions signs a member out everywhere but in the session with the token keep; "" is everywhere.
func EndSessions(ctx context.Context, db *gorm.DB, memberID int64, keep string) error {
	err := db.WithContext(ctx).Exec(`
		DELETE FROM sessions WHERE token IN (SELECT token FROM member_sessions WHERE member_id = @member AND token <> @keep)`,
		pg.Named("member", memberID, "keep", keep)).Error
	if err != nil {
		return fmt.Errorf("end the sessions of member %d: %w", memberID, err)
	}
	return nil
}
