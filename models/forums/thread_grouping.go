package forums

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// subjectWithin is for how long one subject is one discussion, where nothing else
// shows what answers what: subjects come again.
const subjectWithin = 30 * 24 * time.Hour

// plainLetters is how much of a subject discussions are distinguished by.
const plainLetters = 200

// A threadPart is a message that is to be stored, or a thread that is.
type threadPart struct {
	ID              int64 // Of the thread; 0 for a message.
	Plain           string
	Headed          bool      // It holds a message that answers nothing.
	FirstAt, LastAt time.Time // The year 1 where no date was understood.
}

// threadParts are parts, and which of them belong together.
type threadParts struct {
	parts []threadPart
	of    []int // What stands for a part: itself, or another.
	ids   map[int64]int
}

func (t *threadParts) add(p threadPart) int {
	t.parts, t.of = append(t.parts, p), append(t.of, len(t.of))
	return len(t.parts) - 1
}

func (t *threadParts) root(i int) int {
	for t.of[i] != i {
		t.of[i] = t.of[t.of[i]]
		i = t.of[i]
	}
	return i
}

func (t *threadParts) join(i, j int) { t.of[t.root(i)] = t.root(j) }

// stored is the part of a thread that is stored.
func (t *threadParts) stored(p threadPart) int {
	i, known := t.ids[p.ID]
	if !known {
		i = t.add(p)
		t.ids[p.ID] = i
	}
	return i
}

// threadsOf returns to which threads messages belong that are about to be stored: it
// makes threads, and joins those that turn out to be one. A forum is stored by one
// at a time, who has its lease.
func threadsOf(ctx context.Context, tx *gorm.DB, forum int64, messages []NewMessage, now time.Time) ([]int64, error) {
	t := &threadParts{ids: map[int64]int{}}
	for i := range messages {
		t.add(partOf(&messages[i], now))
	}
	if err := t.byAnswers(ctx, tx, forum, messages); err != nil {
		return nil, err
	}
	if err := t.bySubjects(ctx, tx, forum); err != nil {
		return nil, err
	}
	ids, err := t.store(ctx, tx, forum)
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	all := make([]int64, len(messages))
	for i := range messages {
		all[i] = ids[t.root(i)]
	}
	return all, nil
}

func partOf(m *NewMessage, now time.Time) threadPart {
	subject := pg.CleanText(m.Subject)
	p := threadPart{Plain: cutRunes(PlainSubject(subject), plainLetters), Headed: m.InReplyTo == "" && !answers(subject)}
	if m.SentAt != nil {
		p.FirstAt = *m.SentAt
		if now.Before(p.FirstAt) {
			p.FirstAt = now
		}
	}
	p.LastAt = p.FirstAt
	return p
}

func cutRunes(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}

// answers says whether a subject is that of an answer.
func answers(subject string) bool {
	subject = strings.ToLower(strings.TrimSpace(subject))
	if _, after, ok := strings.Cut(subject, "]"); ok && strings.HasPrefix(subject, "[") {
		subject = strings.TrimSpace(after)
	}
	return slices.ContainsFunc(answerPrefixes, func(prefix string) bool { return strings.HasPrefix(subject, prefix) })
}

// byAnswers joins what answers what: what is stored, and what comes together. The
// answers to one message belong together also where that one is missing.
func (t *threadParts) byAnswers(ctx context.Context, tx *gorm.DB, forum int64, messages []NewMessage) error {
	parts := map[string]int{}
	var keys, threads []string
	for i := range messages {
		m := &messages[i]
		if m.Thread != "" {
			threads = append(threads, pg.CleanText(m.Thread))
		}
		for _, key := range []string{pg.CleanText(m.MessageID), pg.CleanText(m.InReplyTo), pg.CleanText(m.Thread), m.URL} {
			if other, known := parts[key]; known {
				t.join(i, other)
			} else if key != "" {
				parts[key], keys = i, append(keys, key)
			}
		}
	}
	var rows []struct {
		Key  string
		Part threadPart `gorm:"embedded"`
	}
	err := tx.WithContext(ctx).Raw(queries.Must("threads_by_answers"),
		pg.Named("forum", forum, "keys", &keys, "threads", &threads)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("threads by answers: %w", err)
	}
	for _, r := range rows {
		t.join(t.stored(r.Part), parts[r.Key])
	}
	return nil
}

// bySubjects joins threads of which no beginning is known with the one of the same
// subject before them, or with another such one.
func (t *threadParts) bySubjects(ctx context.Context, tx *gorm.DB, forum int64) error {
	plains := map[string]bool{}
	first, last := time.Time{}, time.Time{}
	for _, p := range t.parts {
		if p.Plain == "" || p.FirstAt.Year() <= 1 {
			continue
		}
		plains[p.Plain] = true
		if first.IsZero() || p.FirstAt.Before(first) {
			first = p.FirstAt
		}
		if p.LastAt.After(last) {
			last = p.LastAt
		}
	}
	if len(plains) == 0 {
		return nil
	}
	names := slices.Collect(maps.Keys(plains))
	var stored []threadPart
	err := tx.WithContext(ctx).Raw(`SELECT id, plain, headed, first_at, last_at FROM forum_threads
		WHERE forum_id = @forum AND plain = ANY(CAST(@plains AS text[])) AND first_at <= @last AND last_at >= @first
			AND first_at > '0002-01-01'`,
		pg.Named("forum", forum, "plains", &names, "first", first.Add(-subjectWithin), "last", last.Add(subjectWithin))).
		Scan(&stored).Error
	if err != nil {
		return fmt.Errorf("threads by subjects: %w", err)
	}
	for _, p := range stored {
		t.stored(p)
	}
	t.joinHeadless()
	return nil
}

func (t *threadParts) joinHeadless() {
	by := map[string][]int{}
	whole := t.whole()
	for i, p := range whole {
		if p.Plain != "" && p.FirstAt.Year() > 1 {
			by[p.Plain] = append(by[p.Plain], i)
		}
	}
	for _, list := range by {
		slices.SortFunc(list, func(a, b int) int { return whole[a].FirstAt.Compare(whole[b].FirstAt) })
		for n, i := range list {
			p := whole[i]
			switch {
			case p.Headed:
			case n > 0 && !whole[list[n-1]].LastAt.Before(p.FirstAt.Add(-subjectWithin)):
				t.join(i, list[n-1])
			case n+1 < len(list) && !whole[list[n+1]].Headed && !whole[list[n+1]].FirstAt.After(p.LastAt.Add(subjectWithin)):
				t.join(i, list[n+1])
			}
		}
	}
}

// whole is what parts are together, by what stands for them.
func (t *threadParts) whole() map[int]threadPart {
	all := map[int]threadPart{}
	for i, p := range t.parts {
		root := t.root(i)
		w, known := all[root]
		if !known {
			all[root] = p
			continue
		}
		if p.Headed && !w.Headed || p.Headed == w.Headed && p.FirstAt.Before(w.FirstAt) {
			w.Plain = p.Plain
		}
		w.Headed = w.Headed || p.Headed
		if p.FirstAt.Year() > 1 && (w.FirstAt.Year() <= 1 || p.FirstAt.Before(w.FirstAt)) {
			w.FirstAt = p.FirstAt
		}
		if p.LastAt.After(w.LastAt) {
			w.LastAt = p.LastAt
		}
		all[root] = w
	}
	return all
}

// store stores the threads of messages, and returns their ids by what stands for them.
// Of threads that turn out to be one, the one that was made first stays.
func (t *threadParts) store(ctx context.Context, tx *gorm.DB, forum int64) (map[int]int64, error) {
	ids := map[int]int64{}
	for i, p := range t.parts {
		root := t.root(i)
		if was := ids[root]; p.ID != 0 && (was == 0 || p.ID < was) {
			ids[root] = p.ID
		}
	}
	whole := t.whole()
	var fresh []int
	for root := range whole {
		if ids[root] == 0 {
			fresh = append(fresh, root)
		}
	}
	slices.Sort(fresh)
	var drawn []int64
	if err := tx.WithContext(ctx).Raw(`SELECT nextval(pg_get_serial_sequence('forum_threads', 'id')) FROM generate_series(1, @n)`,
		pg.Named("n", len(fresh))).Scan(&drawn).Error; err != nil {
		return nil, err
	}
	for i, root := range fresh {
		ids[root] = drawn[i]
	}
	threads := make([]threadPart, 0, len(whole))
	for root, p := range whole {
		p.ID = ids[root]
		threads = append(threads, p)
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO forum_threads AS t (id, forum_id, plain, headed) SELECT id, @forum, plain, headed
			FROM unnest(CAST(@ids AS bigint[]), CAST(@plains AS text[]), CAST(@headed AS boolean[])) AS g(id, plain, headed)
		ON CONFLICT (id) DO UPDATE SET plain = EXCLUDED.plain, headed = EXCLUDED.headed
			WHERE (t.plain, t.headed) <> (EXCLUDED.plain, EXCLUDED.headed)`,
		pg.Named("forum", forum, "ids", pg.Column(threads, func(p *threadPart) int64 { return p.ID }),
			"plains", pg.Column(threads, func(p *threadPart) string { return p.Plain }),
			"headed", pg.Column(threads, func(p *threadPart) bool { return p.Headed }))).Error
	if err != nil {
		return ids, err
	}
	return ids, t.merge(ctx, tx, ids)
}

// merge moves the messages of threads that are others now, and removes those.
func (t *threadParts) merge(ctx context.Context, tx *gorm.DB, ids map[int]int64) error {
	var lost, into []int64
	for i, p := range t.parts {
		if id := ids[t.root(i)]; p.ID != 0 && p.ID != id {
			lost, into = append(lost, p.ID), append(into, id)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`UPDATE messages m SET thread_id = g.winner
		FROM unnest(CAST(@lost AS bigint[]), CAST(@into AS bigint[])) AS g(lost, winner) WHERE m.thread_id = g.lost`,
		pg.Named("lost", &lost, "into", &into)).Error
	if err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`DELETE FROM forum_threads WHERE id = ANY(CAST(@lost AS bigint[]))`,
		pg.Named("lost", &lost)).Error; err != nil {
		return err
	}
	return countThreads(ctx, tx, into)
}

// countThreads recounts threads.
func countThreads(ctx context.Context, tx *gorm.DB, ids []int64) error {
	if err := tx.WithContext(ctx).Exec(queries.Must("count_threads"), pg.Named("ids", &ids)).Error; err != nil {
		return fmt.Errorf("count threads: %w", err)
	}
	return nil
}

// countNewMessages recounts the threads of messages that were just stored, and the
// months they are of.
func countNewMessages(ctx context.Context, tx *gorm.DB, serials []int64) error {
	var threads []int64
	err := tx.WithContext(ctx).Raw(`SELECT DISTINCT thread_id FROM messages WHERE serial = ANY(CAST(@serials AS bigint[]))`,
		pg.Named("serials", &serials)).Scan(&threads).Error
	if err != nil {
		return fmt.Errorf("threads of messages: %w", err)
	}
	if err := countThreads(ctx, tx, threads); err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO forum_months AS f (forum_id, month, messages)
		SELECT forum_id, CAST(date_trunc('month', placed_at AT TIME ZONE 'UTC') AS date), count(*) FROM messages
			WHERE serial = ANY(CAST(@serials AS bigint[])) GROUP BY 1, 2
		ON CONFLICT (forum_id, month) DO UPDATE SET messages = f.messages + EXCLUDED.messages`, pg.Named("serials", &serials)).Error
	if err != nil {
		return fmt.Errorf("count months: %w", err)
	}
	return nil
}
