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
)

// awardsCommand counts the awards of all members again.
func awardsCommand(ctx context.Context, s settings, args []string) error {
	if !slices.Equal(args, []string{"check"}) {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	return checkAwards(ctx, b.db, os.Stdout, b.clock.now())
}

// checkAwards prints a line for each difference and a sum.
func checkAwards(ctx context.Context, db *pg.DB, w io.Writer, now time.Time) error {
	members, items, differences := 0, int64(0), 0
	for slice := range awards.AwardSlices {
		c, err := awards.Check(ctx, db.DB, slice, now)
		if err != nil {
			return err
		}
		members, items, differences = members+c.Members, items+c.Items, differences+len(c.Differences)
		names, err := awards.MemberNames(ctx, db.DB, c.Differences)
		if err != nil {
			return err
		}
		for _, d := range c.Differences {
			if _, err := fmt.Fprintf(w, "%s: %s is %s and should be %s\n", names[d.Member], d.What, d.Is, d.Should); err != nil {
				return err
			}
		}
	}
	if _, err := fmt.Fprintf(w, "%d members and %d items recounted, %d differences\n", members, items, differences); err != nil {
		return err
	}
	if differences > 0 {
		return fmt.Errorf("%d numbers differ from the ledger", differences)
	}
	return nil
}
