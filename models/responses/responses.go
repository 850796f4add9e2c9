// Package responses keeps the raw answers of sites, forums and networks.
//
// Facts are read from answers and can be read from them again: a reader that is mended
// today mends what it misread before, without a request. Bodies are compressed and lie in
// the database once, however often they came. Answers are kept for a while (see Prune);
// those that nobody understood stay until a reader does.
package responses

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Fetch is a fetch of one account: what its reader knew when it began.
type Fetch struct {
	ID        string
	AccountID int64
	Handle    string
	SiteKey   string
	CoveredAt *time.Time
	CoveredID string
	Cursor    string
	StartedAt time.Time
}

// An Answer is what came back for one request.
type Answer struct {
	ID          int64
	Source      string
	Address     string
	Question    string // The body of the request; "" for a GET. Of forums: the step that was asked, as JSON.
	Status      int
	Header      map[string][]string `gorm:"serializer:json"` // What readers use of it.
	Body        []byte
	RetrievedAt time.Time
	Readable    bool
	Lasting     bool // Never pruned.
}

// An Owner is whose answers they are.
type Owner struct {
	Fetch   *Fetch // Nil where they are about no single account.
	ForumID int64  // 0 for none.
	Kind    string // Of answers that are about many or nobody.
}

// Kinds of answers about no single account of a member.
const (
	Bulk   = "bulk"
	Stream = "stream"
	Canary = "canary"
	Poll   = "poll" // Of posts of a network.
)

// The encoder and the decoder are for all: EncodeAll and DecodeAll may run at once.
var (
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
)

// Store stores answers in their order, as of now, and returns their ids. Run in the transaction
// that stores what was read of them.
func Store(ctx context.Context, tx *gorm.DB, o Owner, answers []Answer, now time.Time) (ids []int64, err error) {
	if len(answers) == 0 {
		return nil, nil
	}
	if err := storeFetch(ctx, tx, o.Fetch); err != nil {
		return nil, err
	}
	type row struct {
		Source   string              `json:"source"`
		Address  string              `json:"address"`
		Question string              `json:"question"`
		Status   int                 `json:"status"`
		Header   map[string][]string `json:"header"`
		Readable bool                `json:"readable"`
		Lasting  bool                `json:"lasting"`
		Body     int                 `json:"body"` // Its place in hashes.
	}
	rows := make([]row, len(answers))
	var hashes, bodies [][]byte
	var sizes []int
	for i, a := range answers {
		hash := sha256.Sum256(a.Body)
		at := slices.IndexFunc(hashes, func(h []byte) bool { return string(h) == string(hash[:]) })
		if at < 0 {
			at = len(hashes)
			hashes, bodies, sizes = append(hashes, hash[:]), append(bodies, encoder.EncodeAll(a.Body, nil)), append(sizes, len(a.Body))
		}
		rows[i] = row{a.Source, pg.CleanText(a.Address), pg.CleanText(a.Question), a.Status, clean(a.Header), a.Readable, a.Lasting, at + 1}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	var fetch *string
	if o.Fetch != nil {
		fetch = &o.Fetch.ID
	}
	err = tx.WithContext(ctx).Raw(queries.Must("store"), pg.Named("hashes", &hashes, "bodies", &bodies, "sizes", &sizes,
		"rows", string(text), "fetch", fetch, "forum", o.ForumID, "kind", o.Kind, "now", now)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("store raw answers: %w", err)
	}
	return ids, nil
}

// MakeLasting keeps an answer for good; 0 is none.
func MakeLasting(ctx context.Context, tx *gorm.DB, id int64) error {
	err := tx.WithContext(ctx).Exec(`UPDATE responses SET lasting = true WHERE id = @id AND NOT lasting`, pg.Named("id", id)).Error
	if err != nil {
		return fmt.Errorf("keep raw answer %d: %w", id, err)
	}
	return nil
}

// storeFetch stores a fetch, or locks it where it is there: who deletes its account meanwhile
// waits, and is not waited for with bodies locked.
func storeFetch(ctx context.Context, tx *gorm.DB, f *Fetch) error {
	if f == nil {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO fetches (id, account_id, handle, site_key, covered_at, covered_id, cursor, started_at)
		VALUES (@id, @account, @handle, @key, @covered, @covered_id, @cursor, @started)
		ON CONFLICT (id) DO UPDATE SET handle = fetches.handle`,
		pg.Named("id", f.ID, "account", f.AccountID, "handle", f.Handle, "key", f.SiteKey, "covered", f.CoveredAt,
			"covered_id", f.CoveredID, "cursor", f.Cursor, "started", f.StartedAt)).Error
	if err != nil {
		return fmt.Errorf("store fetch: %w", err)
	}
	return nil
}

// used are the headers that readers ask for.
var used = []string{"Content-Type", "Set-Cookie", "Link", "Last-Modified", "Etag"}

func clean(header map[string][]string) map[string][]string {
	kept := map[string][]string{}
	for _, name := range used {
		for _, v := range header[name] {
			kept[name] = append(kept[name], pg.CleanText(v))
		}
	}
	return kept
}
