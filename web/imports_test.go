package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// may is the architecture: which of our packages a package may import. A path
// that ends in /... stands for the package and all below it. Tests may import
// modelstest, the stand-in and what they test besides.
var may = []struct {
	pkg   string
	allow []string
}{
	{"laurel/web", []string{"laurel/..."}},
	{"laurel/handlers", []string{"laurel/handlers/...", "laurel/models/..."}},
	{"laurel/handlers/web", []string{"laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/handlerstest", []string{"laurel/handlers/...", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/admin", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/archive", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/awards", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/badges", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/community", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/follows", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/forums", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/members", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/metrics", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/notices", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/posts", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/profiles", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/pushes", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/rankings", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/handlers/sites", []string{"laurel/handlers/web", "laurel/models/...", "laurel/views/..."}},
	{"laurel/views", nil},
	{"laurel/views/parts", []string{"laurel/views/texts"}},
	{"laurel/views/texts", nil},
	{"laurel/views/texts/extract", nil},
	{"laurel/views/charts", []string{"laurel/views/parts", "laurel/views/texts"}},
	{"laurel/views/cards", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/viewstest", []string{"laurel/views/parts"}},
	{"laurel/views/admin", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/archive", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/awards", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/badges", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/home", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/follows", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/forums", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/members", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/notices", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/posts", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/profiles", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/pushes", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/views/retrieval", []string{"laurel/views/parts", "laurel/views/charts", "laurel/views/texts"}},
	{"laurel/jobs", []string{"laurel/models/...", "laurel/jobs/..."}},
	{"laurel/jobs/archive", []string{"laurel/models/..."}},
	{"laurel/jobs/awards", []string{"laurel/models/...", "laurel/jobs/pass"}},
	{"laurel/jobs/bus", []string{"laurel/models/..."}},
	{"laurel/jobs/catalogue", []string{"laurel/models/...", "laurel/jobs/polite", "laurel/jobs/sites"}},
	{"laurel/jobs/harvest", []string{"laurel/models/...", "laurel/jobs/pass", "laurel/jobs/polite", "laurel/jobs/forums", "laurel/jobs/networks", "laurel/jobs/sites"}},
	{"laurel/jobs/notices", []string{"laurel/models/...", "laurel/jobs/pass", "laurel/jobs/mail"}},
	{"laurel/jobs/posts", []string{"laurel/models/...", "laurel/jobs/pass", "laurel/jobs/polite", "laurel/jobs/networks"}},
	{"laurel/jobs/retrieval", []string{"laurel/models/...", "laurel/jobs/pass", "laurel/jobs/polite", "laurel/jobs/sites"}},
	{"laurel/jobs/pass", nil},
	{"laurel/jobs/jobstest", []string{"laurel/models/...", "laurel/jobs/..."}},
	{"laurel/jobs/mail", nil},
	{"laurel/jobs/mail/mailtest", nil},
	{"laurel/jobs/fakesite", nil},
	{"laurel/jobs/forums", []string{"laurel/jobs/registry"}},
	{"laurel/jobs/networks", []string{"laurel/jobs/registry"}},
	{"laurel/jobs/polite", nil},
	{"laurel/jobs/registry", nil},
	{"laurel/jobs/sites", []string{"laurel/jobs/registry"}},
	{"laurel/jobs/standin", []string{"laurel/jobs/registry"}},
	{"laurel/jobs/bench", []string{"laurel/..."}},
	{"laurel/jobs/simulate", []string{"laurel/..."}},
	{"laurel/models/accounts", []string{"laurel/models/db/...", "laurel/models/members", "laurel/models/submissions", "laurel/models/history", "laurel/models/awards", "laurel/models/notices", "laurel/models/archive", "laurel/models/responses"}},
	{"laurel/models/archive", []string{"laurel/models/db/...", "laurel/models/members", "laurel/models/archive/shards"}},
	{"laurel/models/archive/shards", []string{"laurel/models/db"}},
	{"laurel/models/awards", []string{"laurel/models/db/...", "laurel/models/events", "laurel/models/members", "laurel/models/submissions", "laurel/models/notices", "laurel/models/badges", "laurel/models/badges/openbadge", "laurel/models/awards/rules"}},
	{"laurel/models/awards/ingest", []string{"laurel/models/awards", "laurel/models/awards/firehose", "laurel/models/awards/rules", "laurel/models/events"}},
	{"laurel/models/awards/rules", nil},
	{"laurel/models/awards/firehose", []string{"laurel/models/awards/rules"}},
	{"laurel/models/badges", []string{"laurel/models/awards/rules", "laurel/models/db/...", "laurel/models/members", "laurel/models/badges/openbadge"}},
	{"laurel/models/badges/openbadge", nil},
	{"laurel/models/community", []string{"laurel/models/db/...", "laurel/models/members"}},
	{"laurel/models/db", nil},
	{"laurel/models/db/sqlfile", nil},
	{"laurel/models/events", []string{"laurel/models/db/...", "laurel/models/awards/rules"}},
	{"laurel/models/follows", []string{"laurel/models/db/...", "laurel/models/members", "laurel/models/notices"}},
	{"laurel/models/forums", []string{"laurel/models/db/...", "laurel/models/events", "laurel/models/members", "laurel/models/posts", "laurel/models/responses"}},
	{"laurel/models/history", []string{"laurel/models/db/...", "laurel/models/members", "laurel/models/submissions", "laurel/models/archive", "laurel/models/archive/shards", "laurel/models/standings"}},
	{"laurel/models/kafka", []string{"laurel/models/db/...", "laurel/models/events", "laurel/models/awards/rules"}},
	{"laurel/models/localpg", nil},
	{"laurel/models/members", []string{"laurel/models/db/..."}},
	{"laurel/models/modelstest", []string{"laurel/models/...", "laurel/migrations"}},
	{"laurel/models/notices", []string{"laurel/models/db/...", "laurel/models/events"}},
	{"laurel/models/overview", []string{"laurel/models/db/..."}},
	{"laurel/models/polite", []string{"laurel/models/db/..."}},
	{"laurel/models/posts", []string{"laurel/models/db/...", "laurel/models/events", "laurel/models/members", "laurel/models/archive", "laurel/models/archive/shards", "laurel/models/responses"}},
	{"laurel/models/problems", []string{"laurel/models/db/..."}},
	{"laurel/models/profiles", []string{"laurel/models/db/...", "laurel/models/members", "laurel/models/submissions", "laurel/models/forums"}},
	{"laurel/models/reports", []string{"laurel/models/db/...", "laurel/models/members"}},
	{"laurel/models/responses", []string{"laurel/models/db/..."}},
	{"laurel/models/pushes", []string{"laurel/models/db/...", "laurel/models/members", "laurel/models/submissions", "laurel/models/history"}},
	{"laurel/models/retrieval", []string{"laurel/models/db/...", "laurel/models/responses", "laurel/models/events", "laurel/models/members", "laurel/models/submissions", "laurel/models/standings", "laurel/models/history", "laurel/models/notices", "laurel/models/archive", "laurel/models/archive/shards"}},
	{"laurel/models/submissions", []string{"laurel/models/db/...", "laurel/models/events", "laurel/models/members", "laurel/models/polite", "laurel/models/standings"}},
	{"laurel/models/standings", []string{"laurel/models/db/...", "laurel/models/members"}},
	{"laurel/migrations", nil},
	{"laurel/static", nil},
	{"laurel/static/build", nil},
}

// mustNot lists what is not ours and still out of place.
var mustNot = map[string][]string{
	"laurel/views":         {"gorm.io/gorm"},
	"laurel/jobs":          {"github.com/labstack/echo/v4"},
	"laurel/jobs/forums":   {"gorm.io/gorm", "net/http"},
	"laurel/jobs/networks": {"gorm.io/gorm", "net/http"},
	"laurel/jobs/sites":    {"gorm.io/gorm", "net/http"},
	"laurel/models/...":    {"github.com/labstack/echo/v4", "net/http"},
	"laurel/handlers/...":  {"github.com/jackc/pgx/v5", "github.com/jackc/pgx/v5/pgconn"},
}

func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "laurel/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		i := slices.IndexFunc(may, func(m struct {
			pkg   string
			allow []string
		}) bool {
			return m.pkg == pkg
		})
		if i < 0 {
			t.Errorf("%s is not in the table: say what it may import", pkg)
			continue
		}
		for imported := range strings.FieldsSeq(imports) {
			if strings.HasPrefix(imported, "laurel/") && !allowed(may[i].allow, imported) {
				t.Errorf("%s imports %s, which it must not", pkg, imported)
			}
			if outOfPlace(pkg, imported) {
				t.Errorf("%s imports %s, which is out of place there", pkg, imported)
			}
			if imported == "laurel/jobs/fakesite" || imported == "laurel/jobs/jobstest" || imported == "laurel/handlers/handlerstest" {
				t.Errorf("%s imports the helpers of tests: only tests may", pkg)
			}
			if imported == "laurel/jobs/standin" && pkg != "laurel/web" && pkg != "laurel/jobs/jobstest" {
				t.Errorf("%s imports the stand-in: only web and tests may", pkg)
			}
		}
	}
}

func outOfPlace(pkg, imported string) bool {
	for place, names := range mustNot {
		if allowed([]string{place}, pkg) && slices.Contains(names, imported) {
			return true
		}
	}
	return false
}

func allowed(allow []string, imported string) bool {
	return slices.ContainsFunc(allow, func(a string) bool {
		below, tree := strings.CutSuffix(a, "/...")
		return imported == a || tree && (imported == below || strings.HasPrefix(imported, below+"/"))
	})
}
