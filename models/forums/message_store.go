package forums

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/posts"
	"laurel/models/responses"
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
	Raw                               []byte      // Of a file: as it stands there.
}

// A MessageRef is a thing that a message talks about.
type MessageRef struct{ Kind, Key, URL string }

// A StoredMessages is what became of messages.
type StoredMessages struct {
	New        int
	Duplicates int // Stored before by another address: the archive was rebuilt, or the harvester errs.
	Edited     int // Stored before, and rewritten since.
}

// A Batch is messages that are stored together.
type Batch struct {
	Period   string
	Messages []NewMessage
	Read     []string // The addresses that were read for them and never change.
	Own      string   // The address of this Laurel.
	Answer   int64    // The raw answer that holds them; 0: it is not kept.
}

// Store stores messages, and the static addresses that were read for them,
// in one transaction. A message is stored once, by its address and by its
// Message-ID: putting it in twice changes nothing, and where the address is another
// one both are stored beside each other as a hint.
func (h *Harvest) Store(ctx context.Context, db *gorm.DB, b Batch, now time.Time) (out StoredMessages, err error) {
	total := 0
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var mine bool
		if err := tx.Raw(`SELECT EXISTS (SELECT FROM forums WHERE id = @id AND lease_id = @lease FOR SHARE)`,
			pg.Named("id", h.Forum.ID, "lease", h.Lease.ID)).Row().Scan(&mine); err != nil {
			return err
		}
		if !mine {
			return pg.ErrLeaseLost
		}
		if out, err = storeBatch(ctx, tx, &h.Forum, &b, now); err != nil || out.New == 0 && out.Duplicates == 0 {
			return err
		}
		return tx.Raw(`UPDATE forums SET messages = messages + @new, duplicates = duplicates + @twice WHERE id = @id RETURNING messages`,
			pg.Named("new", out.New, "twice", out.Duplicates, "id", h.Forum.ID)).Row().Scan(&total)
	})
	if err != nil {
		return StoredMessages{}, fmt.Errorf("store messages of %s: %w", h.Forum.Slug, err)
	}
	return out, freshenStatistics(ctx, db, total-out.New, total)
}

func storeBatch(ctx context.Context, tx *gorm.DB, f *Forum, b *Batch, now time.Time) (out StoredMessages, err error) {
	serials, err := insertMessages(ctx, tx, f, b, now)
	if err != nil {
		return out, err
	}
	if out.New = len(serials); out.New < len(b.Messages) {
		if out.Duplicates, err = storeDuplicates(ctx, tx, f.ID, b, now); err != nil {
			return out, err
		}
		if out.Edited, err = editMessages(ctx, tx, f.ID, b, now); err != nil {
			return out, err
		}
	}
	if out.New+out.Edited > 0 {
		if err := responses.MakeLasting(ctx, tx, b.Answer); err != nil {
			return out, err
		}
	}
	if err := rememberURLs(ctx, tx, f.ID, b, now); err != nil || out.New == 0 {
		return out, err
	}
	return out, settleNew(ctx, tx, b, serials, now)
}

// settleNew counts messages that were just stored, and finds what they talk about and who wrote
// them.
func settleNew(ctx context.Context, tx *gorm.DB, b *Batch, serials map[string]int64, now time.Time) error {
	ids := slices.Sorted(maps.Values(serials))
	if err := countNewMessages(ctx, tx, ids); err != nil {
		return err
	}
	if err := referTo(ctx, tx, b.Messages, serials, b.Own); err != nil {
		return err
	}
	return nameAuthors(ctx, tx, ids, now)
}

// freshenStatistics has the planner learn how many messages there are when a forum has
// grown to 250, 1000, 4000 and so on. It would learn that by itself, but minutes
// late, and until then it reads a whole forum to find an answer's question.
func freshenStatistics(ctx context.Context, db *gorm.DB, before, after int) error {
	for size := 250; size <= after; size *= 4 {
		if before >= size {
			continue
		}
		err := db.WithContext(ctx).Exec(`ANALYZE messages (forum_id, url, message_id, in_reply_to, thread, thread_id),
			forum_threads, message_duplicates`).Error
		if err != nil {
			return fmt.Errorf("statistics of messages: %w", err)
		}
		return nil
	}
	return nil
}

// A storedMessage is the serial of a message at an address.
type storedMessage struct {
	Serial int64
	URL    string
}

func serialsByURL(rows []storedMessage) map[string]int64 {
	serials := make(map[string]int64, len(rows))
	for _, r := range rows {
		serials[r.URL] = r.Serial
	}
	return serials
}

// soon is how far ahead the date of a message may be that is right.
const soon = 7 * 24 * time.Hour

// followed says that what comes is new, not an archive that is read for the first time.
func (f *Forum) followed() bool { return f.CoveredAt != nil && f.Kind != KindMbox }

// insertMessages stores those that are new, and returns their serials by address.
// One whose date has yet to come stands where it was found, if the forum is being
// followed; in an archive that is read for the first time nothing shows its place,
// and it stands with those of no date, behind what is really new.
func insertMessages(ctx context.Context, tx *gorm.DB, f *Forum, b *Batch, now time.Time) (map[string]int64, error) {
	if len(b.Messages) == 0 {
		return nil, nil
	}
	threads, err := threadsOf(ctx, tx, f.ID, b.Messages, now)
	if err != nil {
		return nil, err
	}
	var rows []storedMessage
	l := columnsOf(b.Messages)
	err = tx.WithContext(ctx).Raw(queries.Must("insert_messages"),
		pg.Named("forum", f.ID, "now", now, "soon", now.Add(soon), "followed", f.followed(), "thread_ids", &threads, "answer", b.Answer,
			"urls", l.urls, "ids", l.ids, "replies", l.replies, "threads", l.threads, "periods", l.periods, "numbers", l.numbers,
			"authors", l.authors, "addresses", l.addresses, "subjects", l.subjects, "sent", l.sent, "shown", l.shown,
			"approximate", l.approximate, "bodies", l.bodies, "versions", l.versions, "edited", l.edited)).Scan(&rows).Error
	return serialsByURL(rows), err
}

// storeDuplicates stores the second addresses of messages beside the first.
func storeDuplicates(ctx context.Context, tx *gorm.DB, forum int64, b *Batch, now time.Time) (n int, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("store_duplicates"),
		pg.Named("forum", forum, "now", now, "urls", pg.Column(b.Messages, urlOf), "ids", texts(b.Messages, idOf))).Row().Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("duplicates: %w", err)
	}
	return n, nil
}

// editMessages rewrites what was edited since it was stored: text and subject. The
// older version is in nobody's way, and neither is one that comes again.
func editMessages(ctx context.Context, tx *gorm.DB, forum int64, b *Batch, now time.Time) (int, error) {
	later := slices.DeleteFunc(slices.Clone(b.Messages), func(m NewMessage) bool { return m.Version <= 1 })
	if len(later) == 0 {
		return 0, nil
	}
	var rows []storedMessage
	err := tx.WithContext(ctx).Raw(queries.Must("edit_messages"),
		pg.Named("forum", forum, "urls", pg.Column(later, urlOf), "subjects", texts(later, subjectOf), "bodies", texts(later, bodyOf),
			"versions", pg.Column(later, versionOf), "edited", pg.Column(later, editedOf), "answer", b.Answer)).Scan(&rows).Error
	if err != nil {
		return 0, fmt.Errorf("edit messages: %w", err)
	}
	if err := tellMessages(ctx, tx, *pg.Column(rows, func(m *storedMessage) int64 { return m.Serial }), now); err != nil {
		return 0, err
	}
	return len(rows), referTo(ctx, tx, later, serialsByURL(rows), b.Own)
}
