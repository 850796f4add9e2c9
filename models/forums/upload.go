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
	"laurel/models/responses"
)

// An Upload is what became of the messages of a file.
type Upload struct {
	New        int `json:"new"`
	Duplicates int `json:"duplicates"` // They were here before, or are in the file twice.
	Unreadable int `json:"unreadable"`
}

const (
	uploadAtOnce = 500             // Messages of a file that one transaction stores,
	uploadBytes  = 8 << 20         // or so many bytes of them.
	uploadLease  = 2 * time.Minute // Renewed with every one.
)

// UploadMessages stores the messages of a file in a forum of the kind mbox, some
// hundreds at a time, and keeps that part of the file as their raw answer. A message without
// an address is one that nobody could read.
// The same file again changes nothing; of one that ends in an error, what came before
// stays. own is the address of this Laurel.
func UploadMessages(ctx context.Context, db *gorm.DB, slug string, mails iter.Seq2[NewMessage, error], own string,
	now func() time.Time) (out Upload, err error) {
	h, err := claimUpload(ctx, db, slug, now())
	if err != nil {
		return out, err
	}
	u := &upload{Harvest: &h, db: db, own: own, now: now, out: &out}
	for m, mistake := range mails {
		if err = mistake; err != nil {
			break
		}
		if err = u.add(ctx, m); err != nil {
			break
		}
	}
	if wrong := u.flush(ctx); err == nil {
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

// An upload is a file that is being stored, with the part of it that is not stored yet.
type upload struct {
	*Harvest
	db     *gorm.DB
	own    string
	now    func() time.Time
	out    *Upload
	part   []NewMessage
	raw    []byte
	unread bool // raw has a message that nobody could read.
}

// add takes in a message.
func (u *upload) add(ctx context.Context, m NewMessage) error {
	u.raw = append(u.raw, m.Raw...)
	if m.Raw = nil; m.URL != "" {
		u.part = append(u.part, m)
	} else {
		u.out.Unreadable++
		u.unread = true
	}
	if len(u.part) < uploadAtOnce && len(u.raw) < uploadBytes {
		return nil
	}
	return u.flush(ctx)
}

// flush stores the part.
func (u *upload) flush(ctx context.Context) error {
	answer, err := u.keep(ctx)
	if err != nil || len(u.part) == 0 {
		return err
	}
	res, err := u.Store(ctx, u.db, Batch{Messages: u.part, Own: u.own, Answer: answer}, u.now())
	if err != nil {
		return err
	}
	u.out.New, u.out.Duplicates = u.out.New+res.New, u.out.Duplicates+len(u.part)-res.New
	u.Run.New, u.Run.Duplicates = u.out.New, u.out.Duplicates
	if res.New > 0 {
		var list []posts.New
		for i := range u.part {
			list = append(list, u.part[i].Posts...)
		}
		if _, err := posts.Add(ctx, u.db, list, u.now()); err != nil {
			return err
		}
	}
	u.part = u.part[:0]
	return u.Renew(ctx, u.db, u.now().Add(uploadLease))
}

// keep keeps the raw part, so that a reader that is mended later can read it again.
func (u *upload) keep(ctx context.Context) (id int64, err error) {
	if len(u.raw) == 0 {
		return 0, nil
	}
	a := responses.Answer{Source: KindMbox, Address: KindMbox + ":" + u.Forum.Slug, Status: 200, Body: u.raw, Readable: !u.unread}
	ids, err := responses.Store(ctx, u.db, responses.Owner{ForumID: u.Forum.ID}, []responses.Answer{a}, u.now())
	if err != nil {
		return 0, err
	}
	u.raw, u.unread = nil, false
	return ids[0], nil
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
