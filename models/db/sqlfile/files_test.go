package sqlfile_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/models/db/sqlfile"
	"laurel/models/modelstest"
)

// root is the folder of all models.
const root = "../.."

// A file is one statement, and the calls that run it.
type file struct {
	path, text string
	runs       []run
}

// all reads every sql/*.sql of models, with who runs it.
func all(t *testing.T) (files []file) {
	t.Helper()
	folders, err := filepath.Glob(root + "/*/sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		runs := map[string][]run{} // By statement.
		for _, r := range runsIn(t, filepath.Dir(folder)) {
			runs[r.statement] = append(runs[r.statement], r)
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(e.Name(), ".sql")
			files = append(files, file{path: path, text: string(text), runs: runs[name]})
			delete(runs, name)
		}
		for _, missing := range runs {
			t.Errorf("%s: there is no sql/%s.sql", missing[0].at, missing[0].statement)
		}
	}
	return files
}

// Every statement in a file is one that PostgreSQL can run on the tables as they are,
// and gets the parameters that it names, no more and no fewer.
func TestFiles(t *testing.T) {
	tx := modelstest.Tx(t)
	for _, f := range all(t) {
		t.Run(strings.TrimPrefix(f.path, root+"/"), func(t *testing.T) {
			statement := sqlfile.Strip(f.text)
			if err := prepare(tx, statement); err != nil {
				t.Error(err)
			}
			if len(f.runs) == 0 {
				t.Error("nobody runs it")
			}
			want := sqlfile.Parameters(statement)
			for _, r := range f.runs {
				if !slices.Equal(r.parameters, want) {
					t.Errorf("%s passes the parameters %q, the statement has %q", r.at, r.parameters, want)
				}
			}
			checkStyle(t, f.text, statement)
		})
	}
}

// prepare has PostgreSQL read the statement as GORM would send it.
func prepare(tx *gorm.DB, statement string) error {
	values := map[string]any{}
	for _, name := range sqlfile.Parameters(statement) {
		values[name] = 0
	}
	sent := tx.Session(&gorm.Session{DryRun: true}).Exec(statement, values).Statement.SQL.String()
	return tx.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("PREPARE checked AS " + sent).Error; err != nil {
			return err
		}
		return tx.Exec("DEALLOCATE checked").Error
	})
}

var (
	small     = regexp.MustCompile(`\b(select|from|where|and|or|not|join|insert|update|delete|values|returning|order by|group by|limit|case|when)\b`)
	literal   = regexp.MustCompile(`'[^']*'`)
	parameter = regexp.MustCompile(`@\w+`)
	misread   = regexp.MustCompile(`@[a-z0-9_]+[^a-z0-9_ ,)\n]`) // GORM takes more than that for the parameter's name.
)

func checkStyle(t *testing.T, text, statement string) {
	t.Helper()
	if !strings.HasPrefix(text, "-- ") {
		t.Error("it does not begin with a comment that says what it does")
	}
	for n, line := range strings.Split(text, "\n") {
		if len(line) > 120 || strings.Contains(line, "\t") || strings.TrimRight(line, " ") != line {
			t.Errorf("line %d has more than 120 columns, or a tab, or ends in a space", n+1)
		}
	}
	bare := parameter.ReplaceAllString(literal.ReplaceAllString(statement, "''"), "@")
	if found := small.FindString(bare); found != "" {
		t.Errorf("write %s in capitals", found)
	}
	if found := misread.FindString(statement); found != "" {
		t.Errorf("GORM misreads %q: write CAST(@name AS type), and a space behind a name", found)
	}
	if strings.ContainsAny(bare, "?;") {
		t.Error("it holds ? or ;")
	}
}
