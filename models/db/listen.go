package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// Listen calls heard for every notification on the channels until ctx ends. A
// lost connection is made again after a moment; what was said meanwhile is not
// heard, so listeners also check by themselves from time to time. It calls heard
// once with empty strings whenever it begins to listen.
func Listen(ctx context.Context, d *DB, heard func(channel, payload string), channels ...string) {
	for ctx.Err() == nil {
		_ = listenOnce(ctx, d, heard, channels) // Any error ends the connection; the next round makes a new one.
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func listenOnce(ctx context.Context, d *DB, heard func(channel, payload string), channels []string) error {
	// A connection of its own: one from the pool would lack there for ever.
	conn, err := pgx.ConnectConfig(ctx, d.Pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, ch := range channels {
		if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{ch}.Sanitize()); err != nil {
			return fmt.Errorf("listen to %s: %w", ch, err)
		}
	}
	heard("", "")
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		heard(n.Channel, n.Payload)
	}
}

// Wake notifies processes that listen on ChannelAsked that there is work.
func Wake(ctx context.Context, tx *gorm.DB, whom string) error {
	return tx.WithContext(ctx).Exec(`SELECT pg_notify(@channel, @whom)`, Named("channel", ChannelAsked, "whom", whom)).Error
}

// Channels of LISTEN: who waits for work, and who watches it.
const (
	ChannelAsked    = "laurel_asked"    // Payload: a site's name, or one of the Wake... of models, most of which have a space.
	ChannelProgress = "laurel_progress" // Payload: a member's id.
)
