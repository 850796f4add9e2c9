package harvest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
	pg "laurel/models/db"
)

// indexed serves what was recorded of a server whose answers are not files: an
// index of request paths, files, statuses and headers.
func indexed(t *testing.T, dir string) http.Handler {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		file   string
		status int
	}
	answers := map[string]answer{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) >= 3 {
			status, err := strconv.Atoi(f[2])
			if err != nil {
				status = http.StatusOK
			}
			answers[f[0]] = answer{f[1], status}
		}
	}
	return http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		a, ok := answers[strings.TrimSuffix(req.URL.RequestURI(), "&offset=0")] // Which is what it is without.
		if !ok {
			http.NotFound(res, req)
			return
		}
		body, err := os.ReadFile(filepath.Join(dir, a.file))
		if err != nil {
			http.Error(res, err.Error(), http.StatusInternalServerError)
			return
		}
		res.WriteHeader(a.status)
		_, _ = res.Write(body)
	})
}

func TestListsWithoutPeriodsAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, dir, base string
		messages        int
	}{
		{"hyperkitty", "hyperkitty-api", "/hyperkitty/list/imagej-devel@imagej.net/", 80},
		{"public-inbox", "public-inbox", "/imagej-devel/", 49}, // The two newest pages were recorded.
	} {
		w := newArchiveWorld(t, indexed(t, fakesite.RecordedPath(t, "harvest/"+tt.dir)))
		w.add("devel", tt.kind, tt.base)
		run := w.harvest("devel")
		asked := w.requests()
		if run.New != tt.messages || run.Outcome != pg.OutcomeOK {
			t.Errorf("%s: %+v after %d requests: %q", tt.kind, run, len(asked), asked)
			continue
		}
		t.Logf("%s: %d messages in %d requests", tt.kind, run.New, len(asked))
		if run := w.harvest("devel"); run.New != 0 || run.Outcome != pg.OutcomeOK || run.Requests > 3 {
			t.Errorf("%s again: %+v", tt.kind, run)
		}
	}
}
