package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

// An awardWorld is a database with members and the workers of awards, which work
// when they are told to.
type awardWorld struct {
	*testing.T
	db     *gorm.DB
	scheme *models.Scheme
	now    time.Time
}

func newAwardWorld(t *testing.T, members ...string) *awardWorld {
	t.Helper()
	w := &awardWorld{t, modelstest.DB(t), new(models.Scheme), modelstest.Noon.Add(time.Hour)}
	for _, name := range members {
		modelstest.Member(t, w.db, name, nil, w.now)
	}
	return w
}

// runs saves and activates an award.
func (w *awardWorld) runs(doc string) {
	w.Helper()
	a, mistakes := rules.Parse([]byte(doc))
	if len(mistakes) > 0 {
		w.Fatal(mistakes)
	}
	if _, err := models.SaveAward(w.Context(), w.db, a, "root", "", -1, w.now); err != nil {
		w.Fatal(err)
	}
	if err := models.ActivateAward(w.Context(), w.db, a.Slug, 0, w.now); err != nil {
		w.Fatal(err)
	}
}

// sends appends events and lets all workers work until nothing is left to do.
func (w *awardWorld) sends(events ...rules.Event) models.Appended {
	w.Helper()
	out, err := models.AppendEvents(w.Context(), w.db, events, w.now)
	if err != nil {
		w.Fatal(err)
	}
	w.works()
	return out
}

func (w *awardWorld) works() {
	w.Helper()
	for busy := true; busy; {
		n, err := models.ApplyEvents(w.Context(), w.db, w.scheme, 1000, w.now)
		if err != nil {
			w.Fatal(err)
		}
		again, err := models.RecountAwards(w.Context(), w.db, w.scheme, 1000, w.now)
		if err != nil {
			w.Fatal(err)
		}
		granted, err := models.GrantAwards(w.Context(), w.db, w.scheme, 1000, w.now)
		if err != nil {
			w.Fatal(err)
		}
		busy = n > 0 || again || granted > 0 || w.waits()
	}
}

// waits reports whether events are kept back, by a transaction of somebody else,
// and lets a moment pass.
func (w *awardWorld) waits() bool {
	var waiting bool
	err := w.db.Raw(`
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

// has tells a member's progress, and when each level was reached: "3 of 3, 1 since 12:00".
func (w *awardWorld) has(member, slug string) string {
	w.Helper()
	var out []string
	err := w.db.Raw(`
		SELECT u.progress || ' of ' || u.goal || coalesce((
			SELECT string_agg(', ' || g.level || CASE WHEN g.revoked_at IS NULL THEN ' since ' ELSE ' lost, was since ' END || to_char(g.granted_at, 'HH24:MI'), '' ORDER BY g.level)
			FROM award_grants g WHERE g.member_id = u.member_id AND g.award_id = u.award_id AND g.period = u.period), '')
		FROM user_awards u JOIN awards a ON a.id = u.award_id JOIN members m ON m.id = u.member_id
		WHERE m.name = ? AND a.slug = ? ORDER BY u.period`, member, slug).Scan(&out).Error
	if err != nil {
		w.Fatal(err)
	}
	return strings.Join(out, "; ")
}

func (w *awardWorld) wants(member, slug, want string) {
	w.Helper()
	if got := w.has(member, slug); got != want {
		w.Errorf("%s has %q of %s, want %q", member, got, slug, want)
	}
}

// item is an event about an item of ada's, some minutes after noon.
func item(source, id string, seq int, status string, minutes int, facts rules.Facts) rules.Event {
	return rules.Event{Source: source, ID: fmt.Sprint(id, ".", seq), Item: id, Seq: int64(seq), Member: "ada", Type: source, Status: status,
		Object: "place " + id, At: modelstest.Noon.Add(time.Duration(minutes) * time.Minute), Facts: facts}
}

const traveller = `{"slug":"traveller","title":"Traveller","permanence":"live",
	"objectives":[
		{"id":"photo","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
		{"id":"reviews","filters":[{"name":"SourceFilter","config":{"sources":["reviews"]}},{"name":"ReviewsLengthFilter","config":{"allowed_length":100}}],"rule":{"name":"ReviewUniqueByObjectRule","config":{}}},
		{"id":"navi","filters":[{"name":"SourceFilter","config":{"sources":["navi"]}}],"rule":{"name":"SumRule","config":{"fact":"metres"}}}],
	"strategy":{"goal":15,"operation":"sum","strategy":[
		{"goal":5,"operation":"sum","strategy":[{"objective_id":"photo"},{"objective_id":"reviews"}]},
		{"goal":10,"operation":"sum","strategy":[{"objective_id":"navi","normalization_factor":0.001}]}]}}`

func TestAwardsFollowEvents(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada", "grace")
	w.runs(traveller)
	long := rules.Facts{"text": strings.Repeat("ж", 101)}
	w.sends(item("photo", "p1", 1, "active", 1, nil), item("photo", "p2", 1, "moderation", 2, nil), item("reviews", "r1", 1, "active", 3, long))
	w.wants("ada", "traveller", "2 of 15")
	w.sends(item("navi", "n1", 1, "active", 4, rules.Facts{"metres": rules.Units(9999)}))
	w.wants("ada", "traveller", "11.999 of 15")
	w.sends(item("photo", "p2", 2, "active", 5, nil), item("photo", "p3", 1, "active", 6, nil), item("photo", "p4", 1, "active", 7, nil), item("navi", "n2", 1, "active", 9, rules.Facts{"metres": rules.Units(1)}))
	w.wants("ada", "traveller", "15 of 15, 1 since 12:09")
	w.sends(item("photo", "p1", 2, "blocked", 10, nil))
	w.wants("ada", "traveller", "14 of 15, 1 lost, was since 12:09")
	w.sends(item("photo", "p1", 3, "active", 11, nil), item("photo", "p1", 2, "blocked", 10, nil))
	w.wants("ada", "traveller", "15 of 15, 1 since 12:09")
	w.wants("grace", "traveller", "")
	if out := w.sends(item("photo", "p1", 3, "active", 11, nil)); out.Duplicate != 1 || out.Accepted != 0 {
		t.Errorf("sent again: %+v", out)
	}
}

func TestAwardsAreCountedAgain(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	for i := range 30 {
		w.sends(item("photo", fmt.Sprint("p", i), 1, "active", i, nil))
	}
	w.runs(`{"slug":"a","title":"A","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":10}}`)
	w.works()
	w.wants("ada", "a", "10 of 10, 1 since 12:09")
	w.runs(`{"slug":"a","title":"A","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":40}}`)
	w.works()
	w.wants("ada", "a", "30 of 40, 1 lost, was since 12:09")
	w.runs(`{"slug":"a","title":"A","objectives":[{"id":"o","filters":[{"name":"ObjectFilter","config":{"objects":["place p7"]}}],"rule":{"name":"UniqueByObjectRule"}}],"strategy":{"objective_id":"o","goal":1}}`)
	w.works()
	w.wants("ada", "a", "1 of 1, 1 since 12:09")
}
