package archive

import (
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// log compares the log with the sums that were kept of it, and its lines with each other.
func (k *checker) log(tx *gorm.DB) error {
	return k.foundBy(tx, "", fmt.Sprintf(`
		SELECT 'log' AS _kind, 'the log of page ' || coalesce(r.page_id, h.page_id) || coalesce(' (' || p.source || ' ' || p.address || ')',
			', which is gone') || ' has ' || coalesce(r.n, 0) || ' lines, and they are not those that were written' AS _message
		FROM (SELECT page_id, bit_xor(archive_sum(archive_line(l))) AS sum, count(*) AS n
			FROM archive_retrievals l WHERE %[1]s GROUP BY page_id) r
		FULL JOIN (SELECT page_id, sum FROM archive_heads WHERE %[1]s) h ON h.page_id = r.page_id
		LEFT JOIN archive_pages p ON p.id = coalesce(r.page_id, h.page_id)
		WHERE r.sum IS DISTINCT FROM h.sum OR p.id IS NULL
		UNION ALL
		SELECT 'log', 'response ' || r.id || ' says that it saw response ' || r.same_as || ' again, which is not the same or not there'
		FROM archive_retrievals r LEFT JOIN archive_retrievals b ON b.id = r.same_as
		WHERE r.same_as IS NOT NULL AND %[2]s AND (b.id IS NULL OR b.same_as IS NOT NULL OR b.outcome <> 'ok' OR r.outcome <> 'ok'
			OR b.page_id <> r.page_id OR r.at < b.at AND cardinality(b.locks) > 0 OR r.hash IS DISTINCT FROM b.hash
			OR r.facts <> b.facts AND NOT r.altered AND NOT b.altered)
		UNION ALL
		SELECT 'log', 'response ' || e.retrieval_id || ' is said to be complete for a scope of ' || e.shard || ' at ' || e.at
			|| ', and is not there'
		FROM archive_endings e
		LEFT JOIN archive_retrievals r ON r.id = e.retrieval_id AND r.at = e.at AND r.outcome = 'ok' AND r.same_as IS NULL
		WHERE r.id IS NULL AND %[3]s
		UNION ALL
		SELECT 'log', 'a fact of response ' || y.retrieval_id || ' is said to have given way at ' || y.at || ', when nothing was seen'
		FROM archive_yielded y WHERE NOT y.withdrawn AND %[3]s AND NOT EXISTS (SELECT FROM archive_retrievals r
			WHERE r.at = y.at AND r.withdrawn_at IS NULL AND coalesce(r.same_as, r.id) = y.retrieval_id)`,
		k.slice("page_id"), k.slice("r.id"), k.slice("retrieval_id")))
}

// lists makes the name of each list again from what it holds. The names of those in which a
// member was erased end otherwise, and cannot be made again.
func (k *checker) lists(tx *gorm.DB) error {
	rows, err := tx.Raw(`SELECT id, size, complete, items FROM archive_lists WHERE ` + k.sliceOf("id")).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var l shards.List
		var text []byte
		if err := rows.Scan(&l.ID, &l.Size, &l.Complete, &text); err != nil {
			return err
		}
		var items []any
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		if err := d.Decode(&items); err != nil {
			k.found("", KindList, "list %s holds no items", l.ID)
			continue
		}
		made, err := shards.ListOf(items, l.Size)
		if err != nil || made.Complete != l.Complete || made.ID != l.ID && !strings.Contains(l.ID, "-") {
			k.found("", KindList, "list %s of %d is not what it was when it got its name", l.ID, l.Size)
		}
	}
	return rows.Err()
}

// pageNames are the pages of some numbers, for messages.
func pageNames(tx *gorm.DB, ids []int64) (map[int64]string, error) {
	var rows []struct {
		ID              int64
		Source, Address string
	}
	err := tx.Raw(`SELECT id, source, address FROM archive_pages WHERE id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids)).Scan(&rows).Error
	names := map[int64]string{}
	for _, r := range rows {
		names[r.ID] = r.Source + " " + r.Address
	}
	return names, err
}
