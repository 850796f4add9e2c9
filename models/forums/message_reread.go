package forums

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/posts"
	"laurel/models/responses"
)

// A Rereading is what today's reader finds in a raw answer.
type Rereading struct {
	Answer   int64
	At       time.Time // When it came.
	Readable bool      // It was understood before.
	Period   string
	Messages []NewMessage
}

// Reread says what reading again changed of a forum.
type Reread struct {
	New, Changed int // Messages.
	Answers      int // That are understood now.
}

var errDryRun = errors.New("dry run")

// RereadMessages stores what today's reader finds in the raw answers of a forum, oldest first, as
// if it had been read then. A message changes only by the answer that it was read from: so an older
// answer never overwrites what a newer one showed. Each answer is a transaction of its own; a dry
// run is one, and is undone. own is the address of this Laurel.
func RereadMessages(ctx context.Context, db *gorm.DB, f *Forum, read iter.Seq2[Rereading, error], own string, dry bool) (
	c Reread, err error) {
	all := func(tx *gorm.DB) error {
		for r, err := range read {
			if err != nil {
				return err
			}
			if err := tx.Transaction(func(tx *gorm.DB) error { return rereadAnswer(ctx, tx, f, &r, own, &c) }); err != nil {
				return err
			}
		}
		return nil
	}
	if dry {
		undone := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			err = all(tx)
			return errDryRun
		})
		if !errors.Is(undone, errDryRun) {
			err = undone
		}
	} else {
		err = all(db.WithContext(ctx))
	}
	if err != nil {
		return c, fmt.Errorf("read %s again: %w", f.Slug, err)
	}
	return c, nil
}

func rereadAnswer(ctx context.Context, tx *gorm.DB, f *Forum, r *Rereading, own string, c *Reread) error {
	if !r.Readable {
		c.Answers++
		if err := responses.MarkRead(ctx, tx, []int64{r.Answer}); err != nil {
			return err
		}
	}
	if len(r.Messages) == 0 {
		return nil
	}
	b := &Batch{Period: r.Period, Messages: r.Messages, Own: own, Answer: r.Answer}
	changed, err := rewrite(ctx, tx, f, b, r.At)
	if err != nil {
		return err
	}
	c.Changed += changed
	if b.Messages, err = unstored(ctx, tx, f.ID, r.Messages); err != nil {
		return err
	}
	serials, err := insertMessages(ctx, tx, f, b, r.At)
	if err != nil || len(serials) == 0 {
		return err
	}
	c.New += len(serials)
	if err := responses.MakeLasting(ctx, tx, r.Answer); err != nil {
		return err
	}
	if err := settleNew(ctx, tx, b, serials, r.At); err != nil {
		return err
	}
	var linked []posts.New
	for i := range b.Messages {
		linked = append(linked, b.Messages[i].Posts...)
	}
	if _, err := posts.Add(ctx, tx, linked, r.At); err != nil {
		return err
	}
	return tx.Exec(`UPDATE forums SET messages = messages + @new WHERE id = @id`, pg.Named("new", len(serials), "id", f.ID)).Error
}

// unstored are those of the messages that are not stored, by whichever of their addresses.
func unstored(ctx context.Context, tx *gorm.DB, forum int64, messages []NewMessage) ([]NewMessage, error) {
	var stored []string
	err := tx.WithContext(ctx).Raw(`
		SELECT url FROM messages WHERE forum_id = @forum AND url = ANY(CAST(@urls AS text[]))
		UNION SELECT url FROM message_duplicates WHERE forum_id = @forum AND url = ANY(CAST(@urls AS text[]))`,
		pg.Named("forum", forum, "urls", pg.Column(messages, urlOf))).Scan(&stored).Error
	if err != nil {
		return nil, fmt.Errorf("stored messages: %w", err)
	}
	known := map[string]bool{}
	for _, url := range stored {
		known[url] = true
	}
	return slices.DeleteFunc(slices.Clone(messages), func(m NewMessage) bool { return known[m.URL] }), nil
}

// A rewritten message stood elsewhere before, perhaps.
type rewritten struct {
	Serial                 int64
	URL                    string
	ThreadID               int64
	Alone                  bool // It belongs to no thread now: what shows its thread has changed.
	PlacedBefore, PlacedAt time.Time
}

// rewrite writes anew the messages that were read from an answer, and returns how many changed.
func rewrite(ctx context.Context, tx *gorm.DB, f *Forum, b *Batch, at time.Time) (int, error) {
	l := columnsOf(b.Messages)
	var rows []rewritten
	err := tx.WithContext(ctx).Raw(queries.Must("reread_messages"),
		pg.Named("forum", f.ID, "now", at, "soon", at.Add(soon), "followed", f.followed(), "answer", b.Answer,
			"urls", l.urls, "ids", l.ids, "replies", l.replies, "threads", l.threads, "periods", l.periods, "numbers", l.numbers,
			"authors", l.authors, "addresses", l.addresses, "subjects", l.subjects, "sent", l.sent, "shown", l.shown,
			"approximate", l.approximate, "bodies", l.bodies, "versions", l.versions, "edited", l.edited)).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	serials := map[string]int64{}
	ids := make([]int64, len(rows))
	for i, r := range rows {
		serials[r.URL], ids[i] = r.Serial, r.Serial
	}
	changed := slices.DeleteFunc(slices.Clone(b.Messages), func(m NewMessage) bool { return serials[m.URL] == 0 })
	if err := rethread(ctx, tx, f.ID, changed, rows, at); err != nil {
		return 0, err
	}
	if err := recountMonths(ctx, tx, f.ID, rows); err != nil {
		return 0, err
	}
	err = tx.WithContext(ctx).Exec(`DELETE FROM message_references WHERE serial = ANY(CAST(@serials AS bigint[]))`,
		pg.Named("serials", &ids)).Error
	if err == nil {
		err = referTo(ctx, tx, changed, serials, b.Own)
	}
	if err == nil {
		err = nameAuthors(ctx, tx, ids, at)
	}
	if err != nil {
		return 0, err
	}
	return len(rows), tellMessages(ctx, tx, ids, at) // Who lost one was told by nameAuthors.
}

// rethread finds the threads of messages again of which it has changed what shows them.
func rethread(ctx context.Context, tx *gorm.DB, forum int64, changed []NewMessage, rows []rewritten, at time.Time) error {
	alone, threads := map[string]int64{}, []int64{}
	for _, r := range rows {
		threads = append(threads, r.ThreadID)
		if r.Alone {
			alone[r.URL] = r.Serial
		}
	}
	moved := slices.DeleteFunc(slices.Clone(changed), func(m NewMessage) bool { return alone[m.URL] == 0 })
	if len(moved) > 0 {
		into, err := threadsOf(ctx, tx, forum, moved, at)
		if err != nil {
			return err
		}
		err = tx.WithContext(ctx).Exec(`
			UPDATE messages m SET thread_id = g.thread
			FROM unnest(CAST(@serials AS bigint[]), CAST(@threads AS bigint[])) AS g(serial, thread) WHERE m.serial = g.serial`,
			pg.Named("serials", pg.Column(moved, func(m *NewMessage) int64 { return alone[m.URL] }), "threads", &into)).Error
		if err != nil {
			return err
		}
		threads = append(threads, into...)
	}
	err := tx.WithContext(ctx).Exec(`
		DELETE FROM forum_threads t WHERE id = ANY(CAST(@ids AS bigint[])) AND NOT EXISTS (SELECT FROM messages WHERE thread_id = t.id)`,
		pg.Named("ids", &threads)).Error
	if err != nil {
		return err
	}
	return countThreads(ctx, tx, threads)
}

// recountMonths counts the months again from which messages went, and those to which they came.
func recountMonths(ctx context.Context, tx *gorm.DB, forum int64, rows []rewritten) error {
	var months []time.Time
	for _, r := range rows {
		if !r.PlacedBefore.Equal(r.PlacedAt) {
			months = append(months, r.PlacedBefore.UTC(), r.PlacedAt.UTC())
		}
	}
	if len(months) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(queries.Must("recount_months"), pg.Named("forum", forum, "at", &months)).Error
	if err != nil {
		return fmt.Errorf("count months: %w", err)
	}
	return nil
}
