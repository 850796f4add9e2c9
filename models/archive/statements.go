package archive

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"laurel/models/archive/shards"
)

// A Shard is a declared shard, which has tables.
type Shard struct {
	shards.Declaration

	once sync.Once
	sql  *statements
}

// builtIn are the shards that Laurel feeds itself, by name.
var builtIn = sync.OnceValue(func() map[string]*Shard {
	all := map[string]*Shard{}
	for _, d := range shards.All() {
		all[d.Name] = &Shard{Declaration: *d}
	}
	return all
})

// BuiltIn returns the shards that Laurel feeds itself, by name.
func BuiltIn() []*Shard {
	return slices.SortedFunc(maps.Values(builtIn()), byName)
}

func byName(a, b *Shard) int { return strings.Compare(a.Name, b.Name) }

// statements are a shard's SQL, made once.
type statements struct {
	*shards.Layout
	stored                 string
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
		st := &statements{Layout: s.Layout(), stored: s.Stored(), table: s.Table(), past: s.PastTable()}
		st.write()
		s.sql = st
	})
	return s.sql
}

// Table is the table of the shard's open rows: one for each key. Its own columns
// begin with an underscore, which no field does.
func (s *Shard) Table() string { return "shard_" + s.Stored() }

// PastTable is the table of the rows that have ended. No name of a shard begins
// with an underscore, so it is no other shard's Table.
func (s *Shard) PastTable() string { return "shard__past_" + s.Stored() }

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
		out = append(out, prefix+quote(st.Fields[i].Name))
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
		n := quote(st.Fields[i].Name)
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
		if slices.ContainsFunc(s.Key, func(f shards.Field) bool { return f.Name == n }) {
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
