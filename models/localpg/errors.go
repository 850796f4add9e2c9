package localpg

import (
	"fmt"
	"strings"
)

// notFound says what was searched for, why nothing could be fetched, and what to do.
func notFound(s search, fetching error) error {
	return fmt.Errorf(`no PostgreSQL server found and none could be fetched
  looked for postgres and initdb, version %d or newer, in: %s%s
  fetching: %w
Do one of:
  Debian/Ubuntu: sudo apt-get install -y postgresql
  macOS:         brew install postgresql@17
  elsewhere:     PG_BIN_DIR=the directory that holds postgres and initdb
  your own:      DATABASE_URL=postgres://user:pass@host/db  (PostgreSQL %[1]d or newer)`,
		oldest, strings.Join(s.searched, ", "), tooOld(s.other), fetching)
}

// wrongMajor is for a cluster whose version is not installed any more. The
// cluster is the members' data: it is never made again to fit.
func wrongMajor(data string, major int, s search, fetching error) error {
	return fmt.Errorf(`%s was made by PostgreSQL %d; found only %s
  fetching: %w
Do one of:
  install PostgreSQL %[2]d (Debian/Ubuntu: sudo apt-get install -y postgresql-%[2]d) or name its directory in PG_BIN_DIR
  move %[1]s away to begin with an empty database; its contents come over with pg_dump and pg_restore`,
		data, major, list(s.other), fetching)
}

func tooOld(others []binaries) string {
	if len(others) == 0 {
		return ""
	}
	return "\n  found, but too old: " + list(others)
}

func list(bs []binaries) string {
	if len(bs) == 0 {
		return "none"
	}
	var words []string
	for _, b := range bs {
		words = append(words, fmt.Sprintf("%d at %s", b.major, b.dir))
	}
	return strings.Join(words, ", ")
}
