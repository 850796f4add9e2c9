package archive_test

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// corrected is a shard of members with a fact that was superseded, one that was retracted and one that was overruled.
func corrected(t *testing.T, tx *gorm.DB) *archive.Shard {
	s := declareShard(t, tx, shards.Declaration{Name: "p", Key: fields("member text"), Data: fields("v integer"), Unique: [][]string{}, Scope: []string{"member"}})
	give := func(page string, n, supersedes int, member string, v int) int {
		res := store(t, tx, archive.Response{Source: "test", Address: page, At: minute(n), Supersedes: int64(supersedes),
			Shards: map[string][]row{"p": {{"member": member, "v": v}}}, Complete: map[string][]row{"p": {{"member": member}}}})
		return int(res.Retrieval)
	}
	first := give("a", 1, 0, "ada", 1)
	give("a", 2, 0, "ada", 1)
	give("a", 1, first, "ada", 2)
	wrong := give("a", 3, 0, "ada", 3)
	give("b", 4, 0, "ada", 4)
	give("c", 4, 0, "ada", 5)
	give("a", 5, 0, "bob", 1)
	if _, _, err := archive.Retract(t.Context(), tx, archive.Retraction{Response: int64(wrong), Note: "wrong", By: 1}, later); err != nil {
		t.Fatal(err)
	}
	return s
}

// Whoever changes what was withdrawn, or that it was, is found.
func TestCheckProvesWhatWasWithdrawn(t *testing.T) {
	tx := modelstest.Tx(t)
	s := corrected(t, tx)
	sound(t, tx)
	for _, change := range []string{
		`UPDATE archive_yielded SET fact = '["ada", 9]' WHERE withdrawn AND fact = '["ada", 1]'`,
		`DELETE FROM archive_yielded WHERE withdrawn AND fact = '["ada", 3]'`,
		`INSERT INTO archive_yielded (shard, at, retrieval_id, fact, withdrawn) SELECT shard, at, retrieval_id, '["eve", 1]', true FROM archive_yielded
			WHERE withdrawn LIMIT 1`,
		`UPDATE archive_yielded SET withdrawn = true WHERE NOT withdrawn`,
		`UPDATE archive_yielded SET withdrawn = false WHERE fact = '["ada", 3]'`,
		`UPDATE archive_retrievals SET withdrawn_at = NULL WHERE note = 'wrong'`,
		`UPDATE archive_retrievals SET note = 'right' WHERE note = 'wrong'`,
		`UPDATE archive_retrievals SET withdrawn_by = 2 WHERE withdrawn_by = 1`,
		`UPDATE archive_retrievals SET withdrawn_at = withdrawn_at - interval '1 day' WHERE note = 'wrong'`,
		`UPDATE archive_retrievals SET superseded_by = superseded_by + 1 WHERE superseded_by IS NOT NULL`,
		`UPDATE archive_retrievals SET withdrawn_at = '2026-11-22 12:00Z' WHERE id = (SELECT max(id) FROM archive_retrievals)`,
	} {
		err := tx.Transaction(func(tx *gorm.DB) error {
			if res := tx.Exec(change); res.Error != nil || res.RowsAffected == 0 {
				t.Errorf("%s: %v, %d rows", change, res.Error, res.RowsAffected)
			}
			findings, err := archive.CheckShard(tx, s)
			if err != nil || len(findings) == 0 {
				t.Errorf("%s: not found (%v)", change, err)
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
	}
}

// Who is erased is erased from what was set aside, too, and the rest is still proved.
func TestForgettingWhatWasSetAside(t *testing.T) {
	tx := modelstest.Tx(t)
	s := corrected(t, tx)
	list, err := archive.SetAsideOf(t.Context(), tx, s, archive.Query{})
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v: want three facts set aside", list, err)
	}
	if err := archive.Forget(t.Context(), tx, []*archive.Shard{s}, map[string][]string{"member": {"ada"}}); err != nil {
		t.Fatal(err)
	}
	for _, known := range []time.Time{{}, later.Add(-time.Second), later} {
		rows, err := archive.History(t.Context(), tx, s, archive.Query{Known: known})
		for _, r := range rows {
			if r.Key["member"] == "ada" {
				t.Errorf("known at %v: %+v is left", known, r)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if list, err = archive.SetAsideOf(t.Context(), tx, s, archive.Query{}); err != nil || len(list) != 0 {
		t.Errorf("%+v is left, %v", list, err)
	}
	sound(t, tx)
}
