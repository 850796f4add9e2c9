package rules

import (
	"strconv"
	"testing"
	"time"
)

func place(t testing.TB, name string) *time.Location {
	t.Helper()
	at, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func windowOf(t testing.TB, text string) *Window {
	t.Helper()
	return mustParse(t, []byte(`{"slug":"w","title":"W","objectives":[{"id":"done","rule":{"name":"CountRule"}}],
		"strategy":{"objective_id":"done","goal":10},"window":`+text+`}`)).Window
}

// Case 14: by the time of the event; case 15: by the days of a calendar.
func TestCase14And15Windows(t *testing.T) {
	honolulu, tokyo := place(t, "Pacific/Honolulu"), place(t, "Asia/Tokyo")
	const november = `{"from":"2026-11-01","until":"2026-12-01"}`
	for _, tt := range []struct {
		name, window, at string
		zone             *time.Location
		counts           bool
		start, closes    string
	}{
		{"in November", november, "2026-11-15T00:00:00Z", nil, true, "2026-11-01", "2026-12-02T00:00:00Z"},
		{"its first instant", november, "2026-11-01T00:00:00Z", nil, true, "2026-11-01", "2026-12-02T00:00:00Z"},
		{"the one before", november, "2026-10-31T23:59:59Z", nil, false, "", ""},
		{"the one after", november, "2026-12-01T00:00:00Z", nil, false, "", ""},
		{"still October in Honolulu", november, "2026-11-01T05:00:00Z", honolulu, false, "", ""},
		{"already November in Tokyo", november, "2026-10-31T20:00:00Z", tokyo, true, "2026-11-01", "2026-12-01T15:00:00Z"},
		{"a fixed zone is everybody's", `{"from":"2026-11-01","zone":"fixed:Asia/Tokyo"}`, "2026-10-31T20:00:00Z", honolulu, true, "2026-11-01", ""},
		{"no grace", `{"until":"2026-12-01","grace":"0h"}`, "2026-11-30T23:00:00Z", nil, true, "", "2026-12-01T00:00:00Z"},
		{"a day of 25 hours", `{"every":"day","grace":"0h","zone":"fixed:Europe/Berlin"}`, "2026-10-25T22:30:00Z", nil, true, "2026-10-25", "2026-10-25T23:00:00Z"},
		{"a day of 23 hours", `{"every":"day","grace":"0h","zone":"fixed:Europe/Berlin"}`, "2026-03-28T23:30:00Z", nil, true, "2026-03-29", "2026-03-29T22:00:00Z"},
		{"a week begins on Monday", `{"every":"week","grace":"0h"}`, "2026-11-01T12:00:00Z", nil, true, "2026-10-26", "2026-11-02T00:00:00Z"},
		{"months", `{"every":"month","grace":"1d"}`, "2026-12-31T12:00:00Z", nil, true, "2026-12-01", "2027-01-02T00:00:00Z"},
		{"years, the last cut short", `{"every":"year","until":"2026-06-01","grace":"0h"}`, "2026-05-31T12:00:00Z", nil, true, "2026-01-01", "2026-06-01T00:00:00Z"},
	} {
		at, err := time.Parse(time.RFC3339, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := windowOf(t, tt.window).Period(&Event{At: at, Zone: tt.zone})
		closes := ""
		if !p.Closes.IsZero() {
			closes = p.Closes.UTC().Format(time.RFC3339)
		}
		if ok != tt.counts || p.Start != tt.start || closes != tt.closes {
			t.Errorf("%s: counts %t from %q, closes %q; want %t, %q, %q", tt.name, ok, p.Start, closes, tt.counts, tt.start, tt.closes)
		}
	}
	p, _ := windowOf(t, november).Period(&Event{At: noon})
	if p.Late(p.Closes) || !p.Late(p.Closes.Add(1)) || (Period{}).Late(noon) {
		t.Error("late is what comes after the grace")
	}
	if p, ok := (*Window)(nil).Period(&Event{At: noon}); !ok || p != (Period{}) {
		t.Error("without a window everything counts")
	}
}

// Case 15: a streak is one of the member's days, over a change of the clock, too.
func TestCase15StreaksAreTheMembersDays(t *testing.T) {
	honolulu, berlin := place(t, "Pacific/Honolulu"), place(t, "Europe/Berlin")
	for _, tt := range []struct {
		name string
		zone *time.Location
		at   []string
		want int64
	}{
		{"three days", nil, []string{"2026-11-03T01:00:00Z", "2026-11-01T23:00:00Z", "2026-11-02T12:00:00Z"}, 3},
		{"a gap", nil, []string{"2026-11-01T12:00:00Z", "2026-11-02T12:00:00Z", "2026-11-04T12:00:00Z"}, 2},
		{"evenings in Honolulu", honolulu, []string{"2026-11-02T06:00:00Z", "2026-11-03T07:00:00Z"}, 2},
		{"both on one day there, two in UTC", honolulu, []string{"2026-11-01T23:00:00Z", "2026-11-02T06:00:00Z"}, 1},
		{"over the end of summer time", berlin, []string{"2026-10-24T12:00:00Z", "2026-10-24T22:30:00Z", "2026-10-25T23:30:00Z"}, 3},
		{"over its begin", berlin, []string{"2026-03-28T12:00:00Z", "2026-03-29T21:30:00Z", "2026-03-29T22:30:00Z"}, 3},
	} {
		l := newLedger(t, one(t, `{"name":"ConsecutiveDaysRule"}`, "9"))
		for i, text := range tt.at {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			l.apply(Event{Source: "s", ID: strconv.Itoa(i), Member: "ada", At: at, Zone: tt.zone})
		}
		if got := l.counters("ada", "done")[Active]; got != Units(tt.want) {
			t.Errorf("%s: %s days, want %d", tt.name, got, tt.want)
		}
	}
}
