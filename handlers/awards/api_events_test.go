package awards_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/awards"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/accounts"
	"laurel/models/members"
)

func photoLine(id, more string) string {
	return fmt.Sprintf(`{"source":"photo","id":"%s","item":"%s","seq":1,"member":"ada","type":"photo","status":"active","at":"2026-11-01T12:00:00Z"%s}`, id, id, more)
}

func TestAPIEvents(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	star := members.Member{Name: "star", Custom: true}
	if err := accounts.Add(t.Context(), s.DB.DB, s.BuiltIn, accounts.New{Member: &star, Handles: nil, By: new(s.Member(t, "bob", members.RoleMember))}, s.Time); err != nil {
		t.Fatal(err)
	}
	pretty := strings.ReplaceAll(photoLine("z", ""), ",", ",\n  ")
	for _, tt := range []struct {
		name, body          string
		accepted, duplicate int
		rejected            string // Line: start of the error, ...
	}{
		{"two lines", photoLine("a", "") + "\n" + photoLine("b", "") + "\n", 2, 0, ""},
		{"again, and one more", photoLine("a", "") + "\r\n\r\n" + photoLine("c", "") + "\n" + photoLine("c", "") + "\n" + photoLine("b", ""), 1, 3, ""},
		{"a byte order mark", "\ufeff" + photoLine("d", ""), 1, 0, ""},
		{"a list", "[" + photoLine("e", "") + ",\n\n" + photoLine("f", "") + ",7]", 2, 0, "3: must be an object, not a number"},
		{"an empty list", " [ ] ", 0, 0, ""},
		{"one event over many lines", pretty, 1, 0, ""},
		{"bad ones hurt no other", strings.Join([]string{photoLine("g", ""), `{"source":`, photoLine("h", `,"facts":{"n":{}}`), "", `null`, `[1]`, photoLine("i", `,"sttus":"x"`), photoLine("k", `,"seq":2`), photoLine("\\u0000", ""),
			strings.Replace(photoLine("l", ""), "ada", "nobody", 1), strings.Replace(photoLine("m", ""), "ada", "star", 1), strings.Replace(photoLine("n", ""), `"2026-11-01T12:00:00Z"`, `7`, 1), photoLine("o", "")}, "\n"), 2, 0,
			`2: source: ends too early|3: facts.n: must be a text|5: must be an object, not null|6: must be an object, not a list|7: sttus: is unknown|8: seq: is given twice|9: id: contains the character NUL, which cannot be stored; item: contains|` +
				`11: member: star is followed without an account|12: at: must be a text, not a number`},
		{"a line that is too long", photoLine("p", `,"facts":{"text":"`+strings.Repeat("x", 70_000)+`"}`) + "\n" + photoLine("q", ""), 1, 0, "1: has 70"},
		{"invalid UTF-8", photoLine("\xff", "") + "\n" + photoLine("r", ""), 1, 0, "1: id: is not JSON"},
		{"a first line that is a list", "[1]\n" + photoLine("s", ""), 1, 0, "1: must be an object, not a list"},
		{"words", "hello\n" + photoLine("t", ""), 1, 0, "1: is not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := handlerstest.Read[handlers.APIAppended](t, s.Boss.Call("POST", "/events", tt.body), http.StatusOK)
			var want []string
			if tt.rejected != "" {
				want = strings.Split(tt.rejected, "|")
			}
			if out.Accepted != tt.accepted || out.Duplicate != tt.duplicate || len(out.Rejected) != len(want) {
				t.Fatalf("%+v, want %d, %d, %d", out, tt.accepted, tt.duplicate, len(want))
			}
			for i, r := range out.Rejected {
				if got := fmt.Sprintf("%d: %s", r.Line, r.Error); !strings.HasPrefix(got, want[i]) {
					t.Errorf("%s, want %s", got, want[i])
				}
			}
		})
	}
	s.Work(t)
	if got := source(t, s, "photo"); got.Waiting != 0 || got.Handled == 0 || got.Dead != 0 {
		t.Errorf("%+v", got)
	}
}

func source(t *testing.T, s *handlerstest.AwardSite, name string) handlers.APISource {
	t.Helper()
	for _, one := range handlerstest.Read[web.List[handlers.APISource]](t, s.Boss.Call("GET", "/admin/sources", ""), http.StatusOK).Items {
		if one.Source == name {
			return one
		}
	}
	return handlers.APISource{}
}

func TestAPIEventsRefuses(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	var lines []string
	for i := range handlers.MaxEvents + 1 {
		lines = append(lines, photoLine(fmt.Sprint(i), ""))
	}
	for _, tt := range []struct {
		name, body string
		status     int
	}{
		{"nothing", "", 400},
		{"space", " \n\t\n", 400},
		{"half a list", "[" + photoLine("a", ""), 400},
		{"a list that is no JSON", "[\n" + photoLine("a", "") + "\n" + photoLine("b", "") + "]", 400},
		{"too many lines", strings.Join(lines, "\n"), 413},
		{"too long a list", "[\n" + strings.Join(lines, ",\n") + "]", 413},
		{"too long a list on one line", "[" + strings.Join(lines, ",") + "]", 413},
		{"too many bytes", strings.Repeat(strings.Repeat("x", 1023)+"\n", handlers.MaxBulk>>10+1), 413},
		{"a list without an end", strings.Repeat("[", 100_000), 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			s.Boss.Call("POST", "/events", tt.body).Refused(t, tt.status, "")
			t.Log(time.Since(start))
		})
	}
	if list := handlerstest.Read[web.List[handlers.APISource]](t, s.Boss.Call("GET", "/admin/sources", ""), http.StatusOK); strings.Contains(fmt.Sprint(list), "photo") {
		t.Errorf("something was stored: %+v", list)
	}
	s.Program(t, s.Member(t, "bob", members.RoleMember)).Call("POST", "/events", photoLine("a", "")).Refused(t, 403, "")
}

// Ten thousand lines are many transactions, and wrong lines in between keep
// their numbers.
func TestAPIEventsMany(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	var lines []string
	for i := range handlers.MaxEvents {
		if i%100 == 7 {
			lines = append(lines, "{}")
			continue
		}
		lines = append(lines, photoLine(fmt.Sprint(i%9000), ""))
	}
	start := time.Now()
	out := handlerstest.Read[handlers.APIAppended](t, s.Boss.Call("POST", "/events", strings.Join(lines, "\n")), http.StatusOK)
	t.Log(time.Since(start))
	if out.Accepted != 8910 || out.Duplicate != 990 || len(out.Rejected) != 100 || out.Rejected[99].Line != 9908 {
		t.Errorf("%d, %d, %d rejected", out.Accepted, out.Duplicate, len(out.Rejected))
	}
}

func TestAPISourcesWait(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Activate(t, "one", seedAward(`{"goal":1,"strategy":[{"objective_id":"photo"}]}`))
	s.Send(t, strings.ReplaceAll(photoLine("a", ""), "active", "moderation"))
	if got := handlerstest.Read[handlers.APISource](t, s.Boss.Call("POST", "/admin/sources/photo/pause", ""), http.StatusOK); got.PausedAt == nil || !got.PausedAt.Equal(s.Time) {
		t.Errorf("%+v", got)
	}
	s.Send(t, photoLine("b", ""))
	if got := source(t, s, "photo"); got.Waiting != 1 || got.Handled != 1 || got.PausedAt == nil {
		t.Errorf("%+v", got)
	}
	s.Want(t, "ada", "one", "not_started 0 of 1")
	if x := explains(t, s, "ada", "one", ""); !strings.Contains(strings.Join(x.Why, " "), "The source photo is paused; 1 of its events wait.") {
		t.Errorf("why: %q", x.Why)
	}
	if got := handlerstest.Read[handlers.APISource](t, s.Boss.Call("POST", "/admin/sources/photo/resume", ""), http.StatusOK); got.PausedAt != nil {
		t.Errorf("%+v", got)
	}
	s.Work(t)
	s.Want(t, "ada", "one", "granted 1 of 1")
	s.Boss.Call("POST", "/admin/sources/nothing/pause", "").Refused(t, 404, "")
	s.Boss.Call("POST", "/admin/sources/a%00b/pause", "").Refused(t, 404, "")
}

func TestAPIDeadEvents(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Activate(t, "one", seedAward(`{"goal":1,"strategy":[{"objective_id":"photo"}]}`))
	handlerstest.Read[handlers.APIAppended](t, s.Boss.Call("POST", "/events", photoLine("a", "")+"\n"+photoLine("b", "")+"\n"+photoLine("c", "")), http.StatusOK)
	if err := s.DB.Exec(`UPDATE events SET body = 'rubbish' WHERE event_id <> 'c'`).Error; err != nil {
		t.Fatal(err)
	}
	s.Work(t)
	dead := handlerstest.All[handlers.APIDeadEvent](t, s.Boss, "/admin/events/dead", "1")
	if len(dead) != 2 || dead[0].EventID != "b" || dead[1].Member != "ada" || dead[0].Body != "rubbish" || !strings.Contains(dead[0].Reason, "not JSON") || source(t, s, "photo").Dead != 2 {
		t.Fatalf("%+v", dead)
	}
	if list := handlerstest.All[handlers.APIDeadEvent](t, s.Boss, "/admin/events/dead?source=navi", "5"); len(list) != 0 {
		t.Errorf("of another source: %+v", list)
	}
	if err := s.DB.Exec(`UPDATE event_dead SET body = ? WHERE event_id = 'a'`, photoLine("a", "")).Error; err != nil {
		t.Fatal(err)
	}
	replay := func(path string, want int64) {
		t.Helper()
		if got := handlerstest.Read[map[string]int64](t, s.Boss.Call("POST", "/admin/events/dead"+path, ""), http.StatusOK); got["replayed"] != want {
			t.Errorf("%s: %v, want %d", path, got, want)
		}
		s.Work(t)
	}
	replay(fmt.Sprintf("/%d/replay", dead[1].ID), 1)
	s.Want(t, "ada", "one", "granted 1 of 1")
	replay("/replay", 1)
	if list := handlerstest.All[handlers.APIDeadEvent](t, s.Boss, "/admin/events/dead", "5"); len(list) != 1 || list[0].ID == dead[0].ID {
		t.Errorf("it is dead again: %+v", list)
	}
	for _, id := range []string{"0", "-1", "x", "99999999999999999999", "12345"} {
		s.Boss.Call("POST", "/admin/events/dead/"+id+"/replay", "").Refused(t, 404, "")
	}
	s.Boss.Call("GET", "/admin/events/dead?cursor=x", "").Refused(t, 422, "cursor")
}
