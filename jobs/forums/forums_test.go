package forums

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

// These tests hold for every kind there is and ever will be.

func TestEveryKindDescribesItself(t *testing.T) {
	name := regexp.MustCompile(`^[a-z-]+$`)
	for _, k := range All() {
		i := k.Info()
		if !name.MatchString(i.Name) || i.Title == "" || i.Gap <= 0 {
			t.Errorf("incomplete: %+v", i)
		}
		if same, ok := ByName(i.Name); !ok || same != k {
			t.Errorf("%s is not found by its name", i.Name)
		}
		s, err := k.Start(i.Hint)
		if u, bad := url.Parse(s.Address); err != nil || bad != nil || u.Host == "" || s.What != Root || s.Static ||
			!strings.HasPrefix(s.Address[8:], u.Host) {
			t.Errorf("%s: start at %+v, %v", i.Name, s, err)
		}
		again, err := k.Start(s.Base)
		if err != nil || again.Address != s.Address || again.Base != s.Base {
			t.Errorf("%s: base %q starts at %q, %v", i.Name, s.Base, again.Address, err)
		}
		for _, base := range []string{"", "reality", "ftp://h.example/", "https://", "//h.example/", "https://user:secret@h.example/",
			"javascript:1", "https://h.example/\x00"} {
			if s, err := k.Start(base); err == nil {
				t.Errorf("%s starts at %q for %q", i.Name, s.Address, base)
			}
		}
	}
}

// A login form, an outage, another archive: no kind may take it for an archive in
// which there is nothing.
func TestNoKindTakesAStrangeAnswerForAnArchive(t *testing.T) {
	for _, k := range All() {
		start, err := k.Start(k.Info().Hint)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{Root, Period, Page, Message, Bulk} {
			s := start
			s.What = what
			for _, body := range []string{"", "null", "true", "{}", "[]", "[null]", `{"results":null}`, `{"error":"down"}`,
				"<html><h1>Please log in</h1><form></form></html>", "\x1f\x8b", "\x1f\x8b\x08garbage",
				"<feed>", "<html></html>", "<rss></rss>", "From the editor\n\nhello", "<!--beginarticle--><PRE>no end",
				"<!--beginarticle--><!--endarticle-->"} {
				if f, err := k.Read(s, answer(body)); !errors.Is(err, ErrFormat) {
					t.Errorf("%s: %s %q: %+v, %v, want ErrFormat", k.Info().Name, what, body, f, err)
				}
			}
			for _, status := range []int{0, 204, 301, 400, 401, 403, 429, 500, 503} {
				if _, err := k.Read(s, Answer{Status: status, Body: []byte("x")}); !errors.Is(err, ErrFormat) {
					t.Errorf("%s: %s with status %d: %v", k.Info().Name, what, status, err)
				}
			}
			for _, status := range []int{404, 410} {
				f, err := k.Read(s, Answer{Status: status})
				if end := err == nil && what == Page && f.Complete && len(f.Messages) == 0; !end && !errors.Is(err, ErrGone) {
					t.Errorf("%s: %s with status %d: %v", k.Info().Name, what, status, err)
				}
			}
		}
		start.What = Bulk
		if _, err := k.Read(start, Answer{Status: 200, Body: bomb(t)}); err == nil {
			t.Errorf("%s: a zip bomb was read", k.Info().Name)
		}
	}
}

func TestUnpack(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte("hello"))
	_ = w.Close()
	gz := b.String()
	for _, tt := range []struct {
		name, file string
		limit      int64
		want       string
		err        error
	}{
		{"packed", gz, 5, "hello", nil},
		{"not packed, whatever it is called", "hello", 5, "hello", nil},
		{"packed and too large", gz, 4, "", ErrTooLarge},
		{"not packed and too large", "hello", 4, "", ErrTooLarge},
		{"two files one after the other", gz + gz, 10, "hellohello", nil},
		{"cut off", gz[:len(gz)-4], 100, "", ErrFormat},
		{"changed on the way", gz[:len(gz)-8] + "xxxx" + gz[len(gz)-4:], 100, "", ErrFormat},
		{"nothing", "", 5, "", nil},
	} {
		if got, err := Unpack([]byte(tt.file), tt.limit); string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v, want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
	if _, err := Unpack(bomb(t), MaxUnpacked); !errors.Is(err, ErrTooLarge) {
		t.Errorf("zip bomb: %v", err)
	}
}

func TestDetect(t *testing.T) {
	const article = "pipermail/2004-April/000178.html"
	for _, tt := range []struct{ address, body, kind, base string }{
		{"https://h.example/pipermail/knots", fakesite.Testdata(t, "pipermail/index.html"), "pipermail", "https://h.example/pipermail/"},
		{"https://h.example/pipermail/knots/", fakesite.Testdata(t, "pipermail/index.html"), "pipermail", "https://h.example/pipermail/knots/"},
		{"https://h.example/pipermail/knots/index.html?x=1#y", fakesite.Testdata(t, "pipermail/index.html"), "pipermail",
			"https://h.example/pipermail/knots/"},
		{"https://h.example/pipermail/knots/2004-April/date.html", fakesite.Testdata(t, "pipermail/2004-April/date.html"), "pipermail",
			"https://h.example/pipermail/knots/"},
		{"https://h.example/pipermail/knots/2004-April/", fakesite.Testdata(t, "pipermail/2004-April/date.html"), "pipermail",
			"https://h.example/pipermail/knots/"},
		{"https://h.example/pipermail/knots/2004-April/000178.html", fakesite.Testdata(t, article), "pipermail",
			"https://h.example/pipermail/knots/"},
		{"https://h.example/pipermail/empty/", `<h1>The Example Archives</h1><P>Currently, there are no archives. </P>`, "pipermail",
			"https://h.example/pipermail/empty/"},
		{"https://h.example/mod_mbox/knots/",
			`<table><tr><td>May 2016</td><td><a href="201603.mbox/thread">Thread</a> <a href="201603.mbox/date">Date</a></td></tr></table>`,
			"", ""},
		{"https://h.example/hyperkitty/list/knots@example.org/latest",
			`<link rel="alternate" href="/hyperkitty/list/knots@example.org/feed/"/>`, "hyperkitty",
			"https://h.example/hyperkitty/list/knots@example.org/"},
		{"https://h.example/hyperkitty/list/knots@example.org/latest",
			`<link href="https://evil.example/hyperkitty/list/knots@example.org/feed/"/>`, "", ""},
		{"https://h.example/archives/api/list/knots@example.org/emails/?limit=2", fakesite.Testdata(t, "hyperkitty_emails.json"), "hyperkitty",
			"https://h.example/archives/list/knots@example.org/"},
		{"https://h.example/t/knots/1448",
			`<meta name="generator" content="Discourse 3.3.0 - https://github.com/discourse/discourse version abc">`, "discourse",
			"https://h.example/"},
		{"https://h.example/talk/t/1448",
			`<meta name="generator" content="Discourse 3.3.0"><meta id="data-discourse-setup" data-base-uri="/talk">`, "discourse",
			"https://h.example/talk/"},
		{"https://h.example/talk/site.json", `{"trust_levels":{"basic":1},"post_action_types":[],"categories":[]}`, "discourse",
			"https://h.example/talk/"},
		{"https://h.example/posts.json", fakesite.Testdata(t, "discourse_posts.json"), "discourse", "https://h.example/"},
		{"https://h.example/knots/new.atom", fakesite.Testdata(t, "inbox.atom"), "", ""}, // Made for another host.
		{"http://localhost/knots/new.atom", fakesite.Testdata(t, "inbox.atom"), "public-inbox", "http://localhost/knots/"},
		{"https://h.example/a.mbox", fakesite.Testdata(t, "small.mbox"), "mbox", "https://h.example/a.mbox"},
		{"https://h.example/", "<html><table><tr><td><a href='x'>x</a></table></html>", "", ""},
		{"https://h.example/", "", "", ""},
		{"file:///etc/passwd", fakesite.Testdata(t, "small.mbox"), "", ""},
	} {
		kind, base, ok := Detect(tt.address, answer(tt.body))
		if kind != tt.kind || base != tt.base || ok != (tt.kind != "") {
			t.Errorf("%s: %q %q %t, want %q %q", tt.address, kind, base, ok, tt.kind, tt.base)
		}
		if _, _, ok := Detect(tt.address, Answer{Status: 500, Body: []byte(tt.body)}); ok {
			t.Errorf("%s: detected in an error", tt.address)
		}
	}
}
