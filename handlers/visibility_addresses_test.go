package handlers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// given are addresses that routes make of what there is.
func (w *markedWorld) given(t *testing.T) (all []string) {
	t.Helper()
	for _, r := range w.Routes() {
		if r.Method != "GET" || uncrawled[r.Path] != "" {
			continue
		}
		paths := []string{r.Path}
		for name, values := range w.params(t, r.Path) {
			var more []string
			for _, p := range paths {
				if !strings.Contains(p, name) {
					more = append(more, p)
					continue
				}
				for _, v := range values {
					more = append(more, strings.Replace(p, name, v, 1))
				}
			}
			paths = more
		}
		for _, p := range paths {
			if path, query, ok := strings.Cut(p, "?"); ok { // Of a parameter in the middle.
				query, rest, _ := strings.Cut(query, "/")
				p = strings.TrimSuffix(path+"/"+rest, "/") + "?" + query
			}
			if !strings.ContainsAny(p, ":*") {
				all = append(all, p)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(mayRead)) {
		for _, q := range []string{"/compare?a=%s&b=ann", "/compare/%s/ann", "/compare/%s/ann/problems", "/api/v1/compare/ann/%s",
			"/api/v1/compare/ann/%s/problems", "/api/v1/submissions?member=%s", "/api/v1/posts?member=%s", "/forums?about=member:%s",
			"/messages.atom?about=member:%s", "/ladders/solved/climb?player=%s", "/looks?member=%s",
			"/api/v1/archive/retrievals?member=%s", "/api/v1/archive/retrievals?format=cdx&viewer=%s", "/api/v1/archive/member_person/history?member=%s",
			"/archive/member_person?member=%s",
			"/archive/member_person/diff?from=2020-01-01&member=%s", "/api/v1/archive/member_person/diff?from=2020-01-01T00:00:00Z&member=%s",
			"/api/v1/archive/member_person/changes?member=%s", "/api/v1/archive/member_person/changes?format=atom&member=%s",
			"/archive/member_person/timemap?member=%s", "/api/v1/archive/member_person/timemap?member=%s", "/api/v1/messages?member=%s", "/report?member=%s", "/u/%s?at=2030-01-01T00:00:00Z", "/custom/%s",
			"/api/v1/members/%s/history?at=2030-01-01T00:00:00Z", "/u/%s/diff?from=2020-01-01T00:00:00Z"} {
			all = append(all, fmt.Sprintf(q, markName(kind)))
		}
		all = append(all, "/archive/account_counts?site=codeforces&handle="+mark(kind)+"_h", "/forums?q="+mark(kind),
			"/api/v1/messages?q="+mark(kind), "/forums/news?q="+mark(kind))
	}
	return append(all, "/messages.atom?about=problem:codeforces/1A", "/forums?about=problem:codeforces/1A", "/problems/codeforces/1A",
		"/leaderboard?in=week", "/leaderboard?by=rating:codeforces", "/leaderboard?by=awards",
		"/leaderboard?format=csv", "/api/v1/leaderboard?format=csv", "/leaderboard?who=followed", "/api/v1/leaderboard?who=followed&in=week", "/api/v1/leaderboard?scope=month", "/api/v1/leaderboard?scope=week", "/api/v1/submissions?limit=500", "/sitemaps/1",
		"/ladders/solved?format=json", "/ladders/solved/diff?format=csv", "/badges/verify", "/posts?by=views", "/?q=wq", "/archive/account_counts?format=csv",
		"/archive/member_person/diff?from=2020-01-01", "/api/v1/archive/account_counts/diff?from=2020-01-01T00:00:00Z",
		"/api/v1/archive/account_counts/changes", "/api/v1/archive/ladder/changes?format=atom")
}

// params are what stands for the names in routes.
func (w *markedWorld) params(t *testing.T, path string) map[string][]string {
	t.Helper()
	column := func(query string) (out []string) {
		if err := w.DB.Raw(query).Scan(&out).Error; err != nil {
			t.Fatal(err)
		}
		return out
	}
	shards := column(`SELECT DISTINCT substr(table_name, 7) FROM information_schema.tables
		WHERE table_name LIKE 'shard\_%' AND table_name NOT LIKE 'shard\_\_%' AND table_schema = current_schema() ORDER BY 1`)
	if len(shards) < 10 {
		t.Fatalf("shards %q", shards)
	}
	people := column(`SELECT name FROM members ORDER BY id`)
	names := people
	switch {
	case strings.Contains(path, "/archive/"):
		names = shards
	case strings.HasPrefix(path, "/ladders/"):
		names = []string{"solved"}
	}
	ids := slices.Concat(column(`SELECT serial FROM messages`), column(`SELECT CAST(id AS text) FROM badges`))
	if strings.Contains(path, "/posts/") {
		ids = column(`SELECT external_id || '?host=' || host FROM posts`)
	}
	return map[string][]string{":name": names, ":slug": {"news", "first"}, ":serial": column(`SELECT serial FROM messages`),
		":id": ids, ":list": {"1"}, ":page": {"1"},
		":site": {"codeforces"}, ":a": people, ":b": {"ann", "zqhidden"}, ":network": {"mastodon"}, "*": column(`SELECT 'social.example/' || external_id FROM posts`)}
}
