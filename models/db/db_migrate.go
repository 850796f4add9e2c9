package db

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Migrate brings the database to the newest migration of files. Any number of
// processes may call it at once: the first one works, the others wait. A database
// that files cannot bring there is left as it is.
func Migrate(ctx context.Context, d *DB, files fs.FS) error {
	p, err := provider(d, files)
	if err != nil {
		return err
	}
	version, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := checkVersion(version, p.ListSources()); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	results, err := p.Up(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, r := range results {
		slog.InfoContext(ctx, "migrated", "file", r.Source.Path, "took", r.Duration.Round(time.Millisecond))
	}
	return nil
}

// checkVersion refuses a database from before the first of the migrations, and one
// that is newer than the last. Version 0 is an empty database.
func checkVersion(version int64, files []*goose.Source) error {
	first, last := files[0].Version, files[len(files)-1].Version
	switch {
	case version > 0 && version < first:
		return fmt.Errorf("the database is at version %d, from before the first release (%d), and cannot be migrated: "+
			"start with an empty database (another DATABASE_URL, or another folder as LAUREL_DATA)", version, first)
	case version > last:
		return fmt.Errorf("the database is at version %d, newer than this program (%d): run the program that migrated it "+
			"there, or a newer one", version, last)
	}
	return nil
}

// Migrated says whether the database is at the newest migration of files.
func Migrated(ctx context.Context, d *DB, files fs.FS) (bool, error) {
	p, err := provider(d, files)
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	return !pending, err
}

func provider(d *DB, files fs.FS) (*goose.Provider, error) {
	sqlDB, err := d.DB.DB()
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, sqlDB, files, goose.WithSessionLocker(locker), goose.WithLogger(goose.NopLogger()))
}
