package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"laurel/jobs/retrieval"
	"laurel/models/members"
	modelretrieval "laurel/models/retrieval"
)

// reread reads raw answers again, and prints what changed.
func reread(ctx context.Context, s settings, args []string) error {
	o, err := rereadOrder(args)
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

func rereadOrder(args []string) (o retrieval.RereadOrder, err error) {
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		if name == "--dry-run" && !joined {
			o.DryRun = true
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
			if o.Site = value; !siteNames()[value] {
				return o, fmt.Errorf("no site is named %q; known are %s", value, strings.Join(slices.Sorted(maps.Keys(siteNames())), ", "))
			}
		case "--since":
			if o.Since, err = time.Parse(time.DateOnly, value); err != nil {
				if o.Since, err = time.Parse(time.RFC3339, value); err != nil {
					return o, fmt.Errorf("--since: %q is not a time such as 2026-01-31 or 2026-01-31T12:00:00Z", value)
				}
			}
		default:
			return o, errUsage
		}
	}
	return o, nil
}

func (b *base) reread(ctx context.Context, o retrieval.RereadOrder, w io.Writer) error {
	changed := 0
	err := b.runner().Retrieval.Reread(ctx, o, func(a *members.Account, c modelretrieval.Changes) error {
		changed++
		_, err := fmt.Fprintf(w, "%s %s: %s\n", a.Site, a.Handle, changes(c))
		return err
	})
	if err != nil {
		return err
	}
	said := fmt.Sprintf("%d accounts changed", changed)
	switch {
	case changed == 0:
		said = "nothing changed"
	case o.DryRun:
		said = fmt.Sprintf("%d accounts would change", changed)
	}
	_, err = fmt.Fprintln(w, said)
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
