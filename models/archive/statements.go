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

	table, given               string
	renew, confirm, insert     string
	aside                      string
	displace                   []string // For each further unique key.
	remove                     string
	near, inScopes, drop, open string
	rows                       string
}

// statements makes the shard's SQL at first use.
func (s *Shard) statements() *statements {
	s.once.Do(func() {
		st := &statements{fields: s.fields(), keys: len(s.Key), scope: s.indexes(s.Scope), table: s.Table()}
		st.indexed = make([]bool, len(st.fields))
		for i := range st.fields {
			st.indexed[i] = i < st.keys
		}
		for _, u := range s.Unique {
			st.uniques = append(st.uniques, s.indexes(u))
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

// Table is the shard's table. Its own columns begin with an underscore, which
// no field does.
func (s *Shard) Table() string { return "shard_" + s.Name }

func quote(name string) string { return `"` + name + `"` }

// columns joins the names of fields, each with a prefix such as "t.".
func (st *statements) columns(prefix string, at []int) string {
	var out []string
	for _, i := range at {
		out = append(out, prefix+quote(st.fields[i].Name))
	}
	return strings.Join(out, ", ")
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

// DDL creates the shard's table and indexes. Each row stands in the indexes of
// the open rows or in those of the past ones, never in both: a change then costs
// two entries per key and not four. Half of a page stays free: a look at all of
// its rows then writes them anew beside themselves and touches no index.
func (s *Shard) DDL() []string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (\n", s.Table())
	for i, f := range s.fields() {
		null := ""
		if i < len(s.Key) {
			null = " NOT NULL"
		}
		fmt.Fprintf(&b, "    %s %s%s,\n", quote(f.Name), f.SQLType(), null)
	}
	b.WriteString("    _from timestamptz NOT NULL,\n    _until timestamptz,\n    _reason text,\n    _seen bigint[] NOT NULL,\n    _aside bigint,\n" +
		"    CHECK (_from < _until)\n) WITH (fillfactor = 50)")
	out := []string{b.String()}
	index := func(name string, names []string) {
		cols := quote(strings.Join(names, `", "`))
		out = append(out,
			fmt.Sprintf("CREATE UNIQUE INDEX %s_%s_open ON %s (%s) WHERE _until IS NULL", s.Table(), name, s.Table(), cols),
			fmt.Sprintf("CREATE UNIQUE INDEX %s_%s_past ON %s (%s, _from) WHERE _until IS NOT NULL", s.Table(), name, s.Table(), cols))
	}
	key := s.keyOrder()
	index("key", key)
	for i, u := range s.Unique {
		index(fmt.Sprintf("u%d", i+1), u)
	}
	if n := len(s.Scope); n > 0 && (n > len(key) || !slices.Equal(s.Scope, key[:n])) {
		out = append(out, fmt.Sprintf("CREATE INDEX %s_scope ON %s (%s)", s.Table(), s.Table(), quote(strings.Join(s.Scope, `", "`))))
	}
	return out
}
