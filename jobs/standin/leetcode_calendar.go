package standin

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// lcCalendar are the years in which somebody did something, and the counts by day of one of them,
// or of the last 365 days for year 0.
func lcCalendar(rows []row, year int, now int64) map[string]any {
	years, days := []int{}, map[string]int{}
	for i := range rows {
		day := unixDay(rows[i].at)
		of := time.Unix(rows[i].at, 0).UTC().Year()
		if !slices.Contains(years, of) {
			years = append(years, of)
		}
		if year == of || year == 0 && day > unixDay(now)-365 {
			days[strconv.FormatInt(day*daySeconds, 10)]++
		}
	}
	calendar, _ := json.Marshal(days) // Texts and numbers.
	return map[string]any{"activeYears": years, "submissionCalendar": string(calendar)}
}
