package main

import (
	"context"
	"testing"
	"time"

	"laurel/models/members"
)

func hostWithScripts(t *testing.T, browser context.Context)    { host(t, browser, true) }
func hostWithoutScripts(t *testing.T, browser context.Context) { host(t, browser, false) }

// host is the way of a DMOJ host: an admin adds it by the form, while all runs, and a member's rows come from it.
func host(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	w.member(t, members.Member{Name: "ada", Role: members.RoleAdmin}, nil)
	w.work()
	w.tab = w.enter(t)
	w.open("/sign-in")
	w.fill("Username", "ada")
	w.fill("Password", password)
	w.follow("Sign in")
	base := w.mirrors["dmoj"].String()
	w.open("/sites")
	w.follow("Add sites")
	w.sees("No host yet")
	w.fill("Base address", base+"/elsewhere")
	w.fill("Full name", "School judge")
	w.fill("Short name", "school")
	w.follow("Check and save")
	w.sees(base+"/elsewhere does not answer as DMOJ does", "No host yet")
	w.fill("Base address", base)
	w.follow("Check and save")
	w.sees("Saved.", "School judge", "none yet")
	w.shoot("host-added")
	w.open("/settings")
	w.fill("School judge", "no such handle!")
	w.follow("Save handles")
	w.sees("cannot be a handle on School judge")
	handle := w.out.People()[0].Handles["dmoj"]
	w.fill("School judge", base+"/user/"+handle)
	w.follow("Save handles")
	w.sees("Handles saved")
	for end := time.Now().Add(time.Minute); ; { // New handles are checked within two seconds.
		var outcome string
		if err := w.db.Raw(`SELECT outcome FROM account_details WHERE site = 'school'`).Scan(&outcome).Error; err != nil {
			t.Fatal(err)
		}
		if outcome == "ok" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the new host was not read within a minute: %q", outcome)
		}
		<-time.After(50 * time.Millisecond)
	}
	w.open("/u/ada")
	w.sees("School judge", handle, "Ratings", "Recent submissions", "sac")
	w.shoot("host-profile")
	w.open("/sites")
	w.sees("School judge", "All sites up")
}
