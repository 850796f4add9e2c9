// Package migrations holds the database's tables as goose SQL files.
//
// The files from 00101 on are the tables as they were first released, by domain. From
// there on migrations go forward only: a change is a new file with the next number,
// and no file is edited once it is released, for databases have already run it. Lower
// numbers are of databases that are refused.
//
// Every table has a comment above it, and every column whose name does not say it all
// has one beside it.
package migrations

import "embed"

// FS holds the files in the order of their numbers.
//
//go:embed *.sql
var FS embed.FS
