package sites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

// listNamed is a list of a site.
func listNamed(t testing.TB, c Cataloguer, name string) List {
	t.Helper()
	for _, l := range c.Lists() {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("there is no list %q", name)
	return List{}
}

func readListOf(t testing.TB, c Cataloguer, name string, status int, body string) (Listing, error) {
	t.Helper()
	return listNamed(t, c, name).Read(t.Context(), &fake{t: t, serve: always(status, body)})
}

// recordedList is a file of the recorded catalogue.
func recordedList(t testing.TB, name string) string {
	t.Helper()
	return fakesite.Recorded(t, "catalogue/"+name)
}

// between is a text from the first of a letter to the last of another.
func between(t testing.TB, text, from, to string) string {
	t.Helper()
	i, j := strings.Index(text, from), strings.LastIndex(text, to)
	if i < 0 || j < i {
		t.Fatalf("no %s...%s", from, to)
	}
	return text[i : j+1]
}

func TestCodeforcesProblemsRecorded(t *testing.T) {
	body := recordedList(t, "codeforces-problemset.problems.json")
	got, err := readListOf(t, codeforces{}, "problems", 200, body)
	if err != nil {
		t.Fatal(err)
	}
	rated, tags, most, keys := 0, map[string]bool{}, 0, map[string]bool{}
	for _, p := range got.Problems {
		keys[p.Key] = true
		if p.Difficulty != nil {
			rated++
		}
		most = max(most, len(p.Tags))
		for _, tag := range p.Tags {
			tags[tag] = true
		}
	}
	// The manifest's numbers, and the answer's own text, counted as text.
	if len(got.Problems) != 7579 || rated != 7387 || len(tags) != 37 || most != 11 || len(keys) != 7579 || len(got.Links) != 7579 {
		t.Errorf("%d problems, %d rated, %d tags, up to %d, %d keys, %d links", len(got.Problems), rated, len(tags), most, len(keys), len(got.Links))
	}
	if n := strings.Count(body, `"rating":`); n != rated {
		t.Errorf("%d rated, and the text has %d ratings", rated, n)
	}
}

func TestCodeforcesContestListRecorded(t *testing.T) {
	body := recordedList(t, "codeforces-contest.list-2023-07.js")
	got, err := readListOf(t, codeforces{}, "contests", 200, `{"status":"OK","result":`+between(t, body, "[", "]")+`}`)
	if err != nil {
		t.Fatal(err)
	}
	at, coming := time.Unix(1690468500-988732, 0), 0 // When the first row's start was 988,732 seconds off.
	for _, c := range got.Contests {
		if c.Starts.After(at) {
			coming++
		}
	}
	if want := strings.Count(body, `"phase": "BEFORE"`); len(got.Contests) != 1758 || coming != want || want != 2 {
		t.Errorf("%d contests, %d to come, want 1758 and %d", len(got.Contests), coming, want)
	}
}

// What people are shown is the model's number, bent into positive ones below 400.
func TestAtcoderModelsRecorded(t *testing.T) {
	body := recordedList(t, "atcoder-problem-models.json")
	got, err := readListOf(t, atcoder{}, "difficulties", 200, body)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]map[string]any
	if err := json.Unmarshal([]byte(body), &raw); err != nil {
		t.Fatal(err)
	}
	null, negative, experimental, guessed := 0, 0, 0, 0
	for _, p := range got.Problems {
		d, known := raw[p.Key]["difficulty"].(float64)
		switch {
		case !known && p.Difficulty == nil:
			null++
		case known && p.Difficulty != nil && d < 0:
			negative++
			if *p.Difficulty < 0 || *p.Difficulty > 147 { // 400/e.
				t.Errorf("%s is shown as %d", p.Key, *p.Difficulty)
			}
		case known != (p.Difficulty != nil), d >= 400 && *p.Difficulty != int(d):
			t.Errorf("%s is %v and shown as %v", p.Key, d, p.Difficulty)
		}
		if raw[p.Key]["is_experimental"] == true {
			if experimental++; known {
				guessed++
			}
		}
		if p.Experimental {
			guessed--
		}
	}
	if len(got.Problems) != 4863 || null != 279 || negative != 893 || experimental != 565 || guessed != 0 {
		t.Errorf("%d models, %d null, %d negative, %d experimental, %d of those with a number not marked", len(got.Problems), null, negative,
			experimental, guessed)
	}
	for _, p := range got.Problems {
		if p.Key == "abc138_a" && *p.Difficulty != 18 { // -848: 400 / e^3.12 is 17.66.
			t.Errorf("abc138_a is shown as %d, want 18", *p.Difficulty)
		}
	}
}

func TestAtcoderListsRecorded(t *testing.T) {
	contests, err := readListOf(t, atcoder{}, "contests", 200, recordedList(t, "atcoder-contests.json"))
	if err != nil {
		t.Fatal(err)
	}
	momentary := 0
	for _, c := range contests.Contests {
		if c.Ends.Equal(c.Starts) {
			momentary++
		}
	}
	problems, err := readListOf(t, atcoder{}, "problems", 200, recordedList(t, "atcoder-problems.json"))
	if len(contests.Contests) != 553 || momentary != 34 || err != nil || len(problems.Problems) != 2704 || len(problems.Links) != 2704 {
		t.Errorf("%d contests, %d of no length, %d problems, %d in contests, %v", len(contests.Contests), momentary, len(problems.Problems),
			len(problems.Links), err)
	}
}

// A list that is not one is never an empty one.
func TestListsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, s := range everySite() {
		c, ok := s.(Cataloguer)
		if !ok {
			continue
		}
		for _, l := range c.Lists() {
			for _, body := range []string{"", "null", "<html>", "[]", "{}", `[null,3]`, `{"status":"OK","result":null}`, `{"data":null}`,
				`{"status":"OK","result":{"problems":[{"index":"A","rating":"x"}]}}`} {
				got, err := l.Read(t.Context(), &fake{t: t, serve: always(200, body)})
				if l.Extent != Part && err == nil && got.Items() > 0 {
					t.Errorf("%s, %s: %q is a list of %d", s.Info().Name, l.Name, body, got.Items())
				}
				if err == nil && got.Items() == 0 && l.Extent == Whole {
					t.Errorf("%s, %s: %q is an empty list", s.Info().Name, l.Name, body)
				}
			}
			if _, err := l.Read(t.Context(), unchanged{}); !errors.Is(err, ErrUnchanged) {
				t.Errorf("%s, %s: %v of a list that has not changed", s.Info().Name, l.Name, err)
			}
			if u, err := url.Parse(l.Address); err != nil || u.Scheme != "https" {
				t.Errorf("%s, %s: %q is no address", s.Info().Name, l.Name, l.Address)
			}
		}
	}
}

// unchanged is a Getter for which everything is as it was.
type unchanged struct{}

func (unchanged) Get(context.Context, string) (Page, error) { return Page{}, ErrUnchanged }
func (unchanged) Ask(context.Context, Request) (Page, Header, error) {
	return Page{}, nil, fmt.Errorf("asked: %w", ErrUnchanged)
}

func TestAtcoderComing(t *testing.T) {
	t.Parallel()
	const row = `<tr><td class="text-center"><a href="http://www.timeanddate.com/x"><time class='fixtime fixtime-full'>%s</time></a></td>
		<td><span aria-hidden='true'>Ⓐ</span> <a href="/contests/%s">%s</a></td><td class="text-center">%s</td><td> - 1999</td></tr>`
	page := func(rows string) string {
		return `<div id="contest-table-upcoming"><table><thead><tr><th>Start</th></tr></thead><tbody>` + rows + `</tbody></table></div>
			<div id="contest-table-recent"><table><tbody>` + fmt.Sprintf(row, "2020-01-01 21:00:00+0900", "old", "Old", "01:40") + `</tbody></table></div>`
	}
	got, err := readListOf(t, atcoder{}, "coming contests", 200, page(fmt.Sprintf(row, "2026-08-15 21:00:00+0900", "abc471", "AtCoder Beginner Contest 471", "01:40")+
		fmt.Sprintf(row, "2026-08-20 12:00:00+0900", "ahc070", "Long <b>one</b>", "240:00")))
	starts := time.Date(2026, 8, 15, 12, 0, 0, 0, time.UTC)
	if err != nil || len(got.Contests) != 2 || got.Contests[0] != (ListedContest{"abc471", "AtCoder Beginner Contest 471", "https://atcoder.jp/contests/abc471",
		starts, starts.Add(100 * time.Minute)}) || got.Contests[1].Ends.Sub(got.Contests[1].Starts) != 240*time.Hour {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"<html></html>", page(fmt.Sprintf(row, "tomorrow", "abc1", "A", "01:40")), page(fmt.Sprintf(row, "2026-08-15 21:00:00+0900", "", "A", "01:40")),
		page(fmt.Sprintf(row, "2026-08-15 21:00:00+0900", "abc1", "A", "long"))} {
		if _, err := readListOf(t, atcoder{}, "coming contests", 200, bad); !errors.Is(err, ErrFormat) {
			t.Errorf("%.60s: %v", bad, err)
		}
	}
}

func FuzzLists(f *testing.F) {
	f.Add(200, `{"status":"OK","result":{"problems":[{"contestId":1,"index":"A","name":"A","rating":800,"tags":["dp","dp"]}]}}`)
	f.Add(200, `{"status":"OK","result":[{"id":1,"name":"R","phase":"BEFORE","durationSeconds":7200,"startTimeSeconds":1700000000}]}`)
	f.Add(200, `[{"id":"abc1","title":"A","start_epoch_second":1500000000,"duration_second":6000,"contest_id":"abc1","problem_id":"abc1_a"}]`)
	f.Add(200, `{"abc1_a":{"difficulty":-1e300,"is_experimental":true},"b":null}`)
	f.Add(200, `[{"Rating":1500.5,"TitleSlug":"two-sum","ContestSlug":"weekly-contest-1","ProblemIndex":"Q1","Title":"T"}]`)
	f.Add(200, `{"future_contests":[{"contest_code":"START1","contest_name":"S","contest_start_date_iso":"2026-08-08T00:00:00+05:30","contest_end_date_iso":"2026-08-10T02:59:00+05:30"}],"present_contests":[]}`)
	f.Add(200, `<table id="contest-table-upcoming"><tbody><tr><td><time>2026-08-15 21:00:00+0900</time></td><td><a href="/contests/a">A</a></td><td>1:40</td></tr></tbody></table>`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, s := range everySite() {
			c, ok := s.(Cataloguer)
			if !ok {
				continue
			}
			for _, l := range c.Lists() {
				got, err := l.Read(t.Context(), &fake{t: t, serve: always(status, body)})
				if errors.Is(err, errEnough) {
					t.Fatalf("%s, %s asks without end", s.Info().Name, l.Name)
				}
				for _, p := range got.Problems {
					if p.Key == "" || p.Difficulty != nil && (*p.Difficulty > hardest || *p.Difficulty < -hardest) {
						t.Fatalf("%s, %s: %+v", s.Info().Name, l.Name, p)
					}
				}
				for _, c := range got.Contests {
					if c.Key == "" || c.Ends.Before(c.Starts) {
						t.Fatalf("%s, %s: %+v", s.Info().Name, l.Name, c)
					}
				}
			}
		}
	})
}

func TestLeetcodeRatingsRecorded(t *testing.T) {
	body := recordedList(t, "leetcode-zerotrac-data.json")
	got, err := readListOf(t, leetcode{}, "ratings", 200, body)
	if want := strings.Count(body, `"TitleSlug"`); err != nil || len(got.Problems) != 2569 || want != 2569 || len(got.Links) != 2569 {
		t.Fatalf("%d problems, want %d, %v", len(got.Problems), want, err)
	}
	for _, p := range got.Problems {
		if p.Key == "check-if-the-rectangle-corner-is-reachable" && (*p.Difficulty != 3774 || p.Source != "zerotrac") {
			t.Errorf("%+v is rated %d, want 3774 of 3773.76", p, *p.Difficulty)
		}
	}
}

// PLACEPREP02 gives its members 180 minutes of their own in 51 hours.
func TestCodechefContestsRecorded(t *testing.T) {
	var sites map[string]json.RawMessage
	if err := json.Unmarshal([]byte(recordedList(t, "contests-four-sites-2026-08-09.json")), &sites); err != nil {
		t.Fatal(err)
	}
	got, err := readListOf(t, codechef{}, "contests", 200, `{"status":"success","present_contests":[],"future_contests":`+string(sites["CodeChef"])+`}`)
	if err != nil || len(got.Contests) != 3 || got.Contests[0].Key != "PLACEPREP02" || got.Contests[0].Ends.Sub(got.Contests[0].Starts) != 50*time.Hour+59*time.Minute ||
		!got.Contests[2].Starts.Equal(time.Date(2026, 8, 12, 14, 30, 0, 0, time.UTC)) {
		t.Errorf("%+v, %v", got, err)
	}
}

// The pages of LeetCode's problems are read to the end, each problem once; what has no level or
// topic has no tags.
func TestLeetcodeProblems(t *testing.T) {
	pages := []string{
		`{"data":{"problemsetQuestionList":{"total":3,"questions":[{"title":"Two Sum","titleSlug":"two-sum","difficulty":"Easy","topicTags":[{"name":"Array"},{"name":"Hash Table"}]},{"title":"Odd One","titleSlug":"odd-one","difficulty":"","topicTags":null}]}}}`,
		`{"data":{"problemsetQuestionList":{"total":3,"questions":[{"title":"Two Sum","titleSlug":"two-sum","difficulty":"Easy","topicTags":[]},{"title":"Trap","titleSlug":"trap","difficulty":"HARD","topicTags":[]}]}}}`,
	}
	f := &fake{t: t, serve: func(n int, _ *url.URL) Page { return Page{Status: 200, Body: []byte(pages[min(n, 1)])} }}
	got, err := listNamed(t, leetcode{}, "problems").Read(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range got.Problems {
		lines = append(lines, p.Key+" "+p.Name+" "+strings.Join(p.Tags, "+"))
	}
	if text, want := strings.Join(lines, ", "), "two-sum Two Sum Easy+Array+Hash Table, odd-one Odd One , trap Trap HARD"; text != want || len(f.questions) != 2 {
		t.Errorf("%s after %d questions, want %s after 2", text, len(f.questions), want)
	}
	for _, body := range []string{`{"data":{}}`, `{"data":{"problemsetQuestionList":{"total":5,"questions":[]}}}`, `{"data":{"problemsetQuestionList":{"total":1,"questions":[{"title":"x"}]}}}`} {
		if _, err := readListOf(t, leetcode{}, "problems", 200, body); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, want an answer that is not understood", body, err)
		}
	}
}

func TestLeetcodeContestsRecorded(t *testing.T) {
	body := between(t, recordedList(t, "leetcode-allContests.js"), "[", "]")
	got, err := readListOf(t, leetcode{}, "contests", 200, `{"data":{"allContests":`+body+`,"topTwoContests":[{"title":"Weekly Contest 515","titleSlug":"weekly-contest-515","startTime":1786847400,"duration":5400},{"title":"Weekly Contest 91","titleSlug":"weekly-contest-91","startTime":1,"duration":1}]}}`)
	if err != nil || len(got.Contests) != 98 || strings.Count(body, `"titleSlug"`) != 97 {
		t.Fatalf("%d contests of %d, and one that comes: %v", len(got.Contests), strings.Count(body, `"titleSlug"`), err)
	}
	starts := regexp.MustCompile(`"startTime":\s*(\d+)`).FindAllStringSubmatch(body, -1)
	for i, c := range got.Contests[:97] {
		if fmt.Sprint(c.Starts.Unix()) != starts[i][1] {
			t.Errorf("%+v begins at another time than %s", c, starts[i][1])
		}
	}
}

// Ratings come as texts and as numbers; a page without anything new is behind the last.
func TestCodechefProblems(t *testing.T) {
	pages := []string{
		`{"status":"success","data":[{"id":"1","code":"starters","name":"Add & Go","difficulty_rating":"1203","contest_code":null},{"code":"B","name":"B","difficulty_rating":900},{"code":"C","name":"C","difficulty_rating":"-1"},{"code":"D","name":"D"},{"code":"E","name":"E","difficulty_rating":"N/A"}]}`,
		`{"status":"success","data":[{"code":"B","name":"B","difficulty_rating":900},{"code":"F","name":"F","difficulty_rating":"2500"}]}`,
		`{"status":"success","data":[]}`,
	}
	f := &fake{t: t, serve: func(n int, _ *url.URL) Page { return Page{Status: 200, Body: []byte(pages[min(n, 2)])} }}
	got, err := listNamed(t, codechef{}, "problems").Read(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range got.Problems {
		rating := "-"
		if p.Difficulty != nil {
			rating = fmt.Sprint(*p.Difficulty)
		}
		lines = append(lines, p.Key+" "+p.Name+" "+rating)
	}
	if text, want := strings.Join(lines, ", "), "STARTERS Add & Go 1203, B B 900, C C -, D D -, E E -, F F 2500"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if _, err := readListOf(t, codechef{}, "problems", 200, `{"status":"failed"}`); !errors.Is(err, ErrFormat) {
		t.Errorf("%v, want an answer that is not understood", err)
	}
}
