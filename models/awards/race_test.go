package awards_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"gorm.io/gorm"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/modelstest"
)

// Two sources tell of the same members at the same time, in transactions that
// overlap and end in any order, while workers apply and grant: nobody's award is
// left behind.
func TestNoAwardIsLostBetweenTwoSources(t *testing.T) {
	t.Parallel()
	members := 1500
	if soak() {
		members = 20_000
	}
	w := modelstest.NewAwardWorld(t)
	err := w.DB.Exec(`INSERT INTO members (name, display_name, created_at) SELECT 'm' || n, '', @now FROM generate_series(1, @n) n`, map[string]any{"n": members, "now": w.Now}).Error
	if err != nil {
		t.Fatal(err)
	}
	w.Runs(`{"slug":"both","title":"Both","objectives":[
		{"id":"photos","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
		{"id":"reviews","filters":[{"name":"SourceFilter","config":{"sources":["reviews"]}}],"rule":{"name":"CountRule"}}],
		"strategy":{"goal":2,"strategy":[{"objective_id":"photos"},{"objective_id":"reviews"}]}}`)
	var senders, workers sync.WaitGroup
	done := make(chan struct{})
	for source, name := range []string{"photo", "reviews"} {
		for half := range 2 {
			senders.Go(func() { appendSlowly(t, w.DB, name, half*members/2, members/2, uint64(source)) })
		}
	}
	for range 2 {
		workers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := awards.Apply(t.Context(), w.DB, w.Ruleset, 200, w.Now); err != nil {
					t.Error(err)
				}
				if _, err := awards.Evaluate(t.Context(), w.DB, w.Ruleset, 200, w.Now); err != nil {
					t.Error(err)
				}
			}
		})
	}
	senders.Wait()
	close(done)
	workers.Wait()
	w.Works()
	var reached int
	if err := w.DB.Raw(`SELECT count(*) FROM user_awards WHERE progress = 2 AND level = 1`).Scan(&reached).Error; err != nil || reached != members {
		t.Errorf("%d of %d have it, %v", reached, members, err)
	}
}

// appendSlowly appends one event each for some members, 20 in a transaction that
// stays open for a moment before it ends.
func appendSlowly(t *testing.T, db *gorm.DB, source string, from, n int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, uint64(from)))
	for at := 0; at < n; at += 20 {
		err := db.Transaction(func(tx *gorm.DB) error {
			var list []rules.Event
			for i := at; i < min(at+20, n); i++ {
				name := fmt.Sprint("m", from+i+1)
				list = append(list, rules.Event{Source: source, ID: name, Item: name, Seq: 1, Member: name, Type: source, Status: "active", At: modelstest.Noon})
			}
			if _, err := events.Append(t.Context(), tx, list, modelstest.Noon); err != nil {
				return err
			}
			return tx.Exec(`SELECT pg_sleep(?)`, r.Float64()*0.004).Error // Other work of the transaction.
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The design that the seed describes loses what this one does not: an award keeps
// the greatest version of its objectives, and a transaction that took a smaller
// one ends later. Step by step, so that it does not depend on luck.
func TestTheGreatestVersionLosesWhatEndsLater(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	for _, stmt := range []string{
		`CREATE SEQUENCE seed_versions`,
		`CREATE TABLE seed_objectives (member bigint, objective text, amount bigint, version bigint, PRIMARY KEY (member, objective))`,
		`CREATE TABLE seed_achieves (member bigint PRIMARY KEY, amount bigint, version bigint)`,
		`INSERT INTO seed_objectives SELECT m, o, 0, 0 FROM generate_series(1, 100) m, unnest(ARRAY['photos', 'reviews']) o`,
	} {
		if err := db.Exec(stmt).Error; err != nil {
			t.Fatal(err)
		}
	}
	add := func(tx *gorm.DB, objective string) {
		t.Helper()
		if err := tx.Exec(`UPDATE seed_objectives SET amount = amount + 1, version = nextval('seed_versions') WHERE objective = ?`, objective).Error; err != nil {
			t.Fatal(err)
		}
	}
	cycle := func() { // "Searches for such UserObjective for which there is no UserAchieve or UserAchieve.version < UserObjective.version."
		t.Helper()
		err := db.Exec(`
			INSERT INTO seed_achieves SELECT member, sum(amount), max(version) FROM seed_objectives
			WHERE member IN (SELECT o.member FROM seed_objectives o LEFT JOIN seed_achieves a ON a.member = o.member WHERE a.member IS NULL OR a.version < o.version)
			GROUP BY member ON CONFLICT (member) DO UPDATE SET amount = EXCLUDED.amount, version = EXCLUDED.version`).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	photos := db.Begin()
	defer photos.Rollback()
	add(photos, "photos") // It takes smaller versions, and stays open.
	add(db, "reviews")
	cycle()
	if err := photos.Commit().Error; err != nil {
		t.Fatal(err)
	}
	for range 10 {
		cycle()
	}
	var lost int
	if err := db.Raw(`SELECT count(*) FROM seed_achieves WHERE amount <> 2`).Scan(&lost).Error; err != nil || lost != 100 {
		t.Errorf("%d of 100 awards are left behind by the seed's design, %v", lost, err)
	}
}

// Events whose transactions end out of order are all read, and by a cursor over
// their numbers alone they are not.
func TestEventsOutOfOrderAreAllRead(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(counting("photos", `{"name":"SourceFilter","config":{"sources":["photo"]}}`, `{"name":"CountRule"}`))
	w.Works()
	send := func(tx *gorm.DB, id string) {
		t.Helper()
		e := modelstest.Item("photo", id, 1, "active", 1, nil)
		if out, err := events.Append(t.Context(), tx, []rules.Event{e}, w.Now); err != nil || out.Accepted != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	// Senders of one source wait for each other; Laurel's own flows, which tell of
	// what they store, do not. So another source is what overlaps here.
	late := w.DB.Begin()
	defer late.Rollback()
	if err := late.Exec(`
		INSERT INTO events (source, part, member_id, event_id, zone, stored_at, body)
		SELECT 'photo', id % 16, id, 'late.1', 'UTC', @now, '{"source":"photo","id":"late.1","item":"late","seq":1,"member":"ada","type":"photo","status":"active","at":"2026-11-21T12:00:00Z"}' FROM members`,
		map[string]any{"now": w.Now}).Error; err != nil {
		t.Fatal(err)
	}
	send(w.DB, "early")
	var cursor int64
	if err := w.DB.Raw(`SELECT max(id) FROM events`).Scan(&cursor).Error; err != nil {
		t.Fatal(err)
	}
	if n, err := awards.Apply(t.Context(), w.DB, w.Ruleset, 100, w.Now); err != nil || n != 0 {
		t.Errorf("%d events were read behind one that is still to come, %v", n, err)
	}
	if err := late.Commit().Error; err != nil {
		t.Fatal(err)
	}
	var seen int
	if err := w.DB.Raw(`SELECT count(*) FROM events WHERE id > ?`, cursor).Scan(&seen).Error; err != nil || seen != 0 {
		t.Errorf("a cursor over numbers sees %d later events, %v", seen, err)
	}
	w.Works()
	w.Wants("ada", "photos", "2 of 100")
}
