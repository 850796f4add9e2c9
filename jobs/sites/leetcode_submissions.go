package sites

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A leetcodeRow is one submission. Lists that were saved before its number and address were asked
// for do not show them.
type leetcodeRow struct {
	ID                                                    json.RawMessage // A number, or a text with one.
	Title, TitleSlug, Timestamp, StatusDisplay, Lang, URL string
}

// number is the site's own, or "".
func (r leetcodeRow) number() string {
	if id := strings.Trim(string(r.ID), `" `); linkNumber.MatchString(id) {
		return id
	}
	return ""
}

func (r leetcodeRow) submission() (Submission, error) {
	second, err := strconv.ParseInt(strings.TrimSpace(r.Timestamp), 10, 64)
	if err != nil {
		return Submission{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	at, err := epoch(second)
	if err != nil {
		return Submission{}, err
	}
	slug := clean(r.TitleSlug)
	if slug == "" {
		return Submission{At: at}, fmt.Errorf("%w: a submission without a problem", ErrFormat)
	}
	s := Submission{
		ID: fmt.Sprintf("%d/%s", second, slug), At: at,
		Problem: Problem{Key: slug, Name: clean(r.Title), URL: leetcodeHome + "/problems/" + url.PathEscape(slug) + "/"},
		Status:  leetcodeStatus(r.StatusDisplay), Verdict: clean(r.StatusDisplay), Language: clean(r.Lang),
		Formerly: r.number(), // Until leetcodeNumber, which knows all names.
	}
	if path := clean(r.URL); strings.HasPrefix(path, "/submissions/") {
		s.URL = leetcodeHome + path
	}
	return s, nil
}

var leetcodeStatuses = map[string]string{
	"Accepted": AC, "Wrong Answer": WA, "Time Limit Exceeded": TLE, "Memory Limit Exceeded": MLE, "Runtime Error": RE, "Compile Error": CE,
	"": Pending, "Pending": Pending, "Judging": Pending,
}

func leetcodeStatus(words string) string {
	if status, ok := leetcodeStatuses[clean(words)]; ok {
		return status
	}
	return OTH
}

// leetcodeLists reads the two lists and what is counted. The list of accepted ones
// reaches further back, so what only it has belongs to the history, too.
func leetcodeLists(data json.RawMessage) (p ListPage, err error) {
	var answer struct {
		leetcodeUser
		RecentSubmissionList, RecentAcSubmissionList json.RawMessage
	}
	if err := decode(data, &answer); err != nil {
		return p, err
	}
	var user leetcodeCounts
	if err := answer.into(&user); err != nil {
		return p, err
	}
	reported, err := user.reported()
	if err != nil {
		return p, err
	}
	all, err := leetcodeRead(answer.RecentSubmissionList, "")
	if err != nil {
		return p, err
	}
	accepted, err := leetcodeRead(answer.RecentAcSubmissionList, "Accepted")
	if err != nil {
		return p, err
	}
	if n := len(all.rows); n > 0 && all.count() >= leetcodeMost {
		reported.Oldest = all.rows[n-1].At
	}
	listed := map[string]bool{}
	for _, s := range all.rows {
		listed[s.ID] = true
	}
	p.Unread = append(all.unread, accepted.unread...)
	p.Rows, p.Reported = append(all.rows, slices.DeleteFunc(accepted.rows, func(s Submission) bool { return listed[s.ID] })...), &reported
	slices.SortStableFunc(p.Rows, func(a, b Submission) int { return b.At.Compare(a.At) })
	leetcodeNumber(p.Rows)
	return p, nil
}

// leetcodeRead reads a list. Where it does not show verdicts, it is one of one verdict.
func leetcodeRead(text json.RawMessage, verdict string) (subs tally, err error) {
	rows, err := list[json.RawMessage](text)
	if err != nil {
		return subs, err
	}
	for _, text := range rows {
		_, s, err := rowOf(text, func(r leetcodeRow) (Submission, error) {
			r.StatusDisplay = cmp.Or(r.StatusDisplay, verdict)
			return r.submission()
		})
		subs.add(s, err, func() string { return string(text) })
	}
	subs.newestFirst()
	slices.SortStableFunc(subs.rows, func(a, b Submission) int { return b.At.Compare(a.At) })
	return subs, subs.err()
}

// leetcodeNumber gives rows the site's number. Those without one of one second and problem are told
// apart by their place, counted from the oldest, which newer ones do not change. Only where the end
// of a full list cuts such a pair is one of them taken for the other. What was stored by such a name
// gets the number later.
func leetcodeNumber(subs []Submission) {
	times := map[string]int{}
	for i := len(subs) - 1; i >= 0; i-- {
		id := subs[i].ID
		if times[id]++; times[id] > 1 {
			second, slug, _ := strings.Cut(id, "/")
			subs[i].ID = fmt.Sprintf("%s#%d/%s", second, times[id], slug)
		}
		if number := subs[i].Formerly; number != "" {
			subs[i].ID, subs[i].Formerly = number, subs[i].ID
		}
	}
}

// leetcodeCounts are the numbers beside the lists.
type leetcodeCounts struct {
	Username           string
	SubmissionCalendar string // JSON in a text: {"1704153600": 24}, by the midnights of UTC of about a year.
	SubmitStats        struct {
		TotalSubmissionNum, AcSubmissionNum []struct {
			Difficulty         string
			Count, Submissions int
		}
	}
}

// most is more than anybody has submitted.
const most = 1_000_000_000

// counted returns the totals: questions that were tried or solved, and submissions.
func (c leetcodeCounts) counted() (solved, submitted int, err error) {
	for _, n := range c.SubmitStats.AcSubmissionNum {
		if n.Difficulty == "All" {
			solved = n.Count
		}
	}
	known := false
	for _, n := range c.SubmitStats.TotalSubmissionNum {
		if n.Difficulty == "All" {
			submitted, known = n.Submissions, true
		}
	}
	if !known || solved < 0 || submitted < 0 || max(solved, submitted) > most {
		return 0, 0, fmt.Errorf("%w: no totals", ErrFormat)
	}
	return solved, submitted, nil
}

func (c leetcodeCounts) reported() (reported Reported, err error) {
	if reported.Solved, reported.Total, err = c.counted(); err != nil {
		return reported, err
	}
	reported.Days, err = leetcodeDays(c.SubmissionCalendar)
	return reported, err
}

// leetcodeDays reads a calendar, which may be empty.
func leetcodeDays(calendar string) (map[time.Time]int, error) {
	var counts map[string]int
	if calendar != "" {
		if err := decode([]byte(calendar), &counts); err != nil {
			return nil, fmt.Errorf("submissionCalendar: %w", err)
		}
	}
	days := map[time.Time]int{}
	for text, n := range counts {
		second, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || n > most {
			return nil, fmt.Errorf("submissionCalendar: %w: %d at %q", ErrFormat, n, text)
		}
		at, err := epoch(second)
		if err != nil {
			return nil, fmt.Errorf("submissionCalendar: %w", err)
		}
		days[at.Truncate(24*time.Hour)] += n
	}
	return days, nil
}
