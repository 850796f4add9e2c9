package archive

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Types of fields.
const (
	Text      = "text"
	Integer   = "integer"
	Number    = "number"
	Boolean   = "boolean"
	Timestamp = "timestamp"
	JSON      = "json"
)

// A Field is one column of a shard.
type Field struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// SQLType is the type of the field's column.
func (f Field) SQLType() string { return sqlTypes[f.Type] }

// A Shard is a group of fields that change together. At any instant there is at
// most one row per key, and per value of each further unique key.
type Shard struct {
	Name   string     `json:"name"`
	Title  string     `json:"title"`
	Key    []Field    `json:"key"`
	Data   []Field    `json:"data"`
	Unique [][]string `json:"unique"` // Fields of key and data, mixed as needed.
	// Scope is what a response can be complete for, e.g. one ranking of many.
	Scope []string `json:"scope"`

	once sync.Once
	sql  *statements
}

// builtIn are the shards that Laurel feeds itself, by name.
var builtIn = map[string]*Shard{}

func register(s *Shard) {
	if err := s.Check(); err != nil {
		panic(err)
	}
	if builtIn[s.Name] != nil {
		panic("archive: a second shard " + s.Name)
	}
	builtIn[s.Name] = s
}

// BuiltIn returns the shards that Laurel feeds itself, by name.
func BuiltIn() []*Shard {
	return slices.SortedFunc(maps.Values(builtIn), byName)
}

func byName(a, b *Shard) int { return strings.Compare(a.Name, b.Name) }

var (
	nameRule = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	sqlTypes = map[string]string{Text: "text", Integer: "bigint", Number: "double precision", Boolean: "boolean", Timestamp: "timestamptz",
		JSON: "jsonb"}
	// System columns of PostgreSQL, and what rows and addresses of the API say besides fields.
	taken = []string{"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "retrieved_at"}
	// What a query says besides key fields.
	takenInKey = []string{"at", "limit", "cursor"}
)

const maxFields, maxUnique = 64, 8

// Check says what is wrong with a declaration.
func (s *Shard) Check() error {
	switch {
	case !nameRule.MatchString(s.Name) || len(s.Name) > 40:
		return &InputError{Row: -1, Field: "name", Message: fmt.Sprintf(
			"%q must be a lower-case letter, then at most 39 letters, digits and _", s.Name)}
	case len(s.Title) > 200:
		return s.wrong("title", "is longer than 200 bytes")
	case len(s.Key) == 0:
		return s.wrong("key", "needs at least one field")
	case len(s.Key)+len(s.Data) > maxFields:
		return s.wrong("data", "at most %d fields", maxFields)
	case len(s.Unique) > maxUnique:
		return s.wrong("unique", "at most %d further keys", maxUnique)
	}
	types, err := s.checkFields()
	if err != nil {
		return err
	}
	for _, names := range append(slices.Clone(s.Unique), s.Scope) {
		if err := s.checkNames(names, types); err != nil {
			return err
		}
	}
	for i, u := range s.Unique {
		if len(u) == 0 {
			return s.wrong("unique", "key %d has no fields", i)
		}
		if s.holdsKey(u) {
			return s.wrong("unique", "key %d contains the whole key, so it adds nothing", i)
		}
	}
	return nil
}

func (s *Shard) wrong(field, format string, args ...any) error {
	return &InputError{Shard: s.Name, Row: -1, Field: field, Message: fmt.Sprintf(format, args...)}
}

// checkFields says what is wrong with a field, else the type of each.
func (s *Shard) checkFields() (types map[string]string, err error) {
	types = map[string]string{}
	for i, f := range s.fields() {
		switch {
		case !nameRule.MatchString(f.Name) || len(f.Name) > 40:
			return nil, s.wrong(f.Name, "%q must be a lower-case letter, then at most 39 letters, digits and _", f.Name)
		case slices.Contains(taken, f.Name) || i < len(s.Key) && slices.Contains(takenInKey, f.Name):
			return nil, s.wrong(f.Name, "this name is reserved for the archive; choose another")
		case types[f.Name] != "":
			return nil, s.wrong(f.Name, "is declared twice")
		case sqlTypes[f.Type] == "":
			return nil, s.wrong(f.Name, "type %q is not one of text, integer, number, boolean, timestamp, json", f.Type)
		case i < len(s.Key) && f.Type == JSON:
			return nil, s.wrong(f.Name, "a key field cannot be json")
		}
		types[f.Name] = f.Type
	}
	return types, nil
}

// holdsKey says whether names hold all key fields.
func (s *Shard) holdsKey(names []string) bool {
	for _, f := range s.Key {
		if !slices.Contains(names, f.Name) {
			return false
		}
	}
	return true
}

func (s *Shard) checkNames(names []string, types map[string]string) error {
	for i, n := range names {
		message := ""
		switch {
		case types[n] == "":
			message = "is not a field of this shard"
		case types[n] == JSON:
			message = "a json field cannot be part of a unique key or a scope"
		case slices.Contains(names[:i], n):
			message = "is named twice"
		default:
			continue
		}
		return &InputError{Shard: s.Name, Row: -1, Field: n, Message: message}
	}
	return nil
}

// fields are the key's, then the data's: the order of a fact's values.
func (s *Shard) fields() []Field { return append(slices.Clone(s.Key), s.Data...) }

// positions returns where fields of these names stand among fields().
func (s *Shard) positions(names []string) []int {
	var out []int
	for _, n := range names {
		out = append(out, slices.IndexFunc(s.fields(), func(f Field) bool { return f.Name == n }))
	}
	return out
}
