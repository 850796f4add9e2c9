package db

import (
	"strings"
	"sync"

	"gorm.io/gorm/schema"
)

var schemas sync.Map

// Columns lists the columns of a struct's fields, as "f.id, f.slug", for statements that
// return whole rows: of a table that is called alias there.
func Columns[T any](alias string) string {
	s, err := schema.Parse(new(T), &schemas, schema.NamingStrategy{})
	if err != nil {
		panic(err) // T is no struct of columns.
	}
	return alias + "." + strings.Join(s.DBNames, ", "+alias+".")
}

// Column is one value of each row, as an array for a statement that unnests arrays.
func Column[T, V any](rows []T, of func(*T) V) *[]V {
	values := make([]V, len(rows))
	for i := range rows {
		values[i] = of(&rows[i])
	}
	return &values
}
