package pushes_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"regexp"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// choose sends a file with the form.
func choose(t *testing.T, b *handlerstest.Browser, path, file string, fields ...string) handlerstest.Answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "history.txt")
	if err == nil {
		_, err = part.Write([]byte(file))
	}
	for i := 0; i+1 < len(fields) && err == nil; i += 2 {
		err = w.WriteField(fields[i], fields[i+1])
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Do("POST", path, &body, "Content-Type", w.FormDataContentType(), "Sec-Fetch-Site", "same-origin")
}

var keptID = regexp.MustCompile(`name="id" value="(\w+)"`)

func TestBringAFile(t *testing.T) {
	t.Parallel()
	s, boss, _, _ := door(t)
	s.Member(t, "cyan", members.RoleMember)
	s.Member(t, "dee", members.RoleMember) // Has no account anywhere.
	cy := s.SignedIn(t, "cyan")
	cy.Get("/u/cyan").Is(t, 200, `href="/u/cyan/bring"`)
	cy.Get("/u/cyan/bring").Is(t, 200, "Bring your history", "Which files work")
	cy.Get("/u/dee/bring").Is(t, 403)
	file := strings.Join([]string{line("1", "a", "AC", "2026-11-18T10:00:00Z"), "{", line("2", "b", "WA", "2026-11-20T10:00:00Z"), line("3", "b", "Perfect", "2026-11-20T10:00:00Z")}, "\n")
	shown := choose(t, cy, "/u/cyan/bring", file).Is(t, 200, "Preview", "2 submissions", "18 Nov", "2 new", "Arena", "this is not JSON", "Perfect", "Store 2 submissions")
	if got := boss.Call("GET", "/members/cyan/submissions", "").Text; strings.Contains(got, "arena") {
		t.Error("stored before the button: ", got)
	}
	id := keptID.FindStringSubmatch(shown.Text)
	if id == nil {
		t.Fatal("no id in ", shown.Text)
	}
	s.SignedIn(t, "dee").Post("/u/cyan/bring/store", "id", id[1]).Is(t, 403)
	cy.Post("/u/cyan/bring/store", "id", "other").Is(t, 410)
	cy.Post("/u/cyan/bring/store", "id", id[1]).Is(t, 200, "Report", "2 new submissions stored, 2 lines not stored.", "Brought so far")
	cy.Post("/u/cyan/bring/store", "id", id[1]).Is(t, 410, "stored already")
	if days := fmt.Sprint(modelstest.Days(modelstest.Profile(t, s.DB.DB, "cyan"))); days != "[2026-11-18 1/1 2026-11-20 1/0]" {
		t.Error(days)
	}
	if again := choose(t, cy, "/u/cyan/bring", file).Is(t, 200, "0 new, 2 here already"); keptID.MatchString(again.Text) {
		t.Error("there is nothing to store")
	}
	more := choose(t, cy, "/u/cyan/bring", file+"\n"+line("4", "b", "AC", "2026-11-20T11:00:00Z")).Is(t, 200, "1 new, 2 here already")
	cy.Post("/u/cyan/bring/store", "id", keptID.FindStringSubmatch(more.Text)[1]).Is(t, 200, "1 new submission stored, 2 here already, 2 lines not stored.")
	choose(t, s.SignedIn(t, "dee"), "/u/dee/bring", strings.ReplaceAll(file, "arena", "uva")).Is(t, 200, "there is no account on UVa yet")
	cy.Post("/u/cyan/bring/delete", "site", "arena").LeadsTo(t, "/u/cyan/bring?done=brought-gone")
	if page := cy.Get("/u/cyan/bring").Is(t, 200); strings.Contains(page.Text, "Brought so far") {
		t.Error("it is still there")
	}
	choose(t, cy, "/u/cyan/bring", "hello", "handle", "me").Is(t, 422, "neither JSON lines", `value="me"`)
	choose(t, cy, "/u/cyan/bring", "site,id,problem.key,problem.name,status,submitted_at\narena,9,a,Gr\xf6\xdfe,AC,2026-11-20T10:00:00Z").Is(t, 200, "problem.name: is not in UTF-8")
	choose(t, cy, "/u/cyan/bring", "").Is(t, 422, "The file is empty")
	choose(t, cy, "/u/cyan/bring", strings.Repeat("x", 11<<20)).Is(t, 413)
}

// CSES shows no times: its problems count as solved, and on no day that anybody looks at.
func TestBringCSES(t *testing.T) {
	t.Parallel()
	s, boss, _, _ := door(t)
	s.Member(t, "cyan", members.RoleMember)
	cy := s.SignedIn(t, "cyan")
	page := `<ul><li class="task"><a href="/problemset/task/1068">Weird Algorithm</a><span class="task-score icon full"></span></li></ul>`
	choose(t, cy, "/u/cyan/bring", page).Is(t, 200, "no site is named", "nothing to store")
	boss.Call("PUT", "/admin/sites/cses", `{"title":"CSES","home":"https://cses.fi","problem_url":"https://cses.fi/problemset/task/{key}"}`).Is(t, 201)
	choose(t, cy, "/u/cyan/bring", strings.Replace(page, "Weird", "W\xe9ird", 1)).Is(t, 200, "1 submission: 1 new.") // Not in UTF-8.
	shown := choose(t, cy, "/u/cyan/bring", page).Is(t, 200, "1 submission: 1 new.", "1 submission without a time")
	cy.Post("/u/cyan/bring/store", "id", keptID.FindStringSubmatch(shown.Text)[1]).Is(t, 200, "1 new submission stored.")
	p := modelstest.Profile(t, s.DB.DB, "cyan")
	if p.Stats.Solved != 1 || p.Stats.DayStreak > 1 {
		t.Errorf("%+v", p.Stats)
	}
	cy.Get("/u/cyan").Is(t, 200, "Weird Algorithm", "time unknown")
	cy.Get("/u/cyan/submissions").Is(t, 200, "time unknown")
}
