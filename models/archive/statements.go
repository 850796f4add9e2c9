package archive

import (
	"fmt"
	"slices"
	"strings"
)

// statements are a shard's SQL and what the rest needs of its shape, made once.
type statements struct {
	fields  []Field
	keys    int // The first so many fields are the key.
	uniques [][]int
	scope   []int
	group   []int // Fields that contradicting facts always share: what is locked.
	inScope bool  // A scope says which group is meant.
	indexed []bool

	shard                  string
	table, past, given     string
	row                    string // The columns of a row of both tables.
	opened, ended          string // The rows of both tables with these columns, as x.
	rows                   string // A row t of these as a JSON list.
	sample, seen           string
	seenWhich, renew, move string
	confirm, insert, aside string
	displace               []string // For each further unique key.
	remove                 string
	near, inScopes         string
	drop, reopen           string
	close, goOn            string
}

// statements makes the shard's SQL at first use.
func (s *Shard) statements() *statements {
	s.once.Do(func() {
		st := &statements{fields: s.fields(), keys: len(s.Key), scope: s.positions(s.Scope), shard: s.Name, table: s.Table(),
			past: s.PastTable()}
		st.indexed = make([]bool, len(st.fields))
		for i := range st.fields {
			st.indexed[i] = i < st.keys
		}
		for _, u := range s.Unique {
			st.uniques = append(st.uniques, s.positions(u))
		}
		for _, list := range append(slices.Clone(st.uniques), st.scope) {
			for _, i := range list {
				st.indexed[i] = true
			}
		}
		for i := range st.keys {
			if !slices.ContainsFunc(st.uniques, func(u []int) bool { return !slices.Contains(u, i) }) {
				st.group = append(st.group, i)
			}
		}
		st.inScope = !slices.ContainsFunc(st.group, func(i int) bool { return !slices.Contains(st.scope, i) })
		st.write()
		s.sql = st
	})
	return s.sql
}

// Table is the table of the shard's open rows: one for each key. Its own columns
// begin with an underscore, which no field does.
func (s *Shard) Table() string { return "shard_" + s.Name }

// PastTable is the table of the rows that have ended. No name of a shard begins
// with an underscore, so it is no other shard's Table.
func (s *Shard) PastTable() string { return "shard__past_" + s.Name }

// Rows are all rows of the shard, as a statement reads them from a table: _until
// and _reason of the open ones are null.
func (s *Shard) Rows() string {
	st := s.statements()
	return "(" + st.opened + " UNION ALL " + st.ended + ")"
}

func quote(name string) string { return `"` + name + `"` }

// columns joins the names of fields, each with a prefix such as "t.".
func (st *statements) columns(prefix string, at []int) string {
	var out []string
	for _, i := range at {
		out = append(out, prefix+quote(st.fields[i].Name))
	}
	return strings.Join(out, ", ")
}

// prefixed puts a prefix such as "t." before each of some columns.
func prefixed(prefix, columns string) string {
	return prefix + strings.ReplaceAll(columns, ", ", ", "+prefix)
}

// match compares some fields of two tables.
func (st *statements) match(a, b string, at []int, op string) string {
	out := []string{"true"}
	for _, i := range at {
		n := quote(st.fields[i].Name)
		out = append(out, fmt.Sprintf("%s.%s %s %s.%s", a, n, op, b, n))
	}
	if len(out) > 1 {
		out = out[1:]
	}
	return strings.Join(out, " AND ")
}

func upTo(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// keyOrder is the key with the fields of the scope first, so that one index
// finds both a row and all rows of a scope.
func (s *Shard) keyOrder() []string {
	var out []string
	for _, n := range s.Scope {
		if slices.ContainsFunc(s.Key, func(f Field) bool { return f.Name == n }) {
			out = append(out, n)
		}
	}
	for _, f := range s.Key {
		if !slices.Contains(out, f.Name) {
			out = append(out, f.Name)
		}
	}
	return out
}
