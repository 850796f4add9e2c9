package forums

import (
	"strings"
	"testing"
)

func TestHeedRobotsInHeaders(t *testing.T) {
	for tag, want := range map[string][2]bool{
		"": {false, false}, "noindex": {true, false}, "NoIndex, NoFollow": {true, true}, "none": {true, true}, "nofollow": {false, true},
		"all": {false, false}, "noarchive": {false, false},
		"googlebot: noindex": {false, false}, "Laurel: noindex": {true, false}, "googlebot: noindex, nofollow": {false, false},
		"googlebot: none\nnoindex": {true, false},
		"max-snippet: 20, noindex": {true, false}, "unavailable_after: 25 Jun 2030 15:00:00 GMT": {false, false},
		"googlebot: noindex, laurel: nofollow": {false, true}, ":": {false, false},
	} {
		f := Found{}
		if f.HeedRobots(tag, "Laurel"); f.NoIndex != want[0] || f.NoFollow != want[1] {
			t.Errorf("%q: noindex %t, nofollow %t", tag, f.NoIndex, f.NoFollow)
		}
	}
}

// A message of HyperKitty keeps its name while others come before it.
func TestStepsKeepTheirKeys(t *testing.T) {
	k := kind(t, "hyperkitty").(Detourer)
	const base = "https://h.example/list/a@h.example/"
	s := emailsPage(base, "https://h.example/api/list/a@h.example/", 30, 1, 100)
	later := k.Return(s, 140)
	if later.Key() != s.Key() || !strings.HasSuffix(later.Address, "offset=70") || later.Count != 140 {
		t.Errorf("%s is now %+v", s.Key(), later)
	}
	if same := k.Return(s, 0); same.Address != s.Address {
		t.Errorf("where the list does not count: %+v", same)
	}
	other := emailsPage(base, "https://h.example/api/list/a@h.example/", 31, 1, 100)
	if other.Key() == s.Key() {
		t.Errorf("two messages are named %s", s.Key())
	}
}

// Where messages were deleted since the page before, the list is read again from
// where they stood.
func TestHyperKittyGoesBackWhereTheListShrank(t *testing.T) {
	const base, item = "https://h.example/list/a@h.example/",
		`{"message_id_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","date":"2020-01-01T00:00:00Z"}`
	s := emailsPage(base, "https://h.example/api/list/a@h.example/", 190, 100, 1000)
	f := read(t, "hyperkitty", s, `{"count":970,"next":"x","results":[`+item+`]}`)
	if next := f.Steps[len(f.Steps)-1]; !f.Shifted || f.Complete || !strings.HasSuffix(next.Address, "offset=155") || next.Count != 970 {
		t.Errorf("%+v", f)
	}
	if f := read(t, "hyperkitty", s, `{"count":1010,"next":"x","results":[`+item+`]}`); f.Shifted ||
		!strings.HasSuffix(f.Steps[len(f.Steps)-1].Address, "offset=191") {
		t.Errorf("a list that grew: %+v", f)
	}
}

// Unreadable parts of a page are reported beside the rest of it.
func TestPagesWithBrokenParts(t *testing.T) {
	const inbox = `<?xml version="1.0" encoding="us-ascii"?><feed xmlns="http://www.w3.org/2005/Atom">`
	entry := func(id, at, body string) string {
		return `<entry><author><name>A</name></author><title>x</title><updated>` + at + `</updated><link href="http://x/knots/` + id +
			`/"/><content><div><pre>` + body + `</pre></div></content></entry>`
	}
	for _, tt := range []struct {
		name, kind, address, body string
		messages, listed, broken  int
		next                      string // The end of its address.
		again                     string // Of what is broken.
	}{
		{"markup", "public-inbox", "new.atom", inbox + entry("1@x", "2020-01-03T00:00:00Z", "a") +
			entry("2@x", "2020-01-02T00:00:00Z", "<b </pre>") + entry("3@x", "2020-01-01T00:00:00Z", "c") + "</feed>", 2, 0, 1,
			"?t=20200101000000", "?t=20200103000000"},
		{"control characters", "public-inbox", "new.atom",
			inbox + entry("1@x", "2020-01-03T00:00:00Z", "a\x1b\x00\x0cb") + entry("3@x", "2020-01-01T00:00:00Z", "c") + "</feed>", 2, 0, 0,
			"?t=20200101000000", ""},
		{"no id", "public-inbox", "new.atom", inbox + "<entry><updated>2020-01-03T00:00:00Z</updated></entry>" +
			entry("3@x", "2020-01-01T00:00:00Z", "c") + "</feed>", 1, 0, 1, "?t=20200101000000", "new.atom"},
		{"no date", "public-inbox", "new.atom", inbox + entry("1@x", "once", "a") + entry("2@x", "2020-01-02T00:00:00Z", "b") +
			entry("3@x", "2020-01-01T00:00:00Z", "c") + "</feed>", 3, 0, 0, "?t=20200101000000", ""},
		{"a date of today", "public-inbox", "new.atom?t=20200104000000",
			inbox + entry("1@x", "2026-01-01T00:00:00Z", "a") + entry("2@x", "2020-01-02T00:00:00Z", "b") +
				entry("3@x", "2020-01-01T00:00:00Z", "c") + "</feed>", 3, 0, 0, "?t=20200101000000", ""},
		{"a date of long ago", "public-inbox", "new.atom?t=20200104000000",
			inbox + entry("1@x", "1970-01-01T00:00:00Z", "a") + entry("2@x", "2020-01-02T00:00:00Z", "b") +
				entry("3@x", "2020-01-01T00:00:00Z", "c") + "</feed>", 3, 0, 0, "?t=20200101000000", ""},
		{"the feed breaks off", "public-inbox", "new.atom",
			inbox + entry("1@x", "2020-01-03T00:00:00Z", "a") + entry("2@x", "2020-01-02T00:00:00Z", "b") + `<entry><author>`, 2, 0, 0,
			"?t=20200102000000", ""},
		{"a post that is ill", "discourse", "posts.json",
			`{"latest_posts":[{"id":9,"topic_id":1,"post_number":2,"raw":"a","created_at":"2020-01-01T00:00:00Z"},{"id":8,"topic_id":"?"},{"id":7,"topic_id":1,"post_number":1,"raw":"b"}]}`, 2, 1, 0, "before=6", ""},
		{"a post without number", "discourse", "posts.json",
			`{"latest_posts":[{"id":9,"topic_id":1,"post_number":2,"raw":"a"},"?",{"id":7,"topic_id":1,"post_number":1,"raw":"b"}]}`, 2, 0,
			1, "before=6", "before=8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const base = "https://h.example/knots/"
			f, err := kind(t, tt.kind).Read(Step{Address: base + tt.address, What: Page, Base: base}, answer(tt.body))
			if err != nil || len(f.Messages) != tt.messages || len(f.Listed) != tt.listed || len(f.Broken) != tt.broken ||
				len(f.Steps) != 1 {
				t.Fatalf("%v: %+v", err, f)
			}
			if !strings.HasSuffix(f.Steps[0].Address, tt.next) || tt.broken > 0 && !strings.HasSuffix(f.Broken[0].Step.Address, tt.again) {
				t.Errorf("next %+v, again %+v", f.Steps, f.Broken)
			}
		})
	}
}
