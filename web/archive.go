package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"laurel/models/archive"
	"laurel/models/history"
)

// archiveCommand is `laurel archive WHAT`, beside a server that may be running.
func archiveCommand(ctx context.Context, s settings, args []string) error {
	var run func(context.Context, *base) error
	switch strings.Join(args, " ") {
	case "check":
		run = checkArchive
	case "sql-role":
		run = makeSQLRole
	case "sql-role --drop":
		run = func(ctx context.Context, b *base) error { return archive.DropSQLRole(ctx, b.db.DB) }
	default:
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	return run(ctx, b)
}

// makeSQLRole prints where the role of archive_views connects to, alone on the last line.
func makeSQLRole(ctx context.Context, b *base) error {
	address := b.DatabaseURL
	if address == "" {
		address = b.pg.URL()
	}
	role, err := archive.MakeSQLRole(ctx, b.db.DB)
	if err != nil {
		return err
	}
	fmt.Println(roleAddress(address, role))
	return nil
}

// roleAddress is the address of a database for another role.
func roleAddress(address string, role archive.SQLRole) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" { // Words such as host=db dbname=laurel: the last one of each counts.
		return address + " user=" + role.Name + " password=" + role.Password
	}
	q := u.Query()
	q.Del("user")
	q.Del("password")
	u.User, u.RawQuery = url.UserPassword(role.Name, role.Password), q.Encode()
	return u.String()
}

func checkArchive(ctx context.Context, b *base) error {
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
