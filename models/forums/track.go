package forums

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
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

// TrackOf is a track as JSON, of the messages with the serials that those selects.
func TrackOf(those string, most int) string {
	return fmt.Sprintf(`(
		SELECT json_build_object('messages', coalesce(sum(d.n), 0), 'wrote', coalesce(sum(d.wrote), 0), 'all', count(*),
			'newest',
				coalesce(json_agg(json_build_object('serial', n.serial, 'forum', f.name, 'subject', left(n.subject, 120), 'author',
					left(n.author, 60), 'messages', d.n, 'at', n.placed_at) ORDER BY d.place) FILTER (WHERE d.place <= %d), '[]'))
		FROM (
			SELECT (array_agg(x.serial ORDER BY x.placed_at DESC, x.serial DESC))[1] AS serial, count(*) AS n,
				count(x.member_id) FILTER (WHERE x.wrote) AS wrote,
					row_number() OVER (ORDER BY max(x.placed_at) DESC, max(x.serial) DESC) AS place
			FROM (%s) x GROUP BY coalesce(x.thread_id, -x.serial)) d
		LEFT JOIN messages n ON n.serial = d.serial AND d.place <= %d LEFT JOIN forums f ON f.id = n.forum_id)`, most, those, most)
}

// MemberTrack are the messages that member m wrote, and those about them.
const MemberTrack = `
	SELECT t.serial, t.thread_id, t.placed_at, t.member_id, true AS wrote FROM messages t WHERE t.member_id = m.id
	UNION ALL
	SELECT t.serial, t.thread_id, t.placed_at, t.member_id, false FROM messages t
		WHERE t.serial IN (SELECT serial FROM message_things WHERE kind = 'member' AND key = m.name) AND t.member_id IS DISTINCT FROM m.id`

// ReadTrack reads what trackOf selects.
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
	err := db.WithContext(ctx).Raw(`SELECT `+
		TrackOf(`SELECT t.serial, t.thread_id, t.placed_at, t.member_id, false AS wrote FROM messages t
			WHERE t.serial IN (SELECT serial FROM message_things WHERE kind = @kind AND key = @key)`, trackAtMost),
		pg.Named("kind", kind, "key", key)).Row().Scan(&text)
	if err != nil {
		return Track{}, fmt.Errorf("track of %s %s: %w", kind, key, err)
	}
	return ReadTrack(text)
}
