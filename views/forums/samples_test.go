package forums

import (
	"fmt"
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

func sampleForums() []Forum {
	ran := Run{Why: "scheduled", Started: viewstest.Now.Add(-13 * time.Minute), Ended: viewstest.Now.Add(-12 * time.Minute), Requests: 3, NotModified: 1, New: 4, Outcome: "ok"}
	failed := Run{Why: "kick", Started: viewstest.Now.Add(-2 * time.Hour), Ended: viewstest.Now.Add(-2 * time.Hour), Requests: 1, Outcome: "unreachable", Message: "connection refused"}
	return []Forum{
		{Slug: "reality", Name: "reality", Kind: "pipermail", URL: "https://lists.example.org/pipermail/reality/", State: "open", Messages: 231, Covered: viewstest.Now.Add(-12 * time.Minute), NextRun: viewstest.Now.Add(48 * time.Minute), Outcome: "ok", Robots: "robots.txt allows it", Run: ran, Duplicates: 2, Requests: 1480, NotModified: 1200},
		{Slug: "talk", Name: "Talk", Kind: "discourse", URL: "https://talk.example.org/", State: "open", Messages: 10200, Missing: 3, Covered: viewstest.Now.AddDate(0, 0, -2), NextRun: viewstest.Now.Add(time.Minute), Outcome: "unreachable", Message: "connection refused", Run: failed, Requests: 90},
		{Slug: "dev", Name: "Developers", Kind: "hyperkitty", URL: "https://hk.example.org/list/dev@example.org/", State: "paused", Running: false},
		{Slug: "old", Name: "The old list", Kind: "public-inbox", URL: "https://inbox.example.org/old/", State: "finished", Messages: 336, Covered: viewstest.Now.AddDate(-1, 0, 0), Outcome: "ok"},
	}
}

func sampleLetters() (list []Letter) {
	for i := range 6 {
		list = append(list, Letter{Serial: int64(90 - i), Forum: "reality", ForumName: "reality", Author: []string{"Ada L.", "Bob", "\u202eevil\u202c"}[i%3], Member: []string{"ada", "", ""}[i%3], Subject: []string{"Re: [reality] How to count inversions in n log n", "", "A very-long-subject-without-any-space-that-goes-on-and-on-and-on-and-on-for-a-phone"}[i%3],
			Excerpt: "I think a Fenwick tree is the easiest way: walk from the right and ask how many smaller ones there have been so far, then add the element. It fits into twelve lines.", Sent: viewstest.Now.Add(-time.Duration(i*i*7) * time.Hour), Approximate: i == 4})
	}
	list[5].Sent = time.Time{}
	return list
}

const sampleBody = "Hello Bob,\n\n> How do I count inversions?\n> I tried\n>\n> > all pairs\n\nWith a Fenwick tree, see https://en.wikipedia.org/wiki/Fenwick_tree (or my note: https://example.org/a).\n\n    for i := n - 1; i >= 0; i-- {\n        sum += tree.Before(a[i])\n    }\n\nAda\n"

func sampleGaps() []Gap {
	return []Gap{{"2014-July", 12, 9, viewstest.Now.Add(-time.Hour)}, {"1945-February", 1, 0, time.Time{}}}
}

func sampleThreads() (list []Thread) {
	for i := range 30 {
		l := sampleLetters()[i%6]
		t := Thread{Serial: l.Serial, Subject: l.Subject, Author: l.Author, Member: l.Member, Messages: 1 + i*i%40, People: 1 + i%7, First: viewstest.Now.AddDate(0, 0, -i*3), Last: viewstest.Now.AddDate(0, 0, -i*2)}
		if t.Messages > 2 {
			for j := range 16 {
				t.Slots = append(t.Slots, (i*j*j)%9)
			}
		}
		list = append(list, t)
	}
	list[5].First, list[5].Last = time.Time{}, time.Time{}
	return list
}

// sampleMonths are some years of a forum, with holes or without.
func sampleMonths(years int, hasGaps bool) (h History) {
	for i := range years * 12 {
		m := Month{Month: viewstest.Now.AddDate(0, 1+i-years*12, 1-viewstest.Now.Day()), Messages: (i * i * 7) % 97}
		if hasGaps && i < 9 {
			m.Messages, m.Unread = 0, true
		}
		if hasGaps && i%50 == 40 {
			m.Missing = 3
		}
		h.Months = append(h.Months, m)
	}
	if hasGaps {
		h.Early, h.Undated = 2, 1
	}
	return h
}

func sampleThreadPage() OneThread {
	p := OneThread{Frame: viewstest.ForumsFrame("How to count", "/forums/reality/threads/85", "ada"), Now: viewstest.Now, Forum: sampleForums()[0], Thread: sampleThreads()[7], From: 1, To: 6, Total: 6}
	for i, l := range sampleLetters() {
		t := ThreadLetter{Letter: l, Depth: min(i, 4), URL: "https://lists.example.org/pipermail/reality/1.html", Body: sampleBody, Cut: i == 3, NewSubject: i == 2}
		if i == 4 {
			t.URL, t.Body = "javascript:x", ""
		}
		p.Letters = append(p.Letters, t)
	}
	return p
}

func sampleThreadPart() OneThread {
	p := sampleThreadPage()
	p.Letters, p.From, p.To, p.Total, p.Earlier, p.Later = p.Letters[:2], 51, 52, 200, "/forums/reality/threads/85", "/forums/reality/threads/85?part=3"
	p.Thread.First, p.Thread.Last = time.Time{}, time.Time{}
	return p
}

// forumPages are the pages of forums in every state.
func forumPages() map[string]templ.Component {
	list, all := sampleLetters(), sampleForums()
	threads := sampleThreads()
	m := OneMessage{Frame: viewstest.ForumsFrame("How to count", "/messages/90", "ada"), Now: viewstest.Now, Letter: list[0], Shown: "Sat Nov 21 11:05:00 EST 2026", URL: "https://lists.example.org/pipermail/reality/2026-November/000231.html", Stored: viewstest.Now.Add(-12 * time.Minute), Body: sampleBody,
		Refs: []Reference{{"problem", "codeforces/4A", "https://codeforces.com/problemset/problem/4/A"}, {"member", "bob", "http://laurel.test/u/bob"}, {"post", "x/1", "javascript:x"}}, Selectand: "a", Compared: "ada and bob", Thread: 3, ThreadOf: "/forums/reality/threads/85", Previous: &list[1], Next: &list[2]}
	about := m
	about.Letter.Approximate, about.Refs, about.Selectand, about.Previous, about.Next, about.Body = true, nil, "", nil, nil, ""
	f := viewstest.ForumsFrame
	admin := Admin{Frame: f("Manage forums", "/admin/forums", "ada"), Now: viewstest.Now, Forums: all}
	one := AdminForum{Frame: f("reality for admins", "/admin/forums/reality", "ada"), Now: viewstest.Now, Forum: all[0], Runs: []Run{all[0].Run, all[1].Run}, Periods: 131, Read: 3,
		Twice: TwiceIn{40, []Twice{{7, "", "https://lists.example.org/2/7.html", "https://lists.example.org/2/6.html", 2, viewstest.Now}}}}
	one.Forum.Gap, one.Forum.BurstAgain = 2500*time.Millisecond, viewstest.Now.Add(4*time.Minute)
	running := one
	running.Forum.Running, running.Forum.Run.Ended, running.LastPart, running.Gaps, running.Runs, running.Twice = true, time.Time{}, "2014-July", sampleGaps(), nil, TwiceIn{}
	running.Broken = BrokenPages{23, []BrokenPage{
		{"https://lists.example.org/reality/2014-July/000230.html", "lists.example.org has a server error (500)", 1, viewstest.Now.Add(-time.Hour), viewstest.Now}, {"https://lists.example.org/a/posts.json?before=50", "page not understood: invalid character '<'", 4, viewstest.Now.Add(-50 * time.Hour), viewstest.Now.Add(8 * time.Hour)}}}
	running.Frame.Refresh, running.From = 5, "2011-06"
	refused := one
	refused.Forum, refused.Wrong, refused.Rate = all[2], "this forum is paused: open it first", parts.Form{Values: map[string]string{"gap": "0"}, Errors: map[string]string{"gap": "must be 1 to 3600 seconds"}}
	finished := AdminForum{Frame: one.Frame, Now: viewstest.Now, Forum: all[3]}
	found1 := list[0]
	found1.Marked = []Mark{{"a ", false}, {"Fenwick", true}, {" tree is … ", false}, {"fenwick", true}}
	look := Inspection{Frame: f("Check an address", "/admin/forums/looks/1", "ada"), Now: viewstest.Now, ID: 1, URL: "https://lists.example.org/pipermail/reality", Asked: viewstest.Now.Add(-3 * time.Second)}
	look.Frame.Refresh = 5
	found := look
	found.Answered, found.Kind, found.Base, found.Robots, found.Periods, found.Slug, found.Name = viewstest.Now, "pipermail", look.URL+"/", "robots.txt allows it", 131, "reality", "reality"
	none, known := look, found
	none.Answered, none.Wrong, none.Robots, known.Known = viewstest.Now, "the page is no archive", "robots.txt allows it", "reality"
	found.Form = parts.Form{Errors: map[string]string{"slug": "is taken"}}
	return map[string]templ.Component{
		"forums":             IndexPage(Index{Frame: f("Forums", "/forums", "ada"), Now: viewstest.Now, Forums: all, Messages: list, Older: "/forums?after=x"}),
		"forums-none":        IndexPage(Index{Frame: f("Forums", "/forums", ""), Now: viewstest.Now}),
		"forums-found":       IndexPage(Index{Frame: f("Forums", "/forums", ""), Now: viewstest.Now, Forums: all, Search: "fenwick", Messages: list[:1], Newest: "/forums?q=fenwick"}),
		"forums-about":       IndexPage(Index{Frame: f("Forums", "/forums", ""), Now: viewstest.Now, Forums: all, About: "problem codeforces/4A"}),
		"forum":              ForumPage(OneForum{Frame: f("reality", "/forums/reality", "ada"), Now: viewstest.Now, Forum: all[0], Periods: 131, History: sampleMonths(17, true), Threads: threads, Older: "/forums/reality?after=x"}),
		"forum-gaps":         ForumPage(OneForum{Frame: f("Talk", "/forums/talk", ""), Now: viewstest.Now, Forum: all[1], Periods: 12, History: sampleMonths(1, true), Gaps: sampleGaps()}),
		"forum-found":        ForumPage(OneForum{Frame: f("Talk", "/forums/talk", ""), Now: viewstest.Now, Forum: all[1], Search: "x"}),
		"forum-hits":         ForumPage(OneForum{Frame: f("reality", "/forums/reality", ""), Now: viewstest.Now, Forum: all[0], Search: "fenwick", Found: []Letter{found1, list[1]}}),
		"forum-new":          ForumPage(OneForum{Frame: f("Developers", "/forums/dev", "ada"), Now: viewstest.Now, Forum: all[2]}),
		"forum-whole":        ForumPage(OneForum{Frame: f("reality", "/forums/reality", "bob"), Now: viewstest.Now, Forum: all[0], Periods: 131, History: sampleMonths(8, false), Threads: threads[:1], Newest: "/forums/reality"}),
		"thread":             ThreadPage(sampleThreadPage()),
		"thread-part":        ThreadPage(sampleThreadPart()),
		"forum-admin":        AdminForumPage(one),
		"forum-admin-run":    AdminForumPage(running),
		"forum-admin-wrong":  AdminForumPage(refused),
		"forum-admin-files":  AdminForumPage(AdminForum{Frame: one.Frame, Now: viewstest.Now, Forum: Forum{Slug: "old", Name: "Old mails", Kind: "mbox", URL: "mbox:old", State: "open"}, Uploaded: &Upload{12, 1, 3}}),
		"forum-files-new":    ForumPage(OneForum{Frame: f("Old mails", "/forums/old", "ada"), Now: viewstest.Now, Forum: Forum{Slug: "old", Name: "Old mails", Kind: "mbox", URL: "mbox:old", State: "open"}}),
		"forum-admin-done":   AdminForumPage(finished),
		"message":            MessagePage(m),
		"message-alone":      MessagePage(about),
		"member-messages":    MemberMessagesPage(MemberMessages{Frame: f("Messages of Ada", "/u/ada/messages", "ada"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada", Feed: "/u/ada/messages.atom", Messages: list, Newest: "/u/ada/messages"}),
		"member-no-messages": MemberMessagesPage(MemberMessages{Frame: f("Messages of Ada", "/u/ada/messages", "ada"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada", Feed: "/u/ada/messages.atom", Own: true}),
		"forums-admin":       AdminPage(admin),
		"forums-admin-none":  AdminPage(Admin{Frame: admin.Frame, Now: viewstest.Now, Add: parts.Form{Values: map[string]string{"url": "x"}, Errors: map[string]string{"url": "must be an address"}}}),
		"forum-look":         InspectionPage(look),
		"forum-look-found":   InspectionPage(found),
		"forum-look-none":    InspectionPage(none),
		"forum-look-known":   InspectionPage(known),
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

func TestForumPages(t *testing.T) { viewstest.CheckPages(t, forumPages()) }
