// Package main is the program: commands, settings, the server's start and stop.
//
// It may import everything and decides nothing about the domain; it puts the
// parts together and hands them the time.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // Members' zones must be known on a machine that has none.
)

// A command is one thing the program does.
type command struct {
	name, args, help string
	run              func(ctx context.Context, s settings, args []string) error
}

func commands() []command {
	return []command{
		{"serve", "[--role all|web|jobs]", "run the server: pages, jobs, or both", serve},
		{"demo", "", "run the server with a sample community and sample judge sites, without any network access", demo},
		{"standin", "--listen ADDR [--seed N]", "run only the sample judge sites; see docs/design/standin.md", standIn},
		{"migrate", "", "migrate the database to this version and exit", migrate},
		{"token", "MEMBER [--admin | --support]", "create an API token and print it; creates the member if missing", token},
		{"retrieve", "MEMBER [--site S] [--again]", "retrieve a member's submissions now; exit 1 unless all sites are ok", retrieve},
		{"reread", "[--site S | --forum F | --network N] [--since T] [--dry-run]",
			"read raw answers of sites, forums and networks again with today's readers, and print what changed; asks nobody", reread},
		{"probe", "SITE HANDLE [--out DIR]", "fetch one account's newest page and its ratings, print what was read field by field, " +
			"and save the raw pages", probe},
		{"harvest", "[FORUM] [--inspect URL] [--from 2011-06] [--burst] [--again] [--finish] [--open] [--pause] [--gap 2s] [--mbox FILE]",
			"harvest a forum now, back to covered ground; exit 1 if that fails. Without FORUM, list all forums. --inspect inspects an " +
				"address and adds it as FORUM", harvestForum},
		{"import", "FILE.csv", "add members with their handles; see docs/operate.md", importFile},
		{"ingest", "[--source NAME] [--from kafka:TOPIC [--to kafka:TOPIC] [--follow]] [< FILE]",
			"read analytics and append the events that awards need, or send them to another topic; see docs/api.md", ingest},
		{"routes", "", "print all routes with method and required role", printRoutes},
		{"export", "", "print all data as JSON lines", export},
		{"badge-key", "[new | stolen KEY]", "list the badge signing keys, create a new one, or void everything a stolen one signed",
			badgeKey},
		{"awards", "check [--mend [--yes]]",
			"recount all members' awards, exit 1 if any differ; --mend writes them anew, --yes also where a grant goes", awardsCommand},
		{"archive", "check | push SHARD FILE.csv | sql-role [--drop]", "check that the archive lost nothing, exit 1 if it did; add the " +
			"rows of a file to a shard; make a role that reads it by SQL", archiveCommand},
	}
}

// version is set by `make build`.
var version = "dev"

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() { // A second Ctrl-C ends the program at once.
		<-ctx.Done()
		stop()
	}()
	os.Exit(run(ctx, os.Args[1:]))
}

// errUsage has been explained already.
var errUsage = errors.New("usage")

func run(ctx context.Context, args []string) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		manual(os.Stdout)
		return 0
	}
	if args[0] == "version" || args[0] == "--version" {
		_, _ = fmt.Fprintln(os.Stdout, "laurel", version)
		return 0
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		s, rest, err := readSettings(args[1:])
		if err == nil {
			err = c.run(ctx, s, rest)
		}
		switch {
		case errors.Is(err, errUsage):
			_, _ = fmt.Fprintf(os.Stderr, "usage: laurel %s %s\n", c.name, c.args)
			return 2
		case err != nil:
			_, _ = fmt.Fprintln(os.Stderr, "laurel:", err)
			return 1
		}
		return 0
	}
	_, _ = fmt.Fprintf(os.Stderr, "laurel: no command is named %q; see laurel help\n", args[0])
	return 2
}

func manual(w io.Writer) {
	_, _ = fmt.Fprint(w, "Laurel tracks a community of competitive programmers: submissions, streaks and ratings.\n\nCommands:\n")
	for _, c := range commands() {
		_, _ = fmt.Fprintf(w, "  laurel %-34s %s\n", c.name+" "+c.args, c.help)
	}
	_, _ = fmt.Fprint(w, "\nSettings, in the environment or as flags:\n")
	printSettings(w)
}
