package main

import (
	"context"
	"testing"

	"laurel/jobs/jobstest"
	"laurel/models/members"
)

func proofWithScripts(t *testing.T, browser context.Context)    { proof(t, browser, true) }
func proofWithoutScripts(t *testing.T, browser context.Context) { proof(t, browser, false) }

// proof is how a member shows that a handle is theirs: a code, the profile on the site, the mark.
func proof(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	handles := w.out.People()[0].Handles
	w.member(t, members.Member{Name: "ada"}, map[string]string{"codeforces": handles["codeforces"], "uva": handles["uva"]})
	w.work()
	w.tab = w.enter(t)
	w.open("/sign-in")
	w.fill("Username", "ada")
	w.fill("Password", password)
	w.follow("Sign in")
	w.open("/settings")
	w.sees("Prove it is yours", "cannot be proved")
	w.shoot("proof-settings")
	w.open("/settings/proof/codeforces")
	w.follow("Get a code")
	w.sees("Copy this code", "Organization, in your settings there", "10 more checks")
	w.shoot("proof-code")
	w.follow("Check")
	w.sees("The code is not on the profile of "+handles["codeforces"]+" yet", "9 more checks")
	w.shoot("proof-not-yet")
	code := js[string](w.tab, `document.querySelector("code.proof").textContent`)
	if err := w.out.Write("codeforces", handles["codeforces"], "Riga Technical "+code); err != nil {
		t.Fatal(err)
	}
	w.follow("Check")
	w.sees("✓ Proved", "You can take the code off your Codeforces profile")
	w.shoot("proof-done")
	w.open("/u/ada")
	w.sees("✓ proved")
	w.shoot("proof-profile")
	jobstest.Until(t, "a change of the handle takes submissions away", patience, func() bool {
		return jobstest.Count(t, w.db, `SELECT count(*) FROM account_details WHERE site = 'codeforces' AND submissions > 0`) > 0
	})
	w.open("/settings/proof/uva")
	w.sees("a handle there cannot be proved")
	w.open("/settings")
	w.fill("Codeforces", "another")
	w.follow("Save handles")
	w.sees("Change handles?", handles["codeforces"]+" becomes another", "once Codeforces knows another")
	w.shoot("handle-change")
	w.follow("Keep everything")
	w.sees("Handles", handles["codeforces"])
	w.leaves(handles["atcoder"])
}

// leaves is somebody without an account who finds that a member follows them: they prove their handle, and have it removed.
func (w *walk) leaves(handle string) {
	w.open("/custom")
	w.fill("Name", "zoe")
	w.fill("AtCoder", handle)
	w.follow("Follow")
	w.open("/u/zoe")
	w.sees("Is this you?")
	w.tab = w.enter(w.t)
	w.open("/help")
	w.follow("Prove that the handle is yours")
	w.fill("Address of your profile", "https://uhunt.onlinejudge.org/u/1")
	w.follow("Get a code")
	w.sees("shows no text of yours that could be read")
	w.shoot("my-handle-form")
	w.fill("Address of your profile", "https://atcoder.jp/users/"+handle)
	w.follow("Get a code")
	w.sees("Affiliation, in your general settings there", "10 more checks")
	w.shoot("my-handle-code")
	w.follow("Check")
	w.sees("The code is not on the profile of " + handle)
	if err := w.out.Write("atcoder", handle, js[string](w.tab, `document.querySelector("code.proof").textContent`)); err != nil {
		w.t.Fatal(err)
	}
	w.follow("Check")
	w.sees("This handle is yours", "1 profile here has it", "Take it over")
	w.shoot("my-handle-choice")
	w.follow("Show it to everybody")
	w.sees("✓ Shown", "everybody may see it")
	w.shoot("my-handle-shown")
	choice := js[string](w.tab, `location.pathname`)
	w.open("/u/zoe")
	w.sees("zoe", "Is this you?")
	w.open(choice)
	w.follow("Show it to signed-in people only")
	w.sees("signed-in people see it")
	w.follow("Remove " + handle)
	w.sees("✓ Removed", "nobody can add it")
	w.shoot("my-handle-removed")
	var left int
	if err := w.db.Raw(`SELECT count(*) FROM accounts WHERE site = 'atcoder'`).Scan(&left).Error; err != nil || left != 0 {
		w.t.Errorf("%d accounts are left (%v)", left, err)
	}
}
