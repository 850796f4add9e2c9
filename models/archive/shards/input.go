package shards

import (
	"fmt"

	pg "laurel/models/db"
)

// An InputError is a caller's mistake: where, what was wrong and the way out.
type InputError struct {
	Response int // Of those given, from 0.
	Shard    string
	Row      int // From 0; -1 where it is not about a row.
	Field    string
	Ranking  string // Where Field is size: the ranking whose size is wrong.
	Message  string
}

func (e *InputError) Error() string {
	where := ""
	if e.Shard != "" {
		where = "shard " + e.Shard + ": "
	}
	if e.Row >= 0 {
		where += fmt.Sprintf("row %d: ", e.Row)
	}
	if e.Field != "" {
		where += "field " + e.Field + ": "
	}
	return where + e.Message
}

// Coded implements pg.CodedError.
func (e *InputError) Coded() *pg.Error {
	return &pg.Error{Code: pg.CodeInvalid, Message: e.Error(), Field: e.Field}
}
