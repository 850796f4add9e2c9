package pushes_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// pushed is the answer to a push.
type pushed struct {
	Accepted, Duplicate, Changed int
	Rejected                     []struct {
		Line  int
		Error string
	}
}

func (p pushed) String() string {
	text := fmt.Sprintf("%d accepted, %d duplicate, %d changed", p.Accepted, p.Duplicate, p.Changed)
	for _, r := range p.Rejected {
		text += fmt.Sprintf("\n%d %s", r.Line, r.Error)
	}
	return text
}

type listed struct {
	Site, ID, Status, Language, URL, Source string
	Problem                                 struct{ Key, Name, URL string }
	SubmittedAt                             time.Time `json:"submitted_at"`
	Points                                  *float64
}

// door is a Laurel with the members ada and bob and the outside site arena, at noon of 21 November 2026.
func door(t *testing.T) (s *handlerstest.Site, boss, ada, bob handlerstest.Program) {
	t.Helper()
	s = handlerstest.New(t, "http://laurel.test")
	s.Time = modelstest.Noon
	boss = s.Program(t, s.Member(t, "boss", members.RoleAdmin))
	ada = s.Program(t, s.Member(t, "ada", members.RoleMember))
	bob = s.Program(t, s.Member(t, "bob", members.RoleMember))
	boss.Call("PUT", "/admin/sites/arena", `{"title":"Arena","home":"https://arena.example","handle_pattern":"[a-z]{3,8}","problem_url":"https://arena.example/p/{key}"}`).Is(t, http.StatusCreated)
	return s, boss, ada, bob
}

// line is a submission to arena, with more fields or other values behind.
func line(id, problem, status, at string, more ...string) string {
	return fmt.Sprintf(`{"site":"arena","id":%q,"problem":{"key":%q},"status":%q,"submitted_at":%q%s}`, id, problem, status, at, strings.Join(more, ""))
}

func push(t *testing.T, p handlerstest.Program, path string, lines ...string) pushed {
	t.Helper()
	return handlerstest.Read[pushed](t, p.Call("POST", path, strings.Join(lines, "\n")), http.StatusOK)
}

func TestPush(t *testing.T) {
	t.Parallel()
	s, boss, ada, bob := door(t)
	const mine = "/members/ada/submissions"
	one := line("1", "sum", "WA", "2026-11-20T10:00:00Z", `,"language":"Go","url":"https://arena.example/s/1","points":12.5`)
	two := line("2", "a/b c", "AC", "2026-11-20T11:00:00+02:00", `,"contest":{"key":"autumn"},"participation":"practice","member":"eve","source":"site"`)
	three := `{"site":"arena","id":3,"problem":{"key":7,"name":"Seven","url":"https://evil.example/"},"status":"AC","submitted_at":"2026-11-20T12:00:00Z","contest":"autumn"}`
	bad := `{"site":"arena"`
	if got := push(t, ada, mine, one, two, "", bad, three).String(); got != "3 accepted, 0 duplicate, 0 changed\n4 this is not JSON" {
		t.Fatal(got)
	}
	rows := handlerstest.Read[web.List[listed]](t, ada.Call("GET", mine+"?site=arena", ""), 200).Items
	if len(rows) != 3 {
		t.Fatalf("%+v", rows)
	}
	if r := rows[0]; r.ID != "3" || r.Problem.Name != "Seven" || r.Problem.URL != "https://arena.example/p/7" || r.Source != "member" || r.Points != nil {
		t.Errorf("%+v: the problem's address is the site's", r)
	}
	if r := rows[2]; r.ID != "2" || r.Problem.URL != "https://arena.example/p/a/b%20c" || !r.SubmittedAt.Equal(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", r)
	}
	if r := rows[1]; r.ID != "1" || r.Language != "Go" || r.URL != "https://arena.example/s/1" || *r.Points != 12.5 || r.Status != "WA" {
		t.Errorf("%+v", r)
	}
	changed := strings.Replace(one, "WA", "AC", 1)
	if got := push(t, ada, mine, one, two, three).String(); got != "0 accepted, 3 duplicate, 0 changed" {
		t.Error("again: ", got)
	}
	if got := push(t, boss, mine, one, changed, three).String(); got != "0 accepted, 2 duplicate, 1 changed" {
		t.Error("a change, after what it was: ", got)
	}
	push(t, bob, "/members/bob/submissions", line("1", "sum", "AC", "2026-11-19T10:00:00Z"))
	profile := modelstest.Profile(t, s.DB.DB, "ada")
	if days := fmt.Sprint(modelstest.Days(profile)); days != "[2026-11-20 3/3]" || profile.Stats.Solved != 3 {
		t.Errorf("days %s, %d solved", days, profile.Stats.Solved)
	}
	bob.Call("POST", mine, one).Refused(t, 403, "")
	handlerstest.Program{T: t, Site: s}.Call("POST", mine, one).Refused(t, 401, "")
	ada.Call("POST", "/members/nobody/submissions", one).Refused(t, 404, "")
	ada.Call("POST", mine, "").Refused(t, 400, "")
}

// Every line that is wrong says why.
func TestPushRefusesLines(t *testing.T) {
	t.Parallel()
	_, _, ada, _ := door(t)
	const at = "2026-11-20T10:00:00Z"
	long := strings.Repeat("x", 201)
	for _, tt := range []struct{ line, want string }{
		{`7`, "must be a JSON object"},
		{`{"site":"arena","id":true}`, "id: this is not the right kind of value"},
		{`{"site":"arena","site":"arena"}`, "a field is given twice"},
		{`{}`, `site: no site is named ""; known are arena, codeforces, uva; id: is missing; problem.key: is missing; status: "" is not one of`},
		{strings.Replace(line("1", "a", "AC", at), "arena", "cses", 1), `site: no site is named "cses"`},
		{line("", "a", "AC", at), "id: is missing"},
		{strings.Replace(line("1", "a", "AC", at), `"1"`, `"\u0000 "`, 1), "id: is missing"},
		{line(long, "a", "AC", at), "id: has at most 200 bytes"},
		{line("1", long, "AC", at), "problem.key: has at most 200 bytes"},
		{line("1", "a", "Accepted", at), `status: "Accepted" is not one of AC WA TLE`},
		{line("1", "a", "ac", at), `status: "ac" is not one of`},
		{line("1", "a", "AC", ""), "submitted_at: is missing"},
		{line("1", "a", "AC", "yesterday"), "submitted_at: is no time; write it like 2026-11-21T14:02:00Z"},
		{line("1", "a", "AC", "2026-11-20T10:00:00"), "submitted_at: is no time"},
		{line("1", "a", "AC", "2026-11-21T13:00:00Z"), "submitted_at: is in the future"},
		{line("1", "a", "AC", "1989-12-31T23:59:59Z"), "submitted_at: is before 1990"},
		{line("1", "a", "AC", at, `,"url":"javascript:alert(1)"`), "url: must be an http(s) address"},
		{line("1", "a", "AC", at, `,"url":"https://u:p@arena.example/"`), "url: must be an http(s) address"},
		{strings.Replace(line("1", "a", "AC", at), `"key":"a"`, `"key":"a","url":"ftp://x/"`, 1), "problem.url: must be an http(s) address"},
		{line("1", "a", "AC", at, `,"participation":"cheering"`), `participation: "cheering" is not one of contest, virtual, practice or unknown`},
		{line("1", "a", "AC", at, `,"points":1e300`), "points: must be a number from"},
		{line("1", "a", "AC", at, `,"points":"many"`), "points: this is not the right kind of value"},
		{line("1", "a", "AC", at, `,"language":"`+strings.Repeat("x", 70_000)+`"`), "a line has at most 65536 bytes"},
		{strings.Replace(line("1", "a", "AC", at), "arena", "codeforces", 1), "there is no account on Codeforces yet; add the handle in the settings, or send it as ?handle="},
	} {
		got := push(t, ada, "/members/ada/submissions", "", tt.line)
		if len(got.Rejected) != 1 || got.Rejected[0].Line != 2 || !strings.HasPrefix(got.Rejected[0].Error, tt.want) || got.Accepted != 0 {
			t.Errorf("%.200s: %.300s, want line 2: %s", tt.line, got, tt.want)
		}
	}
	var many []string
	for i := range 10_001 {
		many = append(many, fmt.Sprint(i))
	}
	ada.Call("POST", "/members/ada/submissions", strings.Join(many, "\n")).Refused(t, 413, "")
	ada.Call("POST", "/members/ada/submissions", strings.Repeat(" ", 10<<20)+"{}").Refused(t, 413, "")
}

// The first push makes the account; where Laurel will fetch it, the handle is never guessed.
func TestPushMakesTheAccount(t *testing.T) {
	t.Parallel()
	s, _, ada, bob := door(t)
	account := func(name string) members.Account {
		all, err := accounts.Named(t.Context(), s.DB.DB, name)
		if err != nil || len(all.Accounts) != 1 {
			t.Fatalf("%+v %v", all.Accounts, err)
		}
		return all.Accounts[0]
	}
	row := line("1", "a", "AC", "2026-11-20T10:00:00Z")
	push(t, ada, "/members/ada/submissions", row)
	if a := account("ada"); a.Site != "arena" || a.Handle != "ada" || a.State != members.StatePaused || a.NextDueAt() != nil || !a.PushedAt.Equal(s.Time) {
		t.Errorf("%+v", a)
	}
	ada.Call("POST", "/members/ada/retrieve", "").Refused(t, 422, "accounts")
	if got := push(t, ada, "/members/ada/submissions?handle=other", row).String(); got != "0 accepted, 0 duplicate, 0 changed\n1 the account on Arena is ada, not other; change the handle in the settings first" {
		t.Error(got)
	}
	if got := push(t, bob, "/members/bob/submissions?handle=B!", row); len(got.Rejected) != 1 || !strings.Contains(got.Rejected[0].Error, "cannot be a handle on Arena") {
		t.Error(got)
	}
	push(t, bob, "/members/bob/submissions?handle=bobby", strings.Replace(row, "arena", "uva", 1))
	if a := account("bob"); a.Site != "uva" || a.Handle != "bobby" || a.State != members.StateNew || a.Submissions != 1 {
		t.Errorf("%+v: Laurel reads UVa", a)
	}
}

// What the site shows replaces what was pushed, and a push never changes what the site showed.
func TestTheSiteWins(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = modelstest.Noon
	ada := modelstest.Member(t, s.DB.DB, "ada", map[string]string{"codeforces": "ada_cf"}, s.Time)
	p := s.Program(t, ada)
	at := s.Time.Add(-time.Hour)
	id := fmt.Sprint(at.Unix())
	row := func(status, problem string) string {
		return fmt.Sprintf(`{"site":"codeforces","id":%q,"problem":{"key":%q,"name":"Pushed","url":"https://evil.example/"},"status":%q,"submitted_at":%q}`, id, problem, status, at.Format(time.RFC3339))
	}
	if got := push(t, p, "/members/ada/submissions", row("WA", "1A")).String(); got != "1 accepted, 0 duplicate, 0 changed" {
		t.Fatal(got)
	}
	s.Submits(t, ada, "codeforces", at, "1A AC")
	first := handlerstest.Read[web.List[listed]](t, p.Call("GET", "/members/ada/submissions", ""), 200).Items
	if len(first) != 1 || first[0].Status != "AC" || first[0].Source != "site" || first[0].Problem.Name != "Sample 1A" {
		t.Fatalf("%+v (id %s)", first, id)
	}
	if got := push(t, p, "/members/ada/submissions", row("WA", "1A")).String(); got != "0 accepted, 1 duplicate, 0 changed" {
		t.Error(got)
	}
	after := handlerstest.Read[web.List[listed]](t, p.Call("GET", "/members/ada/submissions", ""), 200).Items
	if fmt.Sprint(after) != fmt.Sprint(first) {
		t.Errorf("%+v, want %+v", after, first)
	}
	if got := handlerstest.Read[map[string]int](t, p.Call("DELETE", "/members/ada/submissions?site=codeforces", ""), 200); got["deleted"] != 0 {
		t.Error("deleted what the site showed: ", got)
	}
}

func TestDeletePushed(t *testing.T) {
	t.Parallel()
	s, _, ada, bob := door(t)
	const mine = "/members/ada/submissions"
	push(t, ada, mine, line("1", "a", "AC", "2026-11-18T10:00:00Z"), line("2", "a", "AC", "2026-11-19T10:00:00Z"), line("3", "b", "AC", "2026-11-20T10:00:00Z"))
	bob.Call("DELETE", mine+"?site=arena", "").Refused(t, 403, "")
	ada.Call("DELETE", mine, "").Refused(t, 422, "site")
	ada.Call("DELETE", mine+"?site=cses", "").Refused(t, 422, "site")
	for _, tt := range []struct {
		query, days string
		n           int
	}{
		{"?site=arena&id=1", "[2026-11-19 1/1 2026-11-20 1/1]", 1},
		{"?site=arena&id=1", "[2026-11-19 1/1 2026-11-20 1/1]", 0},
		{"?site=arena", "[]", 2},
		{"?site=uva", "[]", 0},
	} {
		if got := handlerstest.Read[map[string]int](t, ada.Call("DELETE", mine+tt.query, ""), 200); got["deleted"] != tt.n {
			t.Errorf("%s: %v, want %d", tt.query, got, tt.n)
		}
		if days := fmt.Sprint(modelstest.Days(modelstest.Profile(t, s.DB.DB, "ada"))); days != tt.days {
			t.Errorf("%s: days %s, want %s", tt.query, days, tt.days)
		}
	}
}

func TestPushLimit(t *testing.T) {
	t.Parallel()
	s, boss, ada, bob := door(t)
	row := line("1", "a", "AC", "2026-11-18T10:00:00Z")
	for range 60 {
		push(t, ada, "/members/ada/submissions", row)
	}
	refused := ada.Call("POST", "/members/ada/submissions", row)
	refused.Refused(t, 429, "")
	if refused.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to come back")
	}
	boss.Call("POST", "/members/ada/submissions", row).Refused(t, 429, "")
	push(t, bob, "/members/bob/submissions", row)
	s.Time = s.Time.Add(2 * time.Second)
	push(t, ada, "/members/ada/submissions", row)
}
