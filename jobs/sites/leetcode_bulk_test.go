package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLeetcodeBulk(t *testing.T) {
	t.Parallel()
	const second = 1_705_161_771
	row := func(at int64, status string) string {
		return fmt.Sprintf(`[{"titleSlug":"a","timestamp":"%d","statusDisplay":%q}]`, at, status)
	}
	var accounts []BulkAccount
	var lists []string
	var want []Finding
	for i, tt := range []struct {
		handle string
		newest int64
		list   string
		want   Finding
	}{
		{"quiet", second, row(second, "Wrong Answer"), Quiet},
		{"busy", second, row(second+1, "Accepted"), News},
		{"shrunk", second, row(second-1, "Accepted"), News},
		{"emptied", second, `[]`, News},
		{"never", 0, `[]`, Unanswered},
		{"first", 0, row(second, "Accepted"), News},
		{"judged", second, row(second, "Pending"), News},
		{"gone", second, `null`, News},
		{"no handle", second, ``, Unanswered},
	} {
		p := BulkAccount{Handle: tt.handle}
		if tt.newest > 0 {
			p.Newest = time.Unix(tt.newest, 0)
		}
		accounts, want = append(accounts, p), append(want, tt.want)
		if tt.list != "" {
			lists = append(lists, fmt.Sprintf(`"r%d":%s`, i, tt.list))
		}
	}
	body := `{"errors":[{"message":"That user does not exist.","path":["r7"]}],"data":{` + strings.Join(lists, ",") + `}}`
	get := &fake{t: t, serve: always(200, body)}
	found, err := leetcode{}.BulkCheck(t.Context(), get, accounts)
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("found %v, %v; want %v", found, err, want)
	}
	var q struct {
		Query     string
		Variables map[string]any
	}
	if err := json.Unmarshal([]byte(get.questions[0].Body), &q); err != nil || len(get.questions) != 1 || q.Variables["u0"] != "quiet" ||
		len(q.Variables) != 9 ||
		!strings.Contains(q.Query, "r0: recentSubmissionList(username: $u0, limit: $limit)") {
		t.Errorf("asked %+v, %v", q, err)
	}
}

func TestLeetcodeBulkThatFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status int
		body   string
		want   error
	}{
		{400, `{"errors":[{"message":"?"}]}`, ErrTooMany},
		{413, ``, ErrTooMany},
		{200, `{"errors":[{"message":"Query is too complex (cost 1200)"}],"data":null}`, ErrTooMany},
		{200, `{"errors":[{"message":"Something else"}],"data":null}`, ErrServer},
		{200, `{"errors":[{"message":"Too many requests"}],"data":null}`, ErrRateLimited},
		{200, `{"data":{}}`, ErrFormat},
		{200, `{"data":{"r0":{"rows":[]}}}`, ErrFormat},
		{200, `<html>`, ErrFormat},
		{404, `{"data":{"r0":[]}}`, ErrFormat},
	} {
		found, err := leetcode{}.BulkCheck(t.Context(), &fake{t: t, serve: always(tt.status, tt.body)},
			[]BulkAccount{{Handle: "ada", Newest: time.Unix(1, 0)}})
		if !errors.Is(err, tt.want) || found[0] != Unanswered {
			t.Errorf("%d %s: found %v, %v; want %v", tt.status, tt.body, found, err, tt.want)
		}
	}
}

// The recorded list begins with the row that was read from it.
func TestLeetcodeBulkRecorded(t *testing.T) {
	var answer struct {
		Data struct{ RecentSubmissionList json.RawMessage }
	}
	if err := json.Unmarshal([]byte(recorded(t, "leetcode/recentSubmissions.json")), &answer); err != nil {
		t.Fatal(err)
	}
	body := `{"data":{"r0":` + string(answer.Data.RecentSubmissionList) + `,"r1":` + string(answer.Data.RecentSubmissionList) + `}}`
	found, err := leetcode{}.BulkCheck(t.Context(), &fake{t: t, serve: always(200, body)},
		[]BulkAccount{{Handle: "a", Newest: time.Unix(1705161771, 0)}, {Handle: "b", Newest: time.Unix(1705161770, 0)}})
	if err != nil || !slices.Equal(found, []Finding{Quiet, News}) {
		t.Errorf("%v, %v", found, err)
	}
}

func FuzzLeetcodeBulk(f *testing.F) {
	f.Add(200, `{"data":{"r0":[{"titleSlug":"a","timestamp":"1705161771","statusDisplay":"Accepted"}],"r1":null}}`)
	f.Add(400, `{"errors":[{"message":"too complex"}]}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		found, err := leetcode{}.BulkCheck(t.Context(), &fake{t: t, serve: always(status, body)},
			[]BulkAccount{{Handle: "ada", Newest: time.Unix(1705161771, 0)}, {Handle: "bob"}})
		if len(found) != 2 || err != nil && slices.ContainsFunc(found, func(f Finding) bool { return f == Quiet }) || found[1] == Quiet {
			t.Errorf("%v, %v", found, err)
		}
	})
}
