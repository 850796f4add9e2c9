package db

import (
	"context"
	"errors"
	"io"
	"net"
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

// transient are the classes of errors that say nothing about the data: connections, rollbacks, resources, locks
// and time limits, operators, disks.
const transient = "08 40 53 55 57 58"

// IsTransient reports whether the database is slow, busy or away: the same may be stored later.
func IsTransient(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return len(pg.Code) == 5 && strings.Contains(transient, pg.Code[:2])
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err)
}

// LockTimeout reports whether a statement waited longer for a lock than it may.
func LockTimeout(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "55P03"
}
