package sites

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCodeforcesRoundsRecorded(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "codeforces/contest.list_first2_2026-09-15.json"))}
	rounds, err := codeforces{}.Rounds(t.Context(), get)
	want := []Round{
		{"2261", "Codeforces Round (Div. 1 + Div. 2)", time.Unix(1792247700, 0).UTC(), time.Unix(1792247700+10800, 0).UTC(), false, false},
		{"2264", "Codeforces Round 1121 (Div. 2)", time.Unix(1789319100, 0).UTC(), time.Unix(1789319100+7200, 0).UTC(), true, true},
	}
	if err != nil || !slices.Equal(rounds, want) {
		t.Errorf("%+v, %v", rounds, err)
	}
}

func TestCodeforcesRounds(t *testing.T) {
	t.Parallel()
	const list = `{"status":"OK","result":[%s]}`
	for _, tt := range []struct {
		contests string
		want     int // Rounds; -1: not understood.
	}{
		{`{"id":7,"name":"A","phase":"FINISHED","durationSeconds":7200,"startTimeSeconds":1700000000}`, 1},
		{`{"id":7,"name":"A","phase":"BEFORE","durationSeconds":7200},{"id":6,"name":"B","phase":"CODING","durationSeconds":7200,"startTimeSeconds":1700000000}`, 1},
		{``, -1}, {`{"id":7,"name":"A","durationSeconds":7200,"startTimeSeconds":1700000000}`, -1},
		{`{"id":7,"name":"A","phase":"FINISHED","startTimeSeconds":1700000000}`, -1}, {`{"id":7,"phase":"FINISHED","durationSeconds":"long","startTimeSeconds":1700000000}`, -1},
	} {
		rounds, err := codeforces{}.Rounds(t.Context(), &fake{t: t, serve: always(200, fmt.Sprintf(list, tt.contests))})
		if tt.want < 0 && !errors.Is(err, ErrFormat) || tt.want >= 0 && (err != nil || len(rounds) != tt.want) {
			t.Errorf("%s: %+v, %v", tt.contests, rounds, err)
		}
	}
}

// Who practised, or took part virtually, has not taken part; who was out of
// competition, or in a team, has. A handle that is not known spoils nothing.
func TestCodeforcesTookPart(t *testing.T) {
	t.Parallel()
	const row = `{"party":{"contestId":7,"members":[%s],"participantType":%q,"ghost":false},"rank":1}`
	get := &fake{t: t, serve: func(_ int, u *url.URL) Page {
		if strings.Contains(u.Query().Get("handles"), "gone") {
			return Page{400, []byte(`{"status":"FAILED","comment":"handles: User with handle gone not found"}`)}
		}
		rows := []string{fmt.Sprintf(row, `{"handle":"Ada"}`, "CONTESTANT"), fmt.Sprintf(row, `{"handle":"bob"}`, "PRACTICE"), fmt.Sprintf(row, `{"handle":"cleo"},{"handle":"someone"}`, "OUT_OF_COMPETITION"),
			fmt.Sprintf(row, `{"handle":"dan"}`, "VIRTUAL"), fmt.Sprintf(row, `{"handle":"ada"}`, "CONTESTANT")}
		return Page{200, []byte(`{"status":"OK","result":{"contest":{"id":7},"problems":[],"rows":[` + strings.Join(rows, ",") + `]}}`)}
	}}
	took, err := codeforces{}.TookPart(t.Context(), get, "7", []string{"ada", "bob", "gone", "cleo", "dan", "eve", "no handle"})
	if want := []string{"ada", "cleo"}; err != nil || !slices.Equal(took, want) || len(get.asked) != 2 {
		t.Errorf("%v, %v after %v; want %v", took, err, get.asked, want)
	}
	for _, body := range []string{`{"status":"OK","result":{"contest":{"id":8},"rows":[]}}`, `{"status":"OK","result":{"contest":{"id":7}}}`, `{"status":"OK","result":[]}`, `{"status":"OK"}`} {
		if took, err := (codeforces{}).TookPart(t.Context(), &fake{t: t, serve: always(200, body)}, "7", []string{"ada"}); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", body, took, err)
		}
	}
}

// A row of a team is everybody's of it, and one of a ghost is nobody's.
func TestCodeforcesRoundPage(t *testing.T) {
	t.Parallel()
	const row = `{"id":%d,"contestId":7,"creationTimeSeconds":1700000000,"problem":{"contestId":7,"index":"A","name":"Sum"},"author":{"members":[%s],"participantType":"CONTESTANT"},"programmingLanguage":"Go","verdict":"TESTING"}`
	page := func(rows ...string) (RoundPage, error) {
		get := &fake{t: t, serve: always(200, `{"status":"OK","result":[`+strings.Join(rows, ",")+`]}`)}
		p, err := codeforces{}.RoundPage(t.Context(), get, "7", 10001)
		if want := "https://codeforces.com/api/contest.status?contestId=7&from=10001&count=10000"; get.asked[0] != want {
			t.Errorf("asked %s, want %s", get.asked[0], want)
		}
		return p, err
	}
	p, err := page(fmt.Sprintf(row, 9, `{"handle":"ada"},{"handle":"Bob"}`), fmt.Sprintf(row, 8, ``), fmt.Sprintf(row, 7, `{"handle":"cleo"}`))
	if err != nil || p.Shown != 3 || len(p.Rows) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	for i, want := range []Fed{{Handle: "ada", Submission: Submission{ID: "9"}}, {Handle: "Bob", Submission: Submission{ID: "9"}}, {Handle: "cleo", Submission: Submission{ID: "7"}}} {
		got := p.Rows[i]
		if got.Handle != want.Handle || got.ID != want.ID || got.Status != Pending || got.Problem.Key != "7A" || got.URL != "https://codeforces.com/contest/7/submission/"+want.ID {
			t.Errorf("row %d: %+v", i, got)
		}
	}
	if p, err := page(); err != nil || p.Shown != 0 {
		t.Errorf("the end: %+v, %v", p, err)
	}
	if p, err := page(fmt.Sprintf(row, 8, ``)); !errors.Is(err, ErrFormat) {
		t.Errorf("rows of nobody: %+v, %v", p, err)
	}
}

func FuzzCodeforcesRounds(f *testing.F) {
	f.Add(200, `{"status":"OK","result":[{"id":7,"name":"A","phase":"FINISHED","durationSeconds":7200,"startTimeSeconds":1700000000}]}`)
	f.Add(200, `{"status":"OK","result":{"contest":{"id":7},"rows":[{"party":{"members":[{"handle":"ada"}],"participantType":"CONTESTANT"}}]}}`)
	f.Add(200, `{"status":"OK","result":[{"id":9,"contestId":7,"creationTimeSeconds":1700000000,"problem":{"index":"A"},"author":{"members":[{"handle":"ada"}]}}]}`)
	f.Add(400, `{"status":"FAILED","comment":"handles: User with handle ada not found"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		get := &fake{t: t, serve: always(status, body)}
		rounds, err := codeforces{}.Rounds(t.Context(), get)
		for _, r := range rounds {
			if r.Contest == "" || err != nil {
				t.Errorf("%+v, %v", r, err)
			}
		}
		took, err := codeforces{}.TookPart(t.Context(), get, "7", []string{"ada", "Bob"})
		if len(took) > 2 || errors.Is(err, errEnough) {
			t.Errorf("%v, %v after %d requests", took, err, len(get.asked))
		}
		p, err := codeforces{}.RoundPage(t.Context(), get, "7", 1)
		if p.Shown > 0 && len(p.Rows) == 0 {
			t.Errorf("%+v, %v", p, err)
		}
		for _, r := range p.Rows {
			if r.Handle == "" {
				t.Error("a row of nobody")
			}
			wantSound(t, r.Submission)
		}
	})
}
