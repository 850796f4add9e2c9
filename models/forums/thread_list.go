package forums

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Thread is a discussion in a forum.
type Thread struct {
	ID              int64
	ForumID         int64
	Head            int64 // The serial of its first message that is known.
	Messages        int
	People          int
	FirstAt, LastAt time.Time // The year 1 where no date was understood.
	Subject         string    // Of its head, as is who wrote that.
	Author          string
	Member          string
	Slots           []int `gorm:"-"` // How many messages came in each of ThreadSlots equal parts of its time.
}

// ThreadSlots is into how many parts the time of a thread is cut.
const ThreadSlots = 16

const threadRows = `SELECT t.id, t.forum_id, t.head, t.messages, t.people, t.first_at, t.last_at, m.subject, m.author,
	coalesce(b.name, '') AS member
	FROM forum_threads t JOIN messages m ON m.serial = t.head LEFT JOIN members b ON b.id = m.member_id `

// Threads returns a page of a forum's threads, those in which was written last
// first.
func Threads(ctx context.Context, db *gorm.DB, forum int64, after pg.Cursor, limit int) (list []Thread, next pg.Cursor, err error) {
	where := `WHERE t.forum_id = @forum`
	if after != (pg.Cursor{}) {
		where += ` AND (t.last_at, t.id) < (@at, @id)`
	}
	err = db.WithContext(ctx).Raw(threadRows+where+` ORDER BY t.last_at DESC, t.id DESC LIMIT @limit`,
		pg.Named("forum", forum, "at", after.At, "id", after.ID, "limit", limit+1)).Scan(&list).Error
	if err != nil {
		return nil, next, fmt.Errorf("threads of forum %d: %w", forum, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].LastAt, ID: list[limit-1].ID}
	}
	return list, next, addSlots(ctx, db, list)
}

// addSlots counts when messages came in each of the threads.
func addSlots(ctx context.Context, db *gorm.DB, list []Thread) error {
	at := map[int64]*Thread{}
	var ids []int64
	for i := range list {
		if t := &list[i]; t.Messages > 2 && t.FirstAt.Year() > 1 && t.LastAt.After(t.FirstAt) {
			at[t.ID], ids = t, append(ids, t.ID)
			t.Slots = make([]int, ThreadSlots)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var rows []struct {
		ThreadID int64
		Slot, N  int
	}
	err := db.WithContext(ctx).Raw(`
		SELECT m.thread_id,
			least(@slots - 1,
				greatest(0,
					CAST(floor(@slots * extract(epoch FROM m.placed_at - t.first_at) / extract(epoch
						FROM t.last_at - t.first_at)) AS integer))) AS slot, count(*) AS n
		FROM messages m JOIN forum_threads t ON t.id = m.thread_id
			WHERE m.thread_id = ANY(CAST(@ids AS bigint[])) AND m.placed_at >= t.first_at GROUP BY 1, 2`,
		pg.Named("slots", ThreadSlots, "ids", &ids)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("slots of threads: %w", err)
	}
	for _, r := range rows {
		at[r.ThreadID].Slots[r.Slot] = r.N
	}
	return nil
}

// ThreadBySerial returns the thread of a forum that holds a message, or ErrNotFound.
func ThreadBySerial(ctx context.Context, db *gorm.DB, forum, serial int64) (t Thread, err error) {
	res := db.WithContext(ctx).Raw(threadRows+
		`WHERE t.forum_id = @forum AND t.id = (SELECT thread_id FROM messages WHERE serial = @serial)`,
		pg.Named("forum", forum, "serial", serial)).Scan(&t)
	if res.Error == nil && res.RowsAffected == 0 {
		return t, pg.ErrNotFound
	}
	return t, res.Error
}

// A MessageLine is a message without its text, in its place in a thread.
type MessageLine struct {
	Serial      int64
	URL         string
	MessageID   string
	InReplyTo   string
	Author      string
	Member      string
	Subject     string
	SentAt      *time.Time
	Approximate bool
	PlacedAt    time.Time
	Depth       int `gorm:"-"` // How many messages up the thread's first one is.
}

// ThreadAtMost is how many messages of one thread are put in order: its newest.
const ThreadAtMost = 10_000

// ThreadLines returns the messages of a thread in order of reply: each one before
// those that answer it, and those in order of time.
func ThreadLines(ctx context.Context, db *gorm.DB, thread int64) (lines []MessageLine, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT m.serial, m.url, m.message_id, m.in_reply_to, m.author, coalesce(b.name, '') AS member, m.subject, m.sent_at, m.approximate,
			m.placed_at
		FROM messages m LEFT JOIN members b ON b.id = m.member_id WHERE m.thread_id = @thread
			ORDER BY m.placed_at DESC, m.serial DESC LIMIT @most`, pg.Named("thread", thread, "most", ThreadAtMost)).Scan(&lines).Error
	if err != nil {
		return nil, fmt.Errorf("thread %d: %w", thread, err)
	}
	return inReplyOrder(lines), nil
}

// inReplyOrder puts messages behind those that they answer. Dates lie: an answer may
// seem older than what it answers.
func inReplyOrder(lines []MessageLine) []MessageLine {
	slices.SortFunc(lines, func(a, b MessageLine) int {
		return cmp.Or(a.PlacedAt.Compare(b.PlacedAt), cmp.Compare(a.Serial, b.Serial))
	})
	by, answers, roots := map[string]int{}, map[int][]int{}, []int(nil)
	for i := range lines {
		by[lines[i].URL] = i
		if id := lines[i].MessageID; id != "" {
			by[id] = i
		}
	}
	for i := range lines {
		if parent, known := by[lines[i].InReplyTo]; known && parent != i {
			answers[parent] = append(answers[parent], i)
		} else {
			roots = append(roots, i)
		}
	}
	ordered, seen := make([]MessageLine, 0, len(lines)), make([]bool, len(lines))
	var place func(i, depth int)
	place = func(i, depth int) {
		if seen[i] {
			return
		}
		seen[i] = true
		lines[i].Depth = depth
		ordered = append(ordered, lines[i])
		for _, j := range answers[i] {
			place(j, depth+1)
		}
	}
	for _, i := range roots {
		place(i, 0)
	}
	for i := range lines { // Those that answer each other in a ring.
		place(i, 0)
	}
	return ordered
}

// MessagesBySerials returns messages in the order of the serials, with so many
// letters of their texts.
func MessagesBySerials(ctx context.Context, db *gorm.DB, serials []int64, letters int) (list []Message, err error) {
	err = db.WithContext(ctx).Raw(`SELECT `+messageColumnsRead+
		`, left(m.body, @letters) AS body FROM unnest(CAST(@serials AS bigint[])) WITH ORDINALITY AS g(serial, place)
		JOIN messages m ON m.serial = g.serial JOIN forums f ON f.id = m.forum_id LEFT JOIN members b ON b.id = m.member_id
			ORDER BY g.place`, pg.Named("serials", &serials, "letters", letters)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	return list, nil
}

// A MonthCount is how many messages of a forum have dates of a month; the year 1 is
// for those without.
type MonthCount struct {
	Month    time.Time
	Messages int
}

// Months returns how many messages a forum has of each month, oldest first.
func Months(ctx context.Context, db *gorm.DB, forum int64) (months []MonthCount, err error) {
	err = db.WithContext(ctx).Raw(`SELECT month, messages FROM forum_months WHERE forum_id = @forum ORDER BY month`,
		pg.Named("forum", forum)).Scan(&months).Error
	return months, err
}
