package db

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrRetry means that somebody else wrote an item meanwhile: the batch is rolled
// back and done again.
var ErrRetry = errors.New("an item was changed meanwhile")

// IsDataError reports whether the data themselves are refused: they will not be stored the
// next time either.
func IsDataError(err error) bool {
	if _, ok := errors.AsType[CodedError](err); ok {
		return true
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	// Data exceptions, violated constraints, exceeded limits.
	return ok && (strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23") || strings.HasPrefix(pg.Code, "54"))
}

// IsRetry reports whether a batch may go well the next time.
func IsRetry(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, ErrRetry) || ok && (pg.Code == "40P01" || pg.Code == "23505") // deadlock_detected, unique_violation
}
