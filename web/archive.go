package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/history"
)

// archiveCommand is `laurel archive WHAT`, beside a server that may be running.
func archiveCommand(ctx context.Context, s settings, args []string) error {
	var run func(context.Context, *base) error
	switch what := strings.Join(args, " "); {
	case what == "check":
		run = checkArchive
	case what == "sql-role":
		run = makeSQLRole
	case what == "sql-role --drop":
		run = func(ctx context.Context, b *base) error { return archive.DropSQLRole(ctx, b.db.DB) }
	case len(args) == 3 && args[0] == "push":
		run = func(ctx context.Context, b *base) error {
			f, err := os.Open(args[2])
			if err != nil {
				return err
			}
			defer func() { _ = f.Close() }()
			return pushFile(ctx, b.db.DB, args[1], f, os.Stdout, b.clock.now)
		}
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

// instantsAtATime is how many responses are stored in one transaction.
const instantsAtATime = 2000

// pushFile stores the rows of a file, as POST /api/v1/archive/SHARD does with those of a request. To
// push a file again, also after it stopped half-way, changes nothing that is stored.
func pushFile(ctx context.Context, db *gorm.DB, shard string, file io.Reader, w io.Writer, now func() time.Time) error {
	s, err := archive.Lookup(ctx, db, shard)
	if err != nil {
		return err
	}
	var responses []archive.Response
	at := map[int64]int{}
	err = archive.ReadCSV(file, s, func(_ int, t time.Time, row shards.Row) error {
		n, ok := at[t.UnixMicro()]
		if !ok {
			n = len(responses)
			at[t.UnixMicro()] = n
			responses = append(responses, archive.Response{Source: "file", Address: "/archive/" + s.Name, At: t,
				Shards: map[string][]shards.Row{}})
		}
		responses[n].Shards[s.Name] = append(responses[n].Shards[s.Name], row)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(responses, func(a, b archive.Response) int { return a.At.Compare(b.At) })
	var sum archive.Result
	refused := 0
	for some := range slices.Chunk(responses, instantsAtATime) {
		results, err := archive.StoreAll(ctx, db, some, now())
		if err != nil {
			return err
		}
		for i, r := range results {
			sum.Inserted, sum.Confirmed, sum.Ended, sum.Yielded = sum.Inserted+r.Inserted, sum.Confirmed+r.Confirmed, sum.Ended+r.Ended,
				sum.Yielded+r.Yielded
			if r.Contradiction != "" {
				refused++
				_, _ = fmt.Fprintf(w, "%s: %s\n", some[i].At.Format(time.RFC3339Nano), r.Contradiction)
			}
		}
	}
	_, err = fmt.Fprintf(w, "%d instants: %d inserted, %d confirmed, %d ended, %d overruled\n", len(responses), sum.Inserted, sum.Confirmed,
		sum.Ended, sum.Yielded)
	if err == nil && refused > 0 {
		err = fmt.Errorf("%d instants contradict themselves and were refused", refused)
	}
	return err
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
