package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"laurel/models/history"
)

// archiveCommand is `laurel archive check`, beside a server that may be running.
func archiveCommand(ctx context.Context, s settings, args []string) error {
	if len(args) != 1 || args[0] != "check" {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	c, err := history.Check(ctx, b.db.DB, b.clock.now())
	if err != nil {
		return err
	}
	return printCheck(os.Stdout, c)
}

// printCheck writes one line per finding, then the sum.
func printCheck(w io.Writer, c history.ArchiveCheck) error {
	for _, f := range c.Findings {
		where := f.Kind
		if f.Shard != "" {
			where = f.Shard + ": " + f.Kind
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", where, f.Message); err != nil {
			return err
		}
	}
	if more := c.Total - len(c.Findings); more > 0 {
		if _, err := fmt.Fprintf(w, "and %d more\n", more); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d shards, %d rows, %d retrievals checked in %.1f s: %d findings\n", c.Shards, c.Rows, c.Retrievals, c.Took,
		c.Total)
	if err == nil && c.Total > 0 {
		err = fmt.Errorf("the archive is not whole; docs/operate.md says what to do")
	}
	return err
}
