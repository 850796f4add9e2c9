package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldest is the oldest major version of PostgreSQL that Laurel runs on.
const oldest = 14

// binaries are the programs of one PostgreSQL installation.
type binaries struct {
	dir   string
	major int
}

// A finder looks for binaries on this machine.
type finder struct {
	getenv func(string) string
	globs  []string // Where systems put binaries, as patterns of directories.
}

func systemFinder() finder {
	return finder{getenv: os.Getenv, globs: []string{
		"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
		"/usr/pgsql-*/bin",          // Red Hat
		"/usr/libexec/postgresql*",  // Alpine
		"/opt/homebrew/opt/postgresql*/bin",
		"/usr/local/opt/postgresql*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
		"/usr/local/pgsql/bin",
	}}
}

// program finds a program in PATH.
func (f finder) program(name string) (string, error) {
	for _, dir := range filepath.SplitList(f.getenv("PATH")) {
		file := filepath.Join(dir, name)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is not in PATH", name)
}

// A search is what was found and where, also for the text that says that
// nothing was.
type search struct {
	fit      []binaries // Best first.
	other    []binaries // Work, but are of the wrong major version.
	searched []string   // Every place, with the reason where something there does not work.
}

// local searches this machine for binaries of the wanted major version, or, when
// it is 0, of any that is new enough: those of PG_BIN_DIR first, then the newest.
func (f finder) local(ctx context.Context, want int, p place) search {
	var s search
	s.scan(ctx, f.getenv("PG_BIN_DIR"), want, p.as)
	given := len(s.fit)
	for _, glob := range append(append(slices.Clone(f.globs), filepath.SplitList(f.getenv("PATH"))...), p.pgbin("*", "bin")) {
		s.scan(ctx, glob, want, p.as)
	}
	slices.SortStableFunc(s.fit[given:], func(a, b binaries) int { return b.major - a.major })
	return s
}

// scan adds what is in the directories that glob matches.
func (s *search) scan(ctx context.Context, glob string, want int, as *account) {
	dirs, _ := filepath.Glob(glob)
	if len(dirs) == 0 && glob != "" {
		s.searched = append(s.searched, glob)
	}
	for _, dir := range dirs {
		b, err := inspect(ctx, dir, as)
		switch {
		case err != nil:
			s.searched = append(s.searched, dir+reason(err))
		case slices.Contains(s.fit, b) || slices.Contains(s.other, b):
		case b.major < oldest || want != 0 && b.major != want:
			s.other = append(s.other, b)
		default:
			s.fit = append(s.fit, b)
		}
	}
}

// errNothing is a directory without PostgreSQL in it: the usual case, which
// needs no words.
var errNothing = errors.New("")

func reason(err error) string {
	if errors.Is(err, errNothing) {
		return ""
	}
	return " (" + err.Error() + ")"
}

var versionText = regexp.MustCompile(`^postgres \(PostgreSQL\) (\d+)`)

// inspect runs what is in dir as the account that will run the server: only so
// do a missing library and a directory in the way show.
func inspect(ctx context.Context, dir string, as *account) (binaries, error) {
	postgres, err := realPath(filepath.Join(dir, "postgres")) // In PATH it is often a link.
	if err != nil {
		return binaries{}, errNothing
	}
	dir = filepath.Dir(postgres)
	if !exists(filepath.Join(dir, "initdb")) {
		return binaries{}, errNothing
	}
	if at := as.blockedAt(dir); at != "" {
		return binaries{}, fmt.Errorf("user %s cannot pass %s", as.name, at)
	}
	out, err := as.command(ctx, postgres, "--version").CombinedOutput()
	m := versionText.FindSubmatch(out)
	if err != nil || m == nil {
		return binaries{}, fmt.Errorf("does not run: %s", strings.TrimSpace(fmt.Sprint(err, " ", string(out))))
	}
	major, err := strconv.Atoi(string(m[1]))
	return binaries{dir: dir, major: major}, err
}
