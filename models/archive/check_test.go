package archive_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// checkedArchive has a bit of everything: the seed's table, complete pages that were seen
// again, rows that were removed, facts that gave way, long evidence, lists, failures.
func checkedArchive(t *testing.T, db *gorm.DB) {
	t.Helper()
	s := seedShard(t, db)
	for i := range polls {
		poll(t, db, s, i)
	}
	poll(t, db, s, 11) // The same once more.
	at(t, db, s, "player", 60, row{"player_id": 1, "rank": 3, "score": 4500})
	c := declareShard(t, db, shards.Declaration{Name: "places", Key: fields("ladder text, player integer"), Data: fields("rank integer"),
		Unique: [][]string{{"ladder", "rank"}}, Scope: []string{"ladder"}})
	for m, players := range [][]int{{1, 2, 3}, {1, 2, 3}, {2, 1}, {2, 1}, {5, 1}, {5, 1}} {
		r := archive.Response{Address: "ladder", At: minute(m), Shards: map[string][]row{}, Complete: map[string][]row{c.Name: {{"ladder": "x"}}}}
		for i, p := range players {
			r.Shards[c.Name] = append(r.Shards[c.Name], row{"ladder": "x", "player": p, "rank": i + 1})
		}
		store(t, db, r)
	}
	facts := declare(t, db, "facts", "k integer", "v integer, doc json")
	for m := range archive.Chunk + 6 {
		at(t, db, facts, "facts", m, row{"k": 1, "v": 1, "doc": nil}, row{"k": 2, "v": m, "doc": map[string]any{"m": m}})
	}
	at(t, db, facts, "other", 3, row{"k": 2, "v": 77, "doc": nil}) // Of one instant with another: one gives way.
	for _, failed := range []archive.Response{{Address: "facts", Source: "test", At: minute(200), Outcome: "unreachable", Message: "no answer"},
		{Address: "facts", Source: "test", At: minute(201), Shards: map[string][]row{"facts": {{"k": 1, "v": 1, "doc": nil}, {"k": 1, "v": 2, "doc": nil}}}}} {
		if _, err := archive.Store(t.Context(), db, failed, later); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := archive.PutList(t.Context(), db, []any{"a", "b"}, 3); err != nil {
		t.Fatal(err)
	}
	declare(t, db, "empty", "k integer", "v text", "v")
}

const (
	hammer = "shard_hammerfest"
	ended  = "shard__past_hammerfest"
)

// corruptions are what could be done to the archive by hand or by a broken disk, and the kind of finding.
var corruptions = []struct{ name, kind, sql string }{
	// Those of the notes on the engine before.
	{"end later", archive.KindOverlap, `UPDATE ` + ended + ` SET _until = _until + interval '2 minutes' WHERE score = 2000`},
	{"end earlier", archive.KindReason, `UPDATE ` + ended + ` SET _until = _until - interval '1 minute' WHERE score = 2000`},
	{"past row deleted", archive.KindLost, `DELETE FROM ` + ended + ` WHERE score = 3000`},
	{"open row deleted", archive.KindLost, `DELETE FROM ` + hammer + ` WHERE score = 5000`},
	{"past unique value", archive.KindContent, `UPDATE ` + ended + ` SET rank = 9 WHERE score = 3000`},
	{"past key", archive.KindContent, `UPDATE ` + ended + ` SET player_id = 9 WHERE score = 3000`},
	{"no evidence", archive.KindEvidence, `UPDATE ` + ended + ` SET _seen = '{}' WHERE score = 3000`},
	{"evidence of nowhere", archive.KindEvidence, `UPDATE ` + hammer + ` SET _seen = _seen || CAST(999999 AS bigint)`},
	{"begins earlier", archive.KindEvidence, `UPDATE ` + ended + ` SET _from = _from - interval '1 minute' WHERE score = 1500`},
	{"foreign open row", archive.KindEvidence, `INSERT INTO ` + hammer + ` VALUES (7, 7, 7, '2026-11-21T12:03:00Z', '{1}')`},
	{"foreign past row", archive.KindEvidence, `INSERT INTO ` + ended + ` VALUES (7, 7, 7, '2026-11-21T12:03:00Z', '2026-11-21T12:04:00Z', 'changed', '{1}', NULL, false)`},
	{"nonsense as a reason", archive.KindReason, `UPDATE ` + ended + ` SET _reason = 'whim' WHERE score = 3000`},
	{"goes on", archive.KindPeriod, `UPDATE ` + ended + ` SET _goes_on = true WHERE score = 4000`},
	{"number of facts", archive.KindLost, `UPDATE archive_retrievals SET facts = 2 WHERE id = 3`},
	{"a row in both tables", archive.KindOverlap, `INSERT INTO ` + ended + ` SELECT player_id, rank, score, _from, '2026-11-21T12:58:00Z', 'changed', _seen, NULL, false FROM ` + hammer + ` WHERE player_id = 1`},
	{"past emptied", archive.KindLost, `TRUNCATE ` + ended},
	{"retrieval out of its period", archive.KindLost, `UPDATE archive_retrievals SET at = at + interval '1 day' WHERE id = 3`},
	{"open value", archive.KindContent, `UPDATE ` + hammer + ` SET score = 1 WHERE player_id = 2`},
	{"past value", archive.KindContent, `UPDATE ` + ended + ` SET score = 1 WHERE score = 3000`},
	{"line of the log deleted", archive.KindLog, `DELETE FROM archive_retrievals WHERE id = (SELECT max(id) FROM archive_retrievals WHERE same_as IS NOT NULL)`},
	{"line moved within its period", archive.KindLog, `UPDATE archive_retrievals SET at = at + interval '1 second' WHERE id = (SELECT max(id) FROM archive_retrievals WHERE same_as IS NOT NULL)`},
	{"outcome", archive.KindLog, `UPDATE archive_retrievals SET outcome = 'blocked' WHERE id = 3`},
	{"a known, wrong reason", archive.KindReason, `UPDATE ` + ended + ` SET _reason = 'displaced' WHERE score = 3000`},
	{"hash of a page", archive.KindPage, `UPDATE archive_pages SET hash = (SELECT hash FROM archive_retrievals WHERE id = 1) WHERE address = 'player'`},
	{"base of a page", archive.KindPage, `UPDATE archive_pages SET base = 1 WHERE address = 'player'`},
	{"hash of a response", archive.KindContent, `UPDATE archive_retrievals SET hash = sha256('x') WHERE id = 3`},
	{"unique index dropped", archive.KindTable, `DROP INDEX shard_hammerfest_u1_open`},
	{"does not go on", archive.KindPeriod, `UPDATE ` + ended + ` SET _goes_on = false WHERE score = 3000`},
	{"shard emptied with its log", archive.KindLog, `TRUNCATE ` + hammer + `, ` + ended + `; DELETE FROM archive_retrievals WHERE page_id = (SELECT id FROM archive_pages WHERE address = 'player'); DELETE FROM archive_pages WHERE address = 'player'`},
	// Others.
	{"json value", archive.KindContent, `UPDATE shard_facts SET doc = '{"m": 1}' WHERE k = 2`},
	{"null for a value", archive.KindContent, `UPDATE ` + ended + ` SET score = NULL WHERE score = 3000`},
	{"overflow cut", archive.KindLost, `UPDATE archive_seen SET seen = seen[2:]`},
	{"overflow deleted", archive.KindLost, `DELETE FROM archive_seen`},
	{"complete scope forgotten", archive.KindContent, `DELETE FROM archive_endings WHERE retrieval_id = (SELECT max(retrieval_id) FROM archive_endings)`},
	{"complete scope for another reason", archive.KindContent, `UPDATE archive_endings SET reason = 'source gone' WHERE at = (SELECT max(at) FROM archive_endings)`},
	{"complete scope of nowhere", archive.KindLog, `INSERT INTO archive_endings VALUES (999999, 'places', 1, '2026-11-21T12:00:00Z', 'removed')`},
	{"removed for another reason", archive.KindReason, `UPDATE shard__past_places SET _reason = 'source gone' WHERE _reason = 'removed'`},
	{"a removed row is open", archive.KindComplete, `WITH gone AS (DELETE FROM shard__past_places WHERE player = 3 RETURNING ladder, player, rank, _from, _seen) INSERT INTO shard_places SELECT ladder, player, rank, _from, _seen FROM gone`},
	{"an open row has ended", archive.KindReason, `WITH gone AS (DELETE FROM shard_hammerfest WHERE player_id = 1 RETURNING player_id, rank, score, _from, _seen) INSERT INTO ` + ended + ` SELECT player_id, rank, score, _from, '2026-11-22T12:00:00Z', 'changed', _seen, NULL, false FROM gone`},
	{"what gave way deleted", archive.KindLost, `DELETE FROM archive_yielded`},
	{"what gave way changed", archive.KindContent, `UPDATE archive_yielded SET fact = jsonb_set(fact, '{1}', '5')`},
	{"what gave way moved", archive.KindLog, `UPDATE archive_yielded SET at = at + interval '1 second'`},
	{"message of a failure", archive.KindLog, `UPDATE archive_retrievals SET message = 'x' WHERE outcome = 'unreachable'`},
	{"a refused response", archive.KindLog, `UPDATE archive_retrievals SET content = '{}' WHERE outcome = 'refused'`},
	{"a forged line", archive.KindLog, `INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, same_as, facts) SELECT page_id, at + interval '1 hour', stored_at, outcome, hash, id, facts FROM archive_retrievals WHERE id = 1`},
	{"seen again by another", archive.KindLog, `UPDATE archive_retrievals SET same_as = 2 WHERE same_as = (SELECT max(same_as) FROM archive_retrievals)`},
	{"altered, it says", archive.KindLog, `UPDATE archive_retrievals SET altered = true WHERE id = 3`},
	{"a page deleted", archive.KindLog, `DELETE FROM archive_pages WHERE address = 'facts'`},
	{"a sum changed", archive.KindLog, `UPDATE archive_heads SET sum = ~sum WHERE page_id = 1`},
	{"scopes of a page", archive.KindPage, `UPDATE archive_pages SET scopes = '{}' WHERE address = 'ladder'`},
	{"items of a list", archive.KindList, `UPDATE archive_lists SET items = '["b", "a"]'`},
	{"size of a list", archive.KindList, `UPDATE archive_lists SET size = 2, complete = true`},
	{"type of a column", archive.KindTable, `DROP VIEW archive_views.hammerfest; ALTER TABLE ` + hammer + ` ALTER COLUMN score TYPE text`},
	{"a column gone", archive.KindTable, `DROP VIEW archive_views.hammerfest; ALTER TABLE ` + ended + ` DROP COLUMN score`},
	{"a column more", archive.KindTable, `ALTER TABLE ` + hammer + ` ADD COLUMN note text`},
	{"a key that may be empty", archive.KindTable, `ALTER TABLE ` + hammer + ` ALTER COLUMN player_id DROP NOT NULL`},
	{"index not unique", archive.KindTable, `DROP INDEX shard__past_hammerfest_key; CREATE INDEX shard__past_hammerfest_key ON ` + ended + ` (player_id, _from)`},
	{"constraint dropped", archive.KindTable, `ALTER TABLE ` + ended + ` DROP CONSTRAINT shard__past_hammerfest_check`},
	{"a trigger", archive.KindTable, `CREATE TRIGGER t BEFORE UPDATE ON ` + hammer + ` FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`},
	{"a trigger on the log", archive.KindTable, `CREATE TRIGGER t BEFORE UPDATE ON archive_retrievals FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`},
	{"a rule", archive.KindTable, `CREATE RULE r AS ON INSERT TO ` + hammer + ` DO INSTEAD NOTHING`},
	{"index of the log dropped", archive.KindTable, `DROP INDEX archive_retrievals_same`},
	{"table dropped", archive.KindTable, `DROP VIEW archive_views.empty; DROP TABLE shard_empty`},
	{"declaration changed", archive.KindTable, `UPDATE archive_shards SET declaration = jsonb_set(declaration, '{data,0,type}', '"integer"') WHERE name = 'empty'`},
	{"declaration deleted", archive.KindTable, `DELETE FROM archive_shards WHERE name = 'hammerfest'`},
}

// Each corruption of a sound archive is found, as what it is; by all slices as by one look at everything.
func TestCheckFindsCorruptions(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	// Numbers of responses are those of a new archive, whatever other tests did.
	if err := db.Exec(`ALTER TABLE archive_retrievals ALTER COLUMN id RESTART; ALTER TABLE archive_pages ALTER COLUMN id RESTART`).Error; err != nil {
		t.Fatal(err)
	}
	checkedArchive(t, db)
	sound(t, db)
	slices := make([]archive.Part, 3)
	for i := range slices {
		slices[i] = archive.Part{Slice: i, Of: len(slices)}
	}
	for _, c := range corruptions {
		t.Run(c.name, func(t *testing.T) {
			err := db.Transaction(func(tx *gorm.DB) error {
				res := tx.Exec(c.sql)
				if res.Error != nil {
					return res.Error
				}
				all, err := archive.Check(t.Context(), tx)
				if err != nil {
					return err
				}
				kinds := kindsOf(all)
				if kinds[c.kind] == 0 {
					t.Errorf("found %v, want %s", all.Findings, c.kind)
				}
				parts, err := archive.CheckParts(t.Context(), tx, slices...)
				if err != nil {
					return err
				}
				if got := kindsOf(parts); fmt.Sprint(got) != fmt.Sprint(kinds) || parts.Total != all.Total {
					t.Errorf("slices found %v, want %v", parts.Findings, all.Findings)
				}
				return errUndo
			})
			if !errors.Is(err, errUndo) {
				t.Fatal(err)
			}
		})
	}
	sound(t, db)
}

func kindsOf(r archive.Report) map[string]int {
	out := map[string]int{}
	for _, f := range r.Findings {
		out[f.Kind]++
		if !slices.Contains(archive.Kinds, f.Kind) {
			out["unknown kind "+f.Kind]++
		}
	}
	return out
}

// What is new is compared by itself; what is older is left to the slices.
func TestCheckWhatIsNew(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	at(t, db, s, "a", 0, row{"k": 1, "v": 1})
	before, err := archive.Check(t.Context(), db)
	if err != nil || before.Total != 0 || before.Newest == 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	at(t, db, s, "a", 1, row{"k": 1, "v": 1})
	at(t, db, s, "b", 2, row{"k": 2, "v": 2})
	for _, tt := range []struct {
		sql  string
		want string
	}{
		{`SELECT 1`, ""},
		{`UPDATE shard_s SET v = 3 WHERE k = 2`, "content page"},
		{`UPDATE shard_s SET v = 3 WHERE k = 1`, "content"}, // Seen again since.
		{`DELETE FROM shard_s WHERE k = 2`, "lost page"},
	} {
		err := db.Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec(tt.sql).Error; err != nil {
				return err
			}
			found, err := archive.CheckParts(t.Context(), tx, archive.Part{Since: before.Newest})
			var kinds []string
			for _, f := range found.Findings {
				kinds = append(kinds, f.Kind)
			}
			if got := strings.Join(kinds, " "); got != tt.want || err != nil {
				t.Errorf("%s: found %q, %v; want %q", tt.sql, got, err, tt.want)
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
	}
}

// All findings are counted, and the first are kept.
func TestCheckCountsFindings(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	var rows []row
	for i := range 1500 {
		rows = append(rows, row{"k": i, "v": i})
	}
	at(t, db, s, "a", 0, rows...)
	at(t, db, s, "a", 1, append(rows[:0:0], row{"k": 0, "v": 5})...)
	if err := db.Exec(`UPDATE shard_s SET _from = _from - interval '1 minute'`).Error; err != nil {
		t.Fatal(err)
	}
	found, err := archive.Check(t.Context(), db)
	if err != nil || found.Total < 1500 || len(found.Findings) != 1000 {
		t.Errorf("%d findings of %d, %v", len(found.Findings), found.Total, err)
	}
}
