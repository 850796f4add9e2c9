package sites

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestCodeforcesContestsRecorded(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "codeforces/contest.list_first2_2026-09-15.json"))}
	list, err := codeforces{}.Contests(t.Context(), get)
	want := []Contest{
		{"2261", "Codeforces Round (Div. 1 + Div. 2)", time.Unix(1792247700, 0).UTC(), time.Unix(1792247700+10800, 0).UTC(), false},
		{"2264", "Codeforces Round 1121 (Div. 2)", time.Unix(1789319100, 0).UTC(), time.Unix(1789319100+7200, 0).UTC(), true},
	}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestCodeforcesContests(t *testing.T) {
	t.Parallel()
	const list = `{"status":"OK","result":[%s]}`
	for _, tt := range []struct {
		contests string
		want     int // Rounds; -1: not understood.
	}{
		{`{"id":7,"name":"A","phase":"FINISHED","durationSeconds":7200,"startTimeSeconds":1700000000}`, 1},
		{`{"id":7,"name":"A","phase":"BEFORE","durationSeconds":7200},{"id":6,"name":"B","phase":"CODING","durationSeconds":7200,"startTimeSeconds":1700000000}`, 1},
		{``, -1}, {`{"id":7,"name":"A","durationSeconds":7200,"startTimeSeconds":1700000000}`, -1},
		{`{"id":7,"name":"A","phase":"FINISHED","startTimeSeconds":1700000000}`, -1},
		{`{"id":7,"phase":"FINISHED","durationSeconds":"long","startTimeSeconds":1700000000}`, -1},
	} {
		contests, err := codeforces{}.Contests(t.Context(), &fake{t: t, serve: always(200, fmt.Sprintf(list, tt.contests))})
		if tt.want < 0 && !errors.Is(err, ErrFormat) || tt.want >= 0 && (err != nil || len(contests) != tt.want) {
			t.Errorf("%s: %+v, %v", tt.contests, contests, err)
		}
	}
}
