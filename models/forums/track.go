package forums

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Track is the discussions about something, or of somebody, that are going on.
type Track struct {
	Messages    int
	Wrote       int // Of a member's: how many of the messages they wrote.
	Discussions []Discussion
	More        int // Discussions besides.
}

// A Discussion is a thread as far as a track is about it.
type Discussion struct {
	Serial   int64     `json:"serial"` // Its newest message of the track.
	Forum    string    `json:"forum"`
	Subject  string    `json:"subject"`
	Author   string    `json:"author"` // Who wrote that.
	Messages int       `json:"messages"`
	At       time.Time `json:"at"`
}

// How many discussions a track shows, and that of a profile, which has little room.
const (
	trackAtMost  = 12
	ProfileTrack = 5
)

// ReadTrack reads what the database's message_track returns.
func ReadTrack(text string) (t Track, err error) {
	var row struct {
		Messages, Wrote, All int
		Newest               []Discussion
	}
	if err := json.Unmarshal([]byte(text), &row); err != nil {
		return t, fmt.Errorf("track: %w", err)
	}
	return Track{row.Messages, row.Wrote, row.Newest, row.All - len(row.Newest)}, nil
}

// TrackAbout returns the discussions about one thing, the newest first.
func TrackAbout(ctx context.Context, db *gorm.DB, kind, key string) (Track, error) {
	kind, key = CleanRef(kind, key)
	var text string
	err := db.WithContext(ctx).Raw(`SELECT message_track(@kind, @key, @most, @asking)`,
		pg.Named("kind", kind, "key", key, "most", trackAtMost, "asking", members.Asking(ctx))).Row().Scan(&text)
	if err != nil {
		return Track{}, fmt.Errorf("track of %s %s: %w", kind, key, err)
	}
	return ReadTrack(text)
}
