package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
)

func migrate(ctx context.Context, s settings, args []string) error {
	if len(args) > 0 {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	b.log.Info("the database is at this version's migration")
	return nil
}

// token prints an API token, alone on the last line, for scripts.
func token(ctx context.Context, s settings, args []string) error {
	name, role := "", members.RoleMember
	for _, a := range args {
		switch {
		case a == "--admin":
			role = members.RoleAdmin
		case a == "--support" && role == members.RoleMember:
			role = members.RoleSupport
		case a == "--support":
		case name != "" || strings.HasPrefix(a, "-"):
			return errUsage
		default:
			name = a
		}
	}
	if name == "" {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	secret, err := members.IssueToken(ctx, b.db.DB, name, "made by laurel token", role, b.clock.now())
	if err != nil {
		return err
	}
	fmt.Println(secret)
	return nil
}

// retrieve asks for a member's submissions and looks itself, beside a server
// that may be looking as well, until every account has answered.
func retrieve(ctx context.Context, s settings, args []string) error {
	again := slices.Contains(args, "--again")
	name, site, err := retrieveArgs(slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--again" }))
	if err != nil {
		return err
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	if site != "" {
		if _, err := b.reader(ctx, site); err != nil {
			return err
		}
	}
	m, err := members.ByName(ctx, b.db.DB, name)
	if errors.Is(err, pg.ErrNotFound) {
		return fmt.Errorf("no member is named %q", name)
	}
	if err != nil {
		return err
	}
	runner, failed := &b.runner().Retrieval, 0
	accounts, err := runner.RetrieveMember(ctx, m.ID, site, again)
	for _, a := range accounts {
		fmt.Println(retrieved(&a))
		if a.Outcome != pg.OutcomeOK {
			failed++
		}
	}
	switch {
	case err != nil:
		return err
	case len(accounts) == 0:
		return fmt.Errorf("%s has no handle to retrieve from", name)
	case failed > 0:
		return fmt.Errorf("retrieval failed on %d of %d sites", failed, len(accounts))
	}
	return nil
}

// retrieved is the line about an account. Rows of a retrieval that failed are counted until one is complete.
func retrieved(a *members.Account) string {
	added := a.NewRows
	if a.Outcome == pg.OutcomeOK {
		added = a.LastNew
	}
	return fmt.Sprintf("%s %s %s: %s, %d new", a.Site, a.Handle, a.Outcome, message(a), added)
}

func message(a *members.Account) string {
	switch {
	case a.Message != "":
		return a.Message
	case a.CompleteUntil != nil:
		return "up to date at " + a.CompleteUntil.Format(time.RFC3339)
	}
	return "nothing yet"
}

func retrieveArgs(args []string) (name, site string, err error) {
	for i := 0; i < len(args); i++ {
		switch value, joined := strings.CutPrefix(args[i], "--site="); {
		case joined:
			site = value
		case args[i] == "--site" && i+1 < len(args):
			i++
			site = args[i]
		case name == "" && !strings.HasPrefix(args[i], "-"):
			name = args[i]
		default:
			return "", "", errUsage
		}
	}
	if name == "" {
		return "", "", errUsage
	}
	return name, site, nil
}

func importFile(ctx context.Context, s settings, args []string) error {
	if len(args) != 1 {
		return errUsage
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	sites, err := b.allSites(ctx)
	if err != nil {
		return err
	}
	return importMembers(ctx, b.db, sites, f, os.Stdout, b.clock.now())
}

func export(ctx context.Context, s settings, args []string) error {
	if len(args) > 0 {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	return exportAll(ctx, b.db, os.Stdout)
}
