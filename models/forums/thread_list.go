package forums

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
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
	MemberID        int64 // 0 where the author is no member.
	Forum           string
	ForumName       string
	Slots           []int `gorm:"-"` // How many messages came in each of ThreadSlots equal parts of its time.
}

// ThreadSlots is into how many parts the time of a thread is cut.
const ThreadSlots = 16

// Threads returns a page of a forum's threads, or of all forums' where forum is 0,
// those in which was written last first.
func Threads(ctx context.Context, db *gorm.DB, forum int64, after pg.Cursor, limit int) (list []Thread, next pg.Cursor, err error) {
	if list, next, err = threadsAfter(ctx, db, forum, after, limit); err == nil {
		err = addSlots(ctx, db, list)
	}
	return list, next, err
}

// NewestThreads returns the threads of all forums in which was written last, without their slots.
func NewestThreads(ctx context.Context, db *gorm.DB, limit int) ([]Thread, error) {
	list, _, err := threadsAfter(ctx, db, 0, pg.Cursor{}, limit)
	return list, err
}

func threadsAfter(ctx context.Context, db *gorm.DB, forum int64, after pg.Cursor, limit int) (list []Thread, next pg.Cursor, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("threads"),
		pg.Named("forum", forum, "serial", 0, "first", after == (pg.Cursor{}), "at", after.At, "id", after.ID, "limit", limit+1,
			"asking", members.Asking(ctx))).Scan(&list).Error
	if err != nil {
		return nil, next, fmt.Errorf("threads of forum %d: %w", forum, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].LastAt, ID: list[limit-1].ID}
	}
	return list, next, nil
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
	err := db.WithContext(ctx).Raw(queries.Must("thread_slots"), pg.Named("slots", ThreadSlots, "ids", &ids)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("slots of threads: %w", err)
	}
	for _, r := range rows {
		at[r.ThreadID].Slots[r.Slot] = r.N
	}
	return nil
}

// ThreadBySerial returns the thread of a forum that holds a message, or ErrNotFound.
func ThreadBySerial(ctx context.Context, db *gorm.DB, forum, serial int64) (Thread, error) {
	var list []Thread
	err := db.WithContext(ctx).Raw(queries.Must("threads"),
		pg.Named("forum", forum, "serial", serial, "first", true, "at", time.Time{}, "id", 0, "limit", 1,
			"asking", members.Asking(ctx))).Scan(&list).Error
	if err == nil && len(list) == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return Thread{}, fmt.Errorf("thread of message %d: %w", serial, err)
	}
	return list[0], nil
}

// A ThreadProblem is a problem that messages of a thread link to.
type ThreadProblem struct {
	ThreadID  int64
	Key, Name string // As references have it: codeforces/4A. The name is "" where the catalogue has none.
}

// ThreadProblems returns at most most problems of each of these threads.
func ThreadProblems(ctx context.Context, db *gorm.DB, threads []int64, most int) (map[int64][]ThreadProblem, error) {
	var list []ThreadProblem
	err := db.WithContext(ctx).Raw(queries.Must("thread_problems"),
		pg.Named("ids", &threads, "most", most, "asking", members.Asking(ctx))).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("problems of threads: %w", err)
	}
	by := map[int64][]ThreadProblem{}
	for _, p := range list {
		by[p.ThreadID] = append(by[p.ThreadID], p)
	}
	return by, nil
}

// A MessageLine is a message without its text, in its place in a thread.
type MessageLine struct {
	Serial      int64
	URL         string
	MessageID   string
	InReplyTo   string
	Author      string
	Member      string
	MemberID    int64 // 0 where the author is no member.
	Subject     string
	SentAt      *time.Time
	Approximate bool
	PlacedAt    time.Time
	Depth       int `gorm:"-"` // How many messages up the thread's first one is.
}

// TableName is GORM's.
func (MessageLine) TableName() string { return "message_list" }

// ThreadAtMost is how many messages of one thread are put in order: its newest.
const ThreadAtMost = 10_000

// ThreadLines returns the messages of a thread in order of reply: each one before
// those that answer it, and those in order of time.
func ThreadLines(ctx context.Context, db *gorm.DB, thread int64) ([]MessageLine, error) {
	lines, err := gorm.G[MessageLine](db).Where("thread_id = ? AND visible_to(?, member_id, audience)", thread, members.Asking(ctx)).
		Order("placed_at DESC, serial DESC").Limit(ThreadAtMost).Find(ctx)
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

// A MonthCount is how many messages of a forum have dates of a month; the year 1 is
// for those without.
type MonthCount struct {
	Month    time.Time
	Messages int
}

// TableName is GORM's.
func (MonthCount) TableName() string { return "forum_months" }

// Months returns how many messages a forum has of each month, oldest first.
func Months(ctx context.Context, db *gorm.DB, forum int64) ([]MonthCount, error) {
	return gorm.G[MonthCount](db).Where("forum_id = ?", forum).Order("month").Find(ctx)
}
