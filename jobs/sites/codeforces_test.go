package sites

import (
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func cfRead(t *testing.T, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(codeforces{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

// The numbers are what the record's own manifest says a right reader gets out.
func TestCodeforcesRecorded(t *testing.T) {
	for _, tt := range []struct {
		file        string
		want        map[string]int
		first, last string
	}{
		{"user.status_Uakkes_2024-07_300.json", map[string]int{AC: 128, WA: 143, TLE: 21, CE: 5, RE: 3}, "269141668", "233103247"},
		{"user.status_gym_excerpt_3.141f_2025-12.json", map[string]int{AC: 4, WA: 1, CE: 1}, "351889680", "200765604"},
		{"user.status_tourist_first2_2026-09-15.json", map[string]int{AC: 1, WA: 1}, "390651990", "390648109"},
		{"user.status_optional_fields_EDITED.json", map[string]int{Pending: 1}, "1", "1"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			subs, _, err := cfRead(t, Account{Handle: "Uakkes"}, always(200, recorded(t, "codeforces/"+tt.file)))
			if err != nil {
				t.Fatal(err)
			}
			if got := statuses(subs); !maps.Equal(got, tt.want) {
				t.Errorf("statuses %v, want %v", got, tt.want)
			}
			got := ids(t, subs)
			if got[0] != tt.first || got[len(got)-1] != tt.last {
				t.Errorf("from %s to %s, want %s to %s", got[0], got[len(got)-1], tt.first, tt.last)
			}
			for _, s := range subs {
				wantSound(t, s)
			}
		})
	}
}

func TestCodeforcesRecordedDetails(t *testing.T) {
	read := func(file string) Submission {
		subs, _, err := cfRead(t, Account{Handle: "Uakkes"}, always(200, recorded(t, "codeforces/"+file)))
		if err != nil {
			t.Fatal(err)
		}
		return subs[0]
	}
	for _, tt := range []struct {
		file string
		want Submission
	}{
		{"user.status_Uakkes_2024-07_300.json", Submission{
			ID: "269141668", At: time.Unix(1720314013, 0).UTC(), Status: AC, Final: true, Verdict: "OK", Language: "C++20 (GCC 13-64)",
			Problem: Problem{"1692G", "2^Sort", "https://codeforces.com/problemset/problem/1692/G"},
			URL:     "https://codeforces.com/contest/1692/submission/269141668",
			Contest: ContestRef{Key: "1692", URL: "https://codeforces.com/contest/1692"}, Participation: InPractice,
			Facts: &Facts{new(1400), []string{"data structures", "dp", "sortings", "two pointers"}},
		}},
		{"user.status_gym_excerpt_3.141f_2025-12.json", Submission{
			ID: "351889680", At: time.Unix(1764863548, 0).UTC(), Status: WA, Final: true, Verdict: "WRONG_ANSWER",
			Language: "C++23 (GCC 14-64, msys2)",
			Problem:  Problem{"106195F", "Peter's polygon problem", "https://codeforces.com/gym/106195/problem/F"},
			URL:      "https://codeforces.com/gym/106195/submission/351889680",
			Contest:  ContestRef{Key: "106195", URL: "https://codeforces.com/gym/106195"}, Participation: InPractice,
		}},
		{"user.status_optional_fields_EDITED.json", Submission{
			ID: "1", At: time.Unix(1789326747, 0).UTC(), Status: Pending, Language: "C++23 (GCC 14-64, msys2)",
			Problem: Problem{"acmsguru-100", "A+B", "https://codeforces.com/problemsets/acmsguru/problem/99999/100"},
			URL:     "https://codeforces.com/problemsets/acmsguru/submission/99999/1", Participation: InUnknown,
		}},
	} {
		if diff := cmp.Diff(tt.want, read(tt.file)); diff != "" {
			t.Errorf("%s: want - got +:\n%s", tt.file, diff)
		}
	}
}

func TestCodeforcesRatings(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "codeforces/user.rating_tourist_first2_2026-09-15.json"))}
	got, err := codeforces{}.Ratings(t.Context(), get, Account{Handle: "tourist"})
	if err != nil || len(got) != 2 {
		t.Fatalf("%d ratings, error %v, want 2", len(got), err)
	}
	want := Rating{"2", "Codeforces Beta Round 2", "https://codeforces.com/contest/2", 14, 1602, time.Unix(1267124400, 0).UTC()}
	if got[0] != want {
		t.Errorf("first rating %+v, want %+v", got[0], want)
	}
}

func TestCodeforcesSaysNo(t *testing.T) {
	const notFound = `{"status":"FAILED","comment":"handle: User with handle ada not found"}`
	for _, tt := range []struct {
		name, body string
		status     int
		want       error
	}{
		{"unknown handle", notFound, 400, ErrNoHandle},
		{"unknown handle, as user.info says it", `{"status":"FAILED","comment":"handles: User with handle ada not found"}`, 400, ErrNoHandle},
		{"another 400", `{"status":"FAILED","comment":"handle: Field should contain between 3 and 24 characters, inclusive"}`, 400, ErrServer},
		{"a 400 of a proxy", `<html>400 Bad Request</html>`, 400, ErrFormat},
		{"a 404 of a proxy", `<html>404 Not Found</html>`, 404, ErrFormat},
		{"a contest not found", `{"status":"FAILED","comment":"contestId: Contest with id 9 not found"}`, 400, ErrServer},
		{"too often", `{"status":"FAILED","comment":"Call limit exceeded"}`, 200, ErrRateLimited},
		{"broken", `{"status":"FAILED","comment":"Internal Server Error"}`, 200, ErrServer},
		{"OK without a result", `{"status":"OK"}`, 200, ErrFormat},
		{"OK with null", `{"status":"OK","result":null}`, 200, ErrFormat},
		{"OK with an object", `{"status":"OK","result":{}}`, 200, ErrFormat},
		{"an empty row", `{"status":"OK","result":[{}]}`, 200, ErrFormat},
		{"a row without an id", `{"status":"OK","result":[{"creationTimeSeconds":1700000000,"problem":{"index":"A"}}]}`, 200, ErrFormat},
		{"a row without a time", `{"status":"OK","result":[{"id":5,"problem":{"index":"A"}}]}`, 200, ErrFormat},
		{"a row without a problem", `{"status":"OK","result":[{"id":5,"creationTimeSeconds":1700000000}]}`, 200, ErrFormat},
		{"a time in milliseconds", `{"status":"OK","result":[{"id":5,"creationTimeSeconds":1700000000000,"problem":{"index":"A"}}]}`, 200,
			ErrFormat},
		{"an id in quotes", `{"status":"OK","result":[{"id":"5","creationTimeSeconds":1700000000,"problem":{"index":"A"}}]}`, 200, ErrFormat},
	} {
		t.Run(tt.name, func(t *testing.T) {
			subs, _, err := cfRead(t, Account{Handle: "ada"}, always(tt.status, thrice(tt.body)))
			if !errors.Is(err, tt.want) || len(subs) > 0 {
				t.Errorf("%d submissions, error %v, want %v", len(subs), err, tt.want)
			}
			if !errors.Is(tt.want, ErrNoHandle) && errors.Is(err, ErrNoHandle) {
				t.Errorf("%v is taken for proof", err)
			}
			_, err = codeforces{}.Ratings(t.Context(), &fake{t: t, serve: always(tt.status, tt.body)}, Account{Handle: "ada"})
			if tt.status != 200 && !errors.Is(err, tt.want) {
				t.Errorf("ratings: error %v, want %v", err, tt.want)
			}
		})
	}
}

func TestCodeforcesRecordedNotFound(t *testing.T) {
	for _, file := range []string{"user.status_not_found_HTTP400_2026-09-15.json", "user.info_not_found.json"} {
		if _, _, err := cfRead(t, Account{Handle: "ada"}, always(400, recorded(t, "codeforces/"+file))); !errors.Is(err, ErrNoHandle) {
			t.Errorf("%s: error %v, want %v", file, err, ErrNoHandle)
		}
	}
}

func TestCodeforcesStatuses(t *testing.T) {
	for verdict, want := range map[string]string{
		"OK": AC, "WRONG_ANSWER": WA, "TIME_LIMIT_EXCEEDED": TLE, "IDLENESS_LIMIT_EXCEEDED": TLE, "MEMORY_LIMIT_EXCEEDED": MLE,
		"RUNTIME_ERROR": RE, "COMPILATION_ERROR": CE, "PRESENTATION_ERROR": PE, "PARTIAL": PS, "SKIPPED": SK, "CHALLENGED": HCK,
		"": Pending, "TESTING": Pending, "SUBMITTED": Pending, "REJECTED": OTH, "FAILED": OTH, "CRASHED": OTH, "SECURITY_VIOLATED": OTH,
		"OK?": OTH,
	} {
		if got := cfStatus(verdict); got != want {
			t.Errorf("%q is %s, want %s", verdict, got, want)
		}
	}
}

func FuzzCodeforces(f *testing.F) {
	f.Add(200, `{"status":"OK","result":[{"id":5,"contestId":1,"creationTimeSeconds":1700000000,"problem":{"index":"A","name":"a\u0000b"},"verdict":"OK"}]}`)
	f.Add(400, `{"status":"FAILED","comment":"handle: User with handle ada not found"}`)
	f.Add(200, string(readPages(f, "codeforces/odd.pages.json").Answers["https://codeforces.com/api/user.status?"]))
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1700000000, 0)} {
			get := &fake{t: t, serve: always(status, body)}
			subs, err := all(codeforces{}.Submissions(t.Context(), get, Account{Handle: "ada", CoveredAt: since}))
			if errors.Is(err, errEnough) {
				t.Errorf("no end: %d requests", len(get.asked))
			}
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		_, _ = codeforces{}.Ratings(t.Context(), &fake{t: t, serve: always(status, body)}, Account{Handle: "ada"})
	})
}

// What is practised stays as it was judged; what a round has may be hacked and tested.
func TestCodeforcesFinal(t *testing.T) {
	t.Parallel()
	for kind, final := range map[string]bool{"PRACTICE": true, "VIRTUAL": true, "CONTESTANT": false, "OUT_OF_COMPETITION": false,
		"MANAGER": false, "": false} {
		body := `{"status":"OK","result":[{"id":7,"creationTimeSeconds":1720314013,"problem":{"index":"A","name":"Sum"},"verdict":"OK","author":{"participantType":"` + kind + `"}}]}`
		subs, _, err := cfRead(t, Account{Handle: "ada"}, always(200, body))
		if err != nil || len(subs) != 1 || subs[0].Final != final {
			t.Errorf("%q: %+v, %v; want final: %t", kind, subs, err, final)
		}
	}
}
