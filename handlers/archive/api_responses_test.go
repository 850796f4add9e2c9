package archive_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/models/modelstest"
)

// stores stores a response of a page at a minute; rest is what else it says.
func stores(t *testing.T, p handlerstest.Program, page string, m int, rest string) handlers.APIStored {
	t.Helper()
	return handlerstest.Read[handlers.APIStored](t, p.Call("POST", "/archive/responses", responseAt(page, m, rest)), http.StatusOK)
}

func responseAt(page string, m int, rest string) string {
	return fmt.Sprintf(`{"source":"test","address":%q,"retrieved_at":%q,%s}`, page, minute(m), rest)
}

func TestAPIResponses(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "ranks", "player integer", "rank integer", "rank")
	declares(t, p, "scores", "player integer", "score integer")
	handlerstest.Read[handlers.APIShard](t, p.Call("POST", "/archive", `{"name":"places","key":[{"name":"board","type":"text"},{"name":"player","type":"integer"}],"scope":["board"]}`), http.StatusCreated)

	const both = `"shards":{"ranks":[{"player":1,"rank":1}],"scores":[{"player":1,"score":1000}]}`
	first := stores(t, p, "highscore", 0, both)
	if first.Inserted != 2 || first.Retrieval == 0 {
		t.Errorf("first: %+v", first)
	}
	if got := stores(t, p, "highscore", 0, both); !got.Replayed || got.Retrieval != first.Retrieval || got.Confirmed != 2 {
		t.Errorf("replayed: %+v", got)
	}
	if got := stores(t, p, "highscore", 5, both); !got.Unchanged || got.Retrieval == first.Retrieval {
		t.Errorf("unchanged: %+v", got)
	}
	if got := stores(t, p, "forum", 10, `"shards":{"ranks":[{"player":2,"rank":1}]},"outcome":"ok","message":"all well","gone":false`); got.Inserted != 1 || got.Ended != 1 {
		t.Errorf("displaced: %+v", got)
	}
	sameLines(t, lines(t, p, "/archive/ranks/history"), `[0,10) {0,5} {"player":1} {"rank":1} displaced`, `[10,inf) {10} {"player":2} {"rank":1}`)
	sameLines(t, lines(t, p, "/archive/scores/history"), `[0,inf) {0,5} {"player":1} {"score":1000}`)

	// Complete scopes in each of their forms.
	place := func(players ...int) string {
		var rows []string
		for _, n := range players {
			rows = append(rows, fmt.Sprintf(`{"board":"x","player":%d}`, n))
		}
		return `"shards":{"places":[` + strings.Join(rows, ",") + `]}`
	}
	stores(t, p, "board", 0, place(1, 2, 3)+`,"complete":{"places":{"board":"x"}}`)
	if got := stores(t, p, "board", 1, place(1, 2)+`,"complete":{"places":[{"board":"x"},{"board":"y"}]}`); got.Ended != 1 {
		t.Errorf("removed: %+v", got)
	}
	if got := stores(t, p, "board", 2, place(1)+`,"complete":{"places":false,"ranks":null}`); got.Ended != 0 {
		t.Errorf("not complete: %+v", got)
	}
	stores(t, p, "board", 3, `"shards":null,"complete":{"places":[{"board":"x"}],"ranks":true,"scores":{}},"gone":true`)
	sameLines(t, lines(t, p, "/archive/places/history"),
		`[0,3) {0,1,2} {"board":"x","player":1} {} source gone`, `[0,3) {0,1} {"board":"x","player":2} {} source gone`, `[0,1) {0} {"board":"x","player":3} {} removed`)
	sameLines(t, lines(t, p, "/archive/scores/history"), `[0,3) {0} {"player":1} {"score":1000} source gone`, `[5,inf) {5} {"player":1} {"score":1000}`)
	sound(t, s)
}

func TestAPIResponsesRefuse(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "ranks", "player integer", "rank integer", "rank")
	whole := func(rest string) string { return responseAt("p", 0, rest) }
	for _, tt := range []struct {
		name, body string
		status     int
		field      string
	}{
		{"a list", `[]`, 422, ""},
		{"nothing", ``, 400, ""},
		{"an unknown field", whole(`"status":200`), 422, "status"},
		{"no source", `{"retrieved_at":"` + minute(0) + `"}`, 422, "source"},
		{"a source that is a number", `{"source":1}`, 422, "source"},
		{"a long address", responseAt(strings.Repeat("x", 801), 0, `"gone":false`), 422, "address"},
		{"U+0000", whole(`"viewer":"\u0000"`), 422, "viewer"},
		{"no time", `{"source":"test"}`, 422, "retrieved_at"},
		{"time null", `{"source":"test","retrieved_at":null}`, 422, "retrieved_at"},
		{"a time in the future", responseAt("p", 24*60+10, `"gone":false`), 422, "retrieved_at"},
		{"gone a word", whole(`"gone":"yes"`), 422, "gone"},
		{"shards a list", whole(`"shards":[]`), 422, "shards"},
		{"an unknown shard", whole(`"shards":{"ranks":[],"rank":[]}`), 422, "shards.rank"},
		{"an unknown complete shard", whole(`"complete":{"rank":true}`), 422, "complete.rank"},
		{"rows an object", whole(`"shards":{"ranks":{}}`), 422, "shards.ranks"},
		{"a row a number", whole(`"shards":{"ranks":[1]}`), 422, "shards.ranks.0"},
		{"a wrong type", whole(`"shards":{"ranks":[{"player":1,"rank":1},{"player":2,"rank":"2"}]}`), 422, "shards.ranks.1.rank"},
		{"a missing field", whole(`"shards":{"ranks":[{"player":1}]}`), 422, "shards.ranks.0.rank"},
		{"a field that is none", whole(`"shards":{"ranks":[{"player":1,"rank":1,"score":1}]}`), 422, "shards.ranks.0.score"},
		{"a time in a row", whole(`"shards":{"ranks":[{"player":1,"rank":1,"retrieved_at":"` + minute(0) + `"}]}`), 422, "shards.ranks.0.retrieved_at"},
		{"complete a word", whole(`"complete":{"ranks":"all"}`), 422, "complete.ranks"},
		{"a scope a number", whole(`"complete":{"ranks":[1]}`), 422, "complete.ranks.0"},
		{"a scope too many", whole(`"complete":{"ranks":{"player":1}}`), 422, "complete.ranks"},
		{"a size that is none", whole(`"sizes":{"x":-1}`), 422, "sizes.x"},
		{"a size below what is shown", whole(`"sizes":{"the \"x\"":0},"shards":{"ladder":[{"ladder":"the \"x\"","player":"y","rank":1,"score":1}]}`), 422, `sizes.the "x"`},
		{"a scope without values", whole(`"complete":{"ladder":true}`), 422, "complete.ladder.ladder"},
		{"an outcome of ours", whole(`"outcome":"refused"`), 422, "outcome"},
		{"an outcome that is a text", whole(`"outcome":"It did not work."`), 422, "outcome"},
		{"a long message", whole(`"outcome":"blocked","message":"` + strings.Repeat("x", 2001) + `"`), 422, "message"},
		{"a failed check with rows", whole(`"outcome":"blocked","shards":{"ranks":[{"player":1,"rank":1}]}`), 422, "shards"},
		{"a complete failed check", whole(`"outcome":"blocked","complete":{"ranks":true}`), 422, "complete"},
	} {
		t.Run(tt.name, func(t *testing.T) { p.Call("POST", "/archive/responses", tt.body).Refused(t, tt.status, tt.field) })
	}
	if checks := handlerstest.All[handlers.APICheck](t, p, "/archive/retrievals", "500"); len(checks) > 0 || s.Logged.Len() > 0 {
		t.Errorf("something was kept: %+v\n%s", checks, s.Logged)
	}
	a := p.Call("POST", "/archive/responses", whole(`"shards":{"ranks":[{"player":3,"rank":3},{"player":1,"rank":1},{"player":2,"rank":1}],"ladder":[{"ladder":"x","player":"y","rank":1,"score":1}]}`))
	if a.Refused(t, 422, "shards.ranks.2"); !strings.Contains(a.Text, "rows 1 and 2 say the same rank") {
		t.Errorf("refused without saying why: %s", a.Text)
	}
	p.Call("POST", "/archive/responses", whole(`"outcome":"blocked","message":"status 403"`))
	checks := handlerstest.All[handlers.APICheck](t, p, "/archive/retrievals", "500")
	if len(checks) != 2 || checks[1].Outcome != "refused" || checks[0].Outcome != "blocked" || checks[0].Message != "status 403" || checks[0].Digest != "" {
		t.Errorf("checks %+v", checks)
	}
	sameLines(t, lines(t, p, "/archive/ranks/history"))
	sameLines(t, lines(t, p, "/archive/ladder/history"))
	sound(t, s)
}

// recordedArchive holds pages of a game site as others recorded and read them;
// see its MANIFEST. It is not part of the project.
const recordedArchive = "../../../shared/recorded/archive"

type recordedScenario struct {
	Retrievals []struct {
		Minute      int
		HTML, Parse string
	}
	Rows []struct {
		Shard       string
		Key         []any
		Data        map[string]any
		Period      []any
		RetrievedAt []any `json:"retrieved_at"`
	}
}

// recordedShards are what its pages show, "key: data: unique".
var recordedShards = map[string]string{
	"tokens": "user text: tokens integer: ", "achievements": "user text: has_carrot boolean, ladder_level integer: ",
	"profile":      "user text: best_level integer, best_score integer, items json, quests json, season_score integer: ",
	"hall_of_fame": "user text: hall_of_fame json: ", "email": "user text: email text: server email",
	"theme_pages": "theme text: page_count integer: ", "theme_list": "theme text, page integer: threads json: ", "forum_role": "user text: role text: ",
	"thread_shared":   "thread text: is_closed boolean, pages integer, theme text, title text: ",
	"thread_in_theme": "thread text: author text, kind text, latest_post_date json, reply_count integer: ",
}

func TestAPIRecordedScenarios(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(recordedArchive + "/scenarios/*.json")
	if len(files) == 0 {
		t.Skip("no recorded scenarios here")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			s, p := handlerstest.NewWithAdmin(t)
			var sc recordedScenario
			readFile(t, file, &sc)
			keys := map[string][]string{}
			for name, text := range recordedShards {
				parts := strings.Split(text, ": ")
				name = "hammerfest_" + name
				var unique []string
				if parts[2] != "" {
					unique = parts[2:]
				}
				declares(t, p, name, "server text, "+parts[0], parts[1], unique...)
				for _, f := range fieldsOf("server text, " + parts[0]) {
					keys[name] = append(keys[name], f.Name)
				}
			}
			for _, r := range sc.Retrievals {
				var parse map[string]any
				readFile(t, filepath.Join(recordedArchive, r.Parse), &parse)
				stores(t, p, r.HTML, r.Minute, `"shards":`+handlerstest.JSON(observed(parse)))
			}
			var want, got []string
			for _, r := range sc.Rows {
				want = append(want, handlerstest.JSON([]any{r.Shard, r.Key, r.Data, r.Period, r.RetrievedAt}))
			}
			for name := range keys {
				for _, r := range handlerstest.All[handlers.APIRow](t, p, "/archive/"+name+"/history", "20") {
					got = append(got, handlerstest.JSON(recordedRow(name, keys[name], r)))
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			sameLines(t, got, want...)
			sound(t, s)
		})
	}
}

func readFile(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func recordedRow(shard string, names []string, r handlers.APIRow) []any {
	var key, seen []any
	for _, name := range names {
		key = append(key, r.Key[name])
	}
	for _, at := range r.RetrievedAt {
		seen = append(seen, at.Sub(modelstest.Noon).Minutes())
	}
	period := []any{r.ValidFrom.Sub(modelstest.Noon).Minutes(), nil}
	if r.ValidUntil != nil {
		period[1] = r.ValidUntil.Sub(modelstest.Noon).Minutes()
	}
	return []any{shard, key, r.Data, period, seen}
}
