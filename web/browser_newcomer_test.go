package main

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"laurel/jobs/standin"
)

// A walk is a person's way through the program, found by visible words alone.
type walk struct {
	*laurel
	*tab
	browser context.Context
	scripts bool
}

func withScripts(t *testing.T, browser context.Context)    { newcomer(t, browser, true) }
func withoutScripts(t *testing.T, browser context.Context) { newcomer(t, browser, false) }

// newcomer is somebody's first hour, from the link of the first start on.
func newcomer(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	// So slow that a person could read what goes on.
	if err := w.out.SetFault("", standin.Fault{Kind: "slow", Delay: 100 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	w.tab = w.enter(t)
	w.open("/")
	w.sees("Nothing to show yet", "Open the set-up link from the server log")
	w.become()
	w.retrieve()
	w.correct()
	w.browse()
	w.days()
	w.token()
	w.invite()
	w.custom()
	w.tooOften()
	w.open("/sites")
	w.sees("Codeforces", "AtCoder", "UVa", "All sites up")
}

// enter opens a tab of another person.
func (w *walk) enter(t *testing.T) *tab {
	p := newTab(t, w.browser, w.URL)
	p.plain = !w.scripts
	p.do(chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
		if _, err := cdp.Call(ctx, s, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, s, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !w.scripts})
		return err
	}))
	return p
}

// become makes the newcomer the admin.
func (w *walk) become() {
	w.open(w.setupPath(w.t))
	w.sees("Set up Laurel", "Create the first admin account")
	w.fill("Username", "ada")
	w.fill("Display name", "Ada Lovelace")
	if zone, want := w.value("Time zone"), map[bool]string{true: "Asia/Tokyo", false: "UTC"}[w.scripts]; zone != want {
		w.t.Errorf("the form proposes %q, want %q", zone, want)
	}
	w.fill("Time zone", "Europe/Riga")
	w.fill("Password", "short")
	w.follow("Create the admin account")
	w.sees("At least 8 characters")
	w.fill("Password", password)
	w.follow("Create the admin account")
	w.sees("Welcome! Add your handles")
}

// openMenu opens the viewer's menu, whose name begins with their initials.
func (p *tab) openMenu() {
	p.t.Helper()
	p.press(js[string](p, `document.querySelector(".you .menu summary").getAttribute("aria-label")`))
}

// goTo uses the menu of the viewer.
func (w *walk) goTo(page string) {
	w.t.Helper()
	w.openMenu()
	w.follow(page)
}

// retrieve adds handles and presses the button.
func (w *walk) retrieve() {
	for _, s := range modelSites() {
		w.fill(s.Title, w.out.People()[0].Handles[s.Name])
	}
	w.follow("Save handles")
	w.sees("Handles saved", "Ada Lovelace", "Accounts", "Loading your first submissions")
	// New handles are checked within two seconds. Here the button shall be what brings them.
	if err := w.db.Exec(`UPDATE account_schedule SET due_at = due_at + interval '1 day'`).Error; err != nil {
		w.t.Fatal(err)
	}
	w.work()
	w.open("/u/ada")
	first, done := w.ask("Retrieve my submissions")
	if w.scripts && !js[bool](w.tab, "window.remembered === true") {
		w.t.Error("the page was loaded again; progress comes live")
	}
	w.t.Logf("after the press of the button: first results %.2f s, all done %.2f s", first.Seconds(), done.Seconds())
	w.sees("Ratings", "Accounts", "Recent submissions")
}

// tooOften presses a button that another tab has made stale meanwhile.
func (w *walk) tooOften() {
	w.open("/u/star")
	if err := w.db.Exec(`UPDATE members SET requested_at = NULL WHERE name = 'star'`).Error; err != nil {
		w.t.Fatal(err)
	}
	w.open("/u/star")
	w.find("button", "Retrieve submissions")
	if err := w.db.Exec(`UPDATE members m SET requested_at = a.last_attempt_at FROM account_details a WHERE a.member_id = m.id AND m.name = 'star'`).Error; err != nil {
		w.t.Fatal(err)
	}
	w.follow("Retrieve submissions")
	w.sees("Too many attempts", "This was updated recently. Try again in")
	w.follow("Back to the profile")
	w.troubles.take() // The first answer was 429, and the console says so.
}

var fresh = regexp.MustCompile(`[1-9][0-9,]* new|problems solved`)

// over matches what is said of a press that was answered.
var over = regexp.MustCompile(`available again at|Last requested`)

// ask presses the button and waits for the end, as the page shows it.
func (w *walk) ask(button string) (first, done time.Duration) {
	w.t.Helper()
	tryJS[bool](w.tab, "window.remembered = true")
	start := time.Now()
	if w.scripts {
		w.press(button)
	} else {
		w.follow(button)
	}
	w.until(func() bool { return fresh.MatchString(w.text()) }, func() string { return "nothing new comes" })
	first = time.Since(start)
	w.shoot("during-" + strings.ReplaceAll(w.t.Name()+"-"+button, "/", "-"))
	w.until(func() bool { return over.MatchString(w.text()) }, func() string { return "it does not end" }) // The button rests, or has rested already.
	w.sees("problems solved", "A year of submissions")
	done = time.Since(start)
	if !js[bool](w.tab, `document.body.innerText.includes("available again at") === !!document.querySelector("[aria-disabled=true]")`) {
		w.t.Error("a button that can be pressed says when it can be, or one that rests does not")
	}
	return first, done
}

// correct types a wrong handle, which costs nothing, then somebody else's, and takes that back.
func (w *walk) correct() {
	own, other := w.out.People()[0].Handles["uva"], ""
	for _, p := range w.out.People()[1:] {
		other = cmp.Or(other, p.Handles["uva"])
	}
	w.goTo("Settings")
	w.fill("UVa Online Judge", "nobody_has_this")
	w.follow("Save handles")
	w.sees("Nothing has changed yet")
	w.follow("Change handle")
	w.until(func() bool {
		return strings.Contains(w.text(), "There is no nobody_has_this on UVa Online Judge. "+own+" stays.")
	},
		func() string { return "the wrong handle is not refused" })
	w.sees("Up to date")
	if strings.Contains(w.text(), "Started ") {
		w.t.Error("a handle that is looked up is shown as a press of the button")
	}
	w.shoot(strings.ReplaceAll(w.t.Name(), "/", "-") + "-wrong-handle")
	w.follow("Correct it")
	w.sees("There is no nobody_has_this on UVa Online Judge. " + own + " stayed.")
	w.fill("UVa Online Judge", other)
	w.follow("Save handles")
	w.follow("Change handle")
	w.until(func() bool { return strings.Contains(w.text(), own+" was removed (") },
		func() string { return "the other handle does not come" })
	w.shoot(strings.ReplaceAll(w.t.Name(), "/", "-") + "-replaced")
	w.follow("Undo")
	w.until(func() bool {
		return strings.Contains(w.text(), "Up to date") && strings.Contains(w.text(), own) && !strings.Contains(w.text(), own+" was removed")
	}, func() string { return "the old handle does not come back" })
}

// token makes a token, uses it as a program does, and revokes it.
func (w *walk) token() {
	w.goTo("Settings")
	w.follow("Data and API")
	w.fill("What is it for?", "a script")
	w.press("Allow admin actions")
	w.follow("Create token")
	token := w.value("Copy your new token now. It will not be shown again.")
	ask := func() int {
		r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.URL+"/api/v1/members/ada/retrieve", nil)
		if err != nil {
			w.t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			w.t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if status := ask(); status != http.StatusAccepted && status != http.StatusTooManyRequests {
		w.t.Errorf("with the token: %d", status)
	}
	w.follow("Revoke the token for a script")
	w.sees("Revoked.")
	if status := ask(); status != http.StatusUnauthorized {
		w.t.Errorf("with the revoked token: %d", status)
	}
}

// invite brings a friend in, who signs up, out and in.
func (w *walk) invite() {
	w.goTo("Admin")
	w.follow("Members")
	w.follow("Invitations")
	w.follow("Create an invitation")
	link := w.value("Send this link to the person you are inviting. It works once, expires in 14 days and will not be shown again.")
	friend := w.enter(w.t)
	friend.open(link)
	friend.fill("Username", "grace")
	friend.fill("Password", password)
	friend.follow("Sign up")
	friend.sees("Welcome! Add your handles")
	friend.openMenu()
	friend.follow("Sign out")
	friend.follow("Sign in")
	friend.fill("Username", "grace")
	friend.fill("Password", "wrong horse battery")
	friend.follow("Sign in")
	friend.sees("Wrong name or password")
	friend.fill("Password", password)
	friend.follow("Sign in")
	friend.sees("No handles yet. Add one")
	friend.openMenu()
	friend.find("a", "Settings")
	if strings.Contains(friend.text(), "Admin") {
		w.t.Error("a member's menu offers what is the admins'")
	}
	friend.open(link)
	friend.sees("Sign in")
}

// custom follows somebody who has no account here.
func (w *walk) custom() {
	w.goTo("People I follow")
	w.sees("You follow no members yet.", "None yet.")
	w.follow("Add a person without an account")
	w.fill("Name", "star")
	w.fill("Codeforces", w.out.People()[1].Handles["codeforces"])
	w.follow("Follow")
	w.sees("no account here, followed by")
	w.sees("Up to date")
	w.ask("Retrieve submissions")
	w.goTo("People I follow")
	w.follow("Edit star")
	w.sees("No account here. Followed by Ada Lovelace")
}

// measured is the time that everything takes with the politeness of every day.
func measured(t *testing.T, browser context.Context) {
	if os.Getenv("LAUREL_SOAK") == "" {
		t.Skip("LAUREL_SOAK is not set: it keeps the gaps of real sites")
	}
	needScripts(t)
	w := &walk{newLaurel(t, 1), nil, browser, true}
	w.tab = w.enter(t)
	w.become()
	w.retrieve()
}
