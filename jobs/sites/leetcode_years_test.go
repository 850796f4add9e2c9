package sites

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
)

// lcYears answers the list, and then calendars in their turn.
func lcYears(calendars ...string) server {
	return func(n int, _ *url.URL) Page {
		if n == 0 {
			return Page{200, []byte(lcAnswer(40, 4, 5, []string{lcMade(1704153800, "new", "Accepted")}, nil))}
		}
		return Page{200, []byte(`{"data":{"matchedUser":{"userCalendar":` + calendars[n-1] + `}}}`)}
	}
}

// Who is read whole is asked for the calendars of all years; what one says of a day replaces what
// was said with the list.
func TestLeetcodeYears(t *testing.T) {
	day := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	years := lcYears(`{"activeYears":[2024,2021,2024],"submissionCalendar":"{}"}`,
		`{"activeYears":[2024,2021],"submissionCalendar":"{\"1609545600\": 30}"}`,
		`{"activeYears":[2024,2021],"submissionCalendar":"{\"1704067200\": 4, \"1704153600\": 6}"}`)
	subs, reported, asked, err := lcReadReported(t, Account{Handle: "ada"}, years)
	if err != nil || len(subs) != 1 || len(asked) != 4 || reported.Total != 40 || !reported.Whole || len(reported.Days) != 3 ||
		reported.Days[day(2021, 1, 2)] != 30 || reported.Days[day(2024, 1, 1)] != 4 || reported.Days[day(2024, 1, 2)] != 6 {
		t.Fatalf("%d rows, %d questions, reported %+v, error %v", len(subs), len(asked), reported, err)
	}
	for i, want := range []string{`"username":"ada"}`, `"year":2021}`, `"year":2024}`} {
		if !strings.Contains(asked[i+1].Body, want) {
			t.Errorf("question %d is %s, want %s", i+1, asked[i+1].Body, want)
		}
	}
	// Covered ground has the days of the last year only.
	if _, reported, asked, err := lcReadReported(t, Account{Handle: "ada", CoveredAt: day(2024, 1, 1)}, years); err != nil ||
		len(asked) != 1 || reported.Whole || len(reported.Days) != 2 {
		t.Errorf("%d questions, reported %+v, error %v", len(asked), reported, err)
	}
	if _, reported, _, err := lcReadReported(t, Account{Handle: "ada"}, lcYears(`null`)); err != nil || reported.Whole || len(reported.Days) != 2 {
		t.Errorf("without a calendar: reported %+v, error %v", reported, err)
	}
	for _, odd := range []string{`{"activeYears":[-1]}`, `{"activeYears":"no"}`, `[]`} {
		if _, _, _, err := lcReadReported(t, Account{Handle: "ada"}, lcYears(odd)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: error %v", odd, err)
		}
	}
}
