package sites

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

// An atcoderList is the mirror and AtCoder's own user page: rows in the order of
// time, at most most of them a page.
type atcoderList struct {
	rows    [][2]int64 // Second and id.
	most    int
	profile int // The status of the user page.
}

func (l *atcoderList) serve(_ int, u *url.URL) Page {
	if u.Host == "atcoder.jp" {
		return Page{l.profile, []byte("<html></html>")}
	}
	from, _ := strconv.ParseInt(u.Query().Get("from_second"), 10, 64)
	var page []string
	for _, r := range l.rows {
		if r[0] >= from && len(page) < l.most {
			page = append(page, fmt.Sprintf(`{"id":%d,"epoch_second":%d,"problem_id":"abc001_1","contest_id":"abc001","language":"Go","point":100.0,"result":"AC"}`, r[1], r[0]))
		}
	}
	return Page{200, []byte("[" + strings.Join(page, ",") + "]")}
}

const atcoderStart = 1500000000

// atcoderMany returns n rows, up to shared of them in one second.
func atcoderMany(rnd *rand.Rand, n, shared int) [][2]int64 {
	var rows [][2]int64
	second := int64(atcoderStart)
	for len(rows) < n {
		second += 1 + rnd.Int64N(3)*rnd.Int64N(1000)
		for range min(1+rnd.IntN(shared), n-len(rows)) {
			rows = append(rows, [2]int64{second, int64(len(rows) + 1)})
		}
	}
	return rows
}

func atcoderRead(t *testing.T, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(atcoder{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

func TestAtcoderRecorded(t *testing.T) {
	subs, _, err := atcoderRead(t, Account{Handle: "user"}, always(200, recorded(t, "atcoder/kenkoooo_results_user_cypress.json")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := statuses(subs), (map[string]int{AC: 2, WA: 1}); len(subs) != 3 || !maps.Equal(got, want) {
		t.Fatalf("%d rows, %v, want 3, %v", len(subs), got, want)
	}
	ids(t, subs)
	first := subs[0]
	wantSound(t, first)
	if first.Points == nil || *first.Points != 700 {
		t.Errorf("points %v, want 700", first.Points)
	}
	first.Points = nil
	if want := (Submission{
		ID: "4272642", At: time.Unix(1550253178, 0).UTC(), Status: AC, Verdict: "AC", Language: "Rust (1.15.1)",
		Problem: Problem{Key: "arc101_b", URL: "https://atcoder.jp/contests/abc107/tasks/arc101_b"},
		URL:     "https://atcoder.jp/contests/abc107/submissions/4272642",
		Contest: ContestRef{Key: "abc107", URL: "https://atcoder.jp/contests/abc107"},
	}); first != want {
		t.Errorf("\n got %+v\nwant %+v", first, want)
	}
}

func TestAtcoderRecordedRatings(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "atcoder/users_history_json_5contests.json"))}
	got, err := atcoder{}.Ratings(t.Context(), get, Account{Handle: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	var ends []int64
	var ratings []int
	for _, r := range got {
		ends, ratings = append(ends, r.At.Unix()), append(ratings, r.Rating)
	}
	if want := []int64{1473601200, 1480858800, 1486216200, 1494079800, 1495893000}; !slices.Equal(ends, want) {
		t.Errorf("ends %v, want %v", ends, want)
	}
	if want := []int{1255, 2155, 2676, 2728, 2733}; !slices.Equal(ratings, want) {
		t.Errorf("ratings %v, want %v", ratings, want)
	}
	want := Rating{"arc061", "AtCoder Regular Contest 061", "https://atcoder.jp/contests/arc061", 59, 1255, time.Unix(1473601200, 0).UTC()}
	if got[0] != want {
		t.Errorf("first %+v, want %+v", got[0], want)
	}
}

func TestAtcoderUnratedContestsAreNoRatings(t *testing.T) {
	get := &fake{t: t, serve: always(200, fakesite.Testdata(t, "atcoder/history.json"))}
	got, err := atcoder{}.Ratings(t.Context(), get, Account{Handle: "ada"})
	if err != nil || len(got) != 1 || got[0].Contest != "abc300" || got[0].At.Location() != time.UTC {
		t.Errorf("ratings %+v, error %v, want abc300 alone, in UTC", got, err)
	}
}

func TestAtcoderStatuses(t *testing.T) {
	for result, want := range map[string]string{
		"AC": AC, "WA": WA, "TLE": TLE, "MLE": MLE, "RE": RE, "CE": CE, "PE": PE,
		"": Pending, "WJ": Pending, "WR": Pending, "3/25": Pending, "12/34 TLE": Pending, "12 / 34 WA": Pending,
		"OLE": OTH, "QLE": OTH, "IE": OTH, "NG": OTH, "1/": OTH, "HCK": OTH,
	} {
		if got := atcoderStatus(result); got != want {
			t.Errorf("%q is %s, want %s", result, got, want)
		}
	}
}

func TestAtcoderSameHistoryWhateverThePage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{0, 1, 2, 50, 137, 501} {
		for shared := 1; shared <= 4; shared++ {
			rows := atcoderMany(rnd, length, shared)
			for _, most := range pageSizes(length) {
				if most < shared {
					continue // A page shorter than a second cannot be read by anybody.
				}
				list := &atcoderList{rows: rows, most: most, profile: 200}
				subs, asked, err := atcoderRead(t, Account{Handle: "ada"}, list.serve)
				if err != nil || len(ids(t, subs)) != length {
					t.Fatalf("%d rows, %d a second, pages of %d: read %d in %d requests, error %v", length, shared, most, len(subs), len(asked), err)
				}
			}
		}
	}
}

func TestAtcoderListGrowsWhileItIsRead(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		length, most := 1+rnd.IntN(200), 3+rnd.IntN(60)
		list := &atcoderList{rows: atcoderMany(rnd, length, 3), most: most, profile: 200}
		subs, _, err := atcoderRead(t, Account{Handle: "ada"}, func(n int, u *url.URL) Page {
			if rnd.IntN(2) == 0 && len(list.rows) < length+30 {
				newest := list.rows[len(list.rows)-1]
				list.rows = append(list.rows, [2]int64{newest[0] + 1, newest[1] + 1})
			}
			return list.serve(n, u)
		})
		if err != nil || len(ids(t, subs)) < length {
			t.Fatalf("%d rows, pages of %d: read %d, error %v", length, most, len(subs), err)
		}
	}
}

func TestAtcoderAsksOnlyBehindCoveredGround(t *testing.T) {
	var rows [][2]int64
	for i := range int64(2000) {
		rows = append(rows, [2]int64{atcoderStart + i*60, i + 1})
	}
	list := &atcoderList{rows: rows, most: 500, profile: 404}
	for _, tt := range []struct{ fresh, requests int }{{0, 1}, {1, 1}, {9, 1}, {10, 2}, {499, 2}, {600, 2}} {
		since := time.Unix(atcoderStart+int64(2000-tt.fresh)*60, 999)
		subs, asked, err := atcoderRead(t, Account{Handle: "ada", CoveredAt: since}, list.serve)
		if err != nil || len(subs) != tt.fresh || len(asked) != tt.requests {
			t.Errorf("%d rows in %d requests, error %v, want %d in %d", len(subs), len(asked), err, tt.fresh, tt.requests)
		}
		if want := fmt.Sprintf("from_second=%d", since.Unix()); !strings.HasSuffix(asked[0], want) {
			t.Errorf("asked %s, want %s", asked[0], want)
		}
	}
}

// Later retrievals come out the same, too, down to pages of a handful.
func TestAtcoderSameNewsWhateverThePage(t *testing.T) {
	rows := atcoderMany(rand.New(rand.NewPCG(5, 6)), 137, 3)
	for _, covered := range []int{0, 50, 100, 130, 136} {
		want := 0
		for _, r := range rows {
			if r[0] >= rows[covered][0] {
				want++
			}
		}
		for most := atcoderHandful; most <= 150; most++ {
			list := &atcoderList{rows: rows, most: most, profile: 200}
			subs, _, err := atcoderRead(t, Account{Handle: "ada", CoveredAt: time.Unix(rows[covered][0], 0)}, list.serve)
			if err != nil || len(ids(t, subs)) != want {
				t.Errorf("%d covered, pages of %d: %d rows, error %v, want %d", covered, most, len(subs), err, want)
			}
		}
	}
}

func TestAtcoderFullPageInOneSecondIsNoGap(t *testing.T) {
	var rows [][2]int64
	for i := range int64(600) {
		rows = append(rows, [2]int64{atcoderStart, i + 1})
	}
	list := &atcoderList{rows: rows, most: 500}
	if _, _, err := atcoderRead(t, Account{Handle: "ada"}, list.serve); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v, want %v: the other 100 rows cannot be asked for", err, ErrFormat)
	}
}

// An empty list of the mirror proves nothing; only AtCoder's own 404 does, and
// only for an account that never showed a submission.
func TestAtcoderExistence(t *testing.T) {
	for _, tt := range []struct {
		name    string
		rows    int
		profile int
		covered bool
		want    error
	}{
		{"unknown to both", 0, 404, false, ErrNoHandle},
		{"has submitted nothing", 0, 200, false, nil},
		{"a wall", 0, 403, false, ErrFormat},
		{"quiet lately", 0, 404, true, nil},
		{"has submissions", 1, 404, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := &atcoderList{rows: atcoderMany(rand.New(rand.NewPCG(1, 1)), tt.rows, 1), most: 500, profile: tt.profile}
			a := Account{Handle: "ada"}
			if tt.covered {
				a.CoveredAt = time.Unix(atcoderStart, 0)
			}
			if _, _, err := atcoderRead(t, a, list.serve); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

func TestAtcoderHistoryNotFoundAloneIsNoProof(t *testing.T) {
	for _, tt := range []struct {
		profile int
		want    error
	}{{404, ErrNoHandle}, {200, ErrFormat}} {
		get := &fake{t: t, serve: func(_ int, u *url.URL) Page {
			if strings.HasSuffix(u.Path, "/history/json") {
				return Page{404, []byte("<html></html>")}
			}
			return Page{tt.profile, nil}
		}}
		if _, err := (atcoder{}).Ratings(t.Context(), get, Account{Handle: "ada"}); !errors.Is(err, tt.want) {
			t.Errorf("user page %d: error %v, want %v", tt.profile, err, tt.want)
		}
	}
}

func TestAtcoderBadRows(t *testing.T) {
	for _, body := range []string{
		`[{}]`, `[null]`, `{"rows":[]}`,
		`[{"epoch_second":1500000000,"problem_id":"a","contest_id":"a","result":"AC"}]`,
		`[{"id":1,"problem_id":"a","contest_id":"a","result":"AC"}]`,
		`[{"id":1,"epoch_second":1500000000,"contest_id":"a","result":"AC"}]`,
		`[{"id":1,"epoch_second":"1500000000","problem_id":"a","contest_id":"a","result":"AC"}]`,
		`[{"id":1,"epoch_second":1500000000000,"problem_id":"a","contest_id":"a","result":"AC"}]`,
	} {
		if subs, _, err := atcoderRead(t, Account{Handle: "ada"}, always(200, thrice(body))); !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%s: %d rows, error %v, want %v", body, len(subs), err, ErrFormat)
		}
	}
}

func TestAtcoderProblems(t *testing.T) {
	get := &fake{t: t, serve: always(200, fakesite.Testdata(t, "atcoder/problems.json"))}
	got, err := atcoder{}.Problems(t.Context(), get)
	if err != nil {
		t.Fatal(err)
	}
	want := []Problem{
		{"abc900_a", "A. Sum of Two", "https://atcoder.jp/contests/abc900/tasks/abc900_a"},
		{"joi2099_z", "committee. 委員会", "https://atcoder.jp/contests/joi2099/tasks/joi2099_z"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems %v, want %v", got, want)
	}
}

func FuzzAtcoder(f *testing.F) {
	f.Add(200, `[{"id":1,"epoch_second":1500000000,"problem_id":"abc001_1","contest_id":"abc001","language":"Go","point":null,"result":"3/4 WA"}]`)
	f.Add(404, `[]`)
	f.Add(200, fakesite.Testdata(f, "atcoder/history.json"))
	f.Add(200, fakesite.Testdata(f, "atcoder/problems.json"))
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1500000000, 0)} {
			subs, asked, err := atcoderRead(t, Account{Handle: "ada", CoveredAt: since}, always(status, body))
			if errors.Is(err, errEnough) {
				t.Errorf("no end: %d requests", len(asked))
			}
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		get := &fake{t: t, serve: always(status, body)}
		_, _ = atcoder{}.Ratings(t.Context(), get, Account{Handle: "ada"})
		problems, _ := atcoder{}.Problems(t.Context(), get)
		for _, p := range problems {
			if p.Key == "" {
				t.Error("a problem without a key")
			}
		}
	})
}
