package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"laurel/jobs/harvest"
	"laurel/jobs/retrieval"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/responses"
	modelretrieval "laurel/models/retrieval"
	"laurel/views/parts"
)

// reread reads raw answers again, and prints what changed.
func reread(ctx context.Context, s settings, args []string) error {
	o, err := readRereadOrder(args)
	if err != nil {
		return err
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	return b.reread(ctx, o, os.Stdout)
}

// A rereadOrder says which raw answers are read again: those of one site or forum, or all.
type rereadOrder struct {
	site, forum string
	since       time.Time
	dry         bool
}

func readRereadOrder(args []string) (o rereadOrder, err error) {
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		if name == "--dry-run" && !joined {
			o.dry = true
			continue
		}
		if !joined {
			if i++; i == len(args) {
				return o, errUsage
			}
			value = args[i]
		}
		switch name {
		case "--site":
			o.site = value
		case "--forum":
			o.forum = value
		case "--since":
			if o.since, err = time.Parse(time.DateOnly, value); err != nil {
				if o.since, err = time.Parse(time.RFC3339, value); err != nil {
					return o, fmt.Errorf("--since: %q is not a time such as 2026-01-31 or 2026-01-31T12:00:00Z", value)
				}
			}
		default:
			return o, errUsage
		}
	}
	return o, nil
}

func (b *base) reread(ctx context.Context, o rereadOrder, w io.Writer) error {
	if o.site != "" {
		if _, err := b.reader(ctx, o.site); err != nil {
			return err
		}
	}
	runner, changed, boards := b.runner(), 0, 0
	if o.forum == "" {
		order := retrieval.RereadOrder{Site: o.site, Since: o.since, DryRun: o.dry}
		report := func(a *members.Account, c modelretrieval.Changes) error {
			changed++
			_, err := fmt.Fprintf(w, "%s %s: %s\n", a.Site, a.Handle, changes(c))
			return err
		}
		err := runner.Retrieval.Reread(ctx, order, report)
		if err == nil {
			err = runner.Retrieval.RereadStreams(ctx, order, report)
		}
		if err == nil {
			err = b.sayPassedOver(ctx, o, w)
		}
		if err != nil {
			return err
		}
	}
	if o.site == "" {
		err := runner.Harvest.Reread(ctx, harvest.RereadOrder{Forum: o.forum, Since: o.since, DryRun: o.dry},
			func(f *forums.Forum, c forums.Reread) error {
				boards++
				_, err := fmt.Fprintf(w, "forum %s: %d new and %d changed messages, %d answers read for the first time\n",
					f.Slug, c.New, c.Changed, c.Answers)
				return err
			})
		if err != nil {
			return err
		}
	}
	said := parts.Plural(changed, "account") + " and " + parts.Plural(boards, "forum")
	switch {
	case changed+boards == 0:
		said = "nothing changed"
	case o.dry:
		said = "would change: " + said
	default:
		said = "changed: " + said
	}
	_, err := fmt.Fprintln(w, said)
	return err
}

// sayPassedOver says how many answers are not read again, because they show nothing that is stored.
func (b *base) sayPassedOver(ctx context.Context, o rereadOrder, w io.Writer) error {
	bulk, err := responses.CountOf(ctx, b.db.DB, o.site, responses.Bulk, o.since)
	if err != nil {
		return err
	}
	canaries, err := responses.CountOf(ctx, b.db.DB, o.site, responses.Canary, o.since)
	if err != nil || bulk+canaries == 0 {
		return err
	}
	_, err = fmt.Fprintf(w, "passed over: %s of bulk checks and %d of canaries, which only say when to fetch\n",
		parts.Plural(bulk, "answer"), canaries)
	return err
}

func changes(c modelretrieval.Changes) string {
	parts := []string{fmt.Sprintf("%d new, %d changed", c.Inserted, c.Revised)}
	if c.Ratings {
		parts = append(parts, "ratings changed")
	}
	if c.Counts {
		parts = append(parts, "counts of the site changed")
	}
	if c.Rows > 0 {
		parts = append(parts, fmt.Sprintf("%d rows read that could not be read before", c.Rows))
	}
	if c.Answers > 0 {
		parts = append(parts, fmt.Sprintf("%d answers read for the first time", c.Answers))
	}
	return strings.Join(parts, ", ")
}
