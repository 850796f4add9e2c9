package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/members"
)

// sampleAwards are awards in every state, which stand for all there are.
var sampleAwards = []string{
	`{"slug": "explorer", "title": "Explorer", "text": "Five reviews or photos, and ten kilometres on foot.", "objectives": [
		{"id": "reviews", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}, {"name": "ReviewsLengthFilter", "config": {"allowed_length": 100}}], "rule": {"name": "ReviewUniqueByObjectRule"}},
		{"id": "photo", "filters": [{"name": "SourceFilter", "config": {"sources": ["photo"]}}], "rule": {"name": "CountRule"}},
		{"id": "navi", "filters": [{"name": "SourceFilter", "config": {"sources": ["navi"]}}], "rule": {"name": "SumRule", "config": {"fact": "metres"}}}],
		"strategy": {"goal": 15, "strategy": [{"goal": 5, "strategy": [{"objective_id": "photo"}, {"objective_id": "reviews"}]},
			{"goal": 10, "strategy": [{"objective_id": "navi", "normalization_factor": 0.001}]}]}}`,
	`{"slug": "photographer", "title": "Photographer", "text": "Pictures that help others.", "objectives": [
		{"id": "photo", "filters": [{"name": "SourceFilter", "config": {"sources": ["photo"]}}], "rule": {"name": "CountRule"}}],
		"strategy": {"goal": 50, "strategy": [{"objective_id": "photo"}]}, "levels": [{"title": "Bronze", "goal": 2}, {"title": "Silver", "goal": 10}, {"title": "Gold", "goal": 50}]}`,
	`{"slug": "night-owl", "title": "Night owl", "text": "Something done after midnight.", "objectives": [
		{"id": "nights", "filters": [{"name": "TimeOfDayFilter", "config": {"from": "00:00", "until": "05:00"}}], "rule": {"name": "CountRule"}}],
		"strategy": {"goal": 1, "strategy": [{"objective_id": "nights"}]}, "permanence": "permanent"}`,
	`{"slug": "sketch", "title": "A sketch with a title that is long enough to need a second line somewhere", "objectives": [
		{"id": "all", "rule": {"name": "CountRule"}}], "strategy": {"goal": 3, "strategy": [{"objective_id": "all"}]}, "window": {"every": "month", "zone": "fixed:Europe/Berlin"}}`,
}

// reward writes awards, sends events about some members, and lets the workers
// work.
func (l *laurel) reward(t *testing.T) {
	t.Helper()
	ctx, db, now := t.Context(), l.db.DB, l.clock.now()
	for i, text := range sampleAwards {
		doc, mistakes := rules.Parse([]byte(text))
		if len(mistakes) > 0 {
			t.Fatal(mistakes)
		}
		a, err := awards.Save(ctx, db, doc, awards.Edit{Author: "ada", Note: "as proposed on the list", Basis: -1}, now)
		if err == nil && i < 3 {
			err = awards.Activate(ctx, db, a.Slug, 0, now)
		}
		if doc.Text += " Nobody needs more."; err == nil && i == 0 {
			_, err = awards.Save(ctx, db, doc, awards.Edit{Author: "ada", Note: "say so", Basis: -1}, now)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := awards.SetSecret(ctx, db, "night-owl", true); err != nil {
		t.Fatal(err)
	}
	var list []rules.Event
	add := func(source, member, status string, n int, facts rules.Facts) {
		id := source + "-" + member + "-" + strconv.Itoa(len(list))
		list = append(list, rules.Event{Source: source, ID: id, Item: id, Seq: 1, Member: member, Type: source, Object: "place-" + strconv.Itoa(n), Status: status,
			At: now.AddDate(0, 0, -n).Truncate(24 * time.Hour).Add(12 * time.Hour), Facts: facts})
	}
	for n := range 12 {
		add("photo", "ada", "active", n, nil)
		add("navi", "ada", "active", n, rules.Facts{"metres": rules.Units(int64(300 + n*41))})
	}
	add("photo", "ada", "blocked", 1, nil)
	add("photo", "ada", "moderation", 1, nil)
	add("photo", "failing", "active", 2, nil)
	add("photo", "failing", "active", 3, nil)
	if _, err := events.Append(ctx, db, list, now); err != nil {
		t.Fatal(err)
	}
	l.count(t)
	l.exec(t, `INSERT INTO event_dead (source, event_id, member_id, zone, stored_at, body, reason, dead_at)
		SELECT 'photo', 'broken-1', id, 'UTC', @now, '{"source": "photo", "sequence": 1}', 'sequence: is unknown', @now FROM members WHERE name = 'ada'`)
	if _, err := events.Pause(ctx, db, "navi", true, now); err != nil {
		t.Fatal(err)
	}
	a, err := awards.Named(ctx, db, "photographer")
	if err != nil {
		t.Fatal(err)
	}
	ada, err := members.ByName(ctx, db, "ada")
	if err == nil {
		err = awards.Pin(ctx, db, ada.ID, a.ID)
	}
	if err == nil {
		err = awards.GrantByHand(ctx, db, awards.ByHand{Member: "grace", Award: "explorer", Note: "for the talk", Author: "ada"}, now)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// count lets the workers of awards work until nothing is left to do.
func (l *laurel) count(t *testing.T) {
	t.Helper()
	r := l.runner()
	for range 2 {
		for _, pass := range []func() error{
			func() error { return r.Awards.ApplyEvents(t.Context()) }, func() error { return r.Awards.Recount(t.Context()) }, func() error { return r.Awards.Grant(t.Context()) },
		} {
			if err := pass(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// awardStates are the pages of awards beside those that an address alone shows.
func awardStates() []state {
	const editor = "/admin/awards/explorer"
	broken := `{"slug": "explorer", "title": "Explorer", "objectives": [{"id": "photo", "filters": [{"name": "LengthFilter"}], "rule": {"name": "SumRule"}}],
  "strategy": {"goal": 15, "strategy": [{"objective_id": "photo"}, {"objective_id": "navi"}]}}`
	return []state{
		{name: "awards-visitor", path: "/awards", status: 200},
		{name: "award-levels", path: "/awards/photographer", viewer: "failing", status: 200},
		{name: "award-visitor", path: "/awards/explorer", status: 200},
		{name: "award-secret", path: "/awards/night-owl", status: 404},
		{name: "award-draft", path: "/awards/sketch", viewer: "ada", status: 200},
		{name: "awards-of-visitor", path: "/u/ada/awards", status: 200},
		{name: "awards-of-nothing", path: "/u/quiet/awards", viewer: "quiet", status: 200},
		{name: "awards-of-custom", path: "/u/star/awards", viewer: "ada", status: 200},
		{name: "import-refused", path: "/admin/awards", viewer: "ada", status: 422, post: "/admin/awards/import"},
		{name: "ban-refused", path: "/u/grace/awards", viewer: "ada", status: 422, button: "Ban grace", form: map[string]string{"note": ""}},
		{name: "editor-mistakes", path: editor, viewer: "ada", status: 422, button: "Save as version 3", form: map[string]string{"note": "mine", "document": broken}},
		{name: "editor-not-json", path: editor, viewer: "ada", status: 200, button: "Check the JSON", form: map[string]string{"document": "{nothing"}},
		{name: "editor-stale", path: editor, viewer: "ada", status: 409, button: "Save as version 3", form: map[string]string{"basis": "1", "note": "mine", "document": sampleAwards[0]}},
		{name: "editor-clash", path: editor, viewer: "ada", status: 409, button: "Save as version 3", form: map[string]string{"basis": "1", "note": "mine", "document": strings.NewReplacer(
			"ten kilometres on foot.", "a long walk.", `"sources": ["photo"]`, `"sources": ["photo", "pictures"]`).Replace(sampleAwards[0])}},
		{name: "editor-tried", path: editor, viewer: "ada", status: 200, button: "Test the event", form: map[string]string{"try_event": `{"source": "reviews", "id": "x", "item": "x", "type": "review", "status": "active", "at": "2026-11-20T10:00:00Z", "facts": {"text": "short"}}`}},
		{name: "editor-counted", path: editor, viewer: "ada", status: 200, button: "Run the preview", form: map[string]string{"strategy.goal": "5"}},
		{name: "editor-filter", path: editor, viewer: "ada", status: 200, button: "Add filter", form: map[string]string{"add-0": "DayOfWeekFilter"}},
		{name: "editor-old", path: editor + "?version=1", viewer: "ada", status: 200},
		{name: "editor-levels", path: "/admin/awards/photographer", viewer: "ada", status: 200, button: "Add a level"},
		{name: "gallery", path: "/admin/awards/gallery", viewer: "ada", status: 200},
		{name: "editor-sample", path: "/admin/awards/new?from=weekend-month", viewer: "ada", status: 200},
		{name: "editor-draft", path: "/admin/awards/sketch", viewer: "ada", status: 200},
		{name: "explain-nothing", path: "/admin/awards/sketch/members/quiet", viewer: "ada", status: 200},
		{name: "explain-by-hand", path: "/admin/awards/explorer/members/grace", viewer: "ada", status: 200},
		{name: "explain-refused", path: "/admin/awards/explorer/members/grace", viewer: "ada", status: 422, button: "Grant"},
		{name: "events-paused", path: "/admin/events?done=waits", viewer: "ada", status: 200},
	}
}
