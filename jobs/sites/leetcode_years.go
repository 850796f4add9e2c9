package sites

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// leetcodeYears asks for the calendars of all years, one after the other: beside the list is that
// of the last year only.
type leetcodeYears struct {
	reported Reported // As the list said, and then with the days of all years.
	asked    bool     // Which years there are.
	years    []int    // Those that were not asked for yet.
}

const leetcodeCalendar = `query calendar($username: String!, $year: Int) {
  matchedUser(username: $username) { userCalendar(year: $year) { activeYears submissionCalendar } }
}`

// next asks for one calendar. The last page reports the days of all.
func (y *leetcodeYears) next(ctx context.Context, get Getter, handle string) (p ListPage, more bool, err error) {
	page, variables := leetcodePage("userCalendar", handle), map[string]any{"username": handle}
	if y.asked {
		page += "&year=" + strconv.Itoa(y.years[0])
		variables["year"] = y.years[0]
		y.years = y.years[1:]
	}
	data, err := leetcodePost(ctx, get, Request{Page: page, Header: leetcodeReferer(handle)}, leetcodeCalendar, variables)
	if err == nil {
		err = y.read(data)
	}
	if err != nil {
		return p, false, fmt.Errorf("userCalendar: %w", err)
	}
	if len(y.years) > 0 {
		return p, true, nil
	}
	return ListPage{Reported: &y.reported}, false, nil
}

// read reads a calendar. Who has none shows the days beside the list only.
func (y *leetcodeYears) read(data json.RawMessage) error {
	var answer leetcodeUser
	var user struct {
		UserCalendar *struct {
			ActiveYears        []int
			SubmissionCalendar string
		}
	}
	if err := decode(data, &answer); err != nil {
		return err
	}
	if err := answer.into(&user); err != nil {
		return err
	}
	first := !y.asked
	if y.asked = true; user.UserCalendar == nil {
		y.years, y.reported.Whole = nil, false
		return nil
	}
	if first {
		return y.begin(user.UserCalendar.ActiveYears)
	}
	days, err := leetcodeDays(user.UserCalendar.SubmissionCalendar)
	for day, n := range days {
		y.reported.Days[day] = n
	}
	return err
}

// begin notes the years that are to be asked for. LeetCode began in 2015.
func (y *leetcodeYears) begin(years []int) error {
	years = slices.Compact(slices.Sorted(slices.Values(years)))
	if n := len(years); n > 0 && (years[0] < 2000 || years[n-1] > 9999 || n > 100) {
		return fmt.Errorf("%w: %d years from %d to %d", ErrFormat, n, years[0], years[n-1])
	}
	y.years, y.reported.Whole = years, true
	return nil
}
