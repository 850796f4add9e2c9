package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A StreamSwitch is an admin's setting: whether a site's activity stream is read.
type StreamSwitch string

// The settings of a stream.
const (
	StreamAuto StreamSwitch = "auto" // While the site has streamFrom accounts.
	StreamOn   StreamSwitch = "on"
	StreamOff  StreamSwitch = "off"
)

// StreamSwitches are the settings that are not StreamAuto, by site.
func StreamSwitches(ctx context.Context, db *gorm.DB) (map[string]StreamSwitch, error) {
	set, err := gorm.G[Stream](db).Where("kind = ? AND enabled IS NOT NULL", KindStream).Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("switches of streams: %w", err)
	}
	switches := map[string]StreamSwitch{}
	for _, s := range set {
		switches[s.Site] = StreamOff
		if *s.Enabled {
			switches[s.Site] = StreamOn
		}
	}
	return switches, nil
}

// SetStream sets whether the activity stream of a site is read, from now on.
func SetStream(ctx context.Context, db *gorm.DB, site string, s StreamSwitch, now time.Time) error {
	var enabled *bool
	switch s {
	case StreamAuto:
	case StreamOn, StreamOff:
		enabled = new(s == StreamOn)
	default:
		return &pg.InputError{Field: "stream", Message: "say whether the activity stream is read: auto, on or off"}
	}
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_streams (site, kind, enabled, due_at) VALUES (@site, @kind, @enabled, @now)
		ON CONFLICT (site, kind) DO UPDATE SET enabled = EXCLUDED.enabled, due_at = EXCLUDED.due_at`,
		pg.Named("site", site, "kind", KindStream, "enabled", enabled, "now", now)).Error
	if err != nil {
		return fmt.Errorf("switch the stream of %s: %w", site, err)
	}
	return nil
}
