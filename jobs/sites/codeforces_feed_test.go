package sites

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func cfRecentPage(rows ...string) string {
	return `{"status":"OK","result":[` + strings.Join(rows, ",") + `]}`
}

func cfRecentRow(id, second int64, contest int, handles ...string) string {
	members := make([]string, len(handles))
	for i, h := range handles {
		members[i] = fmt.Sprintf(`{"handle":%q}`, h)
	}
	return fmt.Sprintf(`{"id":%d,"contestId":%d,"creationTimeSeconds":%d,"problem":{"contestId":%d,"index":"A","name":"Sum"},"author":{"members":[%s],"participantType":"PRACTICE"},"programmingLanguage":"Go","verdict":"OK"}`,
		id, contest, second, contest, strings.Join(members, ","))
}

// A page that reaches back to the row that was read goes on from there; one that does not
// leaves a hole, and a row of a ghost is nobody's.
func TestCodeforcesFeed(t *testing.T) {
	t.Parallel()
	const start = 1_700_000_000
	read := func(from FeedCursor, rows ...string) FeedPage {
		t.Helper()
		get := &fake{t: t, serve: always(200, cfRecentPage(rows...))}
		p, err := codeforces{}.FeedPage(t.Context(), get, from)
		if want := "https://codeforces.com/api/problemset.recentStatus?count=1000"; err != nil || get.asked[0] != want {
			t.Fatalf("%v after %v, want %s", err, get.asked, want)
		}
		return p
	}
	row := func(n int64, handles ...string) string { return cfRecentRow(100+n, start+60*n, 1800, handles...) }
	at := func(n int64) time.Time { return time.Unix(start+60*n, 0).UTC() }
	first := read(FeedCursor{At: at(5)}, row(3, "ada", "Bob"), row(2), row(1, "cleo"))
	if first.Next != (FeedCursor{at(3), "103"}) || !first.Until.Equal(at(3)) || !first.Since.Equal(at(1).Add(time.Second)) || first.Fresh != 0 || first.Lasts != 121*time.Second*85/100 {
		t.Errorf("the beginning: %+v", first)
	}
	var handles []string
	for _, r := range first.Rows {
		handles = append(handles, r.Handle+" "+r.ID)
	}
	if want := []string{"ada 103", "Bob 103", "cleo 101"}; !slices.Equal(handles, want) {
		t.Errorf("rows %v, want %v", handles, want)
	}
	for name, tt := range map[string]struct {
		page  FeedPage
		fresh int
		hole  bool
	}{
		"it goes on":          {read(first.Next, row(5, "dan"), row(4, "ada"), row(3, "ada", "Bob")), 2, false},
		"the row was removed": {read(first.Next, row(4, "ada"), row(2, "cleo")), 1, false},
		"nothing is new":      {read(first.Next, row(3, "ada")), 0, false},
		"there is a hole":     {read(first.Next, row(9, "dan"), row(8, "ada")), 2, true},
	} {
		if p := tt.page; p.Fresh != tt.fresh || p.Since.IsZero() == tt.hole || p.Full {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// The shape of a row is the same as in somebody's own list, which was recorded.
func TestCodeforcesFeedRecorded(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "codeforces/user.status_Uakkes_2024-07_300.json"))}
	p, err := codeforces{}.FeedPage(t.Context(), get, FeedCursor{At: time.Unix(1700231961, 0), ID: "233103247"})
	if err != nil || len(p.Rows) != 300 || p.Fresh != 299 || p.Rows[0].Handle != "Uakkes" || p.Next.ID != "269141668" || !p.Until.Equal(time.Unix(1720314013, 0)) || !p.Since.IsZero() {
		t.Errorf("%d rows, %d new, next %+v until %s, since %s, %v", len(p.Rows), p.Fresh, p.Next, p.Until, p.Since, err)
	}
}

// What is in the gym or of the archive acmsguru is not in the list of what all submit.
func TestCodeforcesUnlisted(t *testing.T) {
	for file, want := range map[string]int{"user.status_gym_excerpt_3.141f_2025-12.json": 3, "user.status_optional_fields_EDITED.json": 1, "user.status_Uakkes_2024-07_300.json": 0} {
		get := &fake{t: t, serve: always(200, recorded(t, "codeforces/"+file))}
		n := 0
		for s, err := range (codeforces{}).Submissions(t.Context(), get, Account{Handle: "somebody"}) {
			if err != nil {
				t.Fatal(err)
			}
			if s.Unlisted {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d rows are not listed, want %d", file, n, want)
		}
	}
}
