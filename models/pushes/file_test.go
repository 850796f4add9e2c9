package pushes_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/pushes"
	"laurel/models/submissions"
)

var anything = regexp.MustCompile(`.*`)

// fileSites are the sites that files of these tests name.
var fileSites = []members.Site{
	{Name: "arena", Title: "Arena", Handle: anything, Outside: true},
	{Name: "cses", Title: "CSES", Handle: anything, Outside: true},
	{Name: "leetcode", Title: "LeetCode", Handle: anything},
}

// leetcodePage is a page of leetcode.com/api/submissions/ with the fields that it has.
const leetcodePage = `{"submissions_dump":[
{"id":1234567890,"question_id":1,"lang":"python3","lang_name":"Python3","time":"1 year, 2 months","timestamp":1700000000,"status":10,"status_display":"Accepted","runtime":"44 ms","url":"/submissions/detail/1234567890/","is_pending":"Not Pending","title":"Two Sum","memory":"17.1 MB","code":"x = \"</html>\"","compare_result":"111","title_slug":"two-sum","has_notes":false,"flag_type":1},
{"id":1234567000,"lang":"cpp","timestamp":1699999999,"status_display":"Wrong Answer","title":"Two Sum","title_slug":"two-sum"},
{"id":1234566000,"lang":"cpp","timestamp":1699990000,"status_display":"Output Limit Exceeded","title":"3Sum","title_slug":"3sum"},
{"id":7,"lang":"cpp","timestamp":"soon","status_display":"Accepted","title":"3Sum","title_slug":"3sum"},
{"id":8,"lang":"cpp","timestamp":1699990001,"status_display":"Accepted","title":"","title_slug":""}],
"has_next":true,"last_key":"abc"}`

// csesPage is what cses.fi/problemset/ shows to somebody who is signed in, saved by a browser that
// makes addresses whole.
const csesPage = `<!DOCTYPE html>
<html><head><title>CSES - CSES Problem Set - Tasks</title></head><body><h2>Introductory Problems</h2><ul class="task-list">
<li class="task"><a href="/problemset/task/1068">Weird Algorithm</a><span class="detail">160000 / 168000</span> <span class="task-score icon full"></span></li>
<li class="task"><a href="https://cses.fi/problemset/task/1083/">Missing Number</a><span class="detail">1 / 2</span> <span class="task-score icon zero"></span></li>
<li class="task"><a href="https://cses.fi/problemset/task/1069/">Repetitions</a><span class="detail">1 / 2</span> <span class="full icon task-score"></span></li>
<li class="task"><a href="/problemset/task/1094">Increasing Array</a><span class="detail">1 / 2</span> <span class="task-score icon "></span></li>
<li class="task"><a href="https://evil.example/problemset/task/1">Evil</a><span class="task-score icon full"></span></li>
<li class="task"><a href="/problemset/task/1068">Weird Algorithm</a> <span class="task-score icon full"></span></li></ul>
<table><tr><td><a href="/problemset/task/1070/" class="task-score icon full" title="Permutations"></a></td></tr></table></body></html>`

// told is a file in words: what it is, its rows, and what could not be read.
func told(f *pushes.File) string {
	words := []string{f.Kind}
	for _, r := range f.Rows {
		words = append(words, fmt.Sprint(r.Line, " ", r.Site, " ", r.ID, " ", r.ProblemKey, " ", r.Status, " ", r.At.Format("2006-01-02T15:04:05Z"), " ", r.Language))
	}
	for _, u := range f.Unread {
		words = append(words, fmt.Sprint("! ", u.Line, " ", u.Error))
	}
	return strings.Join(words, "\n")
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	ndjson := line("1") + "\r\n\n{\n" + strings.Replace(line("2"), "AC", "Yes", 1) + "\n" + line("3")
	for _, tt := range []struct{ name, file, want string }{
		{"lines", "\ufeff\n" + ndjson, "JSON lines\n2 arena 1 a AC 2026-11-20T10:00:00Z Go\n6 arena 3 a AC 2026-11-20T10:00:00Z Go\n! 4 this is not JSON\n" +
			`! 5 status: "Yes" is not one of AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING`},
		{"a list", "[" + line("1") + ",7," + line("2") + "]", "JSON lines\n1 arena 1 a AC 2026-11-20T10:00:00Z Go\n3 arena 2 a AC 2026-11-20T10:00:00Z Go\n! 2 must be a JSON object"},
		{"CSV", "Site,id,problem.key,problem.name,status,submitted_at,points,mood\narena,1,a,\"One, two\",AC,2026-11-20T10:00:00Z,,fine\narena,2,a,,WA,2026-11-20T10:00:00Z,many,\narena,3\n\narena,4,b,\"x\ny\",WA,2026-11-20T10:00:00Z,1.5,\narena,5,b,,WA,soon,,\n",
			"CSV\n2 arena 1 a AC 2026-11-20T10:00:00Z \n6 arena 4 b WA 2026-11-20T10:00:00Z \n! 3 points: \"many\" is no number\n! 4 this line has 2 columns, the first one 8\n! 8 submitted_at: is no time; write it like 2026-11-21T14:02:00Z"},
		{"CSV of a country with commas in numbers", "site;id;problem.key;status;submitted_at\narena;1;a;AC;2026-11-20T10:00:00Z", "CSV\n2 arena 1 a AC 2026-11-20T10:00:00Z "},
		{"CSV of a spreadsheet, in UTF-16", "\xff\xfes\x00i\x00t\x00e\x00\t\x00i\x00d\x00\n\x00\"\x00\xe4\x00\"\x00\t\x007\x00",
			"CSV\n! 2 site: no site is named \"ä\"; known are arena, cses, leetcode; problem.key: is missing; status: \"\" is not one of AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING; submitted_at: is missing; write it like 2026-11-21T14:02:00Z"},
		{"CSV in an encoding that it does not name", "site,id,problem.key,problem.name,status,submitted_at\narena,1,a,Gr\xf6\xdfe,AC,2026-11-20T10:00:00Z\narena,2,a,,AC,2026-11-20T10:00:00Z",
			"CSV\n3 arena 2 a AC 2026-11-20T10:00:00Z \n! 2 problem.name: is not in UTF-8; save the file as UTF-8"},
		{"LeetCode", leetcodePage + "\n" + strings.Replace(leetcodePage, "1700000000", "1700000001", 1), ""},
		{"CSES", csesPage, "CSES, solved problems\n1 cses solved/1068 1068 AC 1990-01-01T00:00:00Z \n2 cses solved/1069 1069 AC 1990-01-01T00:00:00Z \n3 cses solved/1070 1070 AC 1990-01-01T00:00:00Z "},
	} {
		f, err := pushes.ReadFile([]byte(tt.file), fileSites, modelstest.Noon)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if tt.want != "" && told(f) != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, told(f), tt.want)
		}
		if tt.name == "LeetCode" {
			checkLeetCode(t, f)
		}
	}
	for _, tt := range []struct{ file, want string }{
		{" \n", "the file is empty"},
		{"hello", "neither JSON lines"},
		{"a,b\n1,2", "neither JSON lines"},
		{"[1", "is none"},
		{"<html><p>Sign in</p></html>", "no solved problem"},
		{leetcodePage[:200], "not whole"},
		{"\xff\xfe\n", "neither JSON lines"},
		{strings.Repeat("{}\n", 10_001), "at most 10000"},
		{strings.Repeat(" ", 10) + strings.Repeat("x", 11<<20), "10 MB"},
	} {
		if _, err := pushes.ReadFile([]byte(tt.file), fileSites, modelstest.Noon); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: %v, want %q", tt.file, err, tt.want)
		}
	}
}

func line(id string) string {
	return fmt.Sprintf(`{"site":"arena","id":%q,"problem":{"key":"a"},"status":"AC","submitted_at":"2026-11-20T10:00:00Z","language":"Go"}`, id)
}

func checkLeetCode(t *testing.T, f *pushes.File) {
	t.Helper()
	want := `LeetCode, saved pages
1 leetcode 1234567890 two-sum AC 2023-11-14T22:13:20Z python3
2 leetcode 1234567000 two-sum WA 2023-11-14T22:13:19Z cpp
3 leetcode 1234566000 3sum OTH 2023-11-14T19:26:40Z cpp
6 leetcode 1234567890 two-sum AC 2023-11-14T22:13:21Z python3
7 leetcode 1234567000 two-sum WA 2023-11-14T22:13:19Z cpp
8 leetcode 1234566000 3sum OTH 2023-11-14T19:26:40Z cpp
! 4 timestamp: this is not the right kind of value
! 9 timestamp: this is not the right kind of value
! 5 id: is missing; problem.key: is missing; submitted_at: is missing; write it like 2026-11-21T14:02:00Z
! 10 id: is missing; problem.key: is missing; submitted_at: is missing; write it like 2026-11-21T14:02:00Z`
	if told(f) != want {
		t.Errorf("%s\nwant\n%s", told(f), want)
	}
	if r := f.Rows[0]; r.URL != "https://leetcode.com/submissions/detail/1234567890/" || r.ProblemURL != "https://leetcode.com/problems/two-sum/" || r.ProblemName != "Two Sum" {
		t.Errorf("%+v", r)
	}
}

// Whatever a file holds, it is refused or read; every row could be stored, and every line that
// could not be read has a number and a reason.
func FuzzReadFile(f *testing.F) {
	for _, seed := range []string{leetcodePage, csesPage, line("1") + "\n" + line("2"), "[" + line("1") + "]", "site,id\narena,\"1\n", "site;id\n;;;\n", "<", "{", "[[[", "\ufeff",
		`{"submissions_dump":[null]}`, `{"id":{},"contest":[],"points":"1","submissions_dump":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := pushes.ReadFile(data, fileSites, modelstest.Noon)
		if err != nil {
			return
		}
		for _, r := range file.Rows {
			if r.Line < 1 || r.ID == "" || r.ProblemKey == "" || r.At.After(modelstest.Noon.Add(time.Hour)) || r.At.Before(submissions.UnknownTime) {
				t.Errorf("%+v", r)
			}
			for _, text := range []string{r.ID, r.ProblemKey, r.ProblemName, r.Language, r.URL, r.ProblemURL, r.Contest} {
				if !utf8.ValidString(text) || strings.Contains(text, "\x00") || len(text) > 2000 {
					t.Errorf("%q cannot be stored", text)
				}
			}
		}
		for _, u := range file.Unread {
			if u.Line < 1 || u.Error == "" || !utf8.ValidString(u.Error) {
				t.Errorf("%+v", u)
			}
		}
	})
}

// FuzzParseLine does the same for a line of a push.
func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{line("1"), `{}`, `7`, `{"id":1e5,"contest":{"key":1,"name":"x"}}`, `{"problem":{"url":"javascript:x"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := pushes.ParseLine(data, fileSites, modelstest.Noon)
		if err == nil && (r.ID == "" || r.ProblemKey == "" || r.Status == "" || !utf8.ValidString(r.ID+r.ProblemName)) || err != nil && err.Error() == "" {
			t.Errorf("%+v %v", r, err)
		}
	})
}
