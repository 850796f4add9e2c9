// Package notices sends what members are to hear about, by e-mail and to the webhook.
package notices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"laurel/jobs/mail"
	"laurel/jobs/pass"
	pg "laurel/models/db"
	"laurel/models/notices"
)

// Jobs release and send notices.
type Jobs struct {
	DB     *pg.DB
	Now    func() time.Time
	Log    *slog.Logger
	Rate   float64 // Divides the pauses between attempts.
	Outbox Outbox
}

// An Outbox is how members are reached beside the page.
type Outbox struct {
	URL     string       // Of this Laurel, for links.
	Mail    *mail.Server // Nil for no e-mail.
	Webhook string       // Where this installation's notices go; "" for nowhere.
	Key     []byte       // Signs what goes there.
	HTTP    *http.Client // From polite.Guarded.
}

const (
	// noticesAtOnce is how many notices one transaction takes.
	noticesAtOnce = 1000
	// mailsAtOnce is for how many members e-mails are queued in one transaction.
	mailsAtOnce = 100
	// sendFor outlasts one attempt, which has a minute.
	sendFor = 5 * time.Minute
)

func (o *Outbox) channels() notices.Ways {
	return notices.Ways{Mail: o.Mail != nil, Webhook: o.Webhook != ""}
}

// Release shows members on their pages what has happened to their awards:
// those whom a new one fits, then all whose notices are due. What is to be sent
// is queued.
func (j *Jobs) Release(ctx context.Context) error {
	db, by := j.DB.DB, j.Outbox.channels()
	for _, step := range []func() (bool, error){
		func() (bool, error) { return notices.AnnounceAwards(ctx, db, noticesAtOnce, j.Now()) },
		func() (bool, error) {
			n, err := notices.Release(ctx, db, by, noticesAtOnce, j.Now())
			return n > 0, err
		},
		func() (bool, error) {
			n, err := notices.PackMails(ctx, db, mailsAtOnce, j.Now())
			return n > 0, err
		},
		func() (bool, error) { return notices.PackCalls(ctx, db, j.Now()) },
	} {
		if err := pass.UntilIdle(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// SendMails hands over the e-mails that are due.
func (j *Jobs) SendMails(ctx context.Context) error {
	return j.deliverAll(ctx, notices.Ways{Mail: j.Outbox.Mail != nil})
}

// SendWebhooks sends the webhook what is due. A webhook that hangs keeps no
// e-mail waiting.
func (j *Jobs) SendWebhooks(ctx context.Context) error {
	return j.deliverAll(ctx, notices.Ways{Webhook: j.Outbox.Webhook != ""})
}

func (j *Jobs) deliverAll(ctx context.Context, by notices.Ways) error {
	if by == (notices.Ways{}) {
		return nil
	}
	return pass.UntilIdle(ctx, func() (bool, error) {
		claimed, err := notices.ClaimDeliveries(ctx, j.DB.DB, by, pg.Lease{ID: uuid.NewString(), For: sendFor}, 1, j.Now())
		if err != nil || len(claimed) == 0 {
			return false, err
		}
		return true, j.attempt(ctx, &claimed[0])
	})
}

// attempt sends one claimed delivery and stores the outcome.
func (j *Jobs) attempt(ctx context.Context, d *notices.Delivery) error {
	outcome, err := j.deliver(ctx, d)
	if err != nil {
		return err
	}
	if ctx.Err() != nil { // Laurel is stopped: whether it was sent is not known, and it is due again when the lease ends.
		return ctx.Err()
	}
	if outcome.Error != "" && !outcome.Dropped {
		j.Log.WarnContext(ctx, "a notice could not be delivered", "channel", d.Channel, "delivery", d.Key, "attempt", d.Attempts,
			"reason", outcome.Error)
	}
	err = notices.FinishDelivery(ctx, j.DB.DB, d, outcome, j.Rate, j.Now())
	if errors.Is(err, pg.ErrLeaseLost) {
		j.Log.WarnContext(ctx, "another worker has taken over", "delivery", d.Key)
		return nil
	}
	return err
}

// deliver makes one attempt. An error is one of ours; what goes wrong outside is
// the outcome.
func (j *Jobs) deliver(ctx context.Context, d *notices.Delivery) (notices.DeliveryOutcome, error) {
	content, err := notices.ContentOf(ctx, j.DB.DB, d)
	if errors.Is(err, pg.ErrNotFound) {
		return notices.DeliveryOutcome{Dropped: true, Error: "there is nothing left to send"}, nil
	}
	if err != nil {
		return notices.DeliveryOutcome{}, err
	}
	if d.Channel == notices.ChannelWebhook {
		return j.Outbox.send(ctx, d, &content, j.Now()), nil
	}
	err = j.Outbox.Mail.Send(ctx, j.Outbox.message(d, &content))
	if err == nil {
		return notices.DeliveryOutcome{}, nil
	}
	_, final := errors.AsType[*mail.RefusedError](err)
	return notices.DeliveryOutcome{Error: fmt.Sprintf("the mail server said: %v", err), Final: final}, nil
}
