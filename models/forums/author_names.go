package forums

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// lockAuthors is held shared by who stores messages, alone by who changes the
// authors: each message is named by all that was said before it or after it.
const lockAuthors = 7_006

// nameAuthors finds the members who wrote new messages, and tells awards of them.
func nameAuthors(ctx context.Context, tx *gorm.DB, serials map[string]int64, now time.Time) error {
	ids := make([]int64, 0, len(serials))
	for _, serial := range serials {
		ids = append(ids, serial)
	}
	slices.Sort(ids)
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock_shared(@class, 0)`, pg.Named("class", lockAuthors)).Error; err != nil {
		return fmt.Errorf("lock authors: %w", err)
	}
	return nameMessages(ctx, tx, AuthorTable{}, `m.serial = ANY(CAST(@ids AS bigint[]))`, pg.Named("ids", &ids), now)
}

// nameMessages gives messages m to the members who wrote them, and takes them from
// those who did not after all. Each message is told to awards when its member
// changes, and only then.
func nameMessages(ctx context.Context, tx *gorm.DB, by Authenticator, which string, args map[string]any, now time.Time) error {
	var senders []Sender
	err := tx.WithContext(ctx).Raw(`SELECT DISTINCT m.forum_id, m.author AS name, m.address, plain_address(m.address) AS plain
		FROM messages m WHERE `+which, args).Scan(&senders).Error
	if err != nil {
		return fmt.Errorf("senders of messages: %w", err)
	}
	members, err := by.Members(ctx, tx, senders)
	if err != nil || len(senders) == 0 {
		return err
	}
	var forums []int64
	var names, addresses []string
	for _, s := range senders {
		forums, names, addresses = append(forums, s.ForumID), append(names, s.Name), append(addresses, s.Address)
	}
	args["forums"], args["names"], args["addresses"], args["members"] = &forums, &names, &addresses, &members
	var moved []struct{ Serial, Had, Has int64 }
	err = tx.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (
			SELECT g.forum_id, g.author, g.address, b.id AS member_id, b.name
				FROM unnest(CAST(@forums AS bigint[]), CAST(@names AS text[]), CAST(@addresses AS text[]),
					CAST(@members AS bigint[])) AS g(forum_id, author, address, member_id)
			LEFT JOIN members b ON b.id = g.member_id),
		moved AS MATERIALIZED (
			SELECT m.serial, m.member_id AS had, g.member_id AS has, `+sideOf+
		` AS side FROM messages m JOIN given g ON g.forum_id = m.forum_id AND g.author = m.author AND g.address = m.address
			WHERE `+which+` AND m.member_id IS DISTINCT FROM g.member_id ORDER BY m.serial FOR UPDATE OF m)
		UPDATE messages x SET member_id = moved.has, selectand = moved.side FROM moved WHERE x.serial = moved.serial
		RETURNING x.serial, coalesce(moved.had, 0) AS had, coalesce(moved.has, 0) AS has`, args).Scan(&moved).Error
	if err != nil {
		return fmt.Errorf("authors of messages: %w", err)
	}
	var serials, had []int64
	for _, m := range moved {
		serials, had = append(serials, m.Serial), append(had, m.Had)
	}
	return emitMessages(ctx, tx, serials, had, now)
}

// sideOf is which side of the comparison that message m links to the member g is.
const sideOf = `CASE WHEN m.compared = '' THEN '' ELSE CASE lower(g.name) WHEN lower(split_part(m.compared, '/', 1)) THEN 'a'
	WHEN lower(split_part(m.compared, '/', 2)) THEN 'b' ELSE '' END END`

// emitMessages tells awards of messages whose members are others than before. A
// message is one item: it is deleted for who had it, unless somebody else whose
// messages count has it now, for then it is theirs with all that it counts.
func emitMessages(ctx context.Context, tx *gorm.DB, serials, had []int64, now time.Time) error {
	if len(serials) == 0 {
		return nil
	}
	return events.Emit(ctx, tx, "messages", `
		SELECT b.id AS member_id, b.name, b.time_zone AS zone, f.slug || '/' || g.serial AS item, 'message' AS type, f.slug AS object,
			CASE WHEN b.id = g.member_id THEN 'active' ELSE 'deleted' END AS status,
			coalesce(least(g.sent_at, CAST(@at AS timestamptz)), CAST(@at AS timestamptz)) AS at,
			json_build_object('forum', f.slug, 'subject', g.subject, 'text', left(g.body, 2000), 'reply', g.in_reply_to <> '', 'url',
				g.url) AS facts
		FROM unnest(CAST(@serials AS bigint[]), CAST(@had AS bigint[])) AS l(serial, had) JOIN messages g ON g.serial = l.serial
			JOIN forums f ON f.id = g.forum_id
		LEFT JOIN members n ON n.id = g.member_id AND NOT n.custom
		JOIN members b ON b.id = coalesce(n.id, l.had) AND NOT b.custom ORDER BY g.serial`,
		pg.Named("at", now, "serials", &serials, "had", &had), now)
}
