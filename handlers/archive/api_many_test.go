package archive_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/models/modelstest"
)

// An instant that contradicts itself is refused and kept in the log; the others
// of its request are stored, and the corrected list may be sent again.
func TestAPIPushContradictions(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "rank integer", "rank")
	row := func(m, player, rank int) string {
		return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d}`, minute(m), player, rank)
	}
	for _, tt := range []struct {
		rows         []string
		field, words string
		stored       []string
	}{
		{[]string{row(0, 1, 1), row(1, 1, 1), row(2, 1, 1), row(3, 1, 2), row(2, 1, 2)}, "4",
			"Rows 2 and 4 say the same key with different data at one instant; instants refused: 1 (the log of retrievals has them), instants stored: 3; correct",
			[]string{`[0,3) {0,1} {"player":1} {"rank":1} changed`, `[3,inf) {3} {"player":1} {"rank":2}`}},
		{[]string{row(5, 2, 1), row(4, 1, 3), row(4, 2, 4), row(5, 3, 1), row(6, 7, 7), row(6, 7, 8)}, "3",
			"Rows 0 and 3 say the same rank with different keys at one instant; instants refused: 2 (the log of retrievals has them), instants stored: 1; correct",
			[]string{`[0,3) {0,1} {"player":1} {"rank":1} changed`, `[3,4) {3} {"player":1} {"rank":2} changed`, `[4,inf) {4} {"player":1} {"rank":3}`, `[4,inf) {4} {"player":2} {"rank":4}`}},
	} {
		a := p.Call("POST", "/archive/arena", "["+strings.Join(tt.rows, ",")+"]")
		if a.Refused(t, 422, tt.field); !strings.Contains(a.Text, tt.words) {
			t.Errorf("%s, want %q in it", a.Text, tt.words)
		}
		sameLines(t, lines(t, p, "/archive/arena/history"), tt.stored...)
	}
	checks := handlerstest.All[handlers.APICheck](t, p, "/archive/retrievals?outcome=refused", "500")
	if len(checks) != 3 || checks[0].Message == "" || checks[0].Viewer != "boss" || checks[0].Source != "api" || checks[0].Address != "/archive/arena" || len(checks[0].Digest) != 64 {
		t.Errorf("checks %+v, want the refused responses", checks)
	}
	if got := pushes(t, p, "arena", row(5, 2, 1), row(4, 1, 3), row(4, 2, 4)); got != (handlers.APIPushed{Inserted: 1, Confirmed: 2, Ended: 1}) {
		t.Errorf("corrected and sent again: %+v", got)
	}
	// A mistake is another thing: nothing is stored.
	p.Call("POST", "/archive/arena", "["+row(7, 1, 1)+`,{"retrieved_at":"`+minute(8)+`","player":1,"rank":"1"}]`).Refused(t, 422, "1.rank")
	if rows := lines(t, p, "/archive/arena?player=1&at="+minute(9)); !strings.HasPrefix(rows[0], "[4,") {
		t.Errorf("beside a mistake there was stored %v", rows)
	}
	sound(t, s)
}

func TestAPIPushManyRows(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "rank integer, score number", "rank")
	for _, tt := range []struct {
		name string
		row  func(i int) string
		want handlers.APIPushed
	}{
		{"1,500 rows at one instant", func(i int) string {
			return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d,"score":%d.5}`, minute(0), i, i, i)
		}, handlers.APIPushed{Inserted: 1500}},
		{"again", func(i int) string {
			return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d,"score":%d.5}`, minute(0), i, i, i)
		}, handlers.APIPushed{Confirmed: 1500}},
		{"all of them changed", func(i int) string {
			return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d,"score":%d.5}`, minute(10), i, 1499-i, i)
		}, handlers.APIPushed{Inserted: 1500, Ended: 1500}},
	} {
		var rows []string
		for i := range 1500 {
			rows = append(rows, tt.row(i))
		}
		if got := pushes(t, p, "arena", rows...); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	var late []string
	for i := range 200 { // At as many instants, all of them before what is known.
		late = append(late, fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d,"score":%d.5}`, modelstest.Noon.Add(time.Duration(i+1)*time.Second).Format(time.RFC3339), i, i, i))
	}
	if got := pushes(t, p, "arena", late...); got != (handlers.APIPushed{Confirmed: 200}) {
		t.Errorf("late: %+v, want 200 confirmed", got)
	}
	for _, limit := range []string{"70", "500"} {
		if n := len(handlerstest.All[handlers.APIRow](t, p, "/archive/arena", limit)); n != 1500 {
			t.Errorf("%d rows now in parts of %s, want 1500", n, limit)
		}
	}
	sound(t, s)
}

// One bad request among good ones at the same rows hurts none of them.
func TestAPIPushAtOnce(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "rank integer", "rank")
	row := func(m, player, rank int) string {
		return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d}`, minute(m), player, rank)
	}
	var wg sync.WaitGroup
	statuses := make([]int, 24)
	for i := range statuses {
		rows := []string{row(i, 1, 1), row(i, 2, 2), row(i, 3, i%2)}
		switch {
		case i%3 == 1:
			rows = append(rows, row(i, 3, 8)) // Contradicts the row before.
		case i%3 == 2:
			rows = append(rows, `{"player":4}`)
		case i%2 == 1:
			rows[2] = row(i, 3, 3)
		}
		wg.Go(func() { statuses[i] = p.Call("POST", "/archive/arena", "["+strings.Join(rows, ",")+"]").StatusCode })
	}
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	if !maps.Equal(count, map[int]int{200: 8, 422: 16}) {
		t.Errorf("statuses %v", statuses)
	}
	seen := map[string]bool{}
	for _, r := range handlerstest.All[handlers.APIRow](t, p, "/archive/arena/history?player=1", "500") {
		for _, at := range r.RetrievedAt {
			seen[fmt.Sprint(at.Sub(modelstest.Noon).Minutes())] = true
		}
	}
	if got := slices.Sorted(maps.Keys(seen)); len(got) != 8 {
		t.Errorf("player 1 was seen at %v, want at the 8 good instants", got)
	}
	sound(t, s)
}

func TestAPIArchiveWords(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "rank integer")
	row := func(rest string) string { return fmt.Sprintf(`[{"retrieved_at":%q,%s}]`, minute(0), rest) }
	for _, tt := range []struct{ path, body, words string }{
		{"arena", `[{"player":1,"rank":1}]`, "This is missing: when was it seen?"},
		{"responses", `{"retrieved_at":"` + minute(0) + `"}`, "Field source: is missing: who answered?"},
		{"arena", row(`"player":null,"rank":1`), "Row 0: player: a key field cannot be null."},
		{"arena", row(`"player":1`), "Row 0: rank: is missing; send null for a field that the page shows empty."},
		{"arena", row(`"player":1,"rank":"1"`), `Row 0: rank: "1" is not of type integer.`},
		{"responses", responseAt("p", 0, `"sizes":{"x":2},"complete":{"ladder":{"ladder":"x"}}`), `Ranking "x" has 0 rows, which cannot be all or the first of 2.`},
	} {
		a := p.Call("POST", "/archive/"+tt.path, tt.body)
		got := handlerstest.Read[struct {
			Error struct{ Code, Message, Field string }
		}](t, a, 422).Error.Message
		if got != tt.words {
			t.Errorf("%s %s: %q, want %q", tt.path, tt.body, got, tt.words)
		}
	}
}
