package forums_test

import (
	"testing"
	"time"

	"laurel/models/forums"
	"laurel/models/modelstest"
)

// The next run asks once more for what could not be had; after that the pauses grow
// to a month.
func TestPausesOfGapsGrow(t *testing.T) {
	ctx, tx := t.Context(), modelstest.Tx(t)
	f, _, err := forums.Add(ctx, tx, forums.New{Slug: "news", Kind: "pipermail", URL: "https://lists.example.org/news/"}, []string{"pipermail"}, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	lease := forums.Lease{ID: 7, Until: modelstest.Noon.Add(time.Hour)}
	g := forums.Gap{Address: "https://lists.example.org/news/2011-June/000001.html", Period: "2011-June", Reason: "broken"}
	h := forums.Harvest{Forum: f, Lease: lease}
	if err := h.StoreGap(ctx, tx, &g, false, modelstest.Noon); err == nil {
		t.Error("somebody without the lease stores a gap")
	}
	if _, ok, err := forums.Claim(ctx, tx, "", lease, modelstest.Noon); !ok || err != nil {
		t.Fatal(ok, err)
	}
	now := modelstest.Noon
	for n, pause := range []time.Duration{0, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 32 * time.Hour, 64 * time.Hour, 128 * time.Hour, 256 * time.Hour, 512 * time.Hour, 720 * time.Hour, 720 * time.Hour} {
		if err := h.StoreGap(ctx, tx, &g, false, now); err != nil {
			t.Fatal(err)
		}
		if g.Tries != n+1 || !g.DueAt.Equal(now.Add(pause)) || !g.FirstAt.Equal(modelstest.Noon) {
			t.Errorf("after %d tries: %+v, want a pause of %s", n+1, g, pause)
		}
		if due, err := forums.AnythingDue(ctx, tx, f.ID, now); err != nil || due != (pause == 0) {
			t.Errorf("after %d tries something is due: %t, %v", n+1, due, err)
		}
		now = g.DueAt
	}
	gone := forums.Gap{Address: "https://lists.example.org/news/2011-May/date.html", Period: "2011-May", Reason: "gone"}
	if err := h.StoreGap(ctx, tx, &gone, true, now); err != nil || !gone.DueAt.Equal(now.Add(720*time.Hour)) {
		t.Errorf("%+v, %v", gone, err)
	}
	if list, total, err := forums.Gaps(ctx, tx, f.ID, 1); err != nil || total != 2 || len(list) != 1 || list[0].Address != g.Address {
		t.Errorf("%+v of %d, %v", list, total, err)
	}
	if err := forums.CloseGaps(ctx, tx, f.ID, []string{g.Address, gone.Address}); err != nil {
		t.Fatal(err)
	}
	if by, err := forums.GapsByAddress(ctx, tx, f.ID); err != nil || len(by) != 0 {
		t.Errorf("%v, %v", by, err)
	}
}
