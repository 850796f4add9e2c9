package archive_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestAPIChecks(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	s.Member(t, "Ada", members.RoleMember)
	declares(t, p, "ranks", "player integer", "rank integer", "rank")
	const page = `"viewer":"Ada","shards":{"ranks":[{"player":1,"rank":1}]}`
	first := stores(t, p, "https://www.Arena.example:8080/Ladder page?b=2&a=1", 0, page)
	stores(t, p, "https://www.Arena.example:8080/Ladder page?b=2&a=1", 5, page)
	stores(t, p, "https://www.Arena.example:8080/Ladder page?b=2&a=1", 10, `"viewer":"Ada","outcome":"server_error","message":"status 502"`)
	pushes(t, p, "ranks", fmt.Sprintf(`{"retrieved_at":%q,"player":1,"rank":1}`, minute(2)))
	stores(t, p, "", 10, `"shards":{"ranks":[]}`)

	var checks []handlers.APICheck
	for _, limit := range []string{"1", "2", "500"} {
		got := handlerstest.All[handlers.APICheck](t, p, "/archive/retrievals", limit)
		if checks == nil {
			checks = got
		}
		if len(got) != 5 || handlerstest.JSON(got) != handlerstest.JSON(checks) {
			t.Errorf("in parts of %s: %+v, want\n%+v", limit, got, checks)
		}
	}
	if l := checks[2]; l.SameAs == nil || *l.SameAs != first.Retrieval || l.Facts != 1 || l.Digest != checks[4].Digest || len(l.Digest) != 64 || l.Viewer != "Ada" || !l.StoredAt.Equal(s.Time) {
		t.Errorf("the second check is %+v, want the same as %d", l, first.Retrieval)
	}
	if l := checks[1]; l.Outcome != "server_error" || l.Message != "status 502" || l.Digest != "" || l.SameAs != nil {
		t.Errorf("the failed check is %+v", l)
	}
	for query, want := range map[string]int{
		"source=test": 4, "source=api": 1, "source=tes": 0, "address=/archive/ranks": 1, "address=": 1, "viewer=": 1, "viewer=Ada": 3, "viewer=ada": 0, "member=ada": 3,
		"member=boss": 1, "member=nobody": 0, "member=ada&viewer=Ada": 3, "outcome=ok": 4, "outcome=server_error&member=Ada": 1, "since=" + minute(5): 3, "until=" + minute(5): 2,
		"since=" + minute(2) + "&until=" + minute(10): 2, "since=2026-11-22": 0,
		"since=0001-01-01": 5, "until=0001-01-01": 0, "until=0000-01-01T00:00:00Z": 0, "since=0001-01-01&until=0001-01-01": 0,
	} {
		if got := handlerstest.All[handlers.APICheck](t, p, "/archive/retrievals?"+query, "2"); len(got) != want {
			t.Errorf("%s: %d checks, want %d", query, len(got), want)
		}
	}
	for query, field := range map[string]string{"site=uva": "site", "source=a&source=b": "source", "since=now": "since", "until=x": "until", "limit=0": "limit", "cursor=x": "cursor",
		"format=csv": "format", "address=%00": "address", "member=ada&viewer=bob": "member"} {
		p.Call("GET", "/archive/retrievals?"+query, "").Refused(t, 422, field)
	}

	a := p.Call("GET", "/archive/retrievals?format=cdx&viewer=Ada", "").Is(t, http.StatusOK)
	digest := checks[4].Digest
	want := `example,arena:8080)/ladder%20page?a=1&b=2 20261121121000 https://www.Arena.example:8080/Ladder%20page?b=2&a=1 - server_error - 0
example,arena:8080)/ladder%20page?a=1&b=2 20261121120500 https://www.Arena.example:8080/Ladder%20page?b=2&a=1 warc/revisit ok ` + digest + ` 1
example,arena:8080)/ladder%20page?a=1&b=2 20261121120000 https://www.Arena.example:8080/Ladder%20page?b=2&a=1 application/json ok ` + digest + ` 1
`
	if a.Text != want || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%s\nwant\n%s", a.Text, want)
	}
	part := p.Call("GET", "/archive/retrievals?format=cdx&limit=1&viewer=Ada", "")
	next := strings.TrimSuffix(strings.TrimPrefix(part.Header.Get("Link"), "</api/v1"), `>; rel="next"`)
	if rest := p.Call("GET", next, "").Text; !strings.HasPrefix(rest, strings.SplitAfter(want, "\n")[1]) {
		t.Errorf("behind %s comes %s", part.Text, rest)
	}
}

func TestCDXKeys(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://codeforces.com/api/user.info?handles=Tourist": "com,codeforces)/api/user.info?handles=tourist",
		"http://WWW.example.org":                               "org,example)/",
		"http://[::1]:80/a b":                                  "::1:80)/a%20b",
		"/archive/ranks":                                       "test)/archive/ranks",
		"/u/ada?site=uva":                                      "test)/u/ada?site=uva",
		"":                                                     "test)/",
		"https://a.example/é?q=\"😀\"&x=%22É": "example,a)/%c3%a9?q=%22%f0%9f%98%80%22&x=%22%c3%89",
		"/u/{a}|<b>\\^`\x7f\u00a0\t":         "test)/u/%7Ba%7D%7C%3Cb%3E%5C%5E%60%7F%C2%A0%09",
		"ht!tp://%zz a":                      "test)/ht!tp://%zz%20a",
	} {
		if got := handlers.CdxKey("Test", address); got != want {
			t.Errorf("%q: %s, want %s", address, got, want)
		}
	}
	const line = `example,a)/%c3%89 20261121120000 https://A.example/%C3%89 - no%22answer - 0` + "\n"
	if got := handlers.CdxLine(retrieval.LoggedRetrieval{At: modelstest.Noon, Source: "s", Address: "https://A.example/É", Outcome: `no"answer`}); got != line {
		t.Errorf("%s, want %s", got, line)
	}
}
