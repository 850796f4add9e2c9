package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func lcReadReported(t *testing.T, a Account, s server) ([]Submission, Reported, []Request, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	p, err := allPages(leetcode{}.Submissions(t.Context(), get, a))
	if p.Reported == nil {
		p.Reported = &Reported{}
	}
	return p.Rows, *p.Reported, get.questions, err
}

// lcAnswer is an answer about somebody with so many submissions on the 1st and the
// 2nd of January 2024.
func lcAnswer(total, first, second int, all, accepted []string) string {
	return fmt.Sprintf(`{"data":{"matchedUser":{"username":"ada","submissionCalendar":"{\"1704067200\": %d, \"1704153600\": %d}",
		"submitStats":{"totalSubmissionNum":[{"difficulty":"All","count":3,"submissions":%d},{"difficulty":"Easy","count":3,"submissions":1}]}},
		"recentSubmissionList":[%s],"recentAcSubmissionList":[%s]}}`, first, second, total, strings.Join(all, ","), strings.Join(accepted, ","))
}

func lcMade(second int64, slug, verdict string) string {
	return fmt.Sprintf(`{"title":%q,"titleSlug":%q,"timestamp":"%d","statusDisplay":%q,"lang":"golang"}`, strings.ToUpper(slug), slug, second,
		verdict)
}

func lcIDs(subs []Submission) string {
	var ids []string
	for _, s := range subs {
		ids = append(ids, s.ID+" "+s.Status)
	}
	return strings.Join(ids, ", ")
}

// lcRecorded puts the recorded parts of one account together, as one answer has them.
func lcRecorded(t *testing.T) string {
	t.Helper()
	data := map[string]json.RawMessage{}
	for _, name := range []string{"singleUser.json", "recentSubmissions.json", "recentAcSubmissionList.json"} {
		var part struct{ Data map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(recorded(t, "leetcode/"+name)), &part); err != nil {
			t.Fatal(err)
		}
		for key, value := range part.Data {
			data[key] = value
		}
	}
	text, err := json.Marshal(map[string]any{"data": data})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLeetcodeRecorded(t *testing.T) {
	answers := []string{lcRecorded(t), recorded(t, "leetcode/userCalendar.json")}
	subs, reported, asked, err := lcReadReported(t, Account{Handle: "jambobjones"}, func(n int, _ *url.URL) Page {
		return Page{200, []byte(answers[min(n, 1)])}
	})
	if err != nil {
		t.Fatal(err)
	}
	ids(t, subs)
	oldest := time.Unix(1704259967, 0).UTC()
	counts := map[string]int{}
	for _, s := range subs {
		wantSound(t, s)
		if !s.At.Before(oldest) {
			counts[s.Status]++
		}
	}
	if counts[AC] != 10 || len(subs) != 32 || counts[WA] != 7 || counts[RE] != 3 || !subs[0].At.Equal(time.Unix(1705161771, 0)) ||
		!subs[len(subs)-1].At.Equal(time.Unix(1702417451, 0)) {
		t.Errorf("%v from %s to %s", counts, subs[len(subs)-1].At, subs[0].At)
	}
	if reported.Total != 463 || len(reported.Days) != 12 || reported.Days[time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)] != 24 ||
		!reported.Oldest.Equal(oldest) {
		t.Errorf("reported %+v", reported)
	}
	if len(asked) != 4 || !reported.Whole || asked[0].Address != "https://leetcode.com/graphql/" ||
		!strings.Contains(asked[0].Body, `"variables":{"limit":20,"username":"jambobjones"}`) {
		t.Errorf("asked %+v", asked)
	}
}

func TestLeetcodeRecordedHistory(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "leetcode/singleUserContests.json"))}
	if ratings, err := (leetcode{}).Ratings(t.Context(), get, Account{Handle: "ada"}); err != nil || len(ratings) != 0 {
		t.Errorf("ratings %v, error %v, want none: it was not attended", ratings, err)
	}
}

// Three rows as a proxy once gave them, and their calendar.
func TestLeetcodeRecordedSamples(t *testing.T) {
	var samples struct {
		Submission struct{ Submission json.RawMessage }
		Calendar   struct{ SubmissionCalendar string }
	}
	if err := json.Unmarshal([]byte(recorded(t, "leetcode/readme_samples_smsarov_2025-09.json")), &samples); err != nil {
		t.Fatal(err)
	}
	subs, err := leetcodeRead(samples.Submission.Submission, "")
	if err != nil || lcIDs(subs.rows) != "1757503389/length-of-last-word AC, 1757502518/debounce AC, 1757421076/is-subsequence WA" {
		t.Errorf("%s, error %v", lcIDs(subs.rows), err)
	}
	counts := leetcodeCounts{SubmissionCalendar: samples.Calendar.SubmissionCalendar}
	counts.SubmitStats.TotalSubmissionNum = append(counts.SubmitStats.TotalSubmissionNum, struct {
		Difficulty         string
		Count, Submissions int
	}{"All", 1, 1})
	if reported, err := counts.reported(); err != nil || len(reported.Days) != 14 {
		t.Errorf("%d days, error %v, want 14", len(reported.Days), err)
	}
}

// Equal rows are each a row, numbered from the oldest, whether both lists show them
// or one; the list of accepted ones goes on where the other ends.
func TestLeetcodeLists(t *testing.T) {
	twice := lcMade(1704153700, "two-sum", "Accepted")
	body := lcAnswer(9, 4, 5, []string{lcMade(1704153800, "new", "Something New"), lcMade(1704153750, "judged", ""), twice, twice,
		lcMade(1704153600, "x", "Wrong Answer")},
		[]string{twice, twice, lcMade(1704067300, "old", "Accepted"), lcMade(1704067300, "old", "Accepted")})
	subs, reported, _, err := lcReadReported(t, Account{Handle: "ada"}, always(200, body))
	want := "1704153800/new OTH, 1704153750/judged PENDING, 1704153700#2/two-sum AC, 1704153700/two-sum AC, 1704153600/x WA, 1704067300#2/old AC, 1704067300/old AC"
	if err != nil || lcIDs(subs) != want {
		t.Errorf("%s, error %v\nwant %s", lcIDs(subs), err, want)
	}
	if s := subs[2]; s.Problem != (Problem{"two-sum", "TWO-SUM", "https://leetcode.com/problems/two-sum/"}) || s.Verdict != "Accepted" ||
		s.Language != "golang" || s.At.Unix() != 1704153700 {
		t.Errorf("%+v", s)
	}
	if reported.Total != 9 || !reported.Oldest.IsZero() || reported.Days[time.Unix(1704067200, 0).UTC()] != 4 {
		t.Errorf("reported %+v", reported)
	}
	// One more of the same second changes no name; what is listed is always read, however old.
	body = lcAnswer(10, 4, 6, []string{twice, twice, twice}, nil)
	if subs, _, _, err := lcReadReported(t, Account{Handle: "ada"}, always(200, body)); err != nil ||
		lcIDs(subs) != "1704153700#3/two-sum AC, 1704153700#2/two-sum AC, 1704153700/two-sum AC" {
		t.Errorf("%s, error %v", lcIDs(subs), err)
	}
	if subs, _, _, err := lcReadReported(t, Account{Handle: "ada", CoveredAt: time.Unix(1704153701, 0)}, always(200, body)); err != nil ||
		len(subs) != 3 {
		t.Errorf("%s, error %v, want three", lcIDs(subs), err)
	}
}

func TestLeetcodeFullList(t *testing.T) {
	var rows []string
	for i := range 20 {
		rows = append(rows, lcMade(1704153700-int64(i), "a", "Accepted"))
	}
	_, reported, _, err := lcReadReported(t, Account{Handle: "ada"}, always(200, lcAnswer(300, 100, 100, rows, rows)))
	if err != nil || reported.Oldest.Unix() != 1704153681 {
		t.Errorf("oldest %s, error %v", reported.Oldest, err)
	}
}

// matchedUser null proves absence; other errors of the interface do not.
func TestLeetcodeErrors(t *testing.T) {
	for body, want := range map[string]error{
		`{"errors":[{"message":"That user does not exist."}],"data":{"matchedUser":null,"recentSubmissionList":null}}`: ErrNoHandle,
		`{"data":{"matchedUser":null,"recentSubmissionList":null}}`:                                                    ErrNoHandle,
		`{"errors":[{"message":"Something went wrong"}],"data":{"matchedUser":null}}`:                                  ErrServer,
		`{"errors":[{"message":"Rate limit exceeded"}],"data":null}`:                                                   ErrRateLimited,
		`{"errors":[{"message":"That user does not exist."}],"data":null}`:                                             ErrFormat,
		`{"data":{}}`: ErrFormat,
		`{"data":{"recentSubmissionList":[],"recentAcSubmissionList":[]}}`:                              ErrFormat,
		lcAnswer(1, 1, 1, slices.Repeat([]string{`{"titleSlug":"a","timestamp":"0"}`}, 3), nil):         ErrFormat,
		lcAnswer(1, 1, 1, slices.Repeat([]string{`{"titleSlug":"","timestamp":"1704153700"}`}, 3), nil): ErrFormat,
		lcAnswer(1, 1, 1, slices.Repeat([]string{`{"titleSlug":"a","timestamp":"now"}`}, 3), nil):       ErrFormat,
		lcAnswer(-1, 1, 1, nil, nil): ErrFormat,
		lcAnswer(1, -1, 1, nil, nil): ErrFormat,
		strings.Replace(lcAnswer(1, 1, 1, nil, nil), `"recentSubmissionList":[]`, `"x":1`, 1):                ErrFormat,
		strings.Replace(lcAnswer(1, 1, 1, nil, nil), `1704067200`, `2024-01-01`, 1):                          ErrFormat,
		strings.Replace(lcAnswer(1, 1, 1, nil, nil), `"difficulty":"All"`, `"difficulty":"Hard"`, 1):         ErrFormat,
		strings.Replace(lcAnswer(1, 1, 1, nil, nil), `"submissionCalendar":"{`, `"submissionCalendar":"`, 1): ErrFormat,
	} {
		if subs, _, _, err := lcReadReported(t, Account{Handle: "ada"}, always(200, body)); !errors.Is(err, want) || len(subs) > 0 {
			t.Errorf("%s: %d rows, error %v, want %v", body, len(subs), err, want)
		}
	}
}

func TestLeetcodeRatings(t *testing.T) {
	body := `{"data":{"userContestRankingHistory":[{"attended":true,"rating":1553.51,"ranking":7,"contest":{"title":"Weekly Contest 300","startTime":1659200400}},
		{"attended":true,"rating":1500,"ranking":9,"contest":{"title":"Biweekly Contest 52","startTime":1621089000}},{"attended":false,"rating":1553.51,"contest":{"title":"Weekly Contest 301","startTime":1659805200}}]}}`
	got, err := leetcode{}.Ratings(t.Context(), &fake{t: t, serve: always(200, body)}, Account{Handle: "ada"})
	want := []Rating{
		{"biweekly-contest-52", "Biweekly Contest 52", "https://leetcode.com/contest/biweekly-contest-52/", 9, 1500,
			time.Unix(1621089000, 0).UTC()},
		{"weekly-contest-300", "Weekly Contest 300", "https://leetcode.com/contest/weekly-contest-300/", 7, 1554, time.Unix(1659200400, 0).UTC()},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, error %v, want %+v", got, err, want)
	}
	for _, bad := range []string{`{"data":{"userContestRankingHistory":{}}}`, `[]`,
		`{"data":{"userContestRankingHistory":[{"attended":true,"rating":1,"contest":{}}]}}`} {
		if _, err := (leetcode{}).Ratings(t.Context(), &fake{t: t, serve: always(200, bad)}, Account{Handle: "ada"}); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: error %v, want %v", bad, err, ErrFormat)
		}
	}
}

func TestLeetcodeProfile(t *testing.T) {
	body := `{"data":{"matchedUser":{"username":"ada","profile":{"realName":"Ada L","countryName":"","company":null,"school":"A School"},"submitStats":{
		"totalSubmissionNum":[{"difficulty":"All","count":5,"submissions":9}],"acSubmissionNum":[{"difficulty":"All","count":4,"submissions":6}]}},"userContestRanking":%s}}`
	for ranking, want := range map[string]string{
		`{"rating":1600.6,"globalRanking":12}`: `{"Rating":{"Rating":1601,"Best":null},"Rank":{"Rank":12},"Counts":{"Solved":4,"Submitted":9},"Name":{"Name":"Ada L"},"Place":{"Country":null,"Organisation":"A School"},"Title":null}`,
		`null`:                                 `{"Rating":{"Rating":null,"Best":null},"Rank":{"Rank":null},"Counts":{"Solved":4,"Submitted":9},"Name":{"Name":"Ada L"},"Place":{"Country":null,"Organisation":"A School"},"Title":null}`,
	} {
		if got, _, err := profileOf(t, leetcode{}, Account{Handle: "ada"}, always(200, fmt.Sprintf(body, ranking))); got != want || err != nil {
			t.Errorf("%s, error %v\nwant %s", got, err, want)
		}
	}
}

func FuzzLeetcode(f *testing.F) {
	f.Add(200, lcAnswer(9, 4, 5, []string{lcMade(1704153800, "new", "Accepted")}, []string{lcMade(1704153800, "new", "")}))
	f.Add(200, `{"data":{"matchedUser":{"submitStats":{"totalSubmissionNum":[{"difficulty":"All","submissions":1}]}},"userContestRanking":{"rating":1e300}}}`)
	f.Add(200, `{"data":{"userContestRankingHistory":[{"attended":true,"rating":1e9,"contest":{"startTime":1621089000}}]}}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, reported, _, _ := lcReadReported(t, Account{Handle: "ada", CoveredAt: since}, always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
			for day, n := range reported.Days {
				if day.Before(earliest.Add(-24*time.Hour)) || day.After(latest) || n < 0 {
					t.Errorf("%d on %s", n, day)
				}
			}
		}
		ratings, _ := leetcode{}.Ratings(t.Context(), &fake{t: t, serve: always(status, body)}, Account{Handle: "ada"})
		for _, r := range ratings {
			if r.At.Before(earliest) || r.At.After(latest) {
				t.Errorf("rating %+v", r)
			}
		}
		_, _, _ = profileOf(t, leetcode{}, Account{Handle: "ada"}, always(status, body))
	})
}

// The site's number and address of a submission are taken where they are shown; what the row was
// called before goes with it, so that it is not stored twice.
func TestLeetcodeNumbers(t *testing.T) {
	row := func(id, url string) string {
		return `{` + id + `"title":"Two Sum","titleSlug":"two-sum","timestamp":"1700000000","statusDisplay":"Accepted","lang":"cpp"` + url + `}`
	}
	for name, tt := range map[string]struct{ id, url, wantID, wantFormerly, wantURL string }{
		"both":           {`"id":"2140228077",`, `,"url":"/submissions/detail/2140228077/"`, "2140228077", "1700000000/two-sum", "https://leetcode.com/submissions/detail/2140228077/"},
		"a number":       {`"id":2140228077,`, ``, "2140228077", "1700000000/two-sum", ""},
		"neither":        {``, ``, "1700000000/two-sum", "", ""},
		"null":           {`"id":null,`, `,"url":null`, "1700000000/two-sum", "", ""},
		"something else": {`"id":"x<y",`, `,"url":"javascript:alert(1)"`, "1700000000/two-sum", "", ""},
	} {
		p, err := leetcodeLists([]byte(strings.TrimSuffix(strings.TrimPrefix(lcAnswer(1, 1, 1, []string{row(tt.id, tt.url)}, nil), `{"data":`), `}`)))
		if err != nil || len(p.Rows) != 1 {
			t.Errorf("%s: %d rows, %v", name, len(p.Rows), err)
			continue
		}
		if s := p.Rows[0]; s.ID != tt.wantID || s.Formerly != tt.wantFormerly || s.URL != tt.wantURL {
			t.Errorf("%s: id %q, formerly %q, address %q", name, s.ID, s.Formerly, s.URL)
		}
	}
}
