// Package db is what all domains of models share: opening and
// migrating the database, cursors of lists, leases, civil days, rate limits,
// secrets and LISTEN.
//
// In all of models a function takes a context, a database (the pool or an open
// transaction; it cannot tell and does not care) and the time, and returns
// values. Time is passed in, never read, and no transaction is open while
// anybody waits for the network. Nothing in models knows of HTTP.
package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// GCPercent is how much garbage, in percent of what is in use, a process of Laurel
// lets lie before it collects it; see runtime/debug.SetGCPercent. Benchmarks have
// what the program has.
const GCPercent = 400

// A DB is one pool of connections, as GORM for queries and as pgx for LISTEN
// and for libraries that want it.
type DB struct {
	*gorm.DB
	Pool *pgxpool.Pool
}

// Open connects to the database at url (a PostgreSQL URL or key=value DSN) and
// sees that it answers. Sessions run in UTC. Tests pass changes of the configuration.
func Open(ctx context.Context, url string, maxConns int32, changes ...func(*pgxpool.Config)) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	cfg.MaxConns = maxConns
	cfg.ConnConfig.RuntimeParams["timezone"] = "UTC"
	cfg.ConnConfig.RuntimeParams["application_name"] = "laurel"
	if cfg.ConnConfig.RuntimeParams[idleParam] == "" {
		cfg.AfterConnect = endIdle
	}
	for _, change := range changes {
		change(cfg)
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := checkEncoding(ctx, pool); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{
		Logger:                 logger.Discard, // Errors are returned; the edge logs them once.
		QueryFields:            true,           // A column that a newer program adds must not reach this one.
		SkipDefaultTransaction: true,
		TranslateError:         true,
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &DB{DB: g, Pool: pool}, nil
}

// Scan has every statement written out with all its values, for a log that is not
// kept: with long lists that takes as long as the statement. Nothing is to be
// written; values are nobody's business, either.
func init() {
	logger.RecorderParamsFilter = func(context.Context, string, ...any) (string, []any) { return "", nil }
}

// idleParam is PostgreSQL's setting for how long a session may sleep in a
// transaction. The database's address may hold another one.
const idleParam = "idle_in_transaction_session_timeout"

// endIdle lets the database end a session that sleeps in a transaction: a process
// that stands still there, with its machine perhaps, would hold up all others for
// as long. It is no parameter of the connection, for poolers refuse those that they
// do not know.
func endIdle(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SET "+idleParam+" = '30s'")
	return err
}

// checkEncoding sees that the database answers and can hold what people write.
func checkEncoding(ctx context.Context, pool *pgxpool.Pool) error {
	var encoding string
	if err := pool.QueryRow(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("it is encoded in %s; make one in UTF8", encoding)
	}
	return nil
}

// Close gives all connections back.
func (d *DB) Close() {
	if sqlDB, err := d.DB.DB(); err == nil {
		_ = sqlDB.Close()
	}
	d.Pool.Close()
}

// Touched returns the error of a statement, or none where it touched no row.
func Touched(res *gorm.DB, none error) error {
	if res.Error == nil && res.RowsAffected == 0 {
		return none
	}
	return res.Error
}

// Named turns name, value, ... into the named parameters of a statement.
func Named(kv ...any) map[string]any {
	m := make(map[string]any, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		m[kv[i].(string)] = kv[i+1]
	}
	return m
}
