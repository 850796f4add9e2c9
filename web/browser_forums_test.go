package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/models/members"
)

func forumsWithScripts(t *testing.T, browser context.Context) { forumsFromNothing(t, browser, true) }
func forumsWithoutScripts(t *testing.T, browser context.Context) {
	forumsFromNothing(t, browser, false)
}

// listOn serves an invented mailing list, of which some months have passed.
func (l *laurel) listOn(t *testing.T) (address string) {
	t.Helper()
	list := newSampleList("club", l.out.People()[:5], l.URL, func() time.Time { return listsSince.AddDate(0, 5, 0) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/pipermail/") {
			list.ServeHTTP(w, r)
		} else if r.URL.Path != "/favicon.ico" { // For which browsers ask.
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/pipermail/club/"
}

// forumsFromNothing is the way from no forum to a message read in its original, found
// by visible words alone: an admin's first, and then a reader's.
func forumsFromNothing(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	w.member(t, members.Member{Name: "ada", Role: members.RoleAdmin}, nil)
	address := w.listOn(t)
	w.tab = w.enter(t)
	w.work()
	w.open("/sign-in")
	w.fill("Username", "ada")
	w.fill("Password", password)
	w.follow("Sign in")
	w.goTo("Admin")
	w.follow("Forums")
	w.sees("No forums yet. Paste an address above")
	w.addForum(address)
	w.readForum()
	w.readThread(address)
	w.changeForum()
}

func (w *walk) forumPicture(name string) {
	w.shoot("forums-" + map[bool]string{true: "scripts", false: "plain"}[w.scripts] + "-" + name)
}

// addForum pastes an address that is none, and one of an archive; nothing is stored
// before that is agreed to.
func (w *walk) addForum(address string) {
	w.fill("Address", strings.TrimSuffix(address, "club/")+"none/")
	w.follow("Check address")
	w.sees("No archive found")
	w.follow("Try another address")
	w.fill("Address", address)
	w.follow("Check address")
	w.sees("Pipermail archive", "6 periods", "no robots.txt: everything is allowed", "about a minute")
	w.forumPicture("1-looked")
	var stored int
	if err := w.db.Raw(`SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM forums)`).Scan(&stored).Error; err != nil || stored != 0 {
		w.t.Errorf("%d messages and forums are stored before anybody agreed (%v)", stored, err)
	}
	w.fill("Name", "Our club")
	w.fill("Short name", "No Name")
	w.follow("Add this forum")
	w.sees("lower-case letters")
	w.fill("Short name", "club")
	w.follow("Add this forum")
	w.sees("Our club", "Open", "updated just now", "scheduled")
	w.forumPicture("2-harvested")
}

// readForum finds a message by its words.
func (w *walk) readForum() {
	w.follow("As members see it")
	w.sees("Messages by month", "Discussions", "3 replies", "2 people")
	w.forumPicture("3-forum")
	w.fill("Search this forum", "zebra")
	w.follow("Search")
	w.sees("No results.")
	w.fill("Search this forum", "fenwick")
	w.follow("Search")
	w.sees("Messages with “fenwick”")
	if words := strings.ToLower(w.words("mark")); words != "fenwick" {
		w.t.Errorf("%q is marked", words)
	}
	w.follow("How to count inversions?")
}

// readThread reads the thread of a message, what it quotes, and its original.
func (w *walk) readThread(address string) {
	w.sees("From", "Sent", "Original", "stored")
	w.follow("Whole discussion")
	w.sees("How to count inversions?", "All pairs is too slow")
	hidden := js[int](w.tab, `[...document.querySelectorAll("blockquote")].filter(e => e.checkVisibility()).length`)
	summary := w.words("summary:not(.menu summary)")
	w.press(summary)
	w.until(func() bool {
		return js[int](w.tab, `[...document.querySelectorAll("blockquote")].filter(e => e.checkVisibility()).length`) == hidden+1
	}, func() string { return "the quote does not unfold" })
	w.forumPicture("4-thread")
	original := w.words(".links a[rel]")
	w.follow(original)
	w.sees("[club] How to count inversions?")
	if at := js[string](w.tab, "location.href"); !strings.HasPrefix(at, address) {
		w.t.Errorf("the original is %s", at)
	}
}

// changeForum sees how the admin's buttons tell what they did.
func (w *walk) changeForum() {
	w.open("/admin/forums")
	w.follow("Our club")
	w.fill("Seconds between requests", "0.2")
	w.follow("Save")
	w.sees("must be from 1 to 600 seconds")
	w.fill("Seconds between requests", "2")
	w.follow("Save")
	w.sees("Saved.")
	w.follow("Burst Our club")
	w.sees("Bursts are limited", "Open")
	w.find("[aria-disabled=true]", "Burst")
	w.follow("Pause Our club")
	w.sees("Paused", "paused")
	w.follow("Resume Our club")
	w.sees("Open")
	w.forumPicture("5-admin")
}
