package forums

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/posts"
)

// An Upload is what became of the messages of a file.
type Upload struct {
	New        int `json:"new"`
	Duplicates int `json:"duplicates"` // They were here before, or are in the file twice.
	Unreadable int `json:"unreadable"`
}

const (
	uploadAtOnce = 500             // Messages of a file that one transaction stores.
	uploadLease  = 2 * time.Minute // Renewed with every one.
)

// UploadMessages stores the messages of a file in a forum of the kind mbox, some
// hundreds at a time. A message without an address is one that nobody could read.
// The same file again changes nothing; of one that ends in an error, what came before
// stays. own is the address of this Laurel.
func UploadMessages(ctx context.Context, db *gorm.DB, slug string, mails iter.Seq2[NewMessage, error], own string,
	now func() time.Time) (out Upload, err error) {
	h, err := claimUpload(ctx, db, slug, now())
	if err != nil {
		return out, err
	}
	var part []NewMessage
	flush := func() error {
		if len(part) == 0 {
			return nil
		}
		res, err := h.Store(ctx, db, Batch{Messages: part, Own: own}, now())
		if err != nil {
			return err
		}
		out.New, out.Duplicates = out.New+res.New, out.Duplicates+len(part)-res.New
		h.Run.New, h.Run.Duplicates = out.New, out.Duplicates
		if res.New > 0 {
			var list []posts.New
			for i := range part {
				list = append(list, part[i].Posts...)
			}
			if _, err := posts.Add(ctx, db, list, now()); err != nil {
				return err
			}
		}
		part = part[:0]
		return h.Renew(ctx, db, now().Add(uploadLease))
	}
	for m, mistake := range mails {
		if err = mistake; err != nil {
			break
		}
		if m.URL == "" {
			out.Unreadable++
			continue
		}
		if part = append(part, m); len(part) == uploadAtOnce {
			if err = flush(); err != nil {
				break
			}
		}
	}
	if wrong := flush(); err == nil {
		err = wrong
	}
	h.Run.Outcome = pg.OutcomeOK
	if err != nil {
		h.Run.Outcome, h.Run.Message = pg.OutcomeParseError, "the file is cut off"
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	return out, errors.Join(err, h.End(final, db, End{}, now()))
}

// claimUpload leases a forum for the time of an upload, and begins a run.
func claimUpload(ctx context.Context, db *gorm.DB, slug string, now time.Time) (h Harvest, err error) {
	if h.Forum, err = BySlug(ctx, db, slug); err != nil {
		return h, err
	}
	switch {
	case h.Forum.Kind != KindMbox:
		return h, &pg.InputError{Field: "slug",
			Message: "this forum is harvested from its address; only forums of kind mbox take files"}
	case h.Forum.State != "open":
		return h, &pg.InputError{Field: "state", Message: "this forum is " + h.Forum.State + ": open it first"}
	}
	h.Lease = Lease{ID: rand.Int64(), Until: now.Add(uploadLease)}
	busy := &pg.InputError{Field: "slug", Message: "another file is being imported into this forum; upload this one when that is done"}
	err = pg.Touched(db.WithContext(ctx).Raw(`
		WITH mine AS (UPDATE forums SET leased_until = @until, lease_id = @lease
			WHERE id = @id AND (leased_until IS NULL OR leased_until <= @now) RETURNING id)
		INSERT INTO forum_runs AS r (forum_id, why, started_at) SELECT id, 'upload', @now FROM mine
		RETURNING `+pg.Columns[Run]("r"),
		pg.Named("until", h.Lease.Until, "lease", h.Lease.ID, "id", h.Forum.ID, "now", now)).Scan(&h.Run), busy)
	if err != nil {
		return h, fmt.Errorf("begin an upload: %w", err)
	}
	return h, nil
}
