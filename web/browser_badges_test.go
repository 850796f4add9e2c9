package main

import (
	"io"
	"net/http"
	"testing"

	"laurel/models/awards"
	"laurel/models/awards/rules"
)

// badgeStates are the pages of a badge that is held, of one that was lost, and
// of what is no badge.
func (s *sample) badgeStates(t *testing.T) []state {
	t.Helper()
	const document = `{"slug": "smith", "title": "Smith", "text": "Given for what no rule can see.", "levels": [{"title": "Iron", "goal": 1}, {"title": "Steel", "goal": 2}],
		"objectives": [{"id": "n", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}], "rule": {"name": "CountRule"}}],
		"strategy": {"goal": 2, "strategy": [{"objective_id": "n"}]}}`
	ctx, db, now := t.Context(), s.db.DB, s.clock.now()
	doc, mistakes := rules.Parse([]byte(document))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	if _, err := awards.Save(ctx, db, doc, awards.Edit{Author: "ada"}, now); err != nil {
		t.Fatal(err)
	}
	if err := awards.Activate(ctx, db, "smith", 1, now); err != nil {
		t.Fatal(err)
	}
	by := awards.ByHand{Member: "grace", Award: "smith", Note: "for the tables that she set up in the hall", Author: "ada"}
	if err := awards.GrantByHand(ctx, db, by, now); err != nil {
		t.Fatal(err)
	}
	by.Level, by.Note = 2, "given by mistake"
	if err := awards.RevokeByHand(ctx, db, by, now); err != nil {
		t.Fatal(err)
	}
	var ids []string
	err := db.Raw(`SELECT b.id FROM badges b JOIN award_grants g ON g.id = b.grant_id JOIN awards a ON a.id = g.award_id WHERE a.slug = 'smith' ORDER BY g.level`).Scan(&ids).Error
	if err != nil || len(ids) != 2 {
		t.Fatalf("badges %v, %v", ids, err)
	}
	return []state{
		{name: "badge", path: "/badges/" + ids[0], status: 200},
		{name: "badge-revoked", path: "/badges/" + ids[1], viewer: "grace", status: 200},
		{name: "badge-none", path: "/badges/none", status: 404},
		{name: "awards-with-badges", path: "/u/grace/awards", viewer: "grace", status: 200},
		{name: "verify-refused", path: "/badges/verify", status: 422, button: "Verify", form: map[string]string{"badge": "hello"}},
		{name: "verify-valid", path: "/badges/verify", status: 200, button: "Verify", form: map[string]string{"badge": s.signed(t, ids[0])}},
		{name: "verify-revoked", path: "/badges/verify", status: 200, button: "Verify", form: map[string]string{"badge": s.signed(t, ids[1])}},
	}
}

// signed is the text of a badge.
func (s *sample) signed(t *testing.T, id string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/badges/"+id+".jwt", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", res.StatusCode, err)
	}
	return string(text)
}
