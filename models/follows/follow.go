// Package follows knows who follows whom, and what those who are followed did.
//
// Whom one can see one follows at once. Who hides is asked, and is never shown to exist: asking for
// them is answered as asking for a name that nobody has, and so is a request of somebody who is
// blocked. What a follower sees is what anybody who signed in sees: following opens nothing.
package follows

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
)

// What became of the wish to follow somebody.
const (
	Following = "following"
	Requested = "requested"
)

// AtMost is how many one member may follow: each costs the feed a probe.
const AtMost = 500

// unseen limits asking for names that one cannot see.
var unseen = pg.Limit{Burst: 20, Per: time.Hour}

// A target is the member whom a wish is about, whoever may see them.
type target struct {
	ID       int64
	Name     string
	Audience int
	Custom   bool
}

func (t *target) hidden() bool { return t.ID == 0 || t.Audience == members.AudienceSelf }

func targetOf(ctx context.Context, db *gorm.DB, name string) (t target, err error) {
	if !members.MemberName.MatchString(name) {
		return t, nil
	}
	err = db.WithContext(ctx).Raw(`SELECT id, name, audience, custom FROM members WHERE lower(name) = lower(@name)`,
		pg.Named("name", name)).Scan(&t).Error
	return t, err
}

// Follow has a member follow the one of that name, or ask them.
func Follow(ctx context.Context, db *gorm.DB, by *members.Member, name string, now time.Time) (state string, err error) {
	to, err := targetOf(ctx, db, name)
	if err != nil {
		return "", fmt.Errorf("follow %q: %w", name, err)
	}
	switch {
	case to.ID == by.ID:
		return "", &pg.InputError{Field: "name", Message: "this is you; follow somebody else"}
	case to.hidden():
		if err := unseen.Take(ctx, db, fmt.Sprint("follow:", by.ID), "requests", now); err != nil {
			return "", err
		}
	case to.Custom:
		return "", &pg.InputError{Field: "name", Message: to.Name + " has no account here; only who added them follows them"}
	}
	if to.ID == 0 {
		return Requested, nil
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		state, err = follow(ctx, tx, by.ID, &to, now)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("follow %q: %w", name, err)
	}
	return state, nil
}

func follow(ctx context.Context, tx *gorm.DB, by int64, to *target, now time.Time) (string, error) {
	if err := lock(tx, by, to.ID); err != nil {
		return "", err
	}
	var is struct {
		Blocks, Blocked bool
		Follows         int
	}
	err := tx.Raw(`SELECT
		EXISTS (SELECT FROM member_blocks WHERE blocker_id = @by AND blocked_id = @to) AS blocks,
		EXISTS (SELECT FROM member_blocks WHERE blocker_id = @to AND blocked_id = @by) AS blocked,
		(SELECT count(*) FROM follows WHERE follower_id = @by AND followed_id <> @to) AS follows`,
		pg.Named("by", by, "to", to.ID)).Scan(&is).Error
	switch {
	case err != nil:
		return "", err
	case is.Follows >= AtMost && !to.hidden():
		return "", &pg.InputError{Field: "name",
			Message: fmt.Sprintf("you follow %d people, which is the most; unfollow somebody first", AtMost)}
	case is.Blocks && !to.hidden():
		return "", &pg.InputError{Field: "name", Message: "you blocked " + to.Name + "; unblock them first"}
	case is.Follows >= AtMost || is.Blocks:
		return Requested, nil
	case !is.Blocked && !to.hidden():
		return Following, tx.Exec(`INSERT INTO follows AS f (follower_id, followed_id, asked_at, since) VALUES (@by, @to, @now, @now)
			ON CONFLICT (follower_id, followed_id) DO UPDATE SET since = coalesce(f.since, @now), declined_at = NULL`,
			pg.Named("by", by, "to", to.ID, "now", now)).Error
	}
	asked := tx.Exec(`INSERT INTO follows (follower_id, followed_id, asked_at) VALUES (@by, @to, @now) ON CONFLICT DO NOTHING`,
		pg.Named("by", by, "to", to.ID, "now", now))
	if asked.Error != nil || asked.RowsAffected == 0 || is.Blocked {
		return Requested, asked.Error
	}
	return Requested, notices.FollowRequest(ctx, tx, to.ID, by, now)
}

// lock lets one at a time change who of two follows whom, so that a block and a wish do not miss each other.
func lock(tx *gorm.DB, a, b int64) error {
	var locked []int64
	err := tx.Raw(`SELECT id FROM members WHERE id IN (@a, @b) ORDER BY id FOR NO KEY UPDATE`, pg.Named("a", a, "b", b)).Scan(&locked).Error
	if err == nil && len(locked) < 2 {
		err = pg.ErrNotFound
	}
	return err
}

// Unfollow ends following, or a request, if there is one: it never says whether there was.
func Unfollow(ctx context.Context, db *gorm.DB, by int64, name string) error {
	err := db.WithContext(ctx).Exec(`DELETE FROM follows f USING members m
		WHERE f.follower_id = @by AND f.followed_id = m.id AND lower(m.name) = lower(@name)`, pg.Named("by", by, "name", name)).Error
	if err != nil {
		return fmt.Errorf("unfollow %q: %w", name, err)
	}
	return nil
}

// Answer allows or declines the request of somebody whom the member sees, or returns ErrNotFound.
func Answer(ctx context.Context, db *gorm.DB, member int64, follower string, allow bool, now time.Time) error {
	res := db.WithContext(ctx).Exec(`
		UPDATE follows f SET since = CASE WHEN @allow THEN CAST(@now AS timestamptz) END,
			declined_at = CASE WHEN @allow THEN NULL ELSE CAST(@now AS timestamptz) END
		FROM members m
		WHERE f.followed_id = @member AND f.follower_id = m.id AND lower(m.name) = lower(@follower) AND f.since IS NULL
			AND f.declined_at IS NULL AND visible_to(@asking, m.id, m.audience)
			AND NOT EXISTS (SELECT FROM member_blocks b WHERE b.blocker_id = @member AND b.blocked_id = m.id)`,
		pg.Named("member", member, "follower", follower, "allow", allow, "now", now, "asking", members.Asking(ctx)))
	err := res.Error
	if err == nil && res.RowsAffected == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("answer %q: %w", follower, err)
	}
	return nil
}

// Block ends following between two members, both ways, and keeps it from beginning again. The blocked
// one, whom the blocker must see, is not told.
func Block(ctx context.Context, db *gorm.DB, by int64, name string, now time.Time) error {
	m, err := members.ByName(ctx, db, name)
	switch {
	case err != nil:
		return err
	case m.ID == by:
		return &pg.InputError{Field: "name", Message: "this is you; block somebody else"}
	case m.Custom:
		return &pg.InputError{Field: "name", Message: m.Name + " has no account here, so there is nobody to block"}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lock(tx, by, m.ID); err != nil {
			return err
		}
		return errors.Join(
			tx.Exec(`INSERT INTO member_blocks (blocker_id, blocked_id, at) VALUES (@by, @of, @now) ON CONFLICT DO NOTHING`,
				pg.Named("by", by, "of", m.ID, "now", now)).Error,
			tx.Exec(`DELETE FROM follows WHERE (follower_id, followed_id) IN ((@by, @of), (@of, @by))`,
				pg.Named("by", by, "of", m.ID)).Error)
	})
	if err != nil {
		return fmt.Errorf("block %q: %w", name, err)
	}
	return nil
}

// Unblock lets somebody follow again, who must ask anew.
func Unblock(ctx context.Context, db *gorm.DB, by int64, name string) error {
	m, err := members.ByName(ctx, db, name)
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`
		WITH freed AS (DELETE FROM member_blocks WHERE blocker_id = @by AND blocked_id = @of)
		DELETE FROM follows WHERE follower_id = @of AND followed_id = @by`, pg.Named("by", by, "of", m.ID)).Error
	if err != nil {
		return fmt.Errorf("unblock %q: %w", name, err)
	}
	return nil
}
