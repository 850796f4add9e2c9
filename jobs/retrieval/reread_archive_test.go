package retrieval_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/members"
	"laurel/models/modelstest"
	modelretrieval "laurel/models/retrieval"
)

// A misratedSite reads all ratings a thousand too high.
type misratedSite struct{ sites.Site }

func (m misratedSite) Ratings(ctx context.Context, get sites.Getter, a sites.Account) ([]sites.Rating, error) {
	list, err := m.Site.Ratings(ctx, get, a)
	for i := range list {
		list[i].Rating += 1000
	}
	return list, err
}

// What a reader misread of ratings is superseded in the archive when it is read again: the history is as if it
// had been read so, and what was believed before can still be read.
func TestRereadSupersedesTheArchive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -6, 0)})
	p := w.out.People()[0]
	modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	mended := w.Sites
	w.Sites = []sites.Site{misratedSite{site(t, w, "codeforces")}}
	w.round(t)
	shard, err := archive.Lookup(t.Context(), w.DB.DB, "account_contest")
	if err != nil {
		t.Fatal(err)
	}
	ratings := func(known time.Time) (list []int64) {
		rows, err := archive.History(t.Context(), w.DB.DB, shard,
			archive.Query{Key: shards.Row{"site": "codeforces", "handle": p.Handles["codeforces"]}, Known: known})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			list = append(list, r.Data["rating"].(int64))
		}
		return list
	}
	wrong, before := ratings(time.Time{}), w.Now()
	if len(wrong) == 0 {
		t.Fatal("there are no ratings: the test needs some")
	}
	w.Sites = mended
	w.clock.Pass(time.Hour)
	reread := func(dry bool) (superseded int) {
		t.Helper()
		err := w.Reread(t.Context(), retrieval.RereadOrder{DryRun: dry}, func(_ *members.Account, c modelretrieval.Changes) error {
			superseded += c.Superseded
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return superseded
	}
	if n := reread(true); n != 1 || ratings(time.Time{})[0] != wrong[0] {
		t.Errorf("a dry run would supersede %d responses, want 1, and change nothing", n)
	}
	if n := reread(false); n != 1 {
		t.Errorf("%d responses were superseded, want 1", n)
	}
	right, then := ratings(time.Time{}), ratings(before)
	if len(right) != len(wrong) || len(then) != len(wrong) {
		t.Fatalf("%d ratings, %d as believed before, want %d", len(right), len(then), len(wrong))
	}
	for i := range wrong {
		if right[i] != wrong[i]-1000 || then[i] != wrong[i] {
			t.Errorf("rating %d is %d now and was %d before, want %d and %d", i, right[i], then[i], wrong[i]-1000, wrong[i])
		}
	}
	if n := reread(false); n != 0 {
		t.Errorf("the second time superseded %d responses", n)
	}
	report, err := archive.Check(t.Context(), w.DB.DB)
	if err != nil || report.Total > 0 {
		t.Errorf("check: %v %+v", err, report.Findings)
	}
}
