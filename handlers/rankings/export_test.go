package rankings_test

import (
	"net/http"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	modelhistory "laurel/models/history"
)

// The sheets of a ranking are of the list that its page shows, and of no other.
func TestRankingSheets(t *testing.T) {
	t.Parallel()
	s, b := rankings(t)
	at := time.Date(2026, 11, 7, 12, 0, 0, 0, time.UTC)
	l := modelhistory.RankingPage{Name: "a/b c", Source: "game", Address: "/board", At: at, Size: 2,
		Places: []modelhistory.Place{{Player: "=1+1", Rank: new(int64(1)), Score: new(1e6)}, {Player: "y"}}}
	if _, err := modelhistory.StoreRanking(t.Context(), s.DB.DB, l, at); err != nil {
		t.Fatal(err)
	}
	const base = "/ladders/a%2Fb%20c"
	same := func(address, want string) {
		t.Helper()
		if got := b.Get(address).Is(t, http.StatusOK).Text; got != want {
			t.Errorf("%s is\n%s\nwant\n%s", address, got, want)
		}
	}
	same(base+"?format=csv", "rank,player,score\n1,'=1+1,1000000\n,y,\n")
	same(base+"?format=json&at="+handlerstest.November(3, 13), `{"ladder":"a/b c","at":"2026-11-03T13:00:00Z","seen_at":"2026-11-03T12:00:00Z","size":3,"complete":true,"items":[`+
		`{"player":"y","rank":1,"score":1000.5},{"player":"x","rank":2,"score":999.5},{"player":"new \u0026 good","rank":3,"score":998.5}]}`+"\n")
	same(base+"?format=json&at="+handlerstest.November(5, 13), `{"ladder":"a/b c","at":"2026-11-05T13:00:00Z","seen_at":"2026-11-05T12:00:00Z","size":5000,"complete":false,"items":[{"player":"y","rank":1,"score":1000.5}]}`+"\n")
	same(base+"?format=json&at=2026-10-01T00:00:00Z", `{"ladder":"a/b c","at":"2026-10-01T00:00:00Z","seen_at":null,"size":null,"complete":false,"items":[]}`+"\n")
	same(base+"?format=csv&at="+handlerstest.November(4, 13), "rank,player,score\n")
	between := base + "/diff?from=" + handlerstest.November(2, 13) + "&to=" + handlerstest.November(3, 13) + "&format="
	same(between+"csv", "change,player,rank_from,rank_to,score_from,score_to\nmoved,y,2,1,999.5,1000.5\nmoved,x,1,2,1000.5,999.5\nentered,new & good,,3,,998.5\nleft,z,3,,998.5,\n")
	b.Get(between+"json").Is(t, http.StatusOK, `"from_seen_at":"2026-11-02T12:00:00Z"`, `"same":0`, `{"change":"left","player":"z","rank_from":3,"rank_to":null,"score_from":998.5,"score_to":null}`)
	b.Get(base).Is(t, http.StatusOK, base+"?at=2026-11-20T00%3A00%3A00Z&amp;format=csv", "&amp;format=json")
	b.Get(base+"/diff").Is(t, http.StatusOK, "to=2026-11-20T00%3A00%3A00Z&amp;format=csv")
	b.Get(base+"?format=xml").Is(t, http.StatusUnprocessableEntity, "csv and json")
	b.Get(base+"/diff?format=xml").Is(t, http.StatusUnprocessableEntity, "csv and json")
	if a := b.Get(base + "?format=csv"); a.Header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" {
		t.Errorf("the sheet is %s", a.Header.Get("Content-Type"))
	}
}
