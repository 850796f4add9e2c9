package archive_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// recorded holds pages of a game site as others recorded and read them; see its
// MANIFEST. It is not part of the project.
const recorded = "../../../shared/recorded/archive"

type scenario struct {
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

func recordedShards() []shards.Declaration {
	shard := func(name, key, data string, unique ...[]string) shards.Declaration {
		return shards.Declaration{Name: "hammerfest_" + name, Key: fields("server text, " + key), Data: fields(data), Unique: unique}
	}
	return []shards.Declaration{
		shard("tokens", "user text", "tokens integer"),
		shard("profile", "user text", "best_level integer, best_score integer, items json, quests json, season_score integer"),
		shard("achievements", "user text", "has_carrot boolean, ladder_level integer"),
		shard("hall_of_fame", "user text", "hall_of_fame json"),
		shard("email", "user text", "email text", []string{"server", "email"}),
		shard("theme_pages", "theme text", "page_count integer"),
		shard("theme_list", "theme text, page integer", "threads json"),
		shard("thread_shared", "thread text", "is_closed boolean, pages integer, theme text, title text"),
		shard("thread_in_theme", "thread text", "author text, kind text, latest_post_date json, reply_count integer"),
		shard("forum_role", "user text", "role text"),
	}
}

func TestRecordedScenarios(t *testing.T) {
	files, _ := filepath.Glob(recorded + "/scenarios/*.json")
	if len(files) == 0 {
		t.Skip("no recorded scenarios here")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			db := modelstest.Tx(t)
			var sc scenario
			readJSON(t, file, &sc)
			var all []*archive.Shard
			for _, d := range recordedShards() {
				all = append(all, declareShard(t, db, d))
			}
			for _, r := range sc.Retrievals {
				var parse map[string]any
				readJSON(t, filepath.Join(recorded, r.Parse), &parse)
				store(t, db, archive.Response{Address: r.HTML, At: minute(r.Minute), Shards: observed(parse)})
			}
			var want, got []string
			for _, r := range sc.Rows {
				want = append(want, asText(r.Shard, r.Key, r.Data, r.Period, r.RetrievedAt))
			}
			for _, s := range all {
				rows, err := archive.History(t.Context(), db, s, archive.Query{})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range rows {
					got = append(got, recordedRow(s, r))
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			sound(t, db)
		})
	}
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func asText(parts ...any) string {
	text, _ := json.Marshal(parts)
	return string(text)
}

func recordedRow(s *archive.Shard, r archive.Snapshot) string {
	var key, seen []any
	for _, f := range s.Key {
		key = append(key, r.Key[f.Name])
	}
	for _, at := range r.Retrieved {
		seen = append(seen, at.Sub(modelstest.Noon).Minutes())
	}
	period := []any{r.ValidFrom.Sub(modelstest.Noon).Minutes(), nil}
	if r.ValidUntil != nil {
		period[1] = r.ValidUntil.Sub(modelstest.Noon).Minutes()
	}
	return asText(s.Name, key, r.Data, period, seen)
}

// observed are the facts of a page as it was read.
func observed(parse map[string]any) map[string][]row {
	out := map[string][]row{}
	add := func(shard string, r row) { out["hammerfest_"+shard] = append(out["hammerfest_"+shard], r) }
	if session, ok := parse["session"].(map[string]any); ok {
		u := session["user"].(map[string]any)
		add("tokens", row{"server": u["server"], "user": u["id"], "tokens": session["tokens"]})
	}
	if p, ok := parse["profile"].(map[string]any); ok {
		u := p["user"].(map[string]any)
		for shard, names := range map[string]string{"profile": "best_level best_score items quests season_score", "achievements": "has_carrot ladder_level",
			"hall_of_fame": "hall_of_fame", "email": "email"} {
			r := row{"server": u["server"], "user": u["id"]}
			for name := range strings.FieldsSeq(names) {
				if v, shown := p[name]; shown { // Absent is not null.
					r[name] = v
				}
			}
			if len(r) == 2+len(strings.Fields(names)) {
				add(shard, r)
			}
		}
	}
	if p, ok := parse["page"].(map[string]any); ok {
		observeTheme(p, add)
	}
	return out
}

func observeTheme(p map[string]any, add func(string, row)) {
	theme, list := p["theme"].(map[string]any), p["threads"].(map[string]any)
	server := theme["server"]
	add("theme_pages", row{"server": server, "theme": theme["id"], "page_count": list["pages"]})
	for page, threads := range map[any][]any{0: p["sticky"].([]any), list["page1"]: list["items"].([]any)} {
		ids := []any{}
		for _, t := range threads {
			thread := t.(map[string]any)
			author := thread["author"].(map[string]any)["id"]
			ids = append(ids, thread["id"])
			add("thread_shared", row{"server": server, "thread": thread["id"], "is_closed": thread["is_closed"], "theme": theme["id"], "title": thread["name"],
				"pages": (int(thread["reply_count"].(float64)) + 15) / 15})
			add("thread_in_theme", row{"server": server, "thread": thread["id"], "author": author, "kind": thread["kind"],
				"latest_post_date": thread["latest_post_date"], "reply_count": thread["reply_count"]})
			add("forum_role", row{"server": server, "user": author, "role": thread["author_role"]})
		}
		add("theme_list", row{"server": server, "theme": theme["id"], "page": page, "threads": ids})
	}
}
