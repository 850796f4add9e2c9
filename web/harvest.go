package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"laurel/jobs/forums"
	pg "laurel/models/db"
	forumrows "laurel/models/forums"
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
	slug, from, inspect, mbox, gap     string
	burst, again, finish, open, paused bool
}

func harvestArgs(args []string) (o harvestOrder, err error) {
	values := map[string]*string{"--from": &o.from, "--inspect": &o.inspect, "--mbox": &o.mbox, "--gap": &o.gap}
	flags := map[string]*bool{"--burst": &o.burst, "--again": &o.again, "--finish": &o.finish, "--open": &o.open, "--pause": &o.paused}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch {
		case values[name] != nil && joined:
			*values[name] = value
		case values[name] != nil && i+1 < len(args):
			i++
			*values[name] = args[i]
		case flags[args[i]] != nil:
			*flags[args[i]] = true
		case o.slug == "" && !strings.HasPrefix(args[i], "-"):
			o.slug = args[i]
		default:
			return o, errUsage
		}
	}
	if o.slug == "" && o.inspect == "" && len(args) > 0 || o.contradicts() {
		return o, errUsage
	}
	return o, nil
}

// contradicts reports whether an order wants two things that exclude each other.
func (o *harvestOrder) contradicts() bool {
	return o.open && o.paused || o.mbox != "" && o.inspect != ""
}

// change is what the order changes of the forum before it is harvested.
func (o *harvestOrder) change() (c forumrows.Edit, err error) {
	if o.from != "" {
		c.From = &o.from
	}
	if o.gap != "" {
		d, err := time.ParseDuration(o.gap)
		if err != nil {
			return c, fmt.Errorf("--gap: %q is not a duration such as 2s", o.gap)
		}
		ms := int(d.Milliseconds())
		c.GapMs = &ms
	}
	switch {
	case o.open:
		c.State = new("open")
	case o.paused:
		c.State = new("paused")
	}
	return c, nil
}

// harvest walks through one forum until covered ground. A run that is under way,
// in whichever process, is waited for. Without a forum all are listed.
func harvestForum(ctx context.Context, s settings, args []string) error {
	o, err := harvestArgs(args)
	if err != nil {
		return err
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	if o.inspect != "" {
		if err := b.inspectForum(ctx, &o); err != nil || o.slug == "" {
			return err
		}
	}
	if o.slug == "" {
		return b.listForums(ctx, os.Stdout)
	}
	if o.mbox != "" {
		return b.uploadMbox(ctx, o.slug, o.mbox)
	}
	c, err := o.change()
	if err != nil {
		return err
	}
	if c != (forumrows.Edit{}) {
		if _, err := forumrows.Change(ctx, b.db.DB, o.slug, c, b.clock.now()); err != nil || o.paused {
			return forumError(o.slug, err)
		}
	}
	return b.harvestForum(ctx, &o)
}

func (b *base) harvestForum(ctx context.Context, o *harvestOrder) error {
	kicked, err := forumrows.Kick(ctx, b.db.DB, o.slug, o.burst, o.again, b.clock.now())
	if err != nil {
		return forumError(o.slug, err)
	}
	run, err := b.waitForRun(ctx, kicked)
	if err != nil {
		return err
	}
	fmt.Printf("%s %s: %d requests (%d not modified), %d new, %d duplicates, %d missing. %s\n", o.slug, run.Outcome, run.Requests,
		run.NotModified, run.New, run.Duplicates, run.Missing, run.Message)
	if run.Outcome != pg.OutcomeOK {
		return fmt.Errorf("%s was not harvested completely", o.slug)
	}
	if o.finish {
		_, err = forumrows.SetState(ctx, b.db.DB, o.slug, "finished", b.clock.now())
	}
	return err
}

func forumError(slug string, err error) error {
	if errors.Is(err, pg.ErrNotFound) {
		return fmt.Errorf("no forum is named %q", slug)
	}
	return err
}

// waitForRun runs the forum, or waits for whoever does: a run that began after the
// kick, or was under way when it came, has done what was asked for.
func (b *base) waitForRun(ctx context.Context, f forumrows.Forum) (forumrows.Run, error) {
	harvester := b.runner().Harvest
	for {
		run, ok, err := harvester.HarvestOne(ctx, f.Slug)
		if err != nil || ok {
			return run, err
		}
		runs, err := forumrows.Runs(ctx, b.db.DB, f.ID, 1)
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
