package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"laurel/jobs/standin"
	"laurel/models/members"
)

func postsWithScripts(t *testing.T, browser context.Context)    { postsFromNothing(t, browser, true) }
func postsWithoutScripts(t *testing.T, browser context.Context) { postsFromNothing(t, browser, false) }

// aToken must never be seen again once it was typed.
const aToken = "AAAA-a-token-of-nobody"

// postsFromNothing is an admin's way from no posts to one whose numbers are
// fresh, found by visible words alone.
func postsFromNothing(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	w.member(t, members.Member{Name: "ada", Role: members.RoleAdmin}, nil)
	w.tab = w.enter(t)
	w.work()
	w.open("/sign-in")
	w.fill("Username", "ada")
	w.fill("Password", password)
	w.follow("Sign in")
	w.open("/posts")
	w.sees("No posts are tracked yet", "Recently added")
	w.follow("Link an account or paste a link")
	w.sees("No posts yet", "No accounts linked yet.")
	w.postPicture("1-nothing")
	id := w.followOne()
	w.addCredential()
	w.numbersOf(id)
	w.refresh(id)
	w.linkOne()
	w.best()
	w.watch()
}

func (w *walk) postPicture(name string) {
	w.shoot("posts-" + map[bool]string{true: "scripts", false: "plain"}[w.scripts] + "-" + name)
}

// aPost is one of the stand-in's with numbers, a few minutes old.
func (w *walk) aPost() string {
	now := w.clock.now()
	for i := range 50_000 {
		id := standin.PostID("x", now.Add(-5*time.Minute), i)
		if p, ok := w.out.PostAt("x", id, now); ok && p.State == "shown" && p.RetweetOf == "" && p.Hidden.IsZero() && p.Metrics["likes"] > 20 {
			return id
		}
	}
	w.t.Fatal("the stand-in has no post that people like")
	return ""
}

// followOne pastes links: one that is none, and one of X, which wants a credential.
func (w *walk) followOne() (id string) {
	w.fill("Link", "https://example.org/nothing")
	w.follow("Add")
	w.sees("This is not the link of a post")
	id = w.aPost()
	w.fill("Link", "https://x.com/someone/status/"+id)
	w.follow("Add")
	w.sees("Post by ada", "The first check is starting", "Laurel has no access to X")
	w.postPicture("2-no-credential")
	return id
}

func (w *walk) addCredential() {
	w.follow("Set it up")
	w.sees("Post tracking", "No usable credential, so nothing is updated")
	w.choose("Network", "X")
	w.fill("Name", "our app")
	w.fill("Token", "two words")
	w.follow("Save credential")
	w.sees("Is not a token")
	w.fill("Token", aToken)
	w.fill("Monthly budget in posts", "1,000")
	w.follow("Save credential")
	w.sees("Saved.", "X our app", "in use")
	if page := js[string](w.tab, "document.documentElement.outerHTML"); strings.Contains(page, aToken) {
		w.t.Error("the page shows the token")
	}
}

// numbersOf sees what the stand-in shows, within the seconds of the look.
func (w *walk) numbersOf(id string) {
	w.open("/posts/x/" + id)
	w.sees("1 check")
	w.compare(id)
	w.sees("Tracking, checked every 3 minutes", "One check so far")
}

// compare holds the numbers on the page against the truth of some second of the
// last minute.
func (w *walk) compare(id string) {
	w.t.Helper()
	shown := strings.ReplaceAll(w.words("[data-figure=likes]"), ",", "")
	now := w.clock.now()
	for ago := range 60 {
		if n := w.out.Metrics("x", id, now.Add(-time.Duration(ago)*time.Second))["likes"]; shown == number(n) {
			return
		}
	}
	w.t.Errorf("the page shows %s likes, the stand-in %d", shown, w.out.Metrics("x", id, now)["likes"])
}

// refresh presses the button, and sees the second look come by itself.
func (w *walk) refresh(id string) {
	if w.scripts {
		js[bool](w.tab, "window.remembered = true")
		w.press("Refresh now")
	} else {
		w.follow("Refresh now")
	}
	w.sees("2 checks")
	w.sees("History", "all checks as CSV")
	w.compare(id)
	if w.scripts {
		if !js[bool](w.tab, "window.remembered === true") {
			w.t.Error("the page was loaded again; the look comes by itself")
		}
		w.find("button", "All")
		w.until(func() bool { return js[int](w.tab, `document.querySelectorAll(".uplot canvas").length`) == 1 }, func() string { return "there is no curve to zoom into" })
	} else if js[int](w.tab, `document.querySelectorAll("svg.post path.c0").length`) != 1 {
		w.t.Error("there is no curve")
	}
	w.postPicture("3-refreshed")
}

// linkOne links an account that does not exist, and one that does.
func (w *walk) linkOne() {
	w.follow("Posts by ada")
	w.choose("Network", "Mastodon")
	w.fill("Handle", "nobody")
	w.follow("Link account")
	w.sees("include the server: ada@mastodon.social")
	w.choose("Network", "Bluesky")
	w.fill("Handle", "@"+w.out.People()[0].Networks["bluesky"])
	w.follow("Link account")
	w.sees("Linked. New posts will appear")
	w.sees("checked just now", "Older")
	w.postPicture("4-linked")
	w.follow("Remove @" + w.out.People()[0].Networks["bluesky"] + " on Bluesky")
	w.sees("Removed. Its posts stay.", "No accounts linked yet.")
}

func (w *walk) best() {
	w.until(func() bool { // Numbers of the newest posts may be under way.
		w.open("/posts")
		return strings.Contains(w.words("#newest"), "checked")
	}, func() string { return "no post has numbers" })
	w.sees("of the last 7 days with the most likes")
	w.follow("Views")
	w.sees("with the most views")
	w.follow("My posts")
	w.sees("Posts by ada")
}

// watch sees the looks from the side of the admin.
func (w *walk) watch() {
	w.goTo("Admin")
	w.follow("Posts")
	w.sees("X our app", "paid for: $0.01", "of 1,000 posts a month", "Recent requests", "answered")
	if w.scripts {
		was := w.words("#as-of")
		w.until(func() bool { return w.words("#as-of") != was }, func() string { return "the numbers do not renew themselves" })
	}
	w.postPicture("5-admin")
	w.follow("Pause X our app")
	w.sees("Paused.", "paused by an admin")
	w.follow("Resume X our app")
	w.sees("Resumed.", "in use")
	w.press("Delete X our app")
	w.follow("Delete X our app for good")
	w.sees("Deleted.")
}
