package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"laurel/jobs/forums"
	"laurel/models"
)

// forumKinds are the kinds of forums that can be added.
func forumKinds() (names []string) {
	for _, k := range forums.All() {
		names = append(names, k.Info().Name)
	}
	return names
}

// A harvestOrder is what somebody wants of a forum.
type harvestOrder struct {
	slug, from           string
	burst, again, finish bool
}

func harvestArgs(args []string) (o harvestOrder, err error) {
	for i := 0; i < len(args); i++ {
		switch value, joined := strings.CutPrefix(args[i], "--from="); {
		case joined:
			o.from = value
		case args[i] == "--from" && i+1 < len(args):
			i++
			o.from = args[i]
		case args[i] == "--burst":
			o.burst = true
		case args[i] == "--again":
			o.again = true
		case args[i] == "--finish":
			o.finish = true
		case o.slug == "" && !strings.HasPrefix(args[i], "-"):
			o.slug = args[i]
		default:
			return o, errUsage
		}
	}
	if o.slug == "" {
		return o, errUsage
	}
	return o, nil
}

// harvest walks through one forum until covered ground. A run that is under way,
// in whichever process, is waited for.
func harvest(ctx context.Context, s settings, args []string) error {
	o, err := harvestArgs(args)
	if err != nil {
		return err
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	if o.from != "" {
		if _, err := models.ChangeForum(ctx, b.db.DB, o.slug, models.ForumChange{From: &o.from}, b.clock.now()); err != nil {
			return forumError(o.slug, err)
		}
	}
	kicked, err := models.KickForum(ctx, b.db.DB, o.slug, o.burst, o.again, b.clock.now())
	if err != nil {
		return forumError(o.slug, err)
	}
	run, err := b.waitForRun(ctx, kicked)
	if err != nil {
		return err
	}
	fmt.Printf("%s %s: %d requests (%d not modified), %d new, %d duplicates, %d missing. %s\n", o.slug, run.Outcome, run.Requests, run.NotModified, run.New, run.Duplicates, run.Missing, run.Message)
	if run.Outcome != models.OutcomeOK {
		return fmt.Errorf("%s was not harvested to its end", o.slug)
	}
	if o.finish {
		_, err = models.SetForumState(ctx, b.db.DB, o.slug, "finished", b.clock.now())
	}
	return err
}

func forumError(slug string, err error) error {
	if errors.Is(err, models.ErrNotFound) {
		return fmt.Errorf("no forum is named %q", slug)
	}
	return err
}

// waitForRun runs the forum, or waits for whoever does: a run that began after the
// kick, or was under way when it came, has done what was asked for.
func (b *base) waitForRun(ctx context.Context, f models.Forum) (models.Run, error) {
	runner := b.runner()
	for {
		run, ok, err := runner.HarvestOne(ctx, f.Slug)
		if err != nil || ok {
			return run, err
		}
		runs, err := models.ForumRuns(ctx, b.db.DB, f.ID, 1)
		if err != nil {
			return run, err
		}
		if len(runs) > 0 && runs[0].EndedAt != nil && !runs[0].EndedAt.Before(*f.KickedAt) {
			return runs[0], nil
		}
		if err := b.clock.sleep(ctx, time.Second); err != nil {
			return run, err
		}
	}
}
