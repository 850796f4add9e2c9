package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"laurel/jobs/harvest"
	pg "laurel/models/db"
	"laurel/models/forums"
)

// inspectForum says what is at an address and, where the order names a forum, adds
// it by that name.
func (b *base) inspectForum(ctx context.Context, o *harvestOrder) error {
	inspect, err := forums.RequestInspection(ctx, b.db.DB, o.inspect, "laurel harvest", b.clock.now())
	for err == nil && inspect.AnsweredAt == nil {
		if err = b.runner().Harvest.Inspect(ctx); err == nil {
			inspect, err = forums.InspectionByID(ctx, b.db.DB, inspect.ID)
		}
		if err == nil && inspect.AnsweredAt == nil { // Another process looks.
			err = b.clock.sleep(ctx, harvest.InspectionPoll)
		}
	}
	if err != nil {
		return err
	}
	if inspect.Kind == "" {
		return fmt.Errorf("%s: %s", inspect.URL, cmp.Or(inspect.Message, "nothing that can be harvested"))
	}
	fmt.Printf("%s is %s at %s: %q, %d periods; %s\n", inspect.URL, inspect.Kind, inspect.Base, inspect.Name, inspect.Periods,
		inspect.Robots)
	if o.slug == "" {
		fmt.Printf("to harvest it: laurel harvest %s --inspect %s\n", cmp.Or(forums.SlugFor(inspect.Base), "NAME"), o.inspect)
		return nil
	}
	_, _, err = forums.Add(ctx, b.db.DB, forums.New{Slug: o.slug, Name: inspect.Name, Kind: inspect.Kind, URL: inspect.Base, From: o.from,
		AddedBy: "laurel harvest"}, forumKinds(), b.clock.now())
	return err
}

// listForums prints all forums, one a line.
func (b *base) listForums(ctx context.Context, w io.Writer) error {
	all, err := forums.All(ctx, b.db.DB)
	if err != nil {
		return err
	}
	healths, err := forums.Healths(ctx, b.db.DB)
	if err != nil {
		return err
	}
	gaps := map[string]int{}
	for _, h := range healths {
		gaps[h.Slug] = h.Gaps
	}
	for i := range all {
		f := &all[i]
		_, err = fmt.Fprintf(w, "%s %s %s: %s, a request every %s, %d messages, %d gaps, %d duplicates, %d requests; last run: %s %s\n",
			f.Slug, f.Kind, f.URL, f.State, f.Gap(), f.Messages, gaps[f.Slug], f.Duplicates, f.Requests, cmp.Or(f.Outcome, "none yet"),
			f.Message)
	}
	return err
}

// uploadMbox stores the mails of a file.
func (b *base) uploadMbox(ctx context.Context, slug, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	_, _, err = forums.Add(ctx, b.db.DB, forums.New{Slug: slug, Kind: forums.KindMbox, AddedBy: "laurel harvest"}, forumKinds(),
		b.clock.now())
	// It may be another forum: that is said below.
	if input, wrong := errors.AsType[*pg.InputError](err); err != nil && (!wrong || input.Field != "slug") {
		return err
	}
	out, err := forums.UploadMessages(ctx, b.db.DB, slug, harvest.ReadMbox(file), b.URL, b.clock.now)
	fmt.Printf("%s: %d new, %d duplicates, %d unreadable\n", slug, out.New, out.Duplicates, out.Unreadable)
	return err
}

// A declaredForum is one of the file LAUREL_FORUMS_FILE.
type declaredForum struct {
	Slug  string `json:"slug"`
	Kind  string `json:"kind"`
	URL   string `json:"url"`
	Name  string `json:"name"`
	From  string `json:"from"`
	State string `json:"state"` // Where it is left out, a new one is open and another one stays as it is.
}

// declareForums adds the forums that a file declares, and opens, pauses or finishes
// them as it says. It deletes none. A mistake is logged, and the rest is done.
func (b *base) declareForums(ctx context.Context) {
	if b.ForumsFile == "" {
		return
	}
	var all []declaredForum
	file, err := os.Open(b.ForumsFile)
	if err == nil {
		d := json.NewDecoder(file)
		d.DisallowUnknownFields()
		err = errors.Join(d.Decode(&all), file.Close())
	}
	if err != nil {
		b.log.ErrorContext(ctx, "LAUREL_FORUMS_FILE could not be read; no forum was added from it", "file", b.ForumsFile, "err", err)
		return
	}
	for i, d := range all {
		if err := b.declareForum(ctx, &d); err != nil {
			if input, ok := errors.AsType[*pg.InputError](err); ok {
				err = fmt.Errorf("%s: %w", input.Field, err)
			}
			b.log.ErrorContext(ctx, "LAUREL_FORUMS_FILE: this forum differs from its declaration", "file", b.ForumsFile, "forum", i+1,
				"slug", d.Slug, "err", err)
		}
	}
}

func (b *base) declareForum(ctx context.Context, d *declaredForum) error {
	if d.State != "" && d.State != "open" && d.State != "paused" && d.State != "finished" {
		return &pg.InputError{Field: "state", Message: "must be open, paused or finished"}
	}
	f, _, err := forums.Add(ctx, b.db.DB, forums.New{Slug: d.Slug, Kind: d.Kind, URL: d.URL, Name: d.Name, From: d.From,
		AddedBy: "LAUREL_FORUMS_FILE", Finished: d.State == "finished"}, forumKinds(), b.clock.now())
	if err != nil || d.State == "" || f.State == d.State {
		return err
	}
	_, err = forums.Change(ctx, b.db.DB, f.Slug, forums.Edit{State: &d.State}, b.clock.now())
	return err
}
