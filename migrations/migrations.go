// Package migrations holds the database's history as goose SQL files.
//
// They run forward only and are never edited once landed: databases in the
// field have already run the old text.
package migrations

import "embed"

// FS holds the files in the order of their numbers.
//
//go:embed *.sql
var FS embed.FS
