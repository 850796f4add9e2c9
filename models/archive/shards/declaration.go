// Package shards says what a shard is: its declaration, the facts of its rows, and what
// rows they make when they are folded. It asks no database.
//
// A small file here declares each shard that Laurel feeds itself. Its tables are in the migrations.
package shards

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Types of fields.
const (
	Text      = "text"
	Integer   = "integer"
	Number    = "number"
	Boolean   = "boolean"
	Timestamp = "timestamp"
	JSON      = "json"
	ListType  = "list" // Stored by the name that its content gives it, see List.
)

// A Field is one column of a shard.
type Field struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// SQLType is the type of the field's column.
func (f Field) SQLType() string { return sqlTypes[f.Type] }

// Document says whether values are documents: no key, unique key, scope or filter has such a field.
func (f Field) Document() bool { return f.Type == JSON || f.Type == ListType }

// A Declaration says what a shard is: a group of fields that change together. At any
// instant there is at most one row per key, and per value of each further unique key.
type Declaration struct {
	Name   string     `json:"name"`
	Title  string     `json:"title"`
	Key    []Field    `json:"key"`
	Data   []Field    `json:"data"`
	Unique [][]string `json:"unique"` // Fields of key and data, mixed as needed.
	// Scope is what a response can be complete for, e.g. one ranking of many.
	Scope []string `json:"scope"`

	// What became of it since it was declared; see Next.
	Since    map[string]time.Time `json:"since,omitempty"`    // Data fields that were added, and from when they are asked.
	Retired  *time.Time           `json:"retired,omitempty"`  // It takes no more responses.
	Formerly []string             `json:"formerly,omitempty"` // Names that it had; the first one is in the names of its tables.
	Dropped  [][]string           `json:"dropped,omitempty"`  // Unique keys that it had.
	Wide     bool                 `json:"wide,omitempty"`     // Responses lock all of it: its groups were others once.
}

// Stored is the name under which rows, lists of what was set aside and complete scopes are stored.
func (d *Declaration) Stored() string {
	if len(d.Formerly) > 0 {
		return d.Formerly[0]
	}
	return d.Name
}

// Answers says whether the shard has a name, or had it.
func (d *Declaration) Answers(name string) bool {
	return d.Name == name || slices.Contains(d.Formerly, name)
}

// registered are the shards that Laurel feeds itself, by name.
var registered = map[string]*Declaration{}

func register(d *Declaration) {
	if err := d.Check(); err != nil {
		panic(err)
	}
	if registered[d.Name] != nil {
		panic("shards: a second shard " + d.Name)
	}
	registered[d.Name] = d
}

// All returns the declarations of the shards that Laurel feeds itself, by name.
func All() []*Declaration {
	return slices.SortedFunc(maps.Values(registered), func(a, b *Declaration) int { return strings.Compare(a.Name, b.Name) })
}

var (
	nameRule = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	sqlTypes = map[string]string{Text: "text", Integer: "bigint", Number: "double precision", Boolean: "boolean", Timestamp: "timestamptz",
		JSON: "jsonb", ListType: "text"}
	// System columns of PostgreSQL, and what rows and addresses of the API say besides fields.
	taken = []string{"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "retrieved_at"}
	// What a query says besides key fields.
	takenInKey = []string{"at", "limit", "cursor"}
)

// notAsked is what files and views call the list of added fields that a row does not have.
const notAsked = "not_asked"

const maxFields, maxUnique = 64, 8

// Check says what is wrong with a declaration.
func (d *Declaration) Check() error {
	switch {
	case !nameRule.MatchString(d.Name) || len(d.Name) > 40:
		return &InputError{Row: -1, Field: "name", Message: fmt.Sprintf(
			"%q must be a lower-case letter, then at most 39 letters, digits and _", d.Name)}
	case len(d.Title) > 200:
		return d.wrong("title", "is longer than 200 bytes")
	case len(d.Key) == 0:
		return d.wrong("key", "needs at least one field")
	case len(d.Key)+len(d.Data) > maxFields:
		return d.wrong("data", "at most %d fields", maxFields)
	case len(d.Unique) > maxUnique:
		return d.wrong("unique", "at most %d further keys", maxUnique)
	}
	if slices.Contains(fieldNames(d.Fields()), notAsked) && len(d.Since) > 0 {
		return d.wrong(notAsked, "a shard with fields that were added cannot have a field of this name; rename it in the same change")
	}
	types, err := d.checkFields()
	if err != nil {
		return err
	}
	for _, names := range append(slices.Clone(d.Unique), d.Scope) {
		if err := d.checkNames(names, types); err != nil {
			return err
		}
	}
	for i, u := range d.Unique {
		if len(u) == 0 {
			return d.wrong("unique", "key %d has no fields", i)
		}
		if d.holdsKey(u) {
			return d.wrong("unique", "key %d contains the whole key, so it adds nothing", i)
		}
	}
	return nil
}

func (d *Declaration) wrong(field, format string, args ...any) error {
	return &InputError{Shard: d.Name, Row: -1, Field: field, Message: fmt.Sprintf(format, args...)}
}

// checkFields says what is wrong with a field, else the type of each.
func (d *Declaration) checkFields() (types map[string]string, err error) {
	types = map[string]string{}
	for i, f := range d.Fields() {
		switch {
		case !nameRule.MatchString(f.Name) || len(f.Name) > 40:
			return nil, d.wrong(f.Name, "%q must be a lower-case letter, then at most 39 letters, digits and _", f.Name)
		case slices.Contains(taken, f.Name) || i < len(d.Key) && slices.Contains(takenInKey, f.Name):
			return nil, d.wrong(f.Name, "this name is reserved for the archive; choose another")
		case types[f.Name] != "":
			return nil, d.wrong(f.Name, "is declared twice")
		case sqlTypes[f.Type] == "":
			return nil, d.wrong(f.Name, "type %q is not one of text, integer, number, boolean, timestamp, json, list", f.Type)
		case i < len(d.Key) && f.Document():
			return nil, d.wrong(f.Name, "a key field cannot be %s", f.Type)
		}
		types[f.Name] = f.Type
	}
	return types, nil
}

// holdsKey says whether names hold all key fields.
func (d *Declaration) holdsKey(names []string) bool {
	for _, f := range d.Key {
		if !slices.Contains(names, f.Name) {
			return false
		}
	}
	return true
}

func (d *Declaration) checkNames(names []string, types map[string]string) error {
	for i, n := range names {
		message := ""
		switch {
		case types[n] == "":
			message = "is not a field of this shard"
		case Field{Type: types[n]}.Document():
			message = "a " + types[n] + " field cannot be part of a unique key or a scope"
		case slices.Contains(names[:i], n):
			message = "is named twice"
		default:
			continue
		}
		return &InputError{Shard: d.Name, Row: -1, Field: n, Message: message}
	}
	return nil
}

// Fields are the key's, then the data's: the order of a fact's values.
func (d *Declaration) Fields() []Field { return append(slices.Clone(d.Key), d.Data...) }

// Positions returns where fields of these names stand among Fields.
func (d *Declaration) Positions(names []string) []int {
	var out []int
	for _, n := range names {
		out = append(out, slices.IndexFunc(d.Fields(), func(f Field) bool { return f.Name == n }))
	}
	return out
}
