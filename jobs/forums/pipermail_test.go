package forums

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/fakesite"
)

const knots = "https://h.example/pipermail/knots/"

func TestPipermailRoot(t *testing.T) {
	s, err := pipermail{}.Start(strings.TrimSuffix(knots, "/"))
	if err != nil || cmp.Diff(s, Step{Address: knots, What: Root, Base: knots}) != "" {
		t.Fatalf("start %+v, %v", s, err)
	}
	f := read(t, "pipermail", s, fakesite.Testdata(t, "pipermail/index.html"))
	index := func(period, bulk string) Step {
		if bulk != "" {
			bulk = knots + bulk
		}
		return Step{Address: knots + period + "/date.html", What: Period, Base: knots, Period: period, Bulk: bulk}
	}
	want := []Span{ // Newest first, whatever the order of the page; what is of another host is not ours.
		{Name: "2004-April", Start: fakesite.UTC("2004-04-01T00:00:00Z"), Size: "Gzip'd Text 826 bytes", Bytes: 826,
			Index: index("2004-April", "2004-April.txt.gz")},
		{Name: "1999-August", Start: fakesite.UTC("1999-08-01T00:00:00Z"), Size: "Gzip'd Text 2 KB", Bytes: 2048,
			Index: index("1999-August", "1999-August.txt")},
		{Name: "1945-February", Start: fakesite.UTC("1945-02-01T00:00:00Z"), Index: index("1945-February", "")},
	}
	if d := cmp.Diff(want, f.Spans); d != "" {
		t.Error(d)
	}
	if len(f.Steps) != 3 || cmp.Diff(f.Steps[0], want[0].Index) != "" || !f.NoIndex || f.NoFollow {
		t.Errorf("steps %+v, noindex %t, nofollow %t", f.Steps, f.NoIndex, f.NoFollow)
	}
}

func TestPeriodsAreUnderstood(t *testing.T) {
	for name, want := range map[string]string{"2014-July": "2014-07-01", "2012": "2012-01-01", "2012q3": "2012-07-01",
		"Week-of-Mon-20120326": "2012-03-26", "20120326": "2012-03-26", "2038-January": "2038-01-01",
		"2014-Juli": "", "2012q5": "", "20121326": "", "attachments": "", "": ""} {
		start, ok := periodStart(name)
		if got := start.Format(time.DateOnly); ok != (want != "") || ok && got != want {
			t.Errorf("%s begins %s, %t, want %s", name, got, ok, want)
		}
		row := `<table><tr><td><a href="` + name + `/date.html">[ Date ]</a></td></tr></table>`
		if f, err := (pipermail{}).Read(Step{Address: knots, What: Root, Base: knots}, answer(row)); want != "" &&
			(err != nil || len(f.Spans) != 1) {
			t.Errorf("%s: %+v, %v", name, f.Spans, err)
		}
	}
}

var april = Step{Address: knots + "2004-April/date.html", What: Period, Base: knots, Period: "2004-April", Bulk: knots + "2004-April.txt"}

func TestPipermailPeriod(t *testing.T) {
	f := read(t, "pipermail", april, fakesite.Testdata(t, "pipermail/2004-April/date.html"))
	want := []Listed{
		{Number: 179, Subject: "[Knots] Halyards & sheets", Author: `Ada "the Knot"`},
		{Number: 178, Subject: "[Knots] Halyards & sheets", Author: "Grün, Otto"},
		{Number: 180, Subject: "[Knots] Re: Halyards", Author: "Cy"},
		{Number: 181}, // Its words are not understood; that it is there is.
	}
	for i, file := range []string{"000179", "000178", "000180", "000181"} {
		want[i].URL = knots + "2004-April/" + file + ".html"
		want[i].Address = want[i].URL
	}
	if d := cmp.Diff(want, f.Listed); d != "" {
		t.Error(d)
	}
	if len(f.Steps) != 4 || f.Steps[0].Address != want[3].URL || !f.Steps[0].Static || f.Bulk == nil || f.Bulk.Address != april.Bulk ||
		!f.Complete {
		t.Errorf("steps %+v, bulk %+v, complete %t", f.Steps, f.Bulk, f.Complete)
	}
	page, _, _ := strings.Cut(fakesite.Testdata(t, "pipermail/2004-April/date.html"), `<a name="end">`)
	page = strings.Replace(page, "</b> 4<p>", "</b> 5<p>", 1)
	if _, err := (pipermail{}).Read(april, answer(page)); !errors.Is(err, ErrFormat) {
		t.Errorf("an index that was cut off: %v", err)
	}
	if f, err := (pipermail{}).Read(april, answer(page+`<a name="end">`)); err != nil || f.Complete {
		t.Errorf("an index that counts one more: complete %t, %v", f.Complete, err)
	}
}

// TestPipermailArticle has the three dialects: with a bare address and no id, with
// the parent's id and with the message's own.
func TestPipermailArticle(t *testing.T) {
	s := Step{Address: knots + "1999-August/000007.html", What: Message, Base: knots, Period: "1999-August", Static: true}
	f := read(t, "pipermail", s, fakesite.Testdata(t, "pipermail/1999-August/000007.html"))
	want := Mail{
		URL: s.Address, Number: 7, Period: "1999-August", Author: "Ada Ropewalk", Address: "ada@example.org",
		Subject: "[Knots] The bowline -- what to do",
		SentAt:  fakesite.UTC("1999-08-15T06:37:17Z"), SentShown: "Sun, 15 Aug 1999 02:37:17 -0400 (EDT)",
		Body: "See http://example.org/bowline.\n  a < b", Links: []string{"http://example.org/bowline"},
	}
	if d := cmp.Diff([]Mail{want}, f.Messages); d != "" {
		t.Error(d)
	}

	s = Step{Address: knots + "2004-April/000178.html", What: Message, Base: knots, Period: "2004-April", Static: true}
	page := fakesite.Testdata(t, "pipermail/2004-April/000178.html")
	f = read(t, "pipermail", s, page)
	kept := "http://example.org/pipermail/knots/attachments/20040402/16c3e06f/"
	want = Mail{
		URL: s.Address, Number: 178, Period: "2004-April", Author: "Grün, Otto", Address: "otto at example.org", Obfuscated: true,
		Subject:   "[Knots] Halyards & sheets",
		InReplyTo: "200404021239.i32CdA-x+y@mail.example.org", SentAt: fakesite.UTC("2004-04-02T09:39:10Z"),
		SentShown: "Fri Apr  2 02:39:10 MST 2004", Approximate: true,
		Body: "Ada wrote:\n\n> It’s \"slack\".\n>> no\n\nCafé yes (http://example.org/a_(b)).\n-------------- next part " +
			"--------------\nAn HTML attachment was scrubbed...\nURL: <" + kept +
			"attachment.html>\n-------------- next part --------------\nA non-text attachment was scrubbed...\nUrl : " + kept + "knot.bin",
		Links:       []string{"http://example.org/a_(b)", kept + "attachment.html", kept + "knot.bin"},
		Attachments: []string{kept + "attachment.html", kept + "knot.bin"},
	}
	if d := cmp.Diff([]Mail{want}, f.Messages); d != "" {
		t.Error(d)
	}
	if f.NoIndex || !f.NoFollow {
		t.Errorf("noindex %t, nofollow %t", f.NoIndex, f.NoFollow)
	}

	page = strings.ReplaceAll(page, "In-Reply-To=200404021239.i32CdA-x+y%40mail.example.org", "In-Reply-To=%3Cotto+1%40example.org%3E")
	if m := read(t, "pipermail", s, page).Messages[0]; m.MessageID != "otto+1@example.org" || m.InReplyTo != "" {
		t.Errorf("id %q, in reply to %q", m.MessageID, m.InReplyTo)
	}
	if m := read(t, "pipermail", s, strings.Replace(page, "</PRE>\n\n<!--end", "</PRE>\n<p>And <b>this</b></p>\n<!--end",
		1)).Messages[0]; !m.HTML || !strings.HasSuffix(m.Body, "knot.bin\n\nAnd this") {
		t.Errorf("%q", m.Body)
	}
	koi8 := Answer{Status: 200, Body: []byte(strings.ReplaceAll(strings.Replace(page, "us-ascii", "x", 1), "charset=", "")),
		Header: func(string) string { return "text/html; charset=koi8-r" }}
	if f, err := (pipermail{}).Read(s, koi8); err != nil || !strings.Contains(f.Messages[0].Body, "CafИ") {
		t.Errorf("as the server says: %q, %v", f.Messages[0].Body, err)
	}
	for _, mark := range []string{"<!--beginarticle-->", "<!--endarticle-->", "<H1>"} {
		if _, err := (pipermail{}).Read(s, answer(strings.Replace(page, mark, "", 1))); !errors.Is(err, ErrFormat) {
			t.Errorf("without %s: %v", mark, err)
		}
	}
}

// The file of a month has a line that begins with From, once with a whole message
// behind it, and no blank line before another.
func TestPipermailBulk(t *testing.T) {
	f := read(t, "pipermail", april, fakesite.Testdata(t, "pipermail/2004-April/date.html"))
	got := read(t, "pipermail", *f.Bulk, fakesite.Testdata(t, "pipermail/2004-April.txt")) // What is 181? And where does Ada end?
	if len(got.Messages) != 2 || len(got.Steps) != 2 || got.Steps[0].Address != knots+"2004-April/000181.html" ||
		got.Steps[1].Address != knots+"2004-April/000179.html" || got.Complete {
		t.Errorf("%d messages, steps %+v", len(got.Messages), got.Steps)
	}
	f.Bulk.Listed[3].Subject, f.Bulk.Listed[3].Author = "[Knots] Ends", "Dee"
	got = read(t, "pipermail", *f.Bulk, fakesite.Testdata(t, "pipermail/2004-April.txt"))
	if len(got.Messages) != 3 || len(got.Steps) != 1 || got.Steps[0].Address != knots+"2004-April/000181.html" || got.Complete {
		t.Fatalf("%d messages, steps %+v", len(got.Messages), got.Steps)
	}
	otto, ada := got.Messages[2], got.Messages[1]
	if otto.URL != knots+"2004-April/000178.html" || otto.MessageID != "otto1@example.org" || otto.Author != "Grün, Otto" ||
		otto.Approximate || !otto.SentAt.Equal(fakesite.UTC("2004-04-02T10:39:10Z")) || len(otto.Attachments) != 1 {
		t.Errorf("%+v", otto)
	}
	if ada.InReplyTo != "otto1@example.org" || len(ada.References) != 2 ||
		!strings.Contains(ada.Body, "It is old.\n\nFrom what I know, it is.") {
		t.Errorf("%+v", ada)
	}
	// Without the false message there are three for four: packed before the fourth came.
	whole := fakesite.Testdata(t, "pipermail/2004-April.txt")
	before, _, _ := strings.Cut(whole, "From bo at")
	_, after, _ := strings.Cut(whole, "From cy at")
	if got := read(t, "pipermail", *f.Bulk, before+"From cy at"+after); len(got.Messages) != 3 || len(got.Steps) != 1 {
		t.Errorf("%d messages, steps %+v", len(got.Messages), got.Steps)
	}
	// An archive without an index of the period.
	if got := read(t, "pipermail", Step{Address: april.Bulk, What: Bulk, Base: knots, Period: "2004-April"},
		before); len(got.Messages) != 2 || got.Messages[1].URL != april.Bulk+"#otto1@example.org" || !got.Complete {
		t.Errorf("%+v", got)
	}
	// Two alike of which one is missing: nobody can tell which.
	alike := strings.ReplaceAll(fakesite.Testdata(t, "pipermail/2004-April/date.html"), `Ada &quot;the Knot&quot;`, "Gr&#252;n, Otto")
	f = read(t, "pipermail", april, alike)
	otto1, _, _ := strings.Cut(before, "From ada at")
	if got := read(t, "pipermail", *f.Bulk, otto1+"From cy at"+after); len(got.Messages) != 1 || len(got.Steps) != 3 {
		t.Errorf("%d messages, steps %+v", len(got.Messages), got.Steps)
	}
}
