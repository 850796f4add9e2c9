package localpg

import (
	"os"
	"path/filepath"
	"testing"
)

// nowhere is a machine without PostgreSQL and without ways to fetch one.
func nowhere(set map[string]string) finder {
	return finder{getenv: func(name string) string { return set[name] }, globs: []string{"/nonexistent/postgresql/*/bin"}}
}

// fakeBinaries makes a directory with programs that say they are of a version.
func fakeBinaries(t *testing.T, version string) string {
	t.Helper()
	dir := dataDir(t)
	script := "#!/bin/sh\necho 'postgres (PostgreSQL) " + version + "'\n"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"postgres", "initdb"} {
		if err := os.WriteFile(filepath.Join(dir, program), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestChoiceOfBinaries(t *testing.T) {
	v13, v15, v17 := fakeBinaries(t, "13.1"), fakeBinaries(t, "15.18 (Debian)"), fakeBinaries(t, "17beta2")
	broken := fakeBinaries(t, "16")
	if err := os.WriteFile(filepath.Join(broken, "postgres"), []byte("#!/bin/sh\necho libicu is missing; exit 127\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name        string
		globs       []string
		given, path string
		major       int
		want        string
	}{
		{"newest first", []string{v15, v17}, "", "", 0, v17},
		{"as the cluster", []string{v15, v17}, "", "", 15, v15},
		{"PG_BIN_DIR before newer ones", []string{v17}, v15, "", 0, v15},
		{"PG_BIN_DIR does not fit the cluster", []string{v17}, v15, "", 17, v17},
		{"in PATH", nil, "", "/nonexistent:" + v15, 0, v15},
		{"too old", []string{v13}, "", "", 0, ""},
		{"broken", []string{broken}, "", "", 0, ""},
		{"broken before a good one", []string{broken, v15}, "", "", 0, v15},
		{"other major", []string{v15}, "", "", 16, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := nowhere(map[string]string{"PG_BIN_DIR": tt.given, "PATH": tt.path})
			f.globs = tt.globs
			as, err := accountFor("/nonexistent")
			if err != nil {
				t.Fatal(err)
			}
			s := f.local(t.Context(), tt.major, place{home: "/nonexistent", as: as})
			got := ""
			if len(s.fit) > 0 {
				got = s.fit[0].dir
			}
			if got != tt.want {
				t.Errorf("chose %q, want %q; search %+v", got, tt.want, s)
			}
		})
	}
}

func TestNoBinariesAnywhere(t *testing.T) {
	dir, broken := dataDir(t), fakeBinaries(t, "")
	_, err := open(t.Context(), Options{Dir: dir, Log: discard}, nowhere(map[string]string{
		"PG_BIN_DIR": broken, "PATH": "/nonexistent/bin", "LAUREL_PG_DOWNLOAD": "off"}))
	wants(t, err, "/nonexistent/postgresql/*/bin", "/nonexistent/bin", broken+" (does not run", "LAUREL_PG_DOWNLOAD is off",
		"apt-get install -y postgresql", "brew install", "DATABASE_URL=postgres://")
	if exists(filepath.Join(dir, "pg")) {
		t.Error("something was made")
	}
}

func TestClusterOfAnotherMajorIsLeftAlone(t *testing.T) {
	dir := clusterDir(t)
	version := filepath.Join(dir, "pg", "PG_VERSION")
	if err := os.WriteFile(version, []byte("11\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LAUREL_PG_DOWNLOAD", "off")
	_, err := Open(t.Context(), Options{Dir: dir, Log: discard})
	wants(t, err, "was made by PostgreSQL 11; found only", "install PostgreSQL 11", "move "+filepath.Join(dir, "pg")+" away")
	if got, _ := os.ReadFile(version); string(got) != "11\n" {
		t.Errorf("PG_VERSION is now %q", got)
	}
}

func TestDirectoryThatIsNoCluster(t *testing.T) {
	dir := dataDir(t)
	precious := filepath.Join(dir, "pg", "base")
	if err := os.MkdirAll(precious, 0o755); err != nil {
		t.Fatal(err)
	}
	if p, err := findPlace(dir, discard); err != nil || p.as.giveAll(p.data()) != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: dir, Log: discard})
	wants(t, err, "is not a PostgreSQL cluster", "backup", "move it away")
	if !exists(precious) {
		t.Error("the directory was removed")
	}
}
