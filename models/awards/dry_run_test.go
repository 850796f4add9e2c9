package awards_test

import (
	"fmt"
	"testing"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

// photos is an award for so many photos.
func photos(goal int, more string) string {
	return fmt.Sprintf(`{"slug":"photos","title":"Photos"%s,"objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
		"strategy":{"objective_id":"o","goal":%d}}`, more, goal)
}

// What a dry run says would happen is what happens then.
func TestDryRunSaysWhatActivationDoes(t *testing.T) {
	t.Parallel()
	names := make([]string, 12)
	for i := range names {
		names[i] = fmt.Sprint("m", i)
	}
	w := modelstest.NewAwardWorld(t, names...)
	w.Runs(photos(5, `,"permanence":"live"`))
	var events []rules.Event
	for i, name := range names {
		for n := range i { // m0 has none, m11 has eleven.
			e := modelstest.Item("photo", fmt.Sprint(name, ".", n), 1, "active", n, nil)
			e.Member = name
			events = append(events, e)
		}
	}
	w.Sends(events...)
	for _, tt := range []struct {
		doc  string
		want string
	}{
		{photos(5, `,"permanence":"live"`), "7 holders, +0 -0, 0 kept, 1 near"},
		{photos(3, `,"permanence":"live"`), "9 holders, +2 -0, 0 kept, 1 near"},
		{photos(9, `,"permanence":"live"`), "3 holders, +0 -4, 0 kept, 1 near"},
		{photos(9, `,"permanence":"permanent"`), "7 holders, +0 -0, 4 kept, 1 near"},
		{photos(9, `,"levels":[{"title":"Half","goal":4},{"title":"All","goal":9}]`), "8 holders, +4 -0, 0 kept, 0 near"},
	} {
		doc, mistakes := rules.Parse([]byte(tt.doc))
		if len(mistakes) > 0 {
			t.Fatal(mistakes)
		}
		a, err := awards.Save(t.Context(), w.DB, doc, awards.Edit{Author: "root", Basis: -1}, w.Now)
		if err != nil {
			t.Fatal(err)
		}
		r, err := awards.DryRun(t.Context(), w.DB, &a, 0, w.Now)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%d holders, +%d -%d, %d kept, %d near", r.Holders, r.Gained, r.Lost, r.Kept, r.Near)
		if got != tt.want || r.Sampled || r.Items != 66 || r.Members != 12 {
			t.Errorf("%s: %s of %d members and %d items, want %s", tt.doc, got, r.Members, r.Items, tt.want)
		}
	}
	doc, _ := rules.Parse([]byte(photos(3, `,"permanence":"live"`)))
	a, err := awards.Save(t.Context(), w.DB, doc, awards.Edit{Author: "root", Basis: -1}, w.Now)
	if err != nil {
		t.Fatal(err)
	}
	r, err := awards.DryRun(t.Context(), w.DB, &a, 0, w.Now)
	if err != nil {
		t.Fatal(err)
	}
	w.Runs(photos(3, `,"permanence":"live"`))
	w.Works()
	var holders int
	if err := w.DB.Raw(`SELECT count(*) FROM award_grants WHERE revoked_at IS NULL`).Scan(&holders).Error; err != nil || holders != r.Holders || r.Notices != 2 {
		t.Errorf("%d hold it, %v; the dry run said %+v", holders, err, r)
	}
}
