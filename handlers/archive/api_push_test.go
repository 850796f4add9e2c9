package archive_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/members"
)

// The tables of the document that the archive was designed after: two players,
// two keys, polls every five minutes.
var seedPolls = []struct{ minute, player, rank, score int }{
	{0, 1, 1, 1000}, {5, 1, 1, 1000}, {10, 1, 2, 1000}, {15, 1, 1, 2000}, {20, 1, 1, 2000}, {25, 1, 1, 2000},
	{30, 1, 1, 2000}, {35, 1, 1, 3000}, {40, 1, 1, 4000}, {45, 2, 2, 1500}, {50, 2, 1, 5000}, {55, 1, 3, 4500},
}

var seedRows = []string{
	`[0,10) {0,5} {"player":1} {"rank":1,"score":1000} changed`,
	`[10,15) {10} {"player":1} {"rank":2,"score":1000} changed`,
	`[15,35) {15,20,25,30} {"player":1} {"rank":1,"score":2000} changed`,
	`[35,40) {35} {"player":1} {"rank":1,"score":3000} changed`,
	`[40,50) {40} {"player":1} {"rank":1,"score":4000} displaced`,
	`[45,50) {45} {"player":2} {"rank":2,"score":1500} changed`,
	`[50,inf) {50} {"player":2} {"rank":1,"score":5000}`,
	`[55,inf) {55} {"player":1} {"rank":3,"score":4500}`,
}

// observation is one poll as a program pushes it.
func observation(i int) string {
	p := seedPolls[i]
	return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d,"score":%d}`, minute(p.minute), p.player, p.rank, p.score)
}

func pushes(t *testing.T, p handlerstest.Program, shard string, rows ...string) handlers.APIPushed {
	t.Helper()
	return handlerstest.Read[handlers.APIPushed](t, p.Call("POST", "/archive/"+shard, "["+strings.Join(rows, ",")+"]"), http.StatusOK)
}

func TestAPIPushTheSeed(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	for name, parts := range map[string][][]int{
		"one_by_one":  {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}},
		"at_once":     {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		"backwards":   {{11}, {10}, {9}, {8}, {7}, {6}, {5}, {4}, {3}, {2}, {1}, {0}},
		"shuffled":    {{5, 6, 4}, {7, 3, 8, 2}, {9, 1, 10, 0, 11}},
		"odd_then_on": {{1, 3, 5, 7, 9, 11}, {0, 2, 4, 6, 8, 10}},
	} {
		declares(t, p, name, "player integer", "rank integer, score integer", "rank")
		path := "/archive/" + name + "/history"
		for _, part := range parts {
			var rows []string
			for _, i := range part {
				rows = append(rows, observation(i))
			}
			pushes(t, p, name, rows...)
		}
		sameLines(t, lines(t, p, path), seedRows...)
		before := handlerstest.Read[web.List[handlers.APICheck]](t, p.Call("GET", "/archive/retrievals?limit=1", ""), 200).Items[0].ID
		for i := range seedPolls { // Again: nothing changes, in rows and in the log.
			if res := pushes(t, p, name, observation(i)); res != (handlers.APIPushed{Confirmed: 1}) {
				t.Errorf("%s: again %+v", name, res)
			}
		}
		sameLines(t, lines(t, p, path), seedRows...)
		if after := handlerstest.Read[web.List[handlers.APICheck]](t, p.Call("GET", "/archive/retrievals?limit=1", ""), 200).Items[0].ID; after != before {
			t.Errorf("%s: a replay is check %d, want none behind %d", name, after, before)
		}
	}
	sameLines(t, lines(t, p, "/archive/at_once?at="+minute(22)), seedRows[2])
	sameLines(t, lines(t, p, "/archive/at_once?at="+minute(50)), seedRows[6])
	sameLines(t, lines(t, p, "/archive/at_once?player=2&at="+minute(47)), seedRows[5])
	sameLines(t, lines(t, p, "/archive/at_once?player=1&at="+minute(52)))
	sameLines(t, lines(t, p, "/archive/at_once"), seedRows[7], seedRows[6])
	sameLines(t, lines(t, p, "/archive/at_once/history?player=2"), seedRows[5:7]...)
	if got := lines(t, p, "/archive/at_once/history?window=12m")[2]; !strings.Contains(got, "{15,25,30}") {
		t.Errorf("thinned by 12m: %s", got)
	}
	row := handlerstest.Read[web.List[handlers.APIRow]](t, p.Call("GET", "/archive/at_once?at="+minute(22)+"&window=12m", ""), 200).Items[0]
	if row.SeenBefore.Format(time.RFC3339) != minute(20) || row.SeenAfter.Format(time.RFC3339) != minute(25) {
		t.Errorf("at 22 seen at %v and %v, want 20 and 25", row.SeenBefore, row.SeenAfter)
	}
	sound(t, s)
}

func TestAPIPushCounts(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "rank integer", "rank")
	row := func(m, player, rank int) string {
		return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d}`, minute(m), player, rank)
	}
	for _, tt := range []struct {
		rows []string
		want handlers.APIPushed
	}{
		{nil, handlers.APIPushed{}},
		{[]string{row(0, 1, 1), row(0, 2, 2)}, handlers.APIPushed{Inserted: 2}},
		{[]string{row(5, 1, 1), row(5, 2, 2), row(5, 2, 2)}, handlers.APIPushed{Confirmed: 3}},
		{[]string{row(10, 1, 2), row(10, 2, 1)}, handlers.APIPushed{Inserted: 2, Ended: 2}},
		{[]string{row(15, 3, 1), row(20, 3, 1)}, handlers.APIPushed{Inserted: 1, Confirmed: 1, Ended: 1}},
	} {
		if got := pushes(t, p, "arena", tt.rows...); got != tt.want {
			t.Errorf("%v: %+v, want %+v", tt.rows, got, tt.want)
		}
	}
	// The same instant, told differently: nobody knows which is right.
	p.Call("POST", "/archive/arena", "["+row(20, 3, 7)+"]").Refused(t, 409, "0")
	sound(t, s)
}

// A wrongPush is a request that is refused, and what of it is named.
type wrongPush struct {
	name, shard, body string
	status            int
	field             string
}

var goodPush = `{"retrieved_at":"` + minute(0) + `","player":1,"name":null,"score":1.5,"at":null,"open":true,"doc":{}}`

// badPush is a good row and one in which a part is replaced.
func badPush(old, new string) string {
	return "[" + goodPush + "," + strings.Replace(goodPush, old, new, 1) + "]"
}

// refusePushes sees that the requests are refused and nothing is kept of them.
func refusePushes(t *testing.T, s *handlerstest.Site, p handlerstest.Program, all []wrongPush) {
	t.Helper()
	declares(t, p, "arena", "player integer", "name text, score number, at timestamp, open boolean, doc json", "name")
	for _, tt := range all {
		t.Run(tt.name, func(t *testing.T) {
			p.Call("POST", "/archive/"+tt.shard, tt.body).Refused(t, tt.status, tt.field)
		})
	}
	sameLines(t, lines(t, p, "/archive/arena/history"))
	if n := len(handlerstest.Read[web.List[handlers.APICheck]](t, p.Call("GET", "/archive/retrievals", ""), 200).Items); n > 0 {
		t.Errorf("%d checks are in the log", n)
	}
	if s.Logged.Len() > 0 {
		t.Errorf("the server's log says:\n%s", s.Logged)
	}
}

func TestAPIPushRefuses(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	good, bad := goodPush, badPush
	var many []string
	for i := range handlers.MaxInstants + 1 {
		many = append(many, strings.Replace(good, minute(0), minute(-i), 1))
	}
	instants := "[" + strings.Join(many, ",") + "]"
	refusePushes(t, s, p, []wrongPush{
		{"no such shard", "none", `[]`, 404, ""},
		{"an address", "retrievals", `[]`, 404, ""},
		{"an object", "arena", good, 422, ""},
		{"null", "arena", `null`, 422, ""},
		{"nothing", "arena", ``, 400, ""},
		{"half of it", "arena", `[` + good, 400, ""},
		{"a row that is a list", "arena", `[` + good + `,[]]`, 422, "1"},
		{"a row that is null", "arena", `[null]`, 422, "0"},
		{"no time", "arena", bad(`"retrieved_at":"`+minute(0)+`",`, ``), 422, "1.retrieved_at"},
		{"time null", "arena", bad(`"`+minute(0)+`"`, `null`), 422, "1.retrieved_at"},
		{"time a number", "arena", bad(`"`+minute(0)+`"`, `1700000000`), 422, "1.retrieved_at"},
		{"time without zone", "arena", bad(minute(0), "2026-11-21T12:00:00"), 422, "1.retrieved_at"},
		{"a time in the future", "arena", bad(minute(0), minute(60*24+10)), 422, "1.retrieved_at"},
		{"a time before all", "arena", bad(minute(0), "1969-12-31T23:59:59Z"), 422, "1.retrieved_at"},
		{"a megabyte and more", "arena", `[` + strings.Repeat(good+",", 1<<20/len(good)) + good + `]`, 413, ""},
		{"too many instants", "arena", instants, 422, "retrieved_at"},
	})
	if a := p.Call("POST", "/archive/arena", instants); !strings.Contains(a.Text, "in parts") {
		t.Errorf("no way out: %s", a.Text)
	}
	s.Program(t, s.Member(t, "ada", members.RoleMember)).Call("POST", "/archive/arena", `[]`).Refused(t, 403, "")
}

func TestAPIPushRefusesFields(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	bad := badPush
	wide := fmt.Sprintf(`{"retrieved_at":%q`, minute(0))
	var key []string
	for i := range 6 {
		key = append(key, fmt.Sprintf("k%d text", i))
		wide += fmt.Sprintf(`,"k%d":"%s"`, i, strings.Repeat("x", 480))
	}
	declares(t, p, "wide", strings.Join(key, ", "), "")
	refusePushes(t, s, p, []wrongPush{
		{"an unknown field", "arena", bad(`"open"`, `"more":1,"open"`), 422, "1.more"},
		{"a missing field", "arena", bad(`"score":1.5,`, ``), 422, "1.score"},
		{"a missing key field", "arena", bad(`"player":1,`, ``), 422, "1.player"},
		{"a key that is null", "arena", bad(`"player":1`, `"player":null`), 422, "1.player"},
		{"a field twice", "arena", bad(`"player":1`, `"player":1,"player":1`), 422, "1.player"},
		{"text for an integer", "arena", bad(`"player":1`, `"player":"1"`), 422, "1.player"},
		{"a part of an integer", "arena", bad(`"player":1`, `"player":1.5`), 422, "1.player"},
		{"an integer that is too large", "arena", bad(`"player":1`, `"player":9223372036854775808`), 422, "1.player"},
		{"a number that is too large", "arena", bad(`"score":1.5`, `"score":1e400`), 422, "1.score"},
		{"a number for a text", "arena", bad(`"name":null`, `"name":1`), 422, "1.name"},
		{"U+0000 in a text", "arena", bad(`"name":null`, `"name":"\u0000"`), 422, "1.name"},
		{"U+0000 in a document", "arena", bad(`"doc":{}`, `"doc":{"a":["\u0000"]}`), 422, "1.doc"},
		{"a long text in a key", "arena", bad(`"name":null`, `"name":"`+strings.Repeat("x", 501)+`"`), 422, "1.name"},
		{"a word for a time", "arena", bad(`"at":null`, `"at":"now"`), 422, "1.at"},
		{"a word for a boolean", "arena", bad(`"open":true`, `"open":"true"`), 422, "1.open"},
		{"a deep document", "arena", bad(`"doc":{}`, `"doc":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)), 422, "1.doc" + strings.Repeat(".0", 98)},
		{"a long number", "arena", bad(`"doc":{}`, `"doc":{"n":1`+strings.Repeat("0", 200_000)+`}`), 422, "1.doc.n"},
		{"a large exponent", "arena", bad(`"doc":{}`, `"doc":1e999`), 422, "1.doc"},
		{"many long texts in a key", "wide", "[" + wide + "}]", 422, "0.k0"},
	})
}
