package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// An Award is what admins write in versions, and the state it is in.
type Award struct {
	ID          int64
	Slug        string
	State       rules.State
	Version     int // The one that runs; 0 before the first.
	Latest      int // The newest one written.
	Secret      bool
	CreatedAt   time.Time
	ActivatedAt *time.Time // First.
}

// A Version is one document of an award; it is never changed.
type Version struct {
	AwardID   int64
	Number    int
	Document  string
	Digest    string
	Author    string
	Note      string
	CreatedAt time.Time
}

// ErrStale means that somebody else has written a newer version meanwhile.
var ErrStale = &pg.Error{Code: pg.CodeConflict,
	Message: "somebody saved a newer version meanwhile; read it and edit that"}

// Named returns an award by its slug, or ErrNotFound.
func Named(ctx context.Context, db *gorm.DB, slug string) (Award, error) {
	a, err := gorm.G[Award](db).Where("slug = ?", pg.CleanText(slug)).First(ctx)
	if err != nil {
		return a, fmt.Errorf("award %q: %w", slug, err)
	}
	return a, nil
}

// lockAward returns an award that stays as it is until the transaction ends.
func lockAward(ctx context.Context, tx *gorm.DB, slug string) (Award, error) {
	return gorm.G[Award](tx, clause.Locking{Strength: "UPDATE"}).Where("slug = ?", pg.CleanText(slug)).First(ctx)
}

// VersionOf returns a version of an award, the newest where number is 0.
func VersionOf(ctx context.Context, db *gorm.DB, a *Award, number int) (v Version, err error) {
	if number == 0 {
		number = a.Latest
	}
	res := db.WithContext(ctx).Raw(`
		SELECT award_id, number, CAST(document AS text) AS document, digest, author, note, created_at
		FROM award_versions WHERE award_id = @id AND number = @number`, pg.Named("id", a.ID, "number", number)).Scan(&v)
	if res.Error == nil && res.RowsAffected == 0 {
		res.Error = pg.ErrNotFound
	}
	if res.Error != nil {
		return v, fmt.Errorf("version %d of award %q: %w", number, a.Slug, res.Error)
	}
	return v, nil
}

// Parsed is the document. One that was written for a program with other filters
// has mistakes now.
func (v *Version) Parsed() (rules.Award, rules.Mistakes) {
	return rules.Parse([]byte(v.Document))
}

// Versions returns all versions of an award, newest first.
func Versions(ctx context.Context, db *gorm.DB, awardID int64) (list []Version, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT award_id, number, CAST(document AS text) AS document, digest, author, note, created_at
		FROM award_versions WHERE award_id = @id ORDER BY number DESC`, pg.Named("id", awardID)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("versions of award %d: %w", awardID, err)
	}
	return list, nil
}

// An Edit is who writes a version, and of what.
type Edit struct {
	Author, Note string
	Basis        int // The newest version that the writer has seen; below 0 it does not matter.
}

// Save writes a new version of an award, which does not run yet; the award
// is made when it is new. It is ErrStale where the basis is not the newest version
// any more. A document that says the same as the newest makes no version.
func Save(ctx context.Context, db *gorm.DB, doc rules.Award, by Edit, now time.Time) (a Award, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Exec(`INSERT INTO awards (slug, created_at) VALUES (@slug, @now) ON CONFLICT DO NOTHING`,
			pg.Named("slug", doc.Slug, "now", now)).Error
		if err != nil {
			return err
		}
		if a, err = lockAward(ctx, tx, doc.Slug); err != nil {
			return err
		}
		if by.Basis >= 0 && by.Basis != a.Latest {
			return ErrStale
		}
		digest := doc.Version()
		var same bool
		err = tx.Raw(`SELECT EXISTS (SELECT FROM award_versions WHERE award_id = @id AND number = @latest AND digest = @digest)`,
			pg.Named("id", a.ID, "latest", a.Latest, "digest", digest)).Scan(&same).Error
		if err != nil || same {
			return err
		}
		a.Latest++
		return tx.Exec(`
			WITH written AS (
				INSERT INTO award_versions (award_id, number, document, digest, author, note, created_at)
				VALUES (@id, @number, CAST(@document AS jsonb), @digest, @author, @note, @now) RETURNING number)
			UPDATE awards SET latest = number FROM written WHERE id = @id`,
			pg.Named("id", a.ID, "number", a.Latest, "document", string(doc.Canonical()), "digest", digest, "author", by.Author, "note",
				pg.CleanText(by.Note), "now", now)).Error
	})
	if err != nil {
		return Award{}, fmt.Errorf("save award %q: %w", doc.Slug, err)
	}
	return a, nil
}

// SetSecret shows an award only to those who have it, or to all.
func SetSecret(ctx context.Context, db *gorm.DB, slug string, secret bool) error {
	n, err := gorm.G[Award](db).Where("slug = ?", slug).Update(ctx, "secret", secret)
	if err == nil && n == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("award %q: %w", slug, err)
	}
	return nil
}

// Delete deletes an award that nobody ever had.
func Delete(ctx context.Context, db *gorm.DB, slug string) error {
	return changeRuleset(ctx, db, slug, func(tx *gorm.DB, a *Award) error {
		granted, err := gorm.G[AwardGrant](tx).Where("award_id = ?", a.ID).Count(ctx, "*")
		if err != nil {
			return err
		}
		if !a.State.Deletable(granted) {
			return &pg.InputError{Field: "state", Message: fmt.Sprintf("%d members have or had this award; retire or hide it instead",
				granted)}
		}
		return tx.Exec(`
			WITH counted AS (SELECT id FROM objectives WHERE award_id = @id),
			cells AS (DELETE FROM objective_cells WHERE objective_id IN (SELECT id FROM counted)),
			counters AS (DELETE FROM objective_counters WHERE objective_id IN (SELECT id FROM counted))
			DELETE FROM awards WHERE id = @id`, pg.Named("id", a.ID)).Error
	})
}
