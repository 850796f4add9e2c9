package db

import "strings"

// CleanText removes what PostgreSQL refuses to store, and folds white space at the ends.
func CleanText(s string) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
}

// Containing is the ILIKE pattern for "has this in it", literally.
func Containing(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(CleanText(s)) + "%"
}
