package harvest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
	"laurel/jobs/jobstest"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// A list that is checked while it grows is known whole in the end, however often
// it is checked; whoever stops at the first message that is known loses some.
func TestWhatArrivesLateIsFound(t *testing.T) {
	t.Parallel()
	n := 100
	if jobstest.Soak() {
		n = 1500
	}
	for _, every := range []int{1, 5, 20} {
		for _, noBulk := range []bool{false, true} {
			t.Run(fmt.Sprintf("every %d, by file %t", every, !noBulk), func(t *testing.T) {
				t.Parallel()
				grow(t, tides(n, modelstest.Noon), every, noBulk)
			})
		}
	}
}

// The same with the numbers, dates and pages of a real list.
func TestWhatArrivedLateAtARealListIsFound(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	file, err := os.Open(filepath.Join(dir, "messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var all []listMail
	for d := json.NewDecoder(file); d.More(); {
		var m struct {
			Path, Subject, Author string
			Place                 int `json:"pos_in_date_html"`
		}
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		number, err := strconv.Atoi(strings.TrimSuffix(path.Base(m.Path), ".html"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, listMail{number: number, period: path.Dir(m.Path), place: m.Place, title: m.Subject, author: m.Author, page: func() []byte {
			page, _ := os.ReadFile(filepath.Join(dir, m.Path))
			return page
		}})
	}
	slices.SortFunc(all, func(a, b listMail) int { return a.number - b.number })
	for _, every := range []int{5, 20} {
		t.Run(fmt.Sprintf("every %d", every), func(t *testing.T) {
			t.Parallel()
			grow(t, slices.Clone(all), every, true)
		})
	}
}

// grow lets messages arrive and looks after every few. At the end the archive is
// checked once more a month later: what only a whole look shows is found then.
func grow(t *testing.T, arriving []listMail, every int, noBulk bool) {
	l := &mailingList{noBulk: noBulk}
	w, naive := newArchiveWorld(t, l), naiveWalk{map[string]bool{}}
	w.add("tides", "pipermail", "/list/")
	late := 0
	for i, m := range arriving {
		l.arrive(m)
		w.clock.Pass(8 * 24 * time.Hour)
		if (i+1)%every != 0 && i+1 < len(arriving) {
			continue
		}
		naive.look(t, l)
		if run := w.harvest("tides"); run.Outcome != pg.OutcomeOK || run.Missing > 0 || run.Duplicates > 0 {
			t.Fatalf("after %d: %+v", i+1, run)
		}
		if n := w.count(`SELECT messages FROM forums`); n < i+1 {
			late++
		}
	}
	w.clock.Pass(31 * 24 * time.Hour)
	w.harvest("tides")
	if n := w.count(`SELECT count(*) FROM messages`); n != len(arriving) {
		t.Errorf("%d of %d messages are stored", n, len(arriving))
	}
	lost := len(arriving) - len(naive.seen)
	t.Logf("%d messages, %d requests; %d looks did not find all at once; who stops at the first that is known loses %d", len(arriving), len(w.requests()), late, lost)
	if lost == 0 {
		t.Error("the naive walk loses nothing: this list proves nothing")
	}
}
