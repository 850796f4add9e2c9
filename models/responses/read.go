package responses

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Accounts returns at most limit accounts behind the account after, in the order of their
// ids, that have answers since a moment: of one site, or of all with site "".
func Accounts(ctx context.Context, db *gorm.DB, site string, since time.Time, after int64, limit int) (ids []int64, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT DISTINCT f.account_id FROM fetches f JOIN accounts a ON a.id = f.account_id
		WHERE f.account_id > @after AND f.started_at >= @since AND @site IN ('', a.site) ORDER BY f.account_id LIMIT @limit`,
		pg.Named("after", after, "since", since, "site", site, "limit", limit)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("accounts with raw answers: %w", err)
	}
	return ids, nil
}

// Fetches returns an account's fetches since a moment, oldest first.
func Fetches(ctx context.Context, db *gorm.DB, account int64, since time.Time) ([]Fetch, error) {
	list, err := gorm.G[Fetch](db).Where("account_id = ? AND started_at >= ?", account, since).Order("started_at, id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("fetches of account %d: %w", account, err)
	}
	return list, nil
}

// OfFetch returns the answers of a fetch in the order in which they came.
func OfFetch(ctx context.Context, db *gorm.DB, fetch string) ([]Answer, error) {
	return read(ctx, db, "r.fetch_id = @fetch", pg.Named("fetch", fetch))
}

// OfForum returns at most limit answers of a forum behind the answer after, oldest first, that
// came since a moment.
func OfForum(ctx context.Context, db *gorm.DB, forum int64, since time.Time, after int64, limit int) ([]Answer, error) {
	return read(ctx, db, "r.id IN (SELECT id FROM responses WHERE forum_id = @forum AND id > @after AND retrieved_at >= @since"+
		" ORDER BY id LIMIT @limit)", pg.Named("forum", forum, "after", after, "since", since, "limit", limit))
}

// A Slice is a part of the answers of a kind of a site or network: at most Limit behind the answer After,
// that came since a moment.
type Slice struct {
	Source, Kind string
	Since        time.Time
	After        int64
	Limit        int
}

// OfKind returns a slice of answers, oldest first.
func OfKind(ctx context.Context, db *gorm.DB, s Slice) ([]Answer, error) {
	return read(ctx, db, "r.id IN (SELECT id FROM responses WHERE source = @source AND kind = @kind AND id > @after"+
		" AND retrieved_at >= @since ORDER BY id LIMIT @limit)",
		pg.Named("source", s.Source, "kind", s.Kind, "after", s.After, "since", s.Since, "limit", s.Limit))
}

// CountOf counts the answers of a kind that came since a moment: of one site, or of all with site "".
func CountOf(ctx context.Context, db *gorm.DB, site, kind string, since time.Time) (n int, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT count(*) FROM responses WHERE @site IN ('', source) AND kind = @kind AND retrieved_at >= @since AND kind <> ''`,
		pg.Named("site", site, "kind", kind, "since", since)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count raw answers: %w", err)
	}
	return n, nil
}

func read(ctx context.Context, db *gorm.DB, which string, args map[string]any) ([]Answer, error) {
	var list []Answer
	err := db.WithContext(ctx).Raw(`
		SELECT r.id, r.source, r.address, r.question, r.status, r.header, r.retrieved_at, r.readable, r.lasting, b.body
		FROM responses r JOIN response_bodies b ON b.hash = r.body_hash WHERE `+which+` ORDER BY r.id`, args).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read raw answers: %w", err)
	}
	for i := range list {
		if list[i].Body, err = decoder.DecodeAll(list[i].Body, nil); err != nil {
			return nil, fmt.Errorf("body of raw answer %d: %w", list[i].ID, err)
		}
	}
	return list, nil
}

// MarkRead says of answers that a reader understood them now.
func MarkRead(ctx context.Context, tx *gorm.DB, ids []int64) error {
	err := tx.WithContext(ctx).Exec(`UPDATE responses SET readable = true WHERE id = ANY(CAST(@ids AS bigint[])) AND NOT readable`,
		pg.Named("ids", &ids)).Error
	if err != nil {
		return fmt.Errorf("mark raw answers as read: %w", err)
	}
	return nil
}

// Size is what raw answers take of the disk, in bytes, with their indexes.
func Size(ctx context.Context, db *gorm.DB) (size int64, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT pg_total_relation_size('responses') + pg_total_relation_size('response_bodies') + pg_total_relation_size('fetches')`).
		Scan(&size).Error
	return size, err
}
