package sites

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestCodechefTimes(t *testing.T) {
	for text, want := range map[string]string{
		"08:42 PM 16/09/26": "2026-09-16T15:12:00Z", "08:42 PM 16/09/2026": "2026-09-16T15:12:00Z", "8:42 pm 16/9/26": "2026-09-16T15:12:00Z",
		"12:05 AM 01/01/26": "2025-12-31T18:35:00Z", "12:05 PM 01/01/26": "2026-01-01T06:35:00Z", "10 min ago": "", "": "",
		"08:42 PM yesterday": "", "25:00 PM 01/01/26": "", "01:00 PM 31/02/26": "",
	} {
		row := chefRow{time: text, href: "/problems/X", code: "X", word: "accepted", language: "C", id: "7"}
		page := chefPage(1, row)
		if want == "" {
			page = chefPage(1, row, row, row)
		}
		subs, _, err := chefRead(t, Account{Handle: "ada"}, always(200, string(page.Body)))
		if want == "" {
			if !errors.Is(err, ErrFormat) || len(subs) > 0 {
				t.Errorf("%q: %+v, error %v, want %v", text, subs, err, ErrFormat)
			}
		} else if err != nil || subs[0].At.Format(time.RFC3339) != want || !subs[0].ToMinute {
			t.Errorf("%q: %+v (%v), want %s", text, subs, err, want)
		}
	}
}

// Of the last day the page may tell only how long ago something was. Such a time is about
// right; without a number, too, the row has to wait for a better one.
func TestCodechefAgo(t *testing.T) {
	now := time.Date(2026, 9, 16, 19, 10, 30, 0, time.UTC) // 00:40 of the 17th in India.
	for text, want := range map[string]string{
		"1 sec ago": "2026-09-16T19:10:00Z", "2 min ago": "2026-09-16T19:08:00Z", "59 mins ago": "2026-09-16T18:11:00Z",
		"1 hours ago":  "2026-09-16T17:40:00Z",
		"12 hours ago": "2026-09-16T06:40:00Z", "09:15 PM yesterday": "2026-09-16T15:45:00Z", "3 days ago": "2026-09-13T07:10:00Z",
		"an hour ago": "2026-09-16T17:40:00Z", "a day ago": "2026-09-15T07:10:00Z", "a minute ago": "2026-09-16T19:09:00Z",
		"100 min ago": "2026-09-16T17:30:00Z", "ago": "", "1000 min ago": "", "3 moons ago": "", "25:00 PM yesterday": "",
	} {
		row := chefRow{time: text, href: "/problems/X", code: "X", word: "accepted", language: "C", id: "7"}
		unnumbered, about := row, strings.HasSuffix(text, "ago")
		unnumbered.id = ""
		rows := []chefRow{row, unnumbered}
		if want == "" {
			rows = []chefRow{row, unnumbered, row}
		}
		page := strings.ReplaceAll(string(chefPage(1, rows...).Body), "10 min ago", text)
		p, err := allPages(codechef{}.Submissions(t.Context(), &fake{t: t, serve: always(200, page)},
			Account{Handle: "ada", Now: func() time.Time { return now }}))
		subs, withheld := p.Rows, p.Withheld
		switch {
		case want == "":
			if !errors.Is(err, ErrFormat) || len(subs) > 0 {
				t.Errorf("%q: %+v, error %v, want %v", text, subs, err, ErrFormat)
			}
		case err != nil || len(subs) == 0 || subs[0].At.Format(time.RFC3339) != want || !subs[0].ToMinute || subs[0].About != about ||
			subs[0].ID != "7":
			t.Errorf("%q: %+v (%v), want %s", text, subs, err, want)
		case about && (len(subs) != 1 || subs[0].Formerly != "" || withheld.After(subs[0].At)), !about && (len(subs) != 2 || !withheld.IsZero()):
			t.Errorf("%q: %+v, withheld since %s", text, subs, withheld)
		}
	}
}

// Times that are too vague make unread rows, however many: the page is in the site's format, and the numbers
// of the rows and about when they were made are known.
func TestCodechefVagueTimes(t *testing.T) {
	now := time.Date(2026, 9, 16, 19, 10, 30, 0, time.UTC)
	for text, want := range map[string][2]string{ // On these days at the earliest and at the latest.
		"a week ago": {"2026-08-30", "2026-09-13"}, "3 weeks ago": {"2026-08-16", "2026-08-30"}, "2 months ago": {"2026-06-02", "2026-08-02"},
		"about a year ago": {"2024-03-17", "2026-03-18"}, "10 years ago": {"2015-03-18", "2017-03-17"}, "a few days ago": {"2026-09-06", "2026-09-16"},
	} {
		var rows []chefRow
		for i := range 11 {
			rows = append(rows, chefRow{time: text, href: "/problems/X", code: "X", word: "accepted", language: "C", id: fmt.Sprint(20 - i)})
		}
		page := strings.ReplaceAll(string(chefPage(1, rows...).Body), "10 min ago", text)
		p, err := allPages(codechef{}.Submissions(t.Context(), &fake{t: t, serve: always(200, page)},
			Account{Handle: "ada", Now: func() time.Time { return now }}))
		if err != nil || len(p.Rows) != 0 || len(p.Unread) != 11 {
			t.Errorf("%q: %d rows, %d unread (%v), want 11 unread", text, len(p.Rows), len(p.Unread), err)
			continue
		}
		u := p.Unread[0]
		got := [2]string{u.Since.Format(time.DateOnly), u.Until.Format(time.DateOnly)}
		if u.ID != "20" || got != want || !strings.Contains(u.Why, "too vague a time") {
			t.Errorf("%q: unread %s from %s to %s (%s), want %s", text, u.ID, got[0], got[1], u.Why, want)
		}
	}
}

// Who is not there has an empty list, as somebody who has submitted nothing.
