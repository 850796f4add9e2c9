package archive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/modelstest"
)

// compareHistories goes through random histories, each in a transaction that is rolled back.
func compareHistories(t *testing.T, n int, evolves bool) {
	seed := uint64(time.Now().UnixNano())
	if soak() {
		n = 10_000
	}
	db := modelstest.DB(t)
	s := propertyShard(t, db)
	done := map[string]int{}
	for i := range n {
		w := &correcting{T: t, s: s, rnd: rand.New(rand.NewPCG(seed, uint64(i))), done: done, evolves: evolves, versions: 1, newest: -1}
		err := db.Transaction(func(tx *gorm.DB) error {
			w.db = tx
			w.run()
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
		if i%100 == 99 { // What was rolled back is in the way of the next ones.
			if err := db.Exec("VACUUM").Error; err != nil {
				t.Fatal(err)
			}
		}
		if i%1000 == 999 {
			t.Logf("%d histories, seed %d", i+1, seed)
		}
		if t.Failed() {
			t.Fatalf("seed %d, history %d:\n%s", seed, i, strings.Join(w.log, "\n"))
		}
	}
	t.Logf("%d histories, seed %d: %v", n, seed, done)
	all := []string{"stored", "conflict", "superseded", "retracted", "row retracted", "replayed", "replay of withdrawn"}
	if evolves {
		all = append(all, "changed", "unchanged", "violated", "retired", "lacking", "contradicting itself")
	}
	for _, what := range all {
		if done[what] == 0 && (n > 1000 || !evolves) {
			t.Errorf("nothing was %s", what)
		}
	}
}

// compare compares what is known now, and what was known at some ticks, with the model.
func (w *correcting) compare() {
	w.compareDiff()
	w.compareNames()
	ticks := []int{-1, w.tick, w.rnd.IntN(w.tick + 1), w.rnd.IntN(w.tick + 1)}
	for _, tick := range ticks {
		q := archive.Query{}
		known := w.tick
		if tick >= 0 {
			known, q.Known = tick, later.Add(time.Duration(tick)*time.Second)
		}
		want := w.m.history(known)
		rows, err := archive.History(w.Context(), w.db, w.s, q)
		w.equal(fmt.Sprintf("history known at %d", tick), rows, err, want)
		at := w.rnd.IntN(lastMinute + 1)
		rows, err = archive.At(w.Context(), w.db, w.s, q, minute(at))
		w.equal(fmt.Sprintf("at %d known at %d", at, tick), rows, err, validAt(want, at))
		f := modelFact{"x", fmt.Sprint(w.rnd.IntN(3))}
		q.Key = w.m.keyRow(f)
		rows, err = archive.History(w.Context(), w.db, w.s, q)
		w.equal(fmt.Sprintf("history of %v known at %d", q.Key, tick), rows, err, slices.DeleteFunc(want, func(r string) bool {
			return !strings.HasPrefix(r, f.key()+": ")
		}))
	}
	findings, err := archive.CheckShard(w.db, w.s)
	if err != nil || len(findings) > 0 {
		w.Errorf("check: %v %+v", err, findings)
	}
}

// compareDiff compares what differs between two instants.
func (w *correcting) compareDiff() {
	from, until := w.rnd.IntN(lastMinute), 0
	until = from + w.rnd.IntN(lastMinute+1-from)
	diff, err := archive.Diff(w.Context(), w.db, w.s, archive.Query{}, minute(from), minute(until))
	var got []string
	for _, d := range diff {
		got = append(got, w.differs(&d))
	}
	slices.Sort(got)
	if want := w.m.diff(from, until, w.tick); err != nil || !slices.Equal(got, want) {
		w.Errorf("diff of %d and %d: %v\n%s\nwant:\n%s", from, until, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (w *correcting) differs(d *archive.Difference) string {
	words := func(s *archive.Snapshot) string {
		if s == nil {
			return ""
		}
		return w.m.fact(s.Key, s.Data).data()
	}
	return fmt.Sprint(w.m.fact(d.Key, nil).key(), ": ", words(d.Before), " to ", words(d.After))
}

func (w *correcting) equal(what string, rows []archive.Snapshot, err error, want []string) {
	if got := w.m.words(rows); err != nil || !slices.Equal(got, want) {
		w.Errorf("%s: %v\n%s\nwant:\n%s", what, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
