package archive_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// minute is an instant of the tests, as it is written in JSON and in addresses.
func minute(n int) string {
	return modelstest.Noon.Add(time.Duration(n) * time.Minute).Format(time.RFC3339)
}

// declares declares a shard: ("s", "player integer", "rank integer, score integer", "rank").
func declares(t *testing.T, p handlerstest.Program, name, key, data string, unique ...string) {
	t.Helper()
	s := map[string]any{"name": name, "key": fieldsOf(key), "data": fieldsOf(data)}
	var uniques [][]string
	for _, u := range unique {
		uniques = append(uniques, strings.Fields(u))
	}
	s["unique"] = uniques
	handlerstest.Read[handlers.APIShard](t, p.Call("POST", "/archive", handlerstest.JSON(s)), http.StatusCreated)
}

func fieldsOf(text string) []shards.Field {
	out := []shards.Field{}
	for f := range strings.SplitSeq(text, ", ") {
		if name, kind, _ := strings.Cut(f, " "); name != "" {
			out = append(out, shards.Field{Name: name, Type: kind})
		}
	}
	return out
}

// lines are the rows of a list, each "[from,until) {instants} key data reason" in minutes.
func lines(t *testing.T, p handlerstest.Program, path string) (out []string) {
	t.Helper()
	for _, r := range handlerstest.All[handlers.APIRow](t, p, path, "500") {
		out = append(out, rowLine(r))
	}
	return out
}

func rowLine(r handlers.APIRow) string {
	in := func(t time.Time) string { return fmt.Sprint(t.Sub(modelstest.Noon).Minutes()) }
	until, reason := "inf", ""
	if r.ValidUntil != nil {
		until, reason = in(*r.ValidUntil), " "+*r.EndReason
	}
	var seen []string
	for _, at := range r.RetrievedAt {
		seen = append(seen, in(at))
	}
	return fmt.Sprintf("[%s,%s) {%s} %s %s%s", in(r.ValidFrom), until, strings.Join(seen, ","), handlerstest.JSON(r.Key), handlerstest.JSON(r.Data), reason)
}

func sameLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// sound checks the whole archive.
func sound(t *testing.T, s *handlerstest.Site) {
	t.Helper()
	found, err := archive.Check(t.Context(), s.DB.DB)
	if err != nil || found.Total > 0 {
		t.Errorf("findings %+v, %v", found.Findings, err)
	}
}

func TestAPIDeclareShard(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	const declaration = `{"name":"arena","title":"Places","key":[{"name":"player","type":"integer"}],"data":[{"name":"rank","type":"integer"}],"unique":[["rank"]],"scope":["player"]}`
	a := p.Call("POST", "/archive", declaration)
	s := handlerstest.Read[handlers.APIShard](t, a, http.StatusCreated)
	if a.To() != "/api/v1/archive/arena" || s.Name != "arena" || s.BuiltIn || handlerstest.JSON(s.Unique) != `[["rank"]]` || handlerstest.JSON(s.Key) != `[{"name":"player","type":"integer"}]` {
		t.Errorf("declared %+v at %q", s, a.To())
	}
	handlerstest.Read[handlers.APIShard](t, p.Call("POST", "/archive", declaration), http.StatusOK)
	p.Call("POST", "/archive", strings.Replace(declaration, "Places", "Ranks", 1)).Refused(t, 409, "")
	p.Call("POST", "/archive", `{"name":"ladder","key":[{"name":"k","type":"text"}]}`).Refused(t, 409, "")
	handlerstest.Read[handlers.APIShard](t, p.Call("POST", "/archive", `{"name":"bare","key":[{"name":"k","type":"text"}]}`), http.StatusCreated)

	var names []string
	for _, limit := range []string{"1", "4", "500"} {
		all := handlerstest.All[handlers.APIShard](t, p, "/archive", limit)
		var now []string
		for _, s := range all {
			now = append(now, s.Name)
			if s.BuiltIn == (s.Name == "arena" || s.Name == "bare") {
				t.Errorf("%s is built in: %t", s.Name, s.BuiltIn)
			}
		}
		if names == nil {
			names = now
		}
		if !slices.Equal(now, names) || !slices.IsSorted(now) || len(now) != len(archive.BuiltIn())+2 {
			t.Errorf("shards by %s: %v", limit, now)
		}
	}
}

// A wrongShard is a declaration that is refused, and what of it is named.
type wrongShard struct {
	name, body string
	status     int
	field      string
}

const wrongKey = `"key":[{"name":"k","type":"integer"}]`

func refuseShards(t *testing.T, p handlerstest.Program, all []wrongShard) {
	t.Helper()
	for _, tt := range all {
		t.Run(tt.name, func(t *testing.T) { p.Call("POST", "/archive", tt.body).Refused(t, tt.status, tt.field) })
	}
}

func TestAPIDeclareShardRefuses(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	const k = wrongKey
	refuseShards(t, p, []wrongShard{
		{"a list", `[]`, 422, ""},
		{"text", `"arena"`, 422, ""},
		{"nothing", ``, 400, ""},
		{"half of it", `{"name":"s",`, 400, ""},
		{"too much", `{"name":"s","title":"` + strings.Repeat("x", 1<<20) + `"}`, 413, ""},
		{"an unknown field", `{"name":"s",` + k + `,"sampling":5}`, 422, "sampling"},
		{"a field twice", `{"name":"s","name":"s",` + k + `}`, 422, "name"},
		{"an unknown field of a field", `{"name":"s","key":[{"name":"k","type":"integer","null":true}]}`, 422, "key.0.null"},
		{"no name", `{` + k + `}`, 422, "name"},
		{"a bad name", `{"name":"Arena",` + k + `}`, 422, "name"},
		{"a long name", `{"name":"` + strings.Repeat("a", 41) + `",` + k + `}`, 422, "name"},
		{"a name that is a number", `{"name":7,` + k + `}`, 422, "name"},
		{"an address's name", `{"name":"responses",` + k + `}`, 422, "name"},
		{"another address's name", `{"name":"retrievals",` + k + `}`, 422, "name"},
		{"an index's name", `{"name":"arena_key_open",` + k + `}`, 422, "name"},
		{"another index's name", `{"name":"arena_u8_past",` + k + `}`, 422, "name"},
		{"a scope's name", `{"name":"arena_scope",` + k + `}`, 422, "name"},
		{"a long title", `{"name":"s","title":"` + strings.Repeat("x", 201) + `",` + k + `}`, 422, "title"},
		{"a title with U+0000", `{"name":"s","title":"a\u0000b",` + k + `}`, 422, "title"},
		{"no key", `{"name":"s"}`, 422, "key"},
		{"an empty key", `{"name":"s","key":[]}`, 422, "key"},
		{"a key that is no list", `{"name":"s","key":"k"}`, 422, "key"},
		{"a key of words", `{"name":"s","key":["k"]}`, 422, "key.0"},
		{"a name of a field that is a list", `{"name":"s","key":[{"name":[],"type":"text"}]}`, 422, "key.0.name"},
		{"a field without type", `{"name":"s","key":[{"name":"k"}]}`, 422, "k"},
		{"an unknown type", `{"name":"s",` + k + `,"data":[{"name":"v","type":"money"}]}`, 422, "v"},
		{"a json key", `{"name":"s","key":[{"name":"k","type":"json"}]}`, 422, "k"},
		{"a bad field", `{"name":"s",` + k + `,"data":[{"name":"v v","type":"text"}]}`, 422, "v v"},
		{"a field twice", `{"name":"s",` + k + `,"data":[{"name":"k","type":"text"}]}`, 422, "k"},
	})
	if n := len(handlerstest.All[handlers.APIShard](t, p, "/archive", "500")); n != len(archive.BuiltIn()) {
		t.Errorf("%d shards, want the built-in ones", n)
	}
	s.Program(t, s.Member(t, "ada", members.RoleMember)).Call("POST", "/archive", `{}`).Refused(t, 403, "")
}

// Only a name that an index of another shard can have is refused.
func TestAPIDeclareShardNames(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	for _, name := range []string{"scope", "arena_u9_open", "arena_key", "arena_scopes"} {
		declares(t, p, name, "k integer", "")
	}
	a := p.Call("POST", "/archive", `{"name":"arena_scope",`+wrongKey+`}`)
	if a.Refused(t, 422, "name"); !strings.Contains(a.Text, `an index of a shard \"arena\"; choose a name that does not end in \"_scope\"`) {
		t.Errorf("refused without saying why: %s", a.Text)
	}
}

func TestAPIDeclareShardRefusesFields(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	const k = wrongKey
	many := func(n int, format string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(format, i))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	refuseShards(t, p, []wrongShard{
		{"a taken field", `{"name":"s",` + k + `,"data":[{"name":"retrieved_at","type":"text"}]}`, 422, "retrieved_at"},
		{"a key that a query takes", `{"name":"s","key":[{"name":"at","type":"text"}]}`, 422, "at"},
		{"many fields", `{"name":"s",` + k + `,"data":` + many(64, `{"name":"v%d","type":"text"}`) + `}`, 422, "data"},
		{"a wide key", `{"name":"s","key":` + many(32, `{"name":"k%d","type":"text"}`) + `}`, 422, "key"},
		{"a wide unique key", `{"name":"s",` + k + `,"data":` + many(32, `{"name":"v%d","type":"text"}`) + `,"unique":[` + many(32, `"v%d"`) + `]}`, 422, "unique.0"},
		{"an unknown unique field", `{"name":"s",` + k + `,"unique":[["v"]]}`, 422, "v"},
		{"a unique key that says nothing", `{"name":"s",` + k + `,"unique":[["k"]]}`, 422, "unique"},
		{"a unique key twice", `{"name":"s",` + k + `,"data":[{"name":"a","type":"text"},{"name":"b","type":"text"}],"unique":[["b"],["a"],["b"]]}`, 422, "unique.2"},
		{"a unique key in another order", `{"name":"s",` + k + `,"data":[{"name":"a","type":"text"},{"name":"b","type":"text"}],"unique":[["a","b"],["b","a"]]}`, 422, "unique.1"},
		{"an empty unique key", `{"name":"s",` + k + `,"unique":[[]]}`, 422, "unique"},
		{"a unique key of words", `{"name":"s",` + k + `,"unique":["k"]}`, 422, "unique.0"},
		{"a unique key that is null", `{"name":"s",` + k + `,"unique":[null]}`, 422, "unique.0"},
		{"an unknown scope", `{"name":"s",` + k + `,"scope":["v"]}`, 422, "v"},
		{"a scope that is a number", `{"name":"s",` + k + `,"scope":[1]}`, 422, "scope.0"},
		{"very deep", `{"name":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, 422, "name" + strings.Repeat(".0", 99)},
	})
	if n := len(handlerstest.All[handlers.APIShard](t, p, "/archive", "500")); n != len(archive.BuiltIn()) {
		t.Errorf("%d shards, want the built-in ones", n)
	}
}
