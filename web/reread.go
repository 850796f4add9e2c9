package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"laurel/jobs"
	"laurel/jobs/harvest"
	"laurel/jobs/networks"
	"laurel/jobs/posts"
	"laurel/jobs/retrieval"
	"laurel/models/forums"
	"laurel/models/members"
	modelposts "laurel/models/posts"
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

// A rereadOrder says which raw answers are read again: those of one site, forum or network, or all.
type rereadOrder struct {
	site, forum, network string
	since                time.Time
	dry                  bool
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
		case "--network":
			o.network = value
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
	if _, ok := networks.ByName(o.network); o.network != "" && !ok {
		return fmt.Errorf("there is no network %q", o.network)
	}
	r := &rereader{base: b, order: o, runner: b.runner(), w: w}
	all := o == rereadOrder{since: o.since, dry: o.dry}
	for _, part := range []struct {
		asked bool
		read  func(context.Context) error
	}{{o.site != "", r.sites}, {o.forum != "", r.forums}, {o.network != "", r.networks}} {
		if all || part.asked {
			if err := part.read(ctx); err != nil {
				return err
			}
		}
	}
	said := parts.Plural(r.accounts, "account") + ", " + parts.Plural(r.boards, "forum") + " and " + parts.Plural(r.nets, "network")
	switch {
	case r.accounts+r.boards+r.nets == 0:
		said = "nothing changed"
	case o.dry:
		said = "would change: " + said
	default:
		said = "changed: " + said
	}
	_, err := fmt.Fprintln(w, said)
	return err
}

// A rereader reads raw answers again, and counts what has changed.
type rereader struct {
	*base
	order                  rereadOrder
	runner                 *jobs.Runner
	w                      io.Writer
	accounts, boards, nets int
}

func (r *rereader) sites(ctx context.Context) error {
	order := retrieval.RereadOrder{Site: r.order.site, Since: r.order.since, DryRun: r.order.dry}
	report := func(a *members.Account, c modelretrieval.Changes) error {
		r.accounts++
		_, err := fmt.Fprintf(r.w, "%s %s: %s\n", a.Site, a.Handle, changes(c))
		return err
	}
	if err := r.runner.Retrieval.Reread(ctx, order, report); err != nil {
		return err
	}
	if err := r.runner.Retrieval.RereadStreams(ctx, order, report); err != nil {
		return err
	}
	return r.sayPassedOver(ctx, r.order, r.w)
}

func (r *rereader) forums(ctx context.Context) error {
	order := harvest.RereadOrder{Forum: r.order.forum, Since: r.order.since, DryRun: r.order.dry}
	return r.runner.Harvest.Reread(ctx, order, func(f *forums.Forum, c forums.Reread) error {
		r.boards++
		_, err := fmt.Fprintf(r.w, "forum %s: %d new and %d changed messages, %d answers read for the first time\n",
			f.Slug, c.New, c.Changed, c.Answers)
		return err
	})
}

func (r *rereader) networks(ctx context.Context) error {
	order := posts.RereadOrder{Network: r.order.network, Since: r.order.since, DryRun: r.order.dry}
	return r.runner.Posts.Reread(ctx, order, func(name string, c modelposts.Reread) error {
		r.nets++
		_, err := fmt.Fprintf(r.w, "network %s: %s changed, %d answers read for the first time\n",
			name, parts.Plural(c.Posts, "post"), c.Answers)
		return err
	})
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
	if c.Superseded > 0 {
		parts = append(parts, fmt.Sprintf("%d archived pages superseded", c.Superseded))
	}
	if c.Answers > 0 {
		parts = append(parts, fmt.Sprintf("%d answers read for the first time", c.Answers))
	}
	return strings.Join(parts, ", ")
}
