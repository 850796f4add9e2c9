package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"laurel/models/members"
)

func bringWithScripts(t *testing.T, browser context.Context)    { bring(t, browser, true) }
func bringWithoutScripts(t *testing.T, browser context.Context) { bring(t, browser, false) }

// bring is the way of submissions that Laurel cannot read: an admin declares a site, a script
// pushes to it, and a file with two bad lines is brought, found by visible words alone.
func bring(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	w.member(t, members.Member{Name: "ada", Role: members.RoleAdmin}, nil)
	w.tab = w.enter(t)
	w.open("/sign-in")
	w.fill("Username", "ada")
	w.fill("Password", password)
	w.follow("Sign in")
	w.declareSite()
	w.open("/settings/data")
	w.fill("What is it for?", "the judge's script")
	w.follow("Create token")
	w.pushes(w.value("Copy your new token now. It will not be shown again."))
	w.open("/u/ada")
	w.sees("College judge", "Last brought", "Two stones")
	w.open("/sites")
	w.sees("College judge", "brought by members")
	w.open("/u/ada")
	w.bringFile()
}

// declareSite makes a site of the college's own judge.
func (w *walk) declareSite() {
	w.open("/sites")
	w.follow("Add sites")
	w.sees("No outside site yet")
	w.fill("Name", "college")
	w.fill("Title", "College judge")
	w.fill("Address", "https://judge.college.example")
	w.fill("Address of a problem", "https://judge.college.example/task")
	w.follow("Save site")
	w.sees("with {key} in it")
	w.fill("Address of a problem", "https://judge.college.example/task/{key}")
	w.follow("Save site")
	w.sees("Saved.", "College judge", "never")
}

// pushes is the ten lines that make a site of anything.
func (w *walk) pushes(token string) {
	row := `{"site":"college","id":"1","problem":{"key":"stones","name":"Two stones"},"status":"AC","submitted_at":"2026-01-02T03:04:05Z"}`
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.URL+"/api/v1/members/ada/submissions", strings.NewReader(row))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if answer, _ := io.ReadAll(res.Body); !strings.Contains(string(answer), `"accepted":1`) {
		w.t.Fatalf("status %d: %s", res.StatusCode, answer)
	}
}

// bringFile brings three submissions with two bad lines between them, twice.
func (w *walk) bringFile() {
	const file = "site,id,problem.key,status,submitted_at\ncollege,2,river,WA,2026-01-03T10:00:00Z\ncollege,3,river,Perfect,2026-01-03T10:05:00Z\n" +
		"college,4,river,AC,yesterday\ncollege,5,river,AC,2026-01-04T10:00:00Z\ncollege,1,stones,WA,2026-01-02T03:04:05Z\n"
	w.follow("Bring your history")
	w.sees("Brought so far")
	w.chooseFile(file)
	w.follow("Preview")
	w.sees("3 submissions", "2 new, 1 changed", "Lines that will not be stored 2", "Perfect", "is no time")
	w.shoot("bring-preview")
	w.follow("Store 3 submissions")
	w.sees("2 new submissions stored, 1 changed, 2 lines not stored.")
	w.shoot("bring-report")
	w.chooseFile(file)
	w.follow("Preview")
	w.sees("0 new, 3 here already")
	w.follow("Delete what was brought to College judge")
	w.sees("Deleted. What the sites show stays.")
	w.open("/u/ada")
	w.sees("No submissions")
}

// chooseFile puts a file into the page's field, as its own dialogue would.
func (w *walk) chooseFile(text string) {
	quoted, _ := json.Marshal(text) // A string: it cannot fail.
	js[bool](w.tab, `(() => { const d = new DataTransfer(); d.items.add(new File([`+string(quoted)+`], "history.csv"));
		document.querySelector("input[type=file]").files = d.files; return true; })()`)
}
