// Package sqlfile reads the long SQL statements of a package from files.
//
// A statement of more than about 8 lines is a file sql/NAME.sql beside the Go files that
// run it, and a comment on top says what it does and why:
//
//	//go:embed sql/*.sql
//	var files embed.FS
//
//	var queries = sqlfile.Read(files)
//
//	err := tx.Raw(queries.Must("claim"), db.Named("now", now, "limit", limit)).Scan(&due).Error
//
// A file is one statement, ready to be run: nothing is pasted into it. Conditions that
// several statements share are views or functions of the database. Its parameters are
// named, as GORM's are. A test of this package prepares every file on a migrated database
// and compares its parameters with those that are passed along with it, so its name and
// theirs are literals there.
package sqlfile

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Set holds a package's statements by the names of their files.
type Set map[string]string

// Read returns the statements in sql/*.sql.
func Read(files embed.FS) Set {
	entries, err := files.ReadDir("sql")
	if err != nil {
		panic(err) // Files are embedded from there, or this is not called.
	}
	s := Set{}
	for _, e := range entries {
		text, err := files.ReadFile(path.Join("sql", e.Name()))
		if err != nil {
			panic(err) // It is embedded.
		}
		s[strings.TrimSuffix(e.Name(), ".sql")] = Strip(string(text))
	}
	return s
}

// Must returns the statement of sql/NAME.sql, which is there.
func (s Set) Must(name string) string {
	text, ok := s[name]
	if !ok {
		panic(fmt.Sprintf("there is no sql/%s.sql", name))
	}
	return text
}

// Strip removes comments, in which GORM would take an @ for a parameter, and the
// semicolon at the end.
func Strip(text string) string {
	var out strings.Builder
	var quote byte // Of what i is in; 0: in none.
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.HasPrefix(text[i:], "--"):
			i += strings.IndexByte(text[i:]+"\n", '\n') - 1 // The end of the line stays.
			continue
		}
		out.WriteByte(text[i])
	}
	return strings.TrimSuffix(strings.TrimSpace(out.String()), ";")
}

var parameter = regexp.MustCompile(`@([a-z][a-z0-9_]*)`)

// Parameters returns the names of a statement's parameters, sorted.
func Parameters(statement string) []string {
	var names []string
	for _, m := range parameter.FindAllStringSubmatch(statement, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
