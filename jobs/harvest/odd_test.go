package harvest_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
	pg "laurel/models/db"
	"laurel/models/forums"
)

// unpacked returns the files of a recorded archive.
func unpacked(t *testing.T, name string) map[string][]byte {
	t.Helper()
	file, err := os.Open(filepath.Join(fakesite.RecordedPath(t, "harvest/"+path.Dir(name)), path.Base(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	gz, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

var messagePage = regexp.MustCompile(`2005-March/(\d{6})\.html$`)

// numbered returns date.html of a month as it was before the archive was rebuilt
// and every message got another number, and as it was after that. What was recorded
// lists three by their old numbers still.
func numbered(files map[string][]byte) (before, anew []byte) {
	var old, renewed []string
	for name := range files {
		if m := messagePage.FindStringSubmatch(name); m != nil && m[1] < "020000" {
			old = append(old, m[1]+".html")
		} else if m != nil {
			renewed = append(renewed, m[1]+".html")
		}
	}
	slices.Sort(old)
	slices.Sort(renewed)
	var back, forth []string
	for i := range old {
		back, forth = append(back, renewed[i], old[i]), append(forth, old[i], renewed[i])
	}
	page := string(files["twisted-python/2005-March/date.html"])
	return []byte(strings.NewReplacer(back...).Replace(page)), []byte(strings.NewReplacer(forth...).Replace(page))
}

// An archive that was rebuilt has other addresses for what is known, and a month
// of 1945. Nothing is stored twice, and what is odd is said.
func TestARealArchiveThatWasRebuilt(t *testing.T) {
	t.Parallel()
	files := unpacked(t, "pipermail-twisted-python-odd/twisted-python-odd.tar.gz")
	march, renumbered := numbered(files)
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		name := strings.TrimPrefix(req.URL.Path, "/pipermail/")
		if strings.HasSuffix(name, "/twisted-python/") || name == "twisted-python/" {
			name = "twisted-python/index.html"
		}
		body, ok := files[name]
		if name == "twisted-python/2005-March/date.html" {
			body = march
		}
		if !ok {
			http.NotFound(res, req)
			return
		}
		_, _ = res.Write(body)
	}))
	w.add("python", "pipermail", "/pipermail/twisted-python/")
	first := w.harvest("python")
	inMarch := `SELECT count(*) FROM messages WHERE period = '2005-March'`
	if n := w.count(inMarch); n != 337 || first.Outcome != pg.OutcomeOK || first.Duplicates != 0 || first.Missing != 245 {
		t.Errorf("the first run stores %d messages of March 2005: %+v", n, first)
	}
	if n := w.count(`SELECT count(*) FROM messages WHERE period = '1945-February'`); n != 2 {
		t.Errorf("%d messages of 1945", n)
	}
	asked := len(w.requests())
	if second := w.harvest("python"); second.New != 0 || second.Requests > 5 {
		t.Errorf("after %d requests the second run is %+v: what is not there is asked for again", asked, second)
	}
	march = renumbered
	if _, err := forums.Kick(t.Context(), w.DB.DB, "python", false, true, w.Now()); err != nil {
		t.Fatal(err)
	}
	run, _, err := w.HarvestOne(t.Context(), "python")
	if err != nil || run.New != 0 || run.Duplicates != 337 || run.Outcome != pg.OutcomeOK {
		t.Errorf("the run over the archive made anew is %+v, %v", run, err)
	}
	if n := w.count(`SELECT count(*) FROM message_duplicates`); n != 337 {
		t.Errorf("%d hints at second addresses", n)
	}
	if n := w.count(inMarch); n != 337 {
		t.Errorf("%d messages of March 2005", n)
	}
}

// What other readers of archives have stumbled over comes as a month's file here.
func TestOddMailsAreHarvested(t *testing.T) {
	t.Parallel()
	var odd []listMail
	for _, pattern := range []string{"hyperkitty-odd-mails/*.txt", "perceval/*/*.mbox"} {
		names, err := filepath.Glob(filepath.Join(fakesite.RecordedPath(t, "harvest"), filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			m := newMail(len(odd), time.Date(2020, time.January, 1+len(odd)%28, 0, 0, 0, 0, time.UTC))
			m.letter = string(body) + "\n\n"
			if !strings.HasPrefix(m.letter, "From ") {
				m.letter = "From nobody at example.org  Wed Jan  1 00:00:00 2020\n" + m.letter
			}
			odd = append(odd, m)
		}
	}
	l := &mailingList{mails: odd}
	w := newArchiveWorld(t, l)
	w.add("odd", "pipermail", "/list/")
	if run := w.harvest("odd"); run.Outcome != pg.OutcomeOK || run.New != len(odd) || run.Missing != 0 {
		t.Errorf("%d odd mails: %+v", len(odd), run)
	}
	w.clock.Pass(40 * 24 * time.Hour)
	if run := w.harvest("odd"); run.Outcome != pg.OutcomeOK || run.New != 0 || run.Duplicates != 0 {
		t.Errorf("a month later: %+v", run)
	}
	if n := w.count(fmt.Sprintf(`SELECT count(*) FROM messages WHERE body = '' OR author = '' AND number < %d`, len(odd))); n > len(odd)/2 {
		t.Errorf("%d messages say nothing", n)
	}
}
