package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/posts"
)

// A NewMessage is a message as an archive shows it.
type NewMessage struct {
	URL, MessageID, InReplyTo, Thread string
	Period                            string
	Number                            int64
	Author, Address, Subject          string
	SentAt                            *time.Time
	SentShown                         string
	Approximate                       bool
	Body                              string
	Links                             []string
	Refs                              []MessageRef // What its links were recognised as.
	Version                           int          // Counts edits from 1; 0 where messages are not edited.
	EditedAt                          *time.Time
	Posts                             []posts.New // Of networks, to which it links: they are followed where it comes from a file.
}

// A MessageRef is a thing that a message talks about.
type MessageRef struct{ Kind, Key, URL string }

// A StoredMessages is what became of messages.
type StoredMessages struct {
	New        int
	Duplicates int // Stored before by another address: the archive was made anew, or the harvester errs.
	Edited     int // Stored before, and written anew since.
}

// StoreMessages stores messages, and the static addresses that were read for them,
// in one transaction. A message is stored once, by its address and by its
// Message-ID: putting it in twice changes nothing, and where the address is another
// one both are kept beside each other as a hint.
func StoreMessages(ctx context.Context, db *gorm.DB, f *Forum, lease Lease, period string, messages []NewMessage, read []string, own string,
	now time.Time) (out StoredMessages, err error) {
	total := 0
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var mine bool
		if err := tx.Raw(`SELECT EXISTS (SELECT FROM forums WHERE id = @id AND lease_id = @lease FOR SHARE)`,
			pg.Named("id", f.ID, "lease", lease.ID)).Row().Scan(&mine); err != nil {
			return err
		}
		if !mine {
			return pg.ErrLeaseLost
		}
		serials, err := insertMessages(ctx, tx, f, messages, now)
		if err != nil {
			return err
		}
		out.New = len(serials)
		if out.New < len(messages) {
			if out.Duplicates, err = noteDuplicates(ctx, tx, f.ID, messages, now); err != nil {
				return err
			}
			if out.Edited, err = editMessages(ctx, tx, f.ID, messages, own); err != nil {
				return err
			}
		}
		if err := rememberURLs(ctx, tx, f.ID, period, read, now); err != nil {
			return err
		}
		if out.New > 0 {
			if err := tallyThreads(ctx, tx, serials); err != nil {
				return err
			}
			if err := referTo(ctx, tx, messages, serials, own); err != nil {
				return err
			}
			if err := nameAuthors(ctx, tx, serials, now); err != nil {
				return err
			}
		}
		if out.New == 0 && out.Duplicates == 0 {
			return nil
		}
		return tx.Raw(`UPDATE forums SET messages = messages + @new, duplicates = duplicates + @twice WHERE id = @id RETURNING messages`,
			pg.Named("new", out.New, "twice", out.Duplicates, "id", f.ID)).Row().Scan(&total)
	})
	if err != nil {
		return StoredMessages{}, fmt.Errorf("store messages of %s: %w", f.Slug, err)
	}
	return out, freshenStatistics(ctx, db, total-out.New, total)
}

// freshenStatistics tells the planner how many messages there are when a forum has
// grown to 250, 1000, 4000 and so on. It would learn that by itself, but minutes
// late, and until then it reads a whole forum to find an answer's question.
func freshenStatistics(ctx context.Context, db *gorm.DB, before, after int) error {
	for size := 250; size <= after; size *= 4 {
		if before >= size {
			continue
		}
		if err := db.WithContext(ctx).Exec(
			`ANALYZE messages (forum_id, url, message_id, in_reply_to, thread, thread_id), forum_threads, message_duplicates`).Error; err != nil {
			return fmt.Errorf("statistics of messages: %w", err)
		}
		return nil
	}
	return nil
}

// messageColumns are messages as the lists that a statement unnests.
type messageColumns struct {
	urls, ids, replies, threads, periods, authors, addresses, subjects, shown, bodies []string
	numbers, versions                                                                 []int64
	sent, edited                                                                      []*time.Time
	approximate                                                                       []bool
}

func columnsOf(messages []NewMessage) *messageColumns {
	var c messageColumns
	for i := range messages {
		m := &messages[i]
		c.urls, c.ids, c.replies, c.threads = append(c.urls, m.URL), append(c.ids, pg.CleanText(m.MessageID)), append(c.replies,
			pg.CleanText(m.InReplyTo)), append(c.threads, pg.CleanText(m.Thread))
		c.periods, c.authors, c.addresses, c.subjects = append(c.periods, m.Period), append(c.authors,
			pg.CleanText(m.Author)), append(c.addresses, pg.CleanText(m.Address)), append(c.subjects, pg.CleanText(m.Subject))
		c.shown, c.bodies, c.numbers = append(c.shown, pg.CleanText(m.SentShown)), append(c.bodies, pg.CleanText(m.Body)), append(c.numbers,
			m.Number)
		c.versions, c.edited = append(c.versions, int64(m.Version)), append(c.edited, m.EditedAt)
		c.sent, c.approximate = append(c.sent, m.SentAt), append(c.approximate, m.Approximate)
	}
	return &c
}

// insertMessages stores those that are new, and returns their serials by address.
// One whose date has yet to come stands where it was found, if the forum is being
// followed; in an archive that is read for the first time nothing tells its place,
// and it stands with those of no date, behind what is really new.
func insertMessages(ctx context.Context, tx *gorm.DB, f *Forum, messages []NewMessage, now time.Time) (map[string]int64, error) {
	serials := map[string]int64{}
	if len(messages) == 0 {
		return serials, nil
	}
	c := columnsOf(messages)
	belong, err := threadsOf(ctx, tx, f.ID, messages, now)
	if err != nil {
		return nil, err
	}
	rows, err := tx.WithContext(ctx).Raw(`
		INSERT INTO messages (forum_id, thread_id, url, message_id, in_reply_to, thread, period, number, author, address, subject, sent_at,
			sent_shown, approximate, body, version, edited_at, stored_at, placed_at)
		SELECT @forum, belongs, url, id, reply, thread, period, number, author, address, subject, sent, shown, approximate, body, version,
			edited, @now, CASE WHEN sent IS NULL OR sent > @soon AND NOT @followed THEN '0001-01-01'
				ELSE least(sent, CAST(@now AS timestamptz)) END
		FROM unnest(CAST(@urls AS text[]), CAST(@ids AS text[]), CAST(@replies AS text[]), CAST(@threads AS text[]),
			CAST(@periods AS text[]), CAST(@numbers AS bigint[]), CAST(@authors AS text[]), CAST(@addresses AS text[]),
			CAST(@subjects AS text[]), CAST(@sent AS timestamptz[]), CAST(@shown AS text[]), CAST(@approximate AS boolean[]),
				CAST(@bodies AS text[]), CAST(@belong AS bigint[]),
			CAST(@versions AS bigint[]), CAST(@edited AS timestamptz[])) WITH ORDINALITY AS g(url, id, reply, thread, period, number,
				author, address, subject, sent, shown, approximate, body, belongs, version, edited, place)
		ORDER BY place DESC ON CONFLICT DO NOTHING RETURNING serial, url`, // The oldest first: serials grow with time where that can be.
		pg.Named("forum", f.ID, "now", now, "soon", now.Add(7*24*time.Hour), "followed", f.LookedAt != nil && f.Kind != KindMbox, "urls",
			&c.urls, "ids", &c.ids, "replies", &c.replies, "threads", &c.threads, "periods", &c.periods, "numbers", &c.numbers, "authors",
			&c.authors,
			"addresses", &c.addresses, "subjects", &c.subjects, "sent", &c.sent, "shown", &c.shown, "approximate", &c.approximate, "bodies",
			&c.bodies, "belong", &belong, "versions", &c.versions, "edited", &c.edited)).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var serial int64
		var address string
		if err := rows.Scan(&serial, &address); err != nil {
			return nil, err
		}
		serials[address] = serial
	}
	return serials, rows.Err()
}

// noteDuplicates keeps the second addresses of messages beside the first.
func noteDuplicates(ctx context.Context, tx *gorm.DB, forum int64, messages []NewMessage, now time.Time) (n int, err error) {
	c := columnsOf(messages)
	err = tx.WithContext(ctx).Raw(`
		WITH noted AS (
			INSERT INTO message_duplicates AS d (forum_id, url, serial, seen_at)
			SELECT DISTINCT ON (g.url) @forum, g.url, m.serial, @now FROM unnest(CAST(@urls AS text[]), CAST(@ids AS text[])) AS g(url, id)
			JOIN messages m ON m.forum_id = @forum AND m.message_id = g.id AND m.url <> g.url WHERE g.id <> ''
			ON CONFLICT (forum_id, url) DO UPDATE SET seen = d.seen + 1, seen_at = EXCLUDED.seen_at
			RETURNING xmax = 0 AS fresh)
		SELECT count(*) FILTER (WHERE fresh) FROM noted`,
		pg.Named("forum", forum, "now", now, "urls", &c.urls, "ids", &c.ids)).Row().Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("duplicates: %w", err)
	}
	return n, nil
}
