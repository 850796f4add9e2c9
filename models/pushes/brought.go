package pushes

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/zstd"
	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Keep stores a file until its member confirms it, instead of the one before, and returns its id.
func Keep(ctx context.Context, db *gorm.DB, memberID int64, handle string, f *File, now time.Time) (id string, err error) {
	var text bytes.Buffer
	for i := range f.inputs {
		if err := json.MarshalWrite(&text, &f.inputs[i]); err != nil {
			return "", fmt.Errorf("keep a file: %w", err)
		}
		text.WriteByte('\n')
	}
	if f.Unread == nil {
		f.Unread = []Rejected{}
	}
	unread, err := json.Marshal(f.Unread)
	if err != nil {
		return "", fmt.Errorf("keep a file: %w", err)
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = w.Close() }()
	id = rand.Text()
	err = db.WithContext(ctx).Exec(`
		INSERT INTO brought_files (member_id, id, handle, body, unread, created_at)
		VALUES (@member, @id, @handle, @body, CAST(@unread AS jsonb), @now)
		ON CONFLICT (member_id) DO UPDATE SET id = EXCLUDED.id, handle = EXCLUDED.handle, body = EXCLUDED.body,
			unread = EXCLUDED.unread, created_at = EXCLUDED.created_at`,
		pg.Named("member", memberID, "id", id, "handle", handle, "body", w.EncodeAll(text.Bytes(), nil), "unread", string(unread),
			"now", now)).Error
	if err != nil {
		return "", fmt.Errorf("keep a file: %w", err)
	}
	return id, nil
}

// StoreKept stores a file that was kept, and forgets it.
func StoreKept(ctx context.Context, db *gorm.DB, sites []members.Site, memberID int64, id string, now time.Time) (Result, error) {
	var kept struct {
		Handle, Unread string
		Body           []byte
	}
	res := db.WithContext(ctx).Raw(`
		SELECT handle, body, CAST(unread AS text) AS unread FROM brought_files WHERE member_id = @member AND id = @id`,
		pg.Named("member", memberID, "id", id)).Scan(&kept)
	if res.Error != nil {
		return Result{}, fmt.Errorf("file %s: %w", id, res.Error)
	}
	if res.RowsAffected == 0 {
		return Result{}, &pg.Error{Code: pg.CodeGone,
			Message: "this file was stored already, or another one took its place; choose it again"}
	}
	f, err := unpack(kept.Body, sites, now)
	if err != nil {
		return Result{}, fmt.Errorf("file %s: %w", id, err)
	}
	var unread []Rejected
	if err := json.Unmarshal([]byte(kept.Unread), &unread); err != nil {
		return Result{}, fmt.Errorf("file %s: %w", id, err)
	}
	result, err := Store(ctx, db, Push{MemberID: memberID, Sites: sites, Handle: kept.Handle, Rows: f.Rows}, now)
	if err != nil {
		return Result{}, err
	}
	err = db.WithContext(ctx).Exec(`DELETE FROM brought_files WHERE member_id = @member AND id = @id`,
		pg.Named("member", memberID, "id", id)).Error
	return result.With(append(unread, f.Unread...)), err
}

// unpack reads what Keep packed. Sites may have changed meanwhile.
func unpack(body []byte, sites []members.Site, now time.Time) (*File, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(8*MaxFile))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := r.DecodeAll(body, nil)
	if err != nil {
		return nil, err
	}
	var f File
	var list []numbered
	for line := range bytes.Lines(text) {
		var in numbered
		if err := json.Unmarshal(line, &in); err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	f.check(list, sites, now)
	return &f, nil
}
