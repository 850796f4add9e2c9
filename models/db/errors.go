package db

import (
	"database/sql/driver"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// A Code is a kind of error, as programs read it. handlers/web makes a status of it.
type Code string

// The codes.
const (
	CodeInvalid     Code = "invalid"
	CodeNotFound    Code = "not_found"
	CodeConflict    Code = "conflict"
	CodeGone        Code = "gone"
	CodeLimited     Code = "limited"
	CodeUnavailable Code = "service_unavailable"
)

// An Error is shown to the caller: what was wrong and the way out.
type Error struct {
	Code           Code
	Message, Field string        // Field is the part of the input that was wrong, if one was.
	After          time.Duration // When it is worth asking again; 0 is not given.
}

func (e *Error) Error() string { return e.Message }

// Coded returns the error itself.
func (e *Error) Coded() *Error { return e }

// A CodedError is an error with something to tell to the one who asked. Of other errors
// the caller learns only that something went wrong.
type CodedError interface {
	error
	Coded() *Error
}

// An InputError is a caller's mistake: which field, what was wrong and the way out.
type InputError struct{ Field, Message string }

func (e *InputError) Error() string { return e.Message }

// Coded implements CodedError.
func (e *InputError) Coded() *Error {
	return &Error{Code: CodeInvalid, Message: e.Message, Field: e.Field}
}

// ErrNotFound is returned where a thing named by the caller does not exist.
var ErrNotFound = gorm.ErrRecordNotFound

// ErrCursor refuses a cursor of another list.
var ErrCursor = &InputError{"cursor", "this cursor was not made by this list; begin without one"}

// Unavailable says whether an error means that the database does not answer at
// the moment, and may do so soon.
func Unavailable(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok || errors.Is(err, driver.ErrBadConn) {
		return true
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	// Connection exceptions, operator intervention, too many connections.
	return ok && (strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "57P") || pg.Code == "53300")
}
