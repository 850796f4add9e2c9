package archive_test

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// inView prints the rows of a shard's view as SQL alone gives them, in the seed's way.
func inView(t *testing.T, db *gorm.DB, name, fields string) (out []string) {
	t.Helper()
	minutes := func(at string) string {
		return fmt.Sprintf("CAST(extract(epoch FROM %s - timestamptz '2026-11-21 12:00Z') / 60 AS integer)", at)
	}
	err := db.Raw(fmt.Sprintf(`
		SELECT concat_ws(' | ', '[' || %s || ', ' || coalesce(CAST(%s AS text), 'inf') || '[', '{' ||
			(SELECT string_agg(CAST(%s AS text), ', ' ORDER BY at) FROM unnest(retrieved_at) at) || '}', %s)
		FROM archive_views."%s" ORDER BY lower(period), upper(period), %s`,
		minutes("lower(period)"), minutes("upper(period)"), minutes("at"), fields, name, fields)).Scan(&out).Error
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameRows compares them with a table of the seed, whatever the spaces.
func sameRows(t *testing.T, got []string, table string) {
	t.Helper()
	var want []string
	for l := range strings.Lines(table) {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			want = append(want, "["+strings.TrimLeft(l, "[ "))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the view has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The tables of the seed, each as it prints it, out of the view.
func TestViewsGiveTheTablesOfTheSeed(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	for i, p := range polls {
		poll(t, db, s, i)
		if want, ok := tables[p.minute]; ok {
			sameRows(t, inView(t, db, "hammerfest", "player_id, rank, score"), want)
		}
	}
	// Player 1 alone, and the strictly equivalent table of what was seen when.
	var seen []string
	err := db.Raw(`
		SELECT concat_ws(' ', extract(epoch FROM at - timestamptz '2026-11-21 12:00Z')::integer / 60, player_id, rank, score)
		FROM archive_views.hammerfest, unnest(retrieved_at) at WHERE player_id = 1 ORDER BY at`).Scan(&seen).Error
	want := []string{"0 1 1 1000", "5 1 1 1000", "10 1 2 1000", "15 1 1 2000", "20 1 1 2000", "25 1 1 2000", "30 1 1 2000", "35 1 1 3000",
		"40 1 1 4000", "55 1 3 4500"}
	if err != nil || !slices.Equal(seen, want) {
		t.Errorf("seen at %q, %v; want %q", seen, err, want)
	}
	var reasons []string
	err = db.Raw(`SELECT coalesce(end_reason, 'open') FROM archive_views.hammerfest ORDER BY lower(period)`).Scan(&reasons).Error
	if want := []string{"changed", "changed", "changed", "changed", "displaced", "changed", "open", "open"}; err != nil || !slices.Equal(reasons, want) {
		t.Errorf("ended as %q, %v; want %q", reasons, err, want)
	}
}

// The lists of the seed: the list is named by its content, so its letter stands here for the name.
func TestViewsGiveTheListsOfTheSeed(t *testing.T) {
	db := modelstest.Tx(t)
	places := declare(t, db, "places", "player integer", "ladder_rank integer, score integer")
	lists := declare(t, db, "lists", "ladder_rank integer", "highscore_list text")
	names := map[string]string{}
	for m, players := range map[int][]any{0: {1, 2, 3}, 5: {1, 2}} {
		l, err := archive.PutList(t.Context(), db, players, len(players))
		if err != nil {
			t.Fatal(err)
		}
		names[l.ID] = strings.Repeat(string(rune('a'+m/5)), 8)
		r := archive.Response{Address: "highscore", At: minute(m), Shards: map[string][]row{lists.Name: {{"ladder_rank": 1, "highscore_list": l.ID}}}}
		for i := range players {
			r.Shards[places.Name] = append(r.Shards[places.Name], row{"player": i + 1, "ladder_rank": 1, "score": []int{5000, 4500, 1000}[i]})
		}
		store(t, db, r)
	}
	sameRows(t, inView(t, db, "places", "player, ladder_rank, score"), `
		[ 0, inf[ | {0, 5}       | 1      | 1           | 5000
		[ 0, inf[ | {0, 5}       | 2      | 1           | 4500
		[ 0, inf[ | {0}          | 3      | 1           | 1000`)
	got := inView(t, db, "lists", "ladder_rank, highscore_list")
	for i := range got {
		for id, name := range names {
			got[i] = strings.ReplaceAll(got[i], id, name)
		}
	}
	sameRows(t, got, `
		[ 0, 5[   | {0}          | 1            | aaaaaaaa
		[ 5, inf[ | {5}          | 1            | bbbbbbbb`)
	var items []string
	err := db.Raw(`SELECT concat_ws(' ', size, item, n - 1) FROM archive_views._lists, jsonb_array_elements(items) WITH ORDINALITY AS i(item, n)
		ORDER BY size DESC, n`).Scan(&items).Error
	if want := []string{"3 1 0", "3 2 1", "3 3 2", "2 1 0", "2 2 1"}; err != nil || !slices.Equal(items, want) {
		t.Errorf("items = %q, %v; want %q", items, err, want)
	}
}

// The queries of the guide run on what it says they are about, and its proof is none where
// somebody wrote a row by hand; the check finds that, too.
func TestQueriesOfTheGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 10 {
		t.Fatalf("%d queries, want 10", len(blocks))
	}
	db := modelstest.Tx(t)
	s := declare(t, db, "arena", "player text", "rank integer, score number", "rank")
	for _, p := range polls {
		at(t, db, s, "player", p.minute, row{"player": fmt.Sprint(p.player), "rank": p.rank, "score": p.score})
	}
	count := func(i int) int {
		t.Helper()
		rows := []map[string]any{}
		if err := db.Raw(strings.TrimRight(strings.TrimSpace(blocks[i][1]), ";")).Scan(&rows).Error; err != nil {
			t.Fatalf("query %d: %v", i+1, err)
		}
		return len(rows)
	}
	// Counted by hand in the seed's last table.
	for i, want := range []int{2, 1, 1, 6, 4, 2, 1, 2, 1, 0} {
		if got := count(i); got != want {
			t.Errorf("query %d has %d rows, want %d", i+1, got, want)
		}
	}
	sound(t, db)
	for name, hand := range map[string]string{
		"of a key":  `('1', 7, 1, '2026-11-21T12:20:00Z', '2026-11-21T12:22:00Z', 'changed', '{5}', NULL, false)`,
		"of a rank": `('9', 1, 1, '2026-11-21T12:20:00Z', '2026-11-21T12:22:00Z', 'changed', '{5}', NULL, false)`,
	} {
		t.Run(name, func(t *testing.T) {
			db.SavePoint("hand")
			defer db.RollbackTo("hand")
			if err := db.Exec(`INSERT INTO shard__past_arena VALUES ` + hand).Error; err != nil {
				t.Fatal(err)
			}
			if n := count(9); n == 0 {
				t.Error("the proof of the guide finds nothing")
			}
			r, err := archive.Check(t.Context(), db)
			if err != nil || !slices.ContainsFunc(r.Findings, func(f archive.Finding) bool { return f.Kind == archive.KindOverlap && f.Shard == "arena" }) {
				t.Errorf("the check finds no overlap: %+v, %v", r.Findings, err)
			}
		})
	}
}

// A view that is not as declared is found, and made anew with the role.
func TestViewsAreChecked(t *testing.T) {
	db := modelstest.DB(t)
	s := seedShard(t, db)
	poll(t, db, s, 0)
	for _, sql := range []string{
		`DROP VIEW archive_views.hammerfest`, `DROP VIEW archive_views.ladder; CREATE VIEW archive_views.ladder AS SELECT 1 AS one`,
		`CREATE OR REPLACE VIEW archive_views.hammerfest AS SELECT tstzrange(_from, NULL) AS period, CAST('{}' AS timestamptz[]) AS retrieved_at, player_id, rank, score,
			CAST(NULL AS text) AS end_reason FROM shard_hammerfest`,
	} {
		if err := db.Exec(sql).Error; err != nil {
			t.Fatal(err)
		}
		r, err := archive.Check(t.Context(), db)
		if err != nil || len(r.Findings) == 0 || r.Findings[0].Kind != archive.KindTable {
			t.Errorf("%s: findings %+v, %v", sql, r.Findings, err)
		}
		if _, err := archive.MakeSQLRole(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		sound(t, db)
	}
	if err := archive.DropSQLRole(t.Context(), db); err != nil {
		t.Fatal(err)
	}
}

// The role reads the views, also of shards to come, and nothing else.
func TestSQLRole(t *testing.T) {
	address := modelstest.URL(t)
	owner, err := pg.Open(t.Context(), address, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	role, err := archive.MakeSQLRole(t.Context(), owner.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := archive.DropSQLRole(t.Context(), owner.DB); err != nil {
			t.Error(err)
		}
	}()
	poll(t, owner.DB, seedShard(t, owner.DB), 0)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Del("user")
	u.User, u.RawQuery = url.UserPassword(role.Name, role.Password), q.Encode()
	reader, err := pg.Open(t.Context(), u.String(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var n int
	if err := reader.DB.Raw(`SELECT count(*) FROM hammerfest WHERE retrieved_at <> '{}'`).Scan(&n).Error; err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
	for _, sql := range []string{`SELECT name FROM public.members`, `SELECT * FROM public.shard_hammerfest`, `CREATE TABLE mine (x integer)`,
		`DELETE FROM hammerfest`, `SET default_transaction_read_only = off; CREATE TABLE public.mine (x integer)`,
		`SET default_transaction_read_only = off; DELETE FROM _lists`} {
		if err := reader.DB.Exec(sql).Error; err == nil {
			t.Errorf("the role may %s", sql)
		}
	}
}
