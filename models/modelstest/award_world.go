package modelstest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
	"laurel/models/notices"
)

// An AwardWorld is a database with members and the workers of awards, which work
// when they are called.
type AwardWorld struct {
	*testing.T
	DB      *gorm.DB
	Ruleset *awards.Ruleset
	Now     time.Time
}

// ByHand changes a grant by hand, as the admin root.
func (w *AwardWorld) ByHand(do func(by awards.ByHand) error, by awards.ByHand) {
	w.Helper()
	by.Author = "root"
	if err := do(by); err != nil {
		w.Fatal(err)
	}
	w.Works()
}

// Grants grants by hand.
func (w *AwardWorld) Grants(by awards.ByHand) error {
	return awards.GrantByHand(w.Context(), w.DB, by, w.Now)
}

// Revokes revokes by hand.
func (w *AwardWorld) Revokes(by awards.ByHand) error {
	return awards.RevokeByHand(w.Context(), w.DB, by, w.Now)
}

// held are the levels that a member has now.
func (w *AwardWorld) held(member, slug string) string {
	w.Helper()
	var list []string
	err := w.DB.Raw(`SELECT g.level || CASE WHEN g.locked THEN ' locked' ELSE '' END FROM award_grants g
		JOIN awards a ON a.id = g.award_id JOIN members m ON m.id = g.member_id
		WHERE m.name = ? AND a.slug = ? AND g.revoked_at IS NULL ORDER BY g.level`, member, slug).Scan(&list).Error
	if err != nil {
		w.Fatal(err)
	}
	return strings.Join(list, ", ")
}

// Holds checks the levels that a member holds of an award.
func (w *AwardWorld) Holds(member, slug, want string) {
	w.Helper()
	if got := w.held(member, slug); got != want {
		w.Errorf("%s holds %q of %s, want %q", member, got, slug, want)
	}
}

// NewAwardWorld makes members and an empty ruleset in a database of their own.
func NewAwardWorld(t *testing.T, members ...string) *AwardWorld {
	t.Helper()
	w := &AwardWorld{t, DB(t), new(awards.Ruleset), Noon.Add(time.Hour)}
	for _, name := range members {
		Member(t, w.DB, name, nil, w.Now)
	}
	return w
}

// Runs saves and activates an award.
func (w *AwardWorld) Runs(doc string) {
	w.Helper()
	a, mistakes := rules.Parse([]byte(doc))
	if len(mistakes) > 0 {
		w.Fatal(mistakes)
	}
	if _, err := awards.Save(w.Context(), w.DB, a, awards.Edit{Author: "root", Basis: -1}, w.Now); err != nil {
		w.Fatal(err)
	}
	if err := awards.Activate(w.Context(), w.DB, a.Slug, 0, w.Now); err != nil {
		w.Fatal(err)
	}
}

// Sends appends events and lets all workers work until nothing is left to do.
func (w *AwardWorld) Sends(list ...rules.Event) events.Appended {
	w.Helper()
	out, err := events.Append(w.Context(), w.DB, list, w.Now)
	if err != nil {
		w.Fatal(err)
	}
	w.Works()
	return out
}

// Works applies events and evaluates awards until nothing is left to do.
func (w *AwardWorld) Works() {
	w.Helper()
	for busy := true; busy; {
		n, err := awards.Apply(w.Context(), w.DB, w.Ruleset, 1000, w.Now)
		if err != nil {
			w.Fatal(err)
		}
		again, err := awards.RecountPending(w.Context(), w.DB, w.Ruleset, 1000, w.Now)
		if err != nil {
			w.Fatal(err)
		}
		granted, err := awards.Evaluate(w.Context(), w.DB, w.Ruleset, 1000, w.Now)
		if err != nil {
			w.Fatal(err)
		}
		busy = n > 0 || again || granted > 0 || w.waits()
	}
}

// waits reports whether events are kept back, by a transaction of somebody else,
// and lets a moment pass.
func (w *AwardWorld) waits() bool {
	var waiting bool
	err := w.DB.Raw(`
		SELECT EXISTS (SELECT FROM event_positions p JOIN event_sources s ON s.source = p.source WHERE s.paused_at IS NULL AND EXISTS (
			SELECT FROM events e WHERE e.source = p.source AND e.part = p.part AND (e.txid, e.id) > (p.txid, p.id)))`).Scan(&waiting).Error
	if err != nil {
		w.Fatal(err)
	}
	if waiting {
		<-time.After(time.Millisecond)
	}
	return waiting
}

// Has returns a member's progress, and when each level was reached: "3 of 3, 1 since 12:00".
func (w *AwardWorld) Has(member, slug string) string {
	w.Helper()
	var out []string
	err := w.DB.Raw(`
		SELECT u.progress || ' of ' || u.goal || coalesce((
			SELECT string_agg(', ' || g.level || CASE WHEN g.revoked_at IS NULL THEN ' since ' ELSE ' lost, was since ' END
				|| to_char(g.granted_at, 'HH24:MI'), '' ORDER BY g.level)
			FROM award_grants g WHERE g.member_id = u.member_id AND g.award_id = u.award_id AND g.period = u.period), '')
		FROM user_awards u JOIN awards a ON a.id = u.award_id JOIN members m ON m.id = u.member_id
		WHERE m.name = ? AND a.slug = ? ORDER BY u.period`, member, slug).Scan(&out).Error
	if err != nil {
		w.Fatal(err)
	}
	return strings.Join(out, "; ")
}

// Wants checks the counters of a member.
func (w *AwardWorld) Wants(member, slug, want string) {
	w.Helper()
	if got := w.Has(member, slug); got != want {
		w.Errorf("%s has %q of %s, want %q", member, got, slug, want)
	}
}

// Item is an event about an item of ada's, some minutes after noon.
func Item(source, id string, seq int, status string, minutes int, facts rules.Facts) rules.Event {
	return rules.Event{Source: source, ID: fmt.Sprint(id, ".", seq), Item: id, Seq: int64(seq), Member: "ada", Type: source, Status: status,
		Object: "place " + id, At: Noon.Add(time.Duration(minutes) * time.Minute), Facts: facts}
}

// Source returns a source of events.
func (w *AwardWorld) Source(name string) events.Source {
	w.Helper()
	list, err := events.Sources(w.Context(), w.DB, name)
	if err != nil || len(list) != 1 {
		w.Fatalf("sources %+v, %v", list, err)
	}
	return list[0]
}

// Count returns the number that a query gives.
func (w *AwardWorld) Count(query string) (n int) {
	w.Helper()
	if err := w.DB.Raw(query).Scan(&n).Error; err != nil {
		w.Fatal(err)
	}
	return n
}

// RunOutbox lets time pass and the outbox work.
func (w *AwardWorld) RunOutbox(after time.Duration) {
	w.Helper()
	w.Now = w.Now.Add(after)
	for busy := true; busy; {
		n, err := notices.Release(w.Context(), w.DB, notices.Ways{Mail: true, Webhook: true}, 100, w.Now)
		if err != nil {
			w.Fatal(err)
		}
		again, err := notices.AnnounceAwards(w.Context(), w.DB, 2, w.Now)
		if err != nil {
			w.Fatal(err)
		}
		busy = n > 0 || again
	}
}

// heard are the sentences on a member's page, oldest first.
func (w *AwardWorld) heard(member string) string {
	w.Helper()
	m, err := members.ByName(w.Context(), w.DB, member)
	if err != nil {
		w.Fatal(err)
	}
	lines, _, err := notices.Of(w.Context(), w.DB, m.ID, pg.Cursor{}, 100)
	if err != nil {
		w.Fatal(err)
	}
	var out []string
	for i := range lines {
		out = append([]string{lines[i].Sentence()}, out...)
	}
	return strings.Join(out, " ")
}

// Hears checks a member's notifications.
func (w *AwardWorld) Hears(member, want string) {
	w.Helper()
	if got := w.heard(member); got != want {
		w.Errorf("%s was told %q, want %q", member, got, want)
	}
}

// Photos are of ada's, from number first to last, and fresh.
func (w *AwardWorld) Photos(first, last, seq int, status string) {
	w.Helper()
	for i := first; i <= last; i++ {
		e := Item("photo", fmt.Sprint("p", i), seq, status, 0, nil)
		e.At = w.Now.Add(time.Duration(i)*time.Second - time.Hour)
		w.Sends(e)
	}
}
