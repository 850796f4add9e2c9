package db

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrRetry means that somebody else wrote an item meanwhile: the batch is rolled
// back and done again.
var ErrRetry = errors.New("an item was changed meanwhile")

// IsRetry reports whether a batch may go well the next time.
func IsRetry(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, ErrRetry) || ok && (pg.Code == "40P01" || pg.Code == "23505") // deadlock_detected, unique_violation
}
