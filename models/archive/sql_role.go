package archive

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"gorm.io/gorm"
)

// A SQLRole is somebody who may read archive_views of one database, and nothing else of it.
type SQLRole struct{ Name, Password string }

// roleName is the role's name: roles are those of a whole server, which may have several databases.
func roleName(db *gorm.DB) (database, role string, err error) {
	err = db.Raw(`SELECT current_database()`).Scan(&database).Error
	const suffix = "_archive_reader"
	return database, database[:min(len(database), 63-len(suffix))] + suffix, err
}

// MakeSQLRole makes the role, or gives it a new password, and makes all views anew.
func MakeSQLRole(ctx context.Context, db *gorm.DB) (SQLRole, error) {
	role := SQLRole{Password: rand.Text()} // Letters and digits: it needs no quotes.
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		database, name, err := roleName(tx)
		if err != nil {
			return err
		}
		role.Name = name
		if err := remakeViews(ctx, tx); err != nil {
			return err
		}
		var there bool
		if err := tx.Raw(`SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ?)`, name).Scan(&there).Error; err != nil {
			return err
		}
		who := identifier(name)
		statements := []string{
			"ALTER ROLE " + who + " LOGIN PASSWORD '" + role.Password + "'",
			"ALTER ROLE " + who + " SET default_transaction_read_only = on",
			"ALTER ROLE " + who + " SET statement_timeout = '5min'",
			"ALTER ROLE " + who + " SET search_path = archive_views",
			"GRANT CONNECT ON DATABASE " + identifier(database) + " TO " + who,
			"GRANT USAGE ON SCHEMA archive_views TO " + who,
			"GRANT SELECT ON ALL TABLES IN SCHEMA archive_views TO " + who,
			"ALTER DEFAULT PRIVILEGES IN SCHEMA archive_views GRANT SELECT ON TABLES TO " + who, // Views to come.
			"REVOKE CREATE ON SCHEMA public FROM PUBLIC",                                        // Until PostgreSQL 14 everybody had it.
		}
		if !there {
			statements = append([]string{"CREATE ROLE " + who}, statements...)
		}
		return execAll(tx, statements)
	})
	if err != nil {
		return SQLRole{}, fmt.Errorf("make the role of archive_views: %w", err)
	}
	return role, nil
}

// DropSQLRole removes the role.
func DropSQLRole(ctx context.Context, db *gorm.DB) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		_, name, err := roleName(tx)
		if err != nil {
			return err
		}
		return execAll(tx, []string{"DROP OWNED BY " + identifier(name), "DROP ROLE " + identifier(name)})
	})
	if err != nil {
		return fmt.Errorf("drop the role of archive_views: %w", err)
	}
	return nil
}

func remakeViews(ctx context.Context, tx *gorm.DB) error {
	shards, err := Shards(ctx, tx)
	if err != nil {
		return err
	}
	var statements []string
	for _, s := range shards {
		statements = append(statements, s.makeView())
	}
	return execAll(tx, statements)
}

func execAll(tx *gorm.DB, statements []string) error {
	for _, s := range statements {
		if err := tx.Exec(s).Error; err != nil {
			return err
		}
	}
	return nil
}

// identifier quotes any name: that of a database may have any letters.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
