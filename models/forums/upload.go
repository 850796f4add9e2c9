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
	Duplicates int `json:"duplicates"` // They were here before, or stand in the file twice.
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
	f, run, lease, err := claimUpload(ctx, db, slug, now())
	if err != nil {
		return out, err
	}
	var part []NewMessage
	flush := func() error {
		if len(part) == 0 {
			return nil
		}
		res, err := StoreMessages(ctx, db, &f, lease, "", part, nil, own, now())
		if err != nil {
			return err
		}
		out.New, out.Duplicates = out.New+res.New, out.Duplicates+len(part)-res.New
		run.New, run.Duplicates = out.New, out.Duplicates
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
		return Keep(ctx, db, &f, &lease, &run, now().Add(uploadLease))
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
	run.Outcome = pg.OutcomeOK
	if err != nil {
		run.Outcome, run.Message = pg.OutcomeParseError, "the file could not be read to its end"
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	return out, errors.Join(err, EndRun(final, db, &f, lease, &run, "", "", "", time.Time{}, now()))
}

// claimUpload leases a forum for the time of an upload, and begins a run.
func claimUpload(ctx context.Context, db *gorm.DB, slug string, now time.Time) (f Forum, run Run, lease Lease, err error) {
	if f, err = BySlug(ctx, db, slug); err != nil {
		return f, run, lease, err
	}
	switch {
	case f.Kind != KindMbox:
		return f, run, lease, &pg.InputError{Field: "slug",
			Message: "this forum is read from its address; files are for forums of the kind mbox"}
	case f.State != "open":
		return f, run, lease, &pg.InputError{Field: "state", Message: "this forum is " + f.State + ": open it first"}
	}
	lease = Lease{ID: rand.Int64(), Until: now.Add(uploadLease)}
	res := db.WithContext(ctx).Raw(`
		WITH mine AS (UPDATE forums SET leased_until = @until, lease_id = @lease
			WHERE id = @id AND (leased_until IS NULL OR leased_until <= @now) RETURNING id)
		INSERT INTO forum_runs (forum_id, why, started_at) SELECT id, 'upload', @now FROM mine RETURNING *`,
		pg.Named("until", lease.Until, "lease", lease.ID, "id", f.ID, "now", now)).Scan(&run)
	if res.Error != nil {
		return f, run, lease, fmt.Errorf("begin an upload: %w", res.Error)
	}
	if res.RowsAffected == 0 {
		return f, run, lease, &pg.InputError{Field: "slug",
			Message: "another file is being read into this forum; upload this one when that is done"}
	}
	return f, run, lease, nil
}
