package views

import (
	"fmt"
	"testing"
	"time"

	"github.com/a-h/templ"
)

func forumsFrame(title, path, viewer string) Frame {
	f := frame(title, path, viewer)
	f.Forums = true
	return f
}

func sampleForums() []Forum {
	ran := ForumRun{Why: "scheduled", Started: now.Add(-13 * time.Minute), Ended: now.Add(-12 * time.Minute), Requests: 3, NotModified: 1, New: 4, Outcome: "ok"}
	failed := ForumRun{Why: "kick", Started: now.Add(-2 * time.Hour), Ended: now.Add(-2 * time.Hour), Requests: 1, Outcome: "unreachable", Message: "connection refused"}
	return []Forum{
		{Slug: "reality", Name: "reality", Kind: "pipermail", URL: "https://lists.example.org/pipermail/reality/", State: "open", Messages: 231, LookedAt: now.Add(-12 * time.Minute), NextRun: now.Add(48 * time.Minute), Outcome: "ok", Robots: "robots.txt allows it", Run: ran, Duplicates: 2, Requests: 1480, NotModified: 1200},
		{Slug: "talk", Name: "Talk", Kind: "discourse", URL: "https://talk.example.org/", State: "open", Messages: 10200, Missing: 3, LookedAt: now.AddDate(0, 0, -2), NextRun: now.Add(time.Minute), Outcome: "unreachable", Message: "connection refused", Run: failed, Requests: 90},
		{Slug: "dev", Name: "Developers", Kind: "hyperkitty", URL: "https://hk.example.org/list/dev@example.org/", State: "paused", Running: false},
		{Slug: "old", Name: "The old list", Kind: "public-inbox", URL: "https://inbox.example.org/old/", State: "finished", Messages: 336, LookedAt: now.AddDate(-1, 0, 0), Outcome: "ok"},
	}
}

func sampleLetters() (list []Letter) {
	for i := range 6 {
		list = append(list, Letter{Serial: int64(90 - i), Forum: "reality", ForumName: "reality", Author: []string{"Ada L.", "Bob", "‮evil‬"}[i%3], Member: []string{"ada", "", ""}[i%3], Subject: []string{"Re: [reality] How to count inversions in n log n", "", "A very-long-subject-without-any-space-that-goes-on-and-on-and-on-and-on-for-a-phone"}[i%3],
			Excerpt: "I think a Fenwick tree is the easiest way: walk from the right and ask how many smaller ones there have been so far, then add the element. It fits into twelve lines.", Sent: now.Add(-time.Duration(i*i*7) * time.Hour), Approximate: i == 4})
	}
	list[5].Sent = time.Time{}
	return list
}

const sampleBody = "Hello Bob,\n\n> How do I count inversions?\n> I tried\n>\n> > all pairs\n\nWith a Fenwick tree, see https://en.wikipedia.org/wiki/Fenwick_tree (or my note: https://example.org/a).\n\n    for i := n - 1; i >= 0; i-- {\n        sum += tree.Before(a[i])\n    }\n\nAda\n"

// forumPages are the pages of forums in every state.
func forumPages() map[string]templ.Component {
	list, all := sampleLetters(), sampleForums()
	thread := []Thread{{list[0].Subject, list[:3]}, {list[3].Subject, list[3:4]}, {list[4].Subject, list[4:]}}
	m := MessagePage{Frame: forumsFrame("How to count", "/messages/90", "ada"), Now: now, Letter: list[0], Shown: "Sat Nov 21 11:05:00 EST 2026", URL: "https://lists.example.org/pipermail/reality/2026-November/000231.html", Stored: now.Add(-12 * time.Minute), Body: sampleBody,
		Refs: []Reference{{"problem", "codeforces/4A", "https://codeforces.com/problemset/problem/4/A"}, {"member", "bob", "http://laurel.test/u/bob"}, {"post", "x/1", "javascript:x"}}, Selectand: "a", Compared: "ada and bob", Thread: 3, Previous: &list[1], Next: &list[2]}
	about := m
	about.Letter.Approximate, about.Refs, about.Selectand, about.Previous, about.Next, about.Body = true, nil, "", nil, nil, ""
	f := forumsFrame
	admin := ForumsAdmin{Frame: f("Forums for admins", "/admin/forums", "ada"), Now: now, Forums: all, Twice: []TwiceIn{{"reality", "reality", 40, []Twice{{7, "", "https://lists.example.org/2/7.html", "https://lists.example.org/2/6.html", 2, now}}}}}
	look := ForumLook{Frame: f("What is at this address", "/admin/forums/looks/1", "ada"), Now: now, ID: 1, URL: "https://lists.example.org/pipermail/reality", Asked: now.Add(-3 * time.Second)}
	look.Frame.Refresh = 5
	found := look
	found.Answered, found.Kind, found.Base, found.Robots, found.Periods, found.Slug, found.Name = now, "pipermail", look.URL+"/", "robots.txt allows it", 131, "reality", "reality"
	none, known := look, found
	none.Answered, none.Wrong, none.Robots, known.Known = now, "the page is no archive", "robots.txt allows it", "reality"
	found.Form = Form{Errors: map[string]string{"slug": "is taken"}}
	return map[string]templ.Component{
		"forums":             ForumsPage(Forums{Frame: f("Forums", "/forums", "ada"), Now: now, Forums: all, Messages: list, Older: "/forums?after=x"}),
		"forums-none":        ForumsPage(Forums{Frame: f("Forums", "/forums", ""), Now: now}),
		"forums-found":       ForumsPage(Forums{Frame: f("Forums", "/forums", ""), Now: now, Forums: all, Search: "fenwick", Messages: list[:1], Newest: "/forums?q=fenwick"}),
		"forums-about":       ForumsPage(Forums{Frame: f("Forums", "/forums", ""), Now: now, Forums: all, About: "problem codeforces/4A"}),
		"forum":              OneForumPage(ForumPage{Frame: f("reality", "/forums/reality", "ada"), Now: now, Forum: all[0], Periods: 131, Threads: thread, Older: "/forums/reality?after=x"}),
		"forum-gaps":         OneForumPage(ForumPage{Frame: f("Talk", "/forums/talk", ""), Now: now, Forum: all[1], Periods: 12, Gaps: []Gap{{"2014-July", 12, 9, now.Add(-time.Hour)}, {"1945-February", 1, 0, time.Time{}}}}),
		"forum-found":        OneForumPage(ForumPage{Frame: f("Talk", "/forums/talk", ""), Now: now, Forum: all[1], Search: "x"}),
		"message":            OneMessagePage(m),
		"message-alone":      OneMessagePage(about),
		"member-messages":    MemberMessagesPage(MemberMessages{Frame: f("Messages of Ada", "/u/ada/messages", "ada"), Now: now, Name: "ada", DisplayName: "Ada", Messages: list, Newest: "/u/ada/messages"}),
		"member-no-messages": MemberMessagesPage(MemberMessages{Frame: f("Messages of Ada", "/u/ada/messages", "ada"), Now: now, Name: "ada", DisplayName: "Ada", Own: true}),
		"forums-admin":       ForumsAdminPage(admin),
		"forums-admin-none":  ForumsAdminPage(ForumsAdmin{Frame: admin.Frame, Now: now, Wrong: "This forum is paused: open it first", Add: Form{Values: map[string]string{"url": "x"}, Errors: map[string]string{"url": "must be an address"}}}),
		"forum-look":         ForumLookPage(look),
		"forum-look-found":   ForumLookPage(found),
		"forum-look-none":    ForumLookPage(none),
		"forum-look-known":   ForumLookPage(known),
	}
}

func TestTextBlocks(t *testing.T) {
	for body, want := range map[string]string{
		"":                          "",
		"a\nb\n\nc":                 "w3[a\nb|c]",
		"> a\n>\n> b\nc":            "q2[a|b] w1[c]",
		"a\r\n > b\r\n":             "w1[a] q1[b]",
		"    > code":                "w1[    > code]",
		"see https://a.b/c.":        "w1[see <https://a.b/c>.]",
		"(http://a.b/c_(d)) x":      "w1[(<http://a.b/c_(d)>) x]",
		"http://a:b@c/ http:///x y": "w1[http://a:b@c/ http:///x y]",
		"javascript:x <http://a.b>": "w1[javascript:x <<http://a.b>>]",
	} {
		got := ""
		for _, b := range textBlocks(body) {
			kind := map[bool]string{true: "q", false: "w"}[b.quoted]
			text := ""
			for i, paragraph := range b.paragraphs {
				if i > 0 {
					text += "|"
				}
				for _, p := range paragraph {
					if p.href != "" {
						p.text = "<" + p.href + ">"
					}
					text += p.text
				}
			}
			if got != "" {
				got += " "
			}
			got += fmt.Sprintf("%s%d[%s]", kind, b.lines, text)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", body, got, want)
		}
	}
}
