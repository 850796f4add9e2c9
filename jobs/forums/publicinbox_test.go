package forums

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/fakesite"
)

func TestPublicInboxFeed(t *testing.T) {
	const base = "https://h.example/knots/"
	s := mustStart(t, kind(t, "public-inbox"), strings.TrimSuffix(base, "/"))
	f := read(t, "public-inbox", s, fakesite.Testdata(t, "inbox.atom"))
	want := []Mail{{
		URL: base + "a%2Fb+1@example.org/", MessageID: "a/b+1@example.org", InReplyTo: "c%d@example.org", Author: "Ada, Ropewalk",
		Address: "ada@example.org", Subject: "[Knots] a < b",
		SentAt: fakesite.UTC("2026-10-14T18:48:44Z"), SentShown: "2026-10-14T18:48:44Z", Approximate: true,
		Body: "> it's\n\nSee https://judge.example/p/12?a=1&b=2", Links: []string{"https://judge.example/p/12?a=1&b=2"},
	}, {
		URL: base + "c%25d@example.org/", MessageID: "c%d@example.org", Author: "bo@example.org", Address: "bo@example.org",
		Subject: "(no subject)", SentAt: fakesite.UTC("2026-10-13T01:02:03Z"), SentShown: "2026-10-13T01:02:03Z", Approximate: true, Body: "one",
	}}
	if d := cmp.Diff(want, f.Messages); d != "" {
		t.Error(d)
	}
	if len(f.Steps) != 1 || f.Steps[0].Address != base+"new.atom?t=20261013010203" || f.Steps[0].What != Page || f.Steps[0].Static {
		t.Errorf("%+v", f.Steps)
	}
	if _, err := kind(t, "public-inbox").Read(f.Steps[0], answer(fakesite.Testdata(t, "inbox.atom"))); !errors.Is(err, ErrFormat) {
		t.Errorf("a server that does not know ?t=: %v", err)
	}
	if _, err := kind(t, "public-inbox").Read(Step{What: Message, Base: base},
		Answer{Status: 300, Body: []byte("not found")}); !errors.Is(err, ErrGone) {
		t.Errorf("status 300: %v", err)
	}
}

// TestPublicInboxGoesBack walks over an inbox in which 40 messages came in one second.
func TestPublicInboxGoesBack(t *testing.T) {
	at := func(i int) time.Time {
		if i >= 100 && i < 124 {
			i = 100
		}
		return fakesite.UTC("2026-01-01T00:00:00Z").Add(-time.Duration(i) * time.Minute)
	}
	got, requests := map[string]bool{}, 0
	for todo := []Step{mustStart(t, kind(t, "public-inbox"), "https://h.example/knots/")}; len(todo) > 0; requests++ {
		s := todo[0]
		u, _ := url.Parse(s.Address)
		cursor, err := time.Parse(stamp, u.Query().Get("t"))
		var b strings.Builder
		for i, n := 0, 0; i < 336 && n < 25; i++ {
			if err == nil && at(i).After(cursor) {
				continue
			}
			n++
			fmt.Fprintf(&b,
				`<entry><author><name>A</name></author><title>x</title><updated>%s</updated><link href="http://x/knots/%d@x/"/><content><div><pre>x</pre></div></content></entry>`, at(i).Format(time.RFC3339), i)
		}
		f := read(t, "public-inbox", s, `<?xml version="1.0" encoding="us-ascii"?><feed xmlns="http://www.w3.org/2005/Atom">`+b.String()+
			`</feed>`)
		for _, m := range f.Messages {
			got[m.MessageID] = true
		}
		todo = f.Steps
		if len(todo) == 0 && !f.Complete {
			t.Errorf("ends at %s and is not complete", s.Address)
		}
	}
	if len(got) != 336 || requests > 20 {
		t.Errorf("%d messages in %d requests, want 336", len(got), requests)
	}
}

func TestRecordedPublicInbox(t *testing.T) {
	const base = "https://lists.example.org/imagej-devel/"
	k := kind(t, "public-inbox")
	s := mustStart(t, k, base)
	f := read(t, "public-inbox", s, recorded(t, "public-inbox/new.atom"))
	first := f.Messages[0]
	if len(f.Messages) != 25 || first.MessageID != "CADN69ym_j3iyzOR+3MDu6Av0iwPqaNevz6fJ6cFteb8yHJOHCA@mail.gmail.com" ||
		!first.SentAt.Equal(fakesite.UTC("2015-10-14T18:48:44Z")) || first.Author != "Curtis Rueden" || first.Address != "ctrueden@wisc.edu" ||
		len(first.Attachments) != 1 || first.URL != base+first.MessageID+"/" {
		t.Errorf("%d messages, first %+v", len(f.Messages), first)
	}
	if f.Steps[0].Address != base+"new.atom?t=20150904192946" { // As it was recorded.
		t.Fatalf("next is %s", f.Steps[0].Address)
	}
	next := read(t, "public-inbox", f.Steps[0], recorded(t, "public-inbox/new-t.atom"))
	if len(next.Messages) != 25 || next.Messages[0].URL != f.Messages[24].URL {
		t.Errorf("%d messages, the first is not where we were: %+v", len(next.Messages), next.Messages[0])
	}
	byID := map[string]Mail{}
	for _, m := range f.Messages {
		byID[m.MessageID] = m
	}
	thread := read(t, "public-inbox", Step{Address: base + "x/t.mbox.gz", What: Bulk, Base: base},
		recorded(t, "public-inbox/thread.mbox.gz"))
	raw := read(t, "public-inbox", Step{Address: base + "x/raw", What: Message, Base: base}, recorded(t, "public-inbox/msg.raw.mbox"))
	if len(thread.Messages) != 4 || len(raw.Messages) != 1 {
		t.Errorf("%d messages in a thread, %d in one", len(thread.Messages), len(raw.Messages))
	}
	for _, m := range append(thread.Messages, raw.Messages...) {
		feed := byID[m.MessageID]
		if m.URL != feed.URL || m.Subject != feed.Subject || m.Author != feed.Author || m.Address != feed.Address ||
			m.InReplyTo != feed.InReplyTo || !m.SentAt.Equal(feed.SentAt) || letters(m.Body) != letters(feed.Body) {
			t.Errorf("in the file %+v\nin the feed %+v", m, feed)
		}
	}
	for _, page := range []string{"", "CA+zNSK-w5PFaUrLrE8KV18s+bj2FEpr_-=1WAfh2=tDmTfmYVQ@mail.gmail.com/", "new.atom"} {
		name := map[string]string{"": "index-0.html", "new.atom": "new.atom"}[page]
		if name == "" {
			name = "msg.html"
		}
		if kind, at, ok := Detect(base+page, answer(recorded(t, "public-inbox/"+name))); !ok || kind != "public-inbox" || at != base {
			t.Errorf("%s: %s at %s, %t", page, kind, at, ok)
		}
	}
	if _, err := k.Read(Step{What: Message, Base: base},
		Answer{Status: 300, Body: []byte(recorded(t, "public-inbox/missing.html"))}); !errors.Is(err, ErrGone) {
		t.Errorf("missing: %v", err)
	}
}
