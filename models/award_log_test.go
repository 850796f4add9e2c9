package models_test

import (
	"fmt"
	"slices"
	"testing"

	"laurel/migrations"
	"laurel/models"
	"laurel/models/awards"
)

// asBefore28 makes the tables of awards as they were before migration 28: a row of the
// log for each objective, and parts by the rest of the member's number.
const asBefore28 = `
	CREATE TABLE old_log (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL, member_id bigint NOT NULL, objective_id bigint NOT NULL, source text NOT NULL, key text NOT NULL,
		event_id text NOT NULL, reason text NOT NULL, was text, became text);
	INSERT INTO old_log (at, member_id, objective_id, source, key, event_id, reason, was, became)
	SELECT l.at, l.member_id, coalesce(CAST(c.change ->> 0 AS bigint), 0), l.source, l.key, l.event_id, l.reason, c.change ->> 1, c.change ->> 2
	FROM award_log l LEFT JOIN LATERAL json_array_elements(CAST(l.changes AS json)) WITH ORDINALITY c(change, n) ON true ORDER BY l.id, c.n;
	DROP TABLE award_log;
	ALTER TABLE old_log RENAME TO award_log;
	CREATE INDEX award_log_member ON award_log (member_id, objective_id, id);
	ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (source, key), ALTER COLUMN contributions TYPE json USING CAST(contributions AS json);
	UPDATE events SET part = member_id % 16`

func TestMigrationKeepsTheLogAndWhatWaits(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "grace", "ada")
	w.runs(traveller)
	status := map[bool]string{true: "active", false: "blocked"}
	for i := range 12 {
		w.sends(item("photo", fmt.Sprint("p", i%5), i, status[i%3 > 0], i, nil))
	}
	w.sends(item("photo", "p1", 0, "blocked", 50, nil)) // Too late: a later turn was counted.
	want := w.logOf("ada", "traveller")
	if len(want) != 11 {
		t.Fatalf("%d lines: %q", len(want), want)
	}
	waiting := []awards.Event{item("photo", "p8", 20, "active", 60, nil), item("photo", "p9", 21, "active", 61, nil)}
	if _, err := models.AppendEvents(t.Context(), w.db, waiting, w.now); err != nil {
		t.Fatal(err)
	}
	// Her part was another one; the one that is hers now has been handled further than where these events lie.
	if err := w.db.Exec(`
		UPDATE event_positions p SET (txid, id) = (SELECT q.txid, q.id FROM event_positions q WHERE q.source = p.source AND q.part = (m.id / 32) % 16)
		FROM members m WHERE m.name = 'ada' AND p.part = m.id % 16;
		UPDATE event_positions SET txid = (SELECT max(txid) FROM events), id = (SELECT max(id) FROM events) WHERE part <> (SELECT id % 16 FROM members WHERE name = 'ada')`).Error; err != nil {
		t.Fatal(err)
	}
	text, err := migrations.FS.ReadFile("00028_award_log.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{asBefore28, string(text)} {
		if err := w.db.Exec(stmt).Error; err != nil {
			t.Fatal(err)
		}
	}
	if got := w.logOf("ada", "traveller"); !slices.Equal(got, want) {
		t.Errorf("log\n%q\nwant\n%q", got, want)
	}
	before := w.has("ada", "traveller")
	w.works()
	if got := w.logOf("ada", "traveller"); len(got) != len(want)+2 || !slices.Equal(got[2:], want) {
		t.Errorf("log after what waited\n%q\nwant two lines before\n%q", got, want)
	}
	if before == w.has("ada", "traveller") {
		t.Error("what waited had no effect")
	}
}

// logOf is what the explanation of an award tells of changes, newest first.
func (w *awardWorld) logOf(member, slug string) (lines []string) {
	w.Helper()
	m, err := models.MemberByName(w.Context(), w.db, member)
	if err != nil {
		w.Fatal(err)
	}
	shown, err := models.ShownAwardNamed(w.Context(), w.db, slug, &m)
	if err != nil {
		w.Fatal(err)
	}
	x, err := models.Explain(w.Context(), w.db, &m, shown, models.ExplainPart{Limit: 100}, w.now)
	if err != nil {
		w.Fatal(err)
	}
	text := func(s *string) string {
		if s == nil {
			return "nothing"
		}
		return *s
	}
	for _, l := range x.Log {
		lines = append(lines, fmt.Sprintf("%s %s %s %s: %s to %s", l.Objective, l.Key, l.EventID, l.Reason, text(l.Was), text(l.Became)))
	}
	return lines
}
