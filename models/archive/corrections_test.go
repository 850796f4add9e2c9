package archive_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
)

// What was believed at any time of any instant, after random responses, corrections, retractions and
// replays in random order, is what the model says of it; and the check finds nothing.
func TestCorrectionsAreTheModel(t *testing.T) {
	compareHistories(t, 60, false)
}

type correcting struct {
	*testing.T
	db   *gorm.DB
	s    *archive.Shard
	rnd  *rand.Rand
	m    model
	tick int
	log  []string
	done map[string]int

	names    []string // Of the shard, also former ones.
	evolves  bool
	versions int
	newest   int // Minute of the log; -1 while it is empty.
}

func (w *correcting) now() time.Time { return later.Add(time.Duration(w.tick) * time.Second) }

func (w *correcting) note(what, format string, args ...any) {
	w.done[what]++
	w.log = append(w.log, fmt.Sprintf("%d %s: ", w.tick, what)+fmt.Sprintf(format, args...))
}

func (w *correcting) run() {
	w.m, w.names = newModel(), []string{w.s.Name}
	for range 2 + w.rnd.IntN(14) {
		w.tick++
		if w.evolves && w.rnd.IntN(4) == 0 {
			w.evolve()
			continue
		}
		switch n := w.rnd.IntN(20); {
		case n < 10 || len(w.m.all) == 0:
			w.store(w.draw(), 0)
		case n < 12:
			again := *w.any()
			w.store(&again, 0)
		case n < 13: // What the page showed, at another instant.
			again := *w.any()
			again.minute = w.rnd.IntN(lastMinute)
			w.store(&again, 0)
		case n < 16:
			w.store(w.better())
		case n < 18:
			w.retract(w.any())
		default:
			w.retractRow()
		}
	}
	w.compare()
}

func (w *correcting) any() *said { return w.m.all[w.rnd.IntN(len(w.m.all))] }

func (w *correcting) draw() *said {
	r := &said{page: string(rune('a' + w.rnd.IntN(3))), minute: w.rnd.IntN(6) + w.rnd.IntN(7)}
	for range w.rnd.IntN(4) {
		f := w.fact(r.minute)
		if !slices.ContainsFunc(r.facts, func(o modelFact) bool { return o == f || w.m.against(o, f) }) {
			r.facts = append(r.facts, f)
		}
	}
	if w.rnd.IntN(3) == 0 {
		r.complete, r.gone = string(rune('x'+w.rnd.IntN(2))), w.rnd.IntN(4) == 0
	}
	return r
}

func (w *correcting) fact(minute int) modelFact {
	f := modelFact{string(rune('x' + w.rnd.IntN(2))), fmt.Sprint(w.rnd.IntN(3)), null, null}
	for i, field := range w.m.fields[2:] {
		n := w.rnd.IntN(4 - i%2)
		switch {
		case n > 0:
			f[2+i] = fmt.Sprint(n)
		case minute >= field.since || w.rnd.IntN(2) == 0:
			f[2+i] = null
		}
		if i > 1 && (minute < field.since && w.rnd.IntN(3) > 0 || w.rnd.IntN(60) == 0) {
			f[2+i] = ""
		}
	}
	return f
}

// better is a response that supersedes another one.
func (w *correcting) better() (*said, int64) {
	old, r := w.any(), w.draw()
	r.page = old.page
	if w.rnd.IntN(4) > 0 {
		r.minute = old.minute
	}
	if w.rnd.IntN(3) == 0 { // Only a part of it is better.
		r.facts, r.complete, r.gone = slices.Clone(old.facts[:len(old.facts)/2]), old.complete, old.gone
	}
	return r, old.id
}

// row is a fact as it is sent.
func (m *model) row(f modelFact) row {
	x := row{}
	for i, field := range m.fields {
		switch {
		case f[i] == "":
		case f[i] == null:
			x[field.name] = nil
		case field.kind == "integer":
			x[field.name] = json.Number(f[i])
		default:
			x[field.name] = f[i]
		}
	}
	return x
}

func (w *correcting) response(r *said, supersedes int64) archive.Response {
	rows := []row{}
	for _, f := range r.facts {
		rows = append(rows, w.m.row(f))
	}
	name := w.names[w.rnd.IntN(len(w.names))]
	out := archive.Response{Source: "test", Address: r.page, At: minute(r.minute), Shards: map[string][]row{name: rows}, Gone: r.gone, Supersedes: supersedes}
	if r.complete != "" {
		out.Complete = map[string][]row{name: {{w.m.fields[0].name: r.complete}}}
	}
	return out
}

// outcome is what the model says will become of a response: a word, and the response that it is about.
func (w *correcting) outcome(r *said, supersedes int64) (string, []int64) {
	if w.s.Retired != nil {
		return "retired", nil
	}
	if w.m.lacks(r) {
		return "lacking", nil
	}
	for _, f := range r.facts {
		if slices.ContainsFunc(r.facts, func(o modelFact) bool { return w.m.against(f, o) }) {
			return "contradicting itself", nil
		}
	}
	same := func(o *said) bool { return o.page == r.page && o.minute == r.minute && o.text == r.text }
	if supersedes != 0 {
		old := w.m.find(supersedes)
		switch {
		case old.taken == 0 && same(old):
			return "replayed", []int64{old.id}
		case old.supersededBy != 0 && same(w.m.find(old.supersededBy)):
			return "replayed", []int64{old.supersededBy}
		case old.supersededBy != 0:
			return "refused", nil
		}
	} else {
		var ids, gone []int64
		for _, o := range w.m.all {
			if same(o) && o.taken == 0 {
				ids = append(ids, o.id)
			} else if same(o) {
				gone = append(gone, o.id)
			}
		}
		if len(ids) > 0 {
			return "replayed", ids
		}
		if len(gone) > 0 {
			return "replay of withdrawn", gone
		}
	}
	if ids := w.m.contradicted(r.page, r.minute, r.facts, supersedes); len(ids) > 0 {
		return "conflict", ids
	}
	if supersedes != 0 {
		return "superseded", []int64{supersedes}
	}
	return "stored", nil
}

func (w *correcting) store(r *said, supersedes int64) {
	r.text = contentOf(r.facts, r.complete, r.gone)
	want, ids := w.outcome(r, supersedes)
	w.note(want, "%s at %d %s complete for %q, supersedes %d: %v", r.page, r.minute, r.text, r.complete, supersedes, ids)
	res, err := archive.Store(w.Context(), w.db, w.response(r, supersedes), w.now())
	conflict, isConflict := errors.AsType[*archive.Conflict](err)
	switch {
	case want == "refused" || want == "retired" || want == "lacking":
		if err == nil {
			w.Errorf("%s, and not refused: %+v", want, res)
		}
	case want == "conflict":
		if !isConflict || !slices.Contains(ids, conflict.Response) {
			w.Errorf("%v, want a conflict with one of %v", err, ids)
		}
	case err != nil:
		w.Errorf("%s: %v", want, err)
	case want == "contradicting itself":
		if res.Contradiction == "" {
			w.Errorf("taken: %+v", res)
		}
		w.newest = max(w.newest, r.minute)
	case strings.HasPrefix(want, "replay"):
		if !res.Replayed || !slices.Contains(ids, res.Retrieval) {
			w.Errorf("%+v, want a replay of one of %v", res, ids)
		}
		if want == "replay of withdrawn" && len(res.SetAside) != len(r.facts) {
			w.Errorf("%d facts are said to be set aside, want %d", len(res.SetAside), len(r.facts))
		}
	default:
		r.id, r.stored, r.taken, r.supersededBy = res.Retrieval, w.tick, 0, 0
		r.hash = w.hash(r.id)
		w.newest = max(w.newest, r.minute)
		if supersedes != 0 {
			old := w.m.find(supersedes)
			old.supersededBy = r.id
			if old.taken == 0 {
				old.taken = w.tick
			}
		}
		before := w.aside(w.tick - 1)
		w.m.all = append(w.m.all, r)
		w.answered(res, before, r, supersedes)
	}
}

// aside are the facts of responses, believed at a tick, that gave way to another page.
func (w *correcting) aside(tick int) map[string]bool {
	out := map[string]bool{}
	for _, r := range w.m.all {
		for _, f := range r.facts {
			if slices.Contains(w.m.at(r.minute, tick), r) && !w.m.holds(f, r.minute, tick) {
				out[fmt.Sprint(r.id, f)] = true
			}
		}
	}
	return out
}

// answered compares what the answer says was set aside: what gave way now and did not before, and what was superseded.
func (w *correcting) answered(res archive.Result, before map[string]bool, r *said, supersedes int64) {
	want := map[string]bool{}
	for a := range w.aside(w.tick) {
		if !before[a] {
			want[a] = true
		}
	}
	if supersedes != 0 && w.m.find(supersedes).taken == w.tick {
		for _, f := range w.m.find(supersedes).facts {
			if !slices.Contains(r.facts, f) {
				want[fmt.Sprint(supersedes, f)] = true
			}
		}
	}
	got := map[string]bool{}
	for _, a := range res.SetAside {
		got[fmt.Sprint(a.Response, w.m.fact(a.Key, a.Data))] = true
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.Errorf("the answer says that %v was set aside, want %v", got, want)
	}
}

func (w *correcting) hash(id int64) (hash string) {
	if err := w.db.Raw(`SELECT encode(hash, 'hex') FROM archive_retrievals WHERE id = ?`, id).Scan(&hash).Error; err != nil {
		w.Fatal(err)
	}
	return hash
}

func (w *correcting) retract(r *said) {
	w.note("retracted", "response %d", r.id)
	ids, gone, err := archive.Retract(w.Context(), w.db, archive.Retraction{Response: r.id, Note: "wrong", By: 1}, w.now())
	switch {
	case r.taken != 0:
		if err == nil {
			w.Errorf("response %d was retracted twice", r.id)
		}
	case err != nil || !slices.Equal(ids, []int64{r.id}) || len(gone) != len(r.facts):
		w.Errorf("%v, %d facts, %v", ids, len(gone), err)
	default:
		r.taken = w.tick
	}
}

func (w *correcting) retractRow() {
	f := w.fact(0)
	at := w.rnd.IntN(lastMinute)
	if r := w.any(); len(r.facts) > 0 {
		f, at = r.facts[0], r.minute
	}
	w.note("row retracted", "%s at %d", f.key(), at)
	var want []*said
	for _, r := range w.m.at(at, w.tick) {
		if slices.ContainsFunc(r.facts, func(o modelFact) bool { return o.key() == f.key() }) {
			want = append(want, r)
		}
	}
	ids, gone, err := archive.Retract(w.Context(), w.db, archive.Retraction{Shard: w.s.Name, Key: w.m.keyRow(f), At: minute(at), Note: "wrong", By: 1}, w.now())
	if len(want) == 0 {
		if err == nil {
			w.Error("a row that nobody showed was retracted")
		}
		return
	}
	if err != nil || len(ids) != len(want) || len(gone) != len(want) {
		w.Errorf("%v of %d responses, %d facts: %v", ids, len(want), len(gone), err)
		return
	}
	for _, r := range want {
		left := *r
		left.facts = slices.DeleteFunc(slices.Clone(r.facts), func(o modelFact) bool { return o.key() == f.key() })
		if err := w.db.Raw(`SELECT superseded_by FROM archive_retrievals WHERE id = ?`, r.id).Scan(&left.id).Error; err != nil {
			w.Fatal(err)
		}
		r.taken, r.supersededBy = w.tick, left.id
		left.stored, left.hash, left.text = w.tick, w.hash(left.id), contentOf(left.facts, left.complete, left.gone)
		w.m.all = append(w.m.all, &left)
	}
}
