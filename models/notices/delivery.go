package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Channels of deliveries.
const (
	ChannelMail    = "mail"
	ChannelConfirm = "confirm" // The e-mail with which an address is confirmed.
	ChannelReset   = "reset"   // The e-mail with a link to choose a new password.
	ChannelWebhook = "webhook"
)

// deliveryAttempts is after how many a delivery is given up: within 18 hours.
const deliveryAttempts = 8

// A Delivery is an e-mail, or a message to the webhook, on its way. The row is
// its own job: it says when to try next, and who is trying.
type Delivery struct {
	ID        int64
	Key       string // The same at every attempt.
	Channel   string
	MemberID  *int64
	Address   string
	CreatedAt time.Time
	DueAt     time.Time
	Attempts  int // With the one under way.
	LeaseID   string
	State     string // waiting, sent, failed or dropped.
	EndedAt   *time.Time
	Error     string
}

// TableName is GORM's.
func (Delivery) TableName() string { return "notice_deliveries" }

// ClaimDeliveries leases at most limit deliveries that are due, by the ways that
// there are. Others pass them over until the lease ends, so that who dies before
// the outcome is stored costs a repetition, and never a notice.
func ClaimDeliveries(ctx context.Context, db *gorm.DB, by Ways, lease pg.Lease, limit int, now time.Time) (list []Delivery, err error) {
	channels := []string{}
	if by.Mail {
		channels = append(channels, ChannelMail, ChannelConfirm, ChannelReset)
	}
	if by.Webhook {
		channels = append(channels, ChannelWebhook)
	}
	err = db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (
			SELECT id FROM notice_deliveries WHERE state = 'waiting' AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now)
				AND channel = ANY(CAST(@channels AS text[]))
			ORDER BY due_at, id LIMIT @limit FOR UPDATE SKIP LOCKED)
		UPDATE notice_deliveries d SET lease_id = @lease, leased_until = @until, attempts = attempts + 1
		FROM due WHERE d.id = due.id RETURNING `+pg.Columns[Delivery]("d"),
		pg.Named("now", now, "until", now.Add(lease.For), "lease", lease.ID, "channels", &channels, "limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("claim deliveries: %w", err)
	}
	return list, nil
}

// Content is what a delivery says.
type Content struct {
	Name   string // Of the member, as others read it.
	Secret string // In its link: to confirm the address, or to unsubscribe.
	Lines  []Line `gorm:"-"`
}

// ContentOf reads what a delivery says as of now. ErrNotFound means that it need
// not be sent any more: the member has left or wants no e-mail, or nothing of it
// is true.
func ContentOf(ctx context.Context, db *gorm.DB, d *Delivery) (l Content, err error) {
	if d.Channel == ChannelReset {
		return resetContent(ctx, db, d)
	}
	c := choice{hook: &d.ID}
	if d.Channel != ChannelWebhook {
		c = choice{mail: &d.ID}
		err = pg.Touched(db.WithContext(ctx).Raw(`
			SELECT m.display_name AS name, CASE @channel WHEN 'confirm' THEN s.new_secret ELSE s.unsubscribe END AS secret
			FROM notice_settings s JOIN members m ON m.id = s.member_id
			WHERE s.member_id = @member AND CASE @channel WHEN 'confirm' THEN s.new_address ELSE s.address END = @address`,
			pg.Named("channel", d.Channel, "member", d.MemberID, "address", d.Address)).Scan(&l), pg.ErrNotFound)
	}
	if err == nil && d.Channel != ChannelConfirm {
		if l.Lines, err = c.lines(ctx, db); err == nil && len(l.Lines) == 0 {
			err = pg.ErrNotFound
		}
	}
	if err != nil {
		return l, fmt.Errorf("delivery %d: %w", d.ID, err)
	}
	return l, nil
}

// A DeliveryOutcome is what became of an attempt.
type DeliveryOutcome struct {
	Dropped bool   // It need not be sent any more.
	Error   string // "" where it was sent.
	Final   bool   // Another attempt would fail as well.
}

// FinishDelivery stores the outcome of an attempt: done, or when to try again,
// later each time, or given up. ErrLeaseLost means that another worker has it.
func FinishDelivery(ctx context.Context, db *gorm.DB, d *Delivery, o DeliveryOutcome, rate float64, now time.Time) error {
	d.State, d.Error, d.EndedAt = "sent", o.Error, &now
	switch {
	case o.Dropped:
		d.State = "dropped"
	case o.Error != "" && (o.Final || d.Attempts >= deliveryAttempts):
		d.State = "failed"
	case o.Error != "":
		pause := min(time.Minute<<(2*(d.Attempts-1)), 6*time.Hour)
		d.State, d.EndedAt, d.DueAt = "waiting", nil, now.Add(time.Duration(float64(pause)/rate))
	}
	err := pg.Touched(db.WithContext(ctx).Exec(`
		UPDATE notice_deliveries
		SET state = @state, error = @error, ended_at = @ended, due_at = @due, lease_id = '', leased_until = NULL
		WHERE id = @id AND lease_id = @lease`,
		pg.Named("state", d.State, "error", pg.CleanText(d.Error), "ended", d.EndedAt, "due", d.DueAt, "id", d.ID,
			"lease", d.LeaseID)), pg.ErrLeaseLost)
	if err != nil {
		return fmt.Errorf("finish delivery %d: %w", d.ID, err)
	}
	return nil
}
