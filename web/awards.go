package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/views/parts"
)

// awardsCommand counts the awards of all members again, and with --mend mends what differs.
func awardsCommand(ctx context.Context, s settings, args []string) error {
	if len(args) == 0 || args[0] != "check" {
		return errUsage
	}
	mend, yes := slices.Contains(args[1:], "--mend"), slices.Contains(args[1:], "--yes")
	if len(slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return a == "--mend" || a == "--yes" })) > 0 || yes && !mend {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	if mend {
		return mendAwards(ctx, b.db, os.Stdout, yes, b.clock.now())
	}
	return checkAwards(ctx, b.db, os.Stdout, b.clock.now())
}

// mendAwards mends the members of whom something differs. Those who would lose a grant are left as they
// are, but for yes.
func mendAwards(ctx context.Context, db *pg.DB, w io.Writer, yes bool, now time.Time) error {
	mended, left := 0, 0
	for done := false; !done; {
		var slice awards.CheckResult
		var err error
		if slice, done, err = awards.CheckNext(ctx, db.DB, now); err != nil {
			return err
		}
		if err := printDifferences(ctx, db, w, slice.Differences); err != nil {
			return err
		}
		takes, members := map[int64]bool{}, []int64{}
		for _, d := range slice.Differences { // By member.
			if len(members) == 0 || members[len(members)-1] != d.Member {
				members = append(members, d.Member)
			}
			takes[d.Member] = takes[d.Member] || d.Takes
		}
		for _, member := range members {
			if takes[member] && !yes {
				left++
				continue
			}
			if err := awards.Mend(ctx, db.DB, member, now); err != nil {
				return err
			}
			mended++
		}
	}
	ruleset := new(awards.Ruleset)
	for more := true; more; {
		n, err := awards.Evaluate(ctx, db.DB, ruleset, 1000, now)
		if err != nil {
			return err
		}
		more = n > 0
	}
	text := parts.Plural(mended, "member") + " mended"
	if left > 0 {
		text += "; left as is, because a grant would go: " + parts.Plural(left, "member") + " (--mend --yes mends them, too)"
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// printDifferences prints a line for each difference.
func printDifferences(ctx context.Context, db *pg.DB, w io.Writer, list []awards.Difference) error {
	names, err := awards.MemberNames(ctx, db.DB, list)
	if err != nil {
		return err
	}
	for _, d := range list {
		if _, err := fmt.Fprintf(w, "%s: %s is %s and should be %s\n", names[d.Member], d.What, d.Is, d.Should); err != nil {
			return err
		}
	}
	return nil
}

// checkAwards prints a line for each difference and a sum. A run that was stopped is gone on with.
func checkAwards(ctx context.Context, db *pg.DB, w io.Writer, now time.Time) error {
	for done := false; !done; {
		var slice awards.CheckResult
		var err error
		if slice, done, err = awards.CheckNext(ctx, db.DB, now); err != nil {
			return err
		}
		if err := printDifferences(ctx, db, w, slice.Differences); err != nil {
			return err
		}
	}
	c, err := awards.LastCheck(ctx, db.DB)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%d members and %d items recounted, %d differences", c.Members, c.Items, len(c.Differences))
	if c.Busy > 0 {
		text += "; left out, because changes of theirs wait: " + parts.Plural(c.Busy, "member")
	}
	if _, err := fmt.Fprintln(w, text); err != nil {
		return err
	}
	if len(c.Differences) > 0 {
		return fmt.Errorf("%d numbers differ from the ledger", len(c.Differences))
	}
	return nil
}
