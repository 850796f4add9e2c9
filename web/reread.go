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
	modelretrieval "laurel/models/retrieval"
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
		err := runner.Retrieval.Reread(ctx, retrieval.RereadOrder{Site: o.site, Since: o.since, DryRun: o.dry},
			func(a *members.Account, c modelretrieval.Changes) error {
				changed++
				_, err := fmt.Fprintf(w, "%s %s: %s\n", a.Site, a.Handle, changes(c))
				return err
			})
		if err != nil {
			return err
		}
	}
	if o.site == "" {
		err := runner.Harvest.Reread(ctx, harvest.RereadOrder{Forum: o.forum, Since: o.since, DryRun: o.dry},
			func(f *forums.Forum, c forums.Reread) error {
				boards++
				_, err := fmt.Fprintf(w, "forum %s: %d messages new, %d changed, %d answers read for the first time\n",
					f.Slug, c.New, c.Changed, c.Answers)
				return err
			})
		if err != nil {
			return err
		}
	}
	would := ""
	if o.dry {
		would = "would have "
	}
	said := fmt.Sprintf("%d accounts and %d forums %schanged", changed, boards, would)
	if changed+boards == 0 {
		said = "nothing changed"
	}
	_, err := fmt.Fprintln(w, said)
	return err
}

func changes(c modelretrieval.Changes) string {
	parts := []string{fmt.Sprintf("%d new, %d changed", c.Inserted, c.Revised)}
	if c.Ratings {
		parts = append(parts, "ratings changed")
	}
	if c.Rows > 0 {
		parts = append(parts, fmt.Sprintf("%d rows read that could not be read before", c.Rows))
	}
	if c.Answers > 0 {
		parts = append(parts, fmt.Sprintf("%d answers read for the first time", c.Answers))
	}
	return strings.Join(parts, ", ")
}
