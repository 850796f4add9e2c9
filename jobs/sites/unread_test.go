package sites

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

// A list of good rows with one that cannot be read, which says what it can of the bad one.
type oddList struct {
	site    Site
	account Account
	rows    []string // Newest first, or as the site sorts them.
	page    func(rows []string) string
	bad     string // Instead of a row.
	id      string
}

func oddLists() []oddList {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ago := func(i int, layout string) string { return at.Add(-time.Duration(i) * time.Hour).Format(layout) }
	lists := []oddList{
		{site: codeforces{}, bad: `{"id":100000,"creationTimeSeconds":"now","problem":{"index":"A"}}`, page: func(rows []string) string {
			return `{"status":"OK","result":[` + strings.Join(rows, ",") + `]}`
		}},
		{site: uva{}, account: Account{Key: "7"}, bad: `[100000,36,"90",0,1600000000,3,1]`, id: "100000", page: func(rows []string) string {
			return `{"subs":[` + strings.Join(rows, ",") + `]}`
		}},
		{site: hackerrank{}, bad: `{"ch_slug":"odd","con_slug":"master","created_at":"2026-02-30T00:00:00Z"}`, id: "master/odd", page: func(rows []string) string {
			return `{"models":[` + strings.Join(rows, ",") + `],"last_page":true}`
		}},
	}
	lists[0].id = "100000"
	for i := range 89 {
		lists[0].rows = append(lists[0].rows, fmt.Sprintf(`{"id":%d,"creationTimeSeconds":%d,"problem":{"index":"A","contestId":4}}`, 200000-i,
			at.Add(-time.Duration(i)*time.Hour).Unix()))
		lists[1].rows = append(lists[1].rows, fmt.Sprintf(`[%d,36,90,0,%d,3,1]`, 200000-i, at.Add(-time.Duration(i)*time.Hour).Unix()))
		lists[2].rows = append(lists[2].rows, fmt.Sprintf(`{"ch_slug":"c%d","created_at":%q,"con_slug":"master"}`, i, ago(i, time.RFC3339)))
	}
	return lists
}

// One bad row of 89 costs none of the others, wherever it is, and neither does one that is alone.
func TestOneBadRowCostsNoOther(t *testing.T) {
	for _, l := range oddLists() {
		name := l.site.Info().Name
		for _, place := range []int{0, 1, 44, 87, 88} {
			rows := append([]string{}, l.rows...)
			rows[place] = l.bad
			p := readOdd(t, &l, l.page(rows))
			if len(p.Rows) != 88 || len(p.Unread) == 0 || p.Unread[0].ID != l.id || p.Unread[0].Text != l.bad || p.Unread[0].Why == "" {
				t.Errorf("%s, row %d: %d rows and %+v", name, place, len(p.Rows), p.Unread)
			}
			before := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(-time.Duration(place) * time.Hour)
			if u := p.Unread[len(p.Unread)-1]; name != "uva" && (u.Since.After(before) || place < 88 && u.Since.IsZero()) {
				t.Errorf("%s, row %d: made since %s", name, place, u.Since)
			}
		}
		if p := readOdd(t, &l, l.page([]string{l.bad})); len(p.Rows) != 0 || len(p.Unread) == 0 {
			t.Errorf("%s: a bad row alone: %+v", name, p)
		}
	}
}

func readOdd(t *testing.T, l *oddList, body string) ListPage {
	t.Helper()
	a := l.account
	a.Handle = "ada"
	p, err := allPages(l.site.Submissions(t.Context(), &fake{t: t, serve: func(_ int, u *url.URL) Page {
		if from := u.Query().Get("from"); from != "" && from != "1" {
			return Page{200, []byte(`{"status":"OK","result":[]}`)}
		}
		return Page{200, []byte(body)}
	}}, a))
	if err != nil {
		t.Fatalf("%s: %v", l.site.Info().Name, err)
	}
	return p
}

// Rows that are at the end of a page are between those of this page and of the next.
func TestABadRowAtTheEndOfAPage(t *testing.T) {
	good := func(id int) spojRowText {
		return spojRowText{fmt.Sprint(id), time.Date(2026, 1, 1, 0, 0, id, 0, time.UTC).Format(time.DateTime), "X1", "X", "15", "accepted", "C"}
	}
	var all []spojRowText
	for i := range 45 {
		all = append(all, good(50-i))
	}
	for place := range all {
		bad := append([]spojRowText{}, all...)
		bad[place].code = ""
		bad[place].time = "once"
		p, err := allPages(spoj{}.Submissions(t.Context(), &fake{t: t, serve: func(_ int, u *url.URL) Page {
			_, text, _ := strings.Cut(u.Path, "start=")
			var start int
			_, _ = fmt.Sscan(text, &start)
			start = min(start, 40)
			return Page{200, []byte(spojPage(bad[start:min(start+20, 45)]...))}
		}}, Account{Handle: "ada"}))
		if err != nil || len(p.Rows) != 44 || len(p.Unread) != 1 || p.Unread[0].ID != all[place].id {
			t.Fatalf("row %d: %d rows, %+v, error %v", place, len(p.Rows), p.Unread, err)
		}
		at, _ := spojZone.at(all[place].time, time.Time{}, time.DateTime)
		if since := p.Unread[0].Since; since.After(at) || place < 44 && at.Sub(since) != time.Second {
			t.Errorf("row %d of %s: made since %s", place, at, since)
		}
	}
}
