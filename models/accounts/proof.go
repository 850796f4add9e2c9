package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Proof shows that a handle is somebody's: they write a code into their profile on the site, and a job
// reads it there. So nobody proves a handle by knowing a code, but by writing one that was given to them.
type Proof struct {
	ID          int64
	Key         string // In the address of somebody without an account.
	MemberID    *int64 // Nil: somebody without an account.
	Site        string
	Handle      string
	Code        string
	BegunAt     time.Time
	ExpiresAt   time.Time
	Checks      int        // How often the site was to be asked.
	RequestedAt *time.Time // A job is to ask the site; nil: nothing waits.
	LeasedUntil *time.Time
	Message     string // Why the last check proved nothing.
	ProvedAt    *time.Time
}

// TableName is GORM's.
func (Proof) TableName() string { return "handle_proofs" }

const (
	proofFor    = time.Hour // How long a code may be checked, and a proof of somebody without an account acted upon.
	proofChecks = 10        // How often a code may be checked.
)

// Limits of new codes, each of which may have the site asked so many times.
var (
	codesPerMember  = pg.Limit{Burst: 10, Per: 24 * time.Hour}
	codesPerAddress = pg.Limit{Burst: 5, Per: time.Hour}
	codesPerHandle  = pg.Limit{Burst: 10, Per: 24 * time.Hour} // Of people without an account.
)

// Left says how many checks are left.
func (p *Proof) Left() int { return max(0, proofChecks-p.Checks) }

// Live says whether the code may be checked.
func (p *Proof) Live(now time.Time) bool {
	return p.ProvedAt == nil && now.Before(p.ExpiresAt) && p.Left() > 0
}

// Acts says whether somebody without an account may act on the proof.
func (p *Proof) Acts(now time.Time) bool {
	return p.ProvedAt != nil && now.Before(p.ProvedAt.Add(proofFor))
}

// BeginOwnProof gives a member a code for the account, or the one that they have and may still check.
func BeginOwnProof(ctx context.Context, db *gorm.DB, a *members.Account, now time.Time) (p Proof, err error) {
	p, err = OwnProof(ctx, db, a)
	if err == nil && p.Live(now) || err != nil && !errors.Is(err, pg.ErrNotFound) {
		return p, err
	}
	if err := codesPerMember.Take(ctx, db, fmt.Sprint("proof:", a.MemberID), "codes", now); err != nil {
		return p, err
	}
	return begin(ctx, db, Proof{MemberID: &a.MemberID, Site: a.Site, Handle: a.Handle}, now)
}

// BeginProof gives somebody without an account, at a network address, a code for a handle.
func BeginProof(ctx context.Context, db *gorm.DB, site, handle, address string, now time.Time) (p Proof, err error) {
	if err := codesPerAddress.Take(ctx, db, "proof address:"+address, "codes for your network", now); err != nil {
		return p, err
	}
	if err := codesPerHandle.Take(ctx, db, "proof of:"+site+"/"+strings.ToLower(handle), "codes for this handle", now); err != nil {
		return p, err
	}
	return begin(ctx, db, Proof{Site: site, Handle: handle}, now)
}

func begin(ctx context.Context, db *gorm.DB, p Proof, now time.Time) (Proof, error) {
	p.Key, p.Code = rand.Text(), "laurel-"+strings.ToLower(rand.Text()[:8])
	p.BegunAt, p.ExpiresAt = now, now.Add(proofFor)
	err := db.WithContext(ctx).Raw(`
		INSERT INTO handle_proofs AS p (key, member_id, site, handle, code, begun_at, expires_at)
		VALUES (@key, @member, @site, @handle, @code, @now, @until)
		ON CONFLICT (member_id, site) WHERE member_id IS NOT NULL DO UPDATE
		SET key = EXCLUDED.key, handle = EXCLUDED.handle, code = EXCLUDED.code, begun_at = EXCLUDED.begun_at,
			expires_at = EXCLUDED.expires_at, checks = 0, requested_at = NULL, leased_until = NULL, message = '', proved_at = NULL
		RETURNING `+pg.Columns[Proof]("p"), pg.Named("key", p.Key, "member", p.MemberID, "site", p.Site, "handle", p.Handle,
		"code", p.Code, "now", now, "until", p.ExpiresAt)).Scan(&p).Error
	if err != nil {
		return p, fmt.Errorf("begin a proof of %s on %s: %w", p.Handle, p.Site, err)
	}
	return p, nil
}

// OwnProof returns the proof of a member's account, whether or not it proved anything, or ErrNotFound.
func OwnProof(ctx context.Context, db *gorm.DB, a *members.Account) (Proof, error) {
	return gorm.G[Proof](db).Where("member_id = ? AND site = ? AND handle = ?", a.MemberID, a.Site, a.Handle).Take(ctx)
}

// ProofByKey returns the proof of somebody without an account, or ErrNotFound.
func ProofByKey(ctx context.Context, db *gorm.DB, key string) (Proof, error) {
	return gorm.G[Proof](db).Where("key = ? AND member_id IS NULL", pg.CleanText(key)).Take(ctx)
}

// ProofByID returns a proof as it is now, or ErrNotFound.
func ProofByID(ctx context.Context, db *gorm.DB, id int64) (Proof, error) {
	return gorm.G[Proof](db).Where("id = ?", id).Take(ctx)
}

// WakeProofs is heard on ChannelAsked where a site is to be asked for a code.
func WakeProofs(site string) string { return "proofs " + site }

// AskProof has a job look for the code on the site, once. While one waits it changes nothing.
func AskProof(ctx context.Context, db *gorm.DB, p *Proof, title string, now time.Time) error {
	var rested bool
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM suspended_sites WHERE site = @site)`, pg.Named("site", p.Site)).
		Scan(&rested).Error
	if err == nil && rested {
		return &pg.InputError{Field: "check", Message: title + " is not answering now; try again later"}
	}
	if err != nil {
		return fmt.Errorf("ask for proof %d: %w", p.ID, err)
	}
	res := db.WithContext(ctx).Exec(`
		UPDATE handle_proofs SET requested_at = @now, leased_until = NULL, checks = checks + 1, message = ''
		WHERE id = @id AND requested_at IS NULL AND proved_at IS NULL AND expires_at > @now AND checks < @most`,
		pg.Named("id", p.ID, "now", now, "most", proofChecks))
	if res.Error != nil {
		return fmt.Errorf("ask for proof %d: %w", p.ID, res.Error)
	}
	if res.RowsAffected == 1 {
		return pg.Wake(ctx, db, WakeProofs(p.Site))
	}
	switch is, err := ProofByID(ctx, db, p.ID); {
	case err != nil:
		return err
	case is.RequestedAt == nil && is.ProvedAt == nil && !is.Live(now):
		return &pg.InputError{Field: "check", Message: "this code is used up; get a new one"}
	}
	return nil
}

// ClaimProof leases the proof on a site that has waited for longest; false where none waits.
func ClaimProof(ctx context.Context, db *gorm.DB, site string, until, now time.Time) (p Proof, ok bool, err error) {
	res := db.WithContext(ctx).Raw(`
		UPDATE handle_proofs p SET leased_until = @until WHERE id = (
			SELECT id FROM handle_proofs
			WHERE site = @site AND requested_at IS NOT NULL AND (leased_until IS NULL OR leased_until <= @now)
			ORDER BY requested_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+pg.Columns[Proof]("p"), pg.Named("site", site, "until", until, "now", now)).Scan(&p)
	if res.Error != nil {
		return p, false, fmt.Errorf("claim a proof: %w", res.Error)
	}
	return p, res.RowsAffected == 1, nil
}

// FailProof stores why a check proved nothing. The code may be checked again.
func FailProof(ctx context.Context, db *gorm.DB, p *Proof, message string) error {
	err := db.WithContext(ctx).Exec(`UPDATE handle_proofs SET requested_at = NULL, leased_until = NULL, message = @message
		WHERE id = @id AND requested_at IS NOT NULL`, pg.Named("id", p.ID, "message", pg.CleanText(message))).Error
	if err != nil {
		return fmt.Errorf("fail proof %d: %w", p.ID, err)
	}
	return nil
}
