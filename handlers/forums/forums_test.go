package forums_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/forums"
)

func TestForumsPage(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/forums").Is(t, http.StatusOK, "No lists yet", "An admin can add mailing lists")
	ann.Get("/forums").Is(t, http.StatusOK, "Paste the address")
	letters(t, s, 40)
	s.Browser(t).Get("/forums").Is(t, http.StatusOK, "40 messages from 1 list", "Letter 39", "0 replies", "/forums/news", "still loading", "updating now", "Older", "/u/ann")
	page := bob.Get("/forums?q="+"39").Is(t, http.StatusOK, "Messages with “39”", "Letter 39")
	if strings.Contains(page.Text, "Letter 38") {
		t.Error("what does not hold the word is found, too")
	}
	bob.Get("/forums?q=nothing").Is(t, http.StatusOK, "No results.")
	bob.Get("/forums?q=%22%3Cscript%3E").Is(t, http.StatusOK, "&#34;&lt;script&gt;")
	bob.Get("/forums?about=member:ann").Is(t, http.StatusOK, "Messages about member ann", "Letter 39")
	bob.Get("/forums?after=x").Is(t, http.StatusUnprocessableEntity)
	bob.Get("/forums?q=%00%ff").Is(t, http.StatusOK)

	page = bob.Get("/forums/news").Is(t, http.StatusOK, "Discussions", "Letter 39", "not read yet", "/forums/news/feed.atom", `href="https://lists.example.org/pipermail/news/" rel="nofollow noopener"`)
	_, rest, _ := strings.Cut(page.Text, `class="pager"`)
	_, rest, _ = strings.Cut(rest, `href="`)
	older, _, _ := strings.Cut(rest, `"`)
	bob.Get(strings.ReplaceAll(older, "&amp;", "&")).Is(t, http.StatusOK, "Letter 9", "Newer")
	bob.Get("/forums/news?q=39").Is(t, http.StatusOK, "Letter 39", "All discussions")
	bob.Get("/forums/none").Is(t, http.StatusNotFound)
	bob.Get("/forums/none/feed.atom").Is(t, http.StatusNotFound)
	bob.Get("/u/ann/messages").Is(t, http.StatusOK, "Messages of ann", "Letter 39", "Older")
	bob.Get("/u/bob/messages").Is(t, http.StatusOK, "No messages yet")
	bob.Get("/u/nobody/messages").Is(t, http.StatusNotFound)
}

func TestForumGaps(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	s.StoreMessages(t)
	bob.Get("/forums/news").Is(t, http.StatusOK, "No messages yet", "updated just now")
	f, err := forums.BySlug(t.Context(), s.DB.DB, "news")
	if err != nil {
		t.Fatal(err)
	}
	due, err := forums.DuePeriods(t.Context(), s.DB.DB, &f, []forums.ListedPeriod{{Name: "2026-November"}, {Name: "2026-October"}}, s.Time)
	if err != nil || len(due) != 2 {
		t.Fatal(due, err)
	}
	bob.Get("/forums/news").Is(t, http.StatusOK, "every listed message is stored")
	due[1].Listed, due[1].Stored = 12, 9
	if err := forums.StorePeriod(t.Context(), s.DB.DB, &due[1], s.Time); err != nil {
		t.Fatal(err)
	}
	bob.Get("/forums/news").Is(t, http.StatusOK, "Gaps", "2026-October", `class="num">3<`)
}

func TestMessagePage(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	first := s.Message(-9*time.Hour, "1", "", "A plan", "What about it?\n\nSee http://laurel.test/u/ann and https://example.org/a_(b).")
	first.Links, first.Approximate = []string{"http://laurel.test/u/ann"}, true
	first.Refs = []forums.MessageRef{{Kind: "problem", Key: "codeforces/4A", URL: "https://codeforces.com/problemset/problem/4/A"}}
	undated := s.Message(0, "5", "", "Undated", "")
	undated.SentAt, undated.SentShown = nil, "some day"
	serials := s.StoreMessages(t, first,
		s.Message(-8*time.Hour, "2", "1@example.org", "Re: A plan", "> What about it?\n> See\nIt is good.\n"),
		s.Message(-7*time.Hour, "3", "", "Another", "x"),
		s.Message(-6*time.Hour, "4", "", "RE: [news] re: another", "y"), undated)
	page := func(id string) string {
		return fmt.Sprintf("/messages/%d", serials["https://lists.example.org/pipermail/news/"+id+".html"])
	}
	bob.Get(page("1")).Is(t, http.StatusOK, "A plan", "Approximate", "The archive says", `href="/u/ann"`, `href="/problems/codeforces/4A"`, "Next: ",
		`<a href="https://example.org/a_(b)" rel="nofollow noopener">https://example.org/a_(b)</a>.`, `href="https://lists.example.org/pipermail/news/1.html" rel="nofollow noopener"`, "2 messages", "Whole discussion")
	bob.Get(page("2")).Is(t, http.StatusOK, "<summary>2 quoted lines</summary>", "<blockquote>", "It is good.", "Previous", page("1"))
	bob.Get(page("3")).Is(t, http.StatusOK, page("4"), "Next: ")
	bob.Get(page("4")).Is(t, http.StatusOK, page("3"), "Previous")
	bob.Get(page("5")).Is(t, http.StatusOK, "at an unknown time", "some day", "has no text", "only message of its discussion")
	bob.Get("/forums/news").Is(t, http.StatusOK, "1 reply<br>1 person")
	for _, path := range []string{"/messages/0", "/messages/x", "/messages/99999999", "/messages/99999999999999999999"} {
		bob.Get(path).Is(t, http.StatusNotFound)
	}
}

// Whatever a message holds, a page shows it as text.
func TestMessagesAreNotTrusted(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	const bad = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	m := s.Message(-time.Hour, "bad", "", bad, "Hello "+bad+"\n> "+bad+"\njavascript:alert(1) https://evil.example/\"onmouseover=alert(1) https://a:b@evil.example/ http:///x\n<a href=\"javascript:alert(1)\">x</a>\n]]>&amp;\x01")
	m.Author, m.SentShown = bad, bad
	m.URL = "javascript:alert(1)//" + bad
	m.Refs = []forums.MessageRef{{Kind: "post", Key: bad, URL: "javascript:alert(1)"}, {Kind: "member", Key: bad, URL: "data:text/html,x"}}
	again := m
	again.URL += "again"
	serials := s.StoreMessages(t, m)
	s.StoreMessages(t, again)
	for path, b := range map[string]*handlerstest.Browser{fmt.Sprintf("/messages/%d", serials[m.URL]): bob, "/forums": bob, "/forums/news": bob, "/forums?q=hello": bob, "/forums/news?q=hello": bob, "/admin/forums/news": ann, fmt.Sprintf("/forums/news/threads/%d", serials[m.URL]): bob} {
		page := b.Get(path).Is(t, http.StatusOK, "alert(1)")
		if strings.HasSuffix(path, "q=hello") && !strings.Contains(page.Text, "<mark>Hello</mark>") {
			t.Errorf("%s does not mark the word", path)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(page.Text))
		if err != nil {
			t.Fatal(err)
		}
		if n := doc.Find("script:not([src]), main img, [onerror], [onmouseover], [href^='javascript:'], [href^='data:text'], [href^='about:'], [href*='@evil']").Length(); n > 0 {
			t.Errorf("%s has %d of what a message must not put in:\n%s", path, n, page.Text)
		}
		doc.Find("main a[href^='http']").Each(func(_ int, a *goquery.Selection) {
			if rel := a.AttrOr("rel", ""); rel != "nofollow noopener" {
				t.Errorf("%s: the link %s has rel %q", path, a.AttrOr("href", ""), rel)
			}
		})
	}
	feed := bob.Get("/forums/news/feed.atom").Is(t, http.StatusOK, "&lt;script&gt;")
	var got web.AtomFeed
	if err := xml.Unmarshal([]byte(feed.Text), &got); err != nil || len(got.Entries) != 1 || got.Entries[0].Title != bad || got.Entries[0].Author != bad {
		t.Errorf("the feed is %+v, %v:\n%s", got, err, feed.Text)
	}
	if kind := feed.Header.Get("Content-Type"); kind != "application/atom+xml; charset=utf-8" {
		t.Errorf("the feed is sent as %q", kind)
	}
	ann.Get("/admin/forums/news").Is(t, http.StatusOK, "Duplicates", "stored once", again.URL[:20])
}

func TestForumFeed(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	letters(t, s, 60)
	for path, want := range map[string]struct{ id, page string }{
		"/forums/news/feed.atom":            {"tag:laurel.test,2026:forums/news/feed.atom", "http://laurel.test/forums/news"},
		"/u/ann/messages.atom":              {"tag:laurel.test,2026:u/ann/messages.atom", "http://laurel.test/u/ann/messages"},
		"/messages.atom?about=member%3Aann": {"tag:laurel.test,2026:messages.atom?about=member%3Aann", "http://laurel.test/forums?about=member%3Aann"},
	} {
		page := bob.Get(path).Is(t, http.StatusOK)
		var got web.AtomFeed
		if err := xml.Unmarshal([]byte(page.Text), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Entries) == 0 || len(got.Entries) > 50 || got.ID != want.id || got.Title == "" || len(got.Links) != 2 || got.Links[0].Href != "http://laurel.test"+path || got.Links[1].Href != want.page {
			t.Errorf("%s is %+v", path, got)
		}
		newest := ""
		for _, e := range got.Entries {
			for _, at := range []string{got.Updated, e.Updated, e.Published} {
				if _, err := time.Parse(time.RFC3339, at); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			newest = max(newest, e.Updated)
			if !strings.HasPrefix(e.ID, "tag:laurel.test,2026:messages/") || e.Author == "" || e.Title == "" || !strings.HasPrefix(e.Links[0].Href, "http://laurel.test/messages/") || e.Links[0].Rel != "alternate" {
				t.Errorf("%s: the entry is %+v", path, e)
			}
		}
		if got.Updated != newest {
			t.Errorf("%s was updated at %s, its newest entry at %s", path, got.Updated, newest)
		}
		for header, status := range map[[2]string]int{
			{"If-None-Match", page.Header.Get("ETag")}:              http.StatusNotModified,
			{"If-None-Match", `"x", W/` + page.Header.Get("ETag")}:  http.StatusNotModified,
			{"If-None-Match", `"x"`}:                                http.StatusOK,
			{"If-Modified-Since", page.Header.Get("Last-Modified")}: http.StatusNotModified,
			{"If-Modified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"}:  http.StatusOK,
			{"If-Modified-Since", "soon"}:                           http.StatusOK,
		} {
			if got := bob.Get(path, header[0], header[1]); got.StatusCode != status {
				t.Errorf("%s with %v: status %d, want %d", path, header, got.StatusCode, status)
			}
		}
	}
	bob.Get("/messages.atom").Is(t, http.StatusUnprocessableEntity, "problem:codeforces/4A")
	bob.Get("/messages.atom?about=problem:none/1").Is(t, http.StatusOK, "<feed")
	bob.Get("/u/nobody/messages.atom").Is(t, http.StatusNotFound)
}
