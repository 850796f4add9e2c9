package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A cfList is a list of submissions, newest first, behind a server that gives at
// most most rows a page.
type cfList struct {
	rows []string // As JSON.
	most int
}

func (l *cfList) serve(_ int, u *url.URL) Page {
	q := u.Query()
	from, _ := strconv.Atoi(q.Get("from"))
	count, _ := strconv.Atoi(q.Get("count"))
	lo := min(from-1, len(l.rows))
	hi := min(lo+min(count, l.most), len(l.rows))
	return Page{200, []byte(`{"status":"OK","result":[` + strings.Join(l.rows[lo:hi], ",") + `]}`)}
}

// cfMade is the nth oldest submission of a made-up member, one a minute.
func cfMade(n int) string {
	return fmt.Sprintf(`{"id":%d,"contestId":1,"creationTimeSeconds":%d,"problem":{"contestId":1,"index":"A","name":"X"},"programmingLanguage":"Go","verdict":"OK"}`,
		1000+n, cfTime(n).Unix())
}

func cfTime(n int) time.Time { return time.Unix(1600000000+int64(n)*60, 0).UTC() }

// cfMany returns n rows, newest first.
func cfMany(n int) []string {
	var rows []string
	for i := n - 1; i >= 0; i-- {
		rows = append(rows, cfMade(i))
	}
	return rows
}

func cfIDs(t *testing.T, rows []string) []string {
	t.Helper()
	var want []string
	for _, r := range rows {
		var row struct{ ID int64 }
		if err := json.Unmarshal([]byte(r), &row); err != nil {
			t.Fatal(err)
		}
		want = append(want, strconv.FormatInt(row.ID, 10))
	}
	return want
}

func TestCodeforcesSameHistoryWhateverThePage(t *testing.T) {
	for _, length := range []int{0, 1, 2, 3, 49, 50, 51, 137, 1000, 1001} {
		rows := cfMany(length)
		want := cfIDs(t, rows)
		for _, most := range pageSizes(length) {
			list := &cfList{rows: rows, most: most}
			subs, asked, err := cfRead(t, Account{Handle: "ada"}, list.serve)
			if err != nil {
				t.Fatalf("%d rows, pages of %d: %v", length, most, err)
			}
			if got := ids(t, subs); !slices.Equal(got, want) {
				t.Fatalf("%d rows, pages of %d: read %d in %d requests", length, most, len(got), len(asked))
			}
		}
	}
}

func TestCodeforcesSameRealHistoryWhateverThePage(t *testing.T) {
	var page struct{ Result []json.RawMessage }
	if err := json.Unmarshal([]byte(recorded(t, "codeforces/user.status_Uakkes_2024-07_300.json")), &page); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range page.Result {
		rows = append(rows, string(r))
	}
	want := cfIDs(t, rows)
	for _, most := range []int{1, 2, 3, 7, 49, 50, 51, 99, 100, 101, 149, 150, 151, 299, 300, 301, 500, 1000} {
		list := &cfList{rows: rows, most: most}
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, _, err := cfRead(t, Account{Handle: "Uakkes", CoveredAt: since}, list.serve)
			if err != nil || !slices.Equal(ids(t, subs), want) {
				t.Errorf("pages of %d since %s: %d rows, error %v, want 300", most, since, len(subs), err)
			}
		}
	}
}

// Submissions arrive and vanish between any two pages. Whatever was there from
// the beginning to the end is read once. Vanishing is only found where a page
// has room for a row of the page before.
func TestCodeforcesListMovesWhileItIsRead(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		length, most := 1+rnd.IntN(200), 1+rnd.IntN(60)
		list := &cfList{rows: cfMany(length), most: most}
		born, gone := length, map[string]bool{}
		a, covered := Account{Handle: "ada"}, 0
		if rnd.IntN(2) == 0 {
			covered = rnd.IntN(length)
			a.CoveredAt = cfTime(covered)
		}
		subs, asked, err := cfRead(t, a, func(n int, u *url.URL) Page {
			for range max(0, rnd.IntN(4)-2) {
				list.rows = slices.Insert(list.rows, 0, cfMade(born))
				born++
			}
			if most > 1 && n > 0 && len(gone) < 20 && rnd.IntN(3) == 0 && len(list.rows) > 0 {
				at := rnd.IntN(len(list.rows))
				gone[cfIDs(t, list.rows[at:at+1])[0]] = true
				list.rows = slices.Delete(list.rows, at, at+1)
			}
			return list.serve(n, u)
		})
		if err != nil {
			t.Fatalf("%d rows, pages of %d: %v", length, most, err)
		}
		got := map[string]bool{}
		for _, id := range ids(t, subs) {
			got[id] = true
		}
		for _, id := range cfIDs(t, cfMany(length)[:length-covered]) {
			if !got[id] && !gone[id] {
				t.Fatalf("%d rows, %d covered, pages of %d: %s is missing after %d requests", length, covered, most, id, len(asked))
			}
		}
	}
}

func TestCodeforcesStopsAtCoveredGround(t *testing.T) {
	list := &cfList{rows: cfMany(3000), most: 5000}
	for _, tt := range []struct {
		name     string
		fresh    int
		requests int
	}{
		{"nothing new", 1, 1}, // The row at CoveredAt itself.
		{"a page", 49, 1},
		{"the page ends on covered ground", 50, 2},
		{"two pages", 300, 2},
		{"three", 900, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			subs, asked, err := cfRead(t, Account{Handle: "ada", CoveredAt: cfTime(3000 - tt.fresh)}, list.serve)
			if err != nil || len(subs) != tt.fresh || len(asked) != tt.requests {
				t.Errorf("%d rows in %d requests, error %v, want %d in %d", len(subs), len(asked), err, tt.fresh, tt.requests)
			}
		})
	}
}

func TestCodeforcesReadsNoPageNobodyWants(t *testing.T) {
	get := &fake{t: t, serve: (&cfList{rows: cfMany(3000), most: 5000}).serve}
	for _, err := range (codeforces{}).Submissions(t.Context(), get, Account{Handle: "ada"}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if len(get.asked) != 1 {
		t.Errorf("%d requests for a page, want 1", len(get.asked))
	}
}

func TestCodeforcesPoliteFirstRetrieval(t *testing.T) {
	for _, tt := range []struct{ rows, requests int }{{0, 1}, {1, 2}, {300, 2}, {1000, 2}, {1500, 2}, {4000, 3}} {
		_, asked, err := cfRead(t, Account{Handle: "ada"}, (&cfList{rows: cfMany(tt.rows), most: 5000}).serve)
		if err != nil || len(asked) != tt.requests {
			t.Errorf("%d rows: %d requests, error %v, want %d", tt.rows, len(asked), err, tt.requests)
		}
	}
}

// A server that gives the first page for ever has told us all it has, unless the
// page is as long as we asked: then there may be more behind it.
func TestCodeforcesServerThatTurnsNoPage(t *testing.T) {
	page := func(n int) server {
		return always(200, `{"status":"OK","result":[`+strings.Join(cfMany(n), ",")+`]}`)
	}
	subs, asked, err := cfRead(t, Account{Handle: "ada"}, page(300))
	if err != nil || len(subs) != 300 || len(asked) > 3 {
		t.Errorf("a short page: %d rows in %d requests, error %v", len(subs), len(asked), err)
	}
	if _, _, err := cfRead(t, Account{Handle: "ada"}, page(5000)); !errors.Is(err, ErrFormat) {
		t.Errorf("a full page: error %v, want %v", err, ErrFormat)
	}
}

func TestCodeforcesErrorInTheMiddle(t *testing.T) {
	list := &cfList{rows: cfMany(300), most: 100}
	subs, _, err := cfRead(t, Account{Handle: "ada"}, func(n int, u *url.URL) Page {
		if n == 2 {
			return Page{200, []byte(`{"status":"FAILED","comment":"Call limit exceeded"}`)}
		}
		return list.serve(n, u)
	})
	if !errors.Is(err, ErrRateLimited) || len(subs) != 199 {
		t.Errorf("%d rows, error %v, want 199 and %v", len(subs), err, ErrRateLimited)
	}
}
