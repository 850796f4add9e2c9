package forums

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/fakesite"
)

const (
	knotsList = "https://h.example/hyperkitty/list/knots@example.org/"
	knotsAPI  = "https://h.example/hyperkitty/api/list/knots@example.org/"
)

func TestHyperKittyList(t *testing.T) {
	s, err := hyperkitty{}.Start(strings.TrimSuffix(knotsList, "/"))
	if err != nil || s.Address != knotsAPI+"emails/?limit=100&offset=0" || s.Base != knotsList {
		t.Fatalf("start %+v, %v", s, err)
	}
	f := read(t, "hyperkitty", s, fakesite.Testdata(t, "hyperkitty_emails.json"))
	listed := func(hash, id, subject, author, sent string) Listed {
		return Listed{URL: knotsList + "message/" + hash + "/", Address: knotsAPI + "email/" + hash + "/", MessageID: id, Subject: subject,
			Author: author, SentAt: fakesite.UTC(sent)}
	}
	want := []Listed{
		listed("6SANDOTILIY7O7L4YAGVTPU3NZ7OJDR2", "b@example.org", "[Knots] Re: Bowline", "Bo", "2026-10-14T18:48:44Z"),
		listed("3ASO3EZUQXHYLSDGVEYUELSSTTWAYNQV", "a@example.org", "[Knots] Bowline", "Ada", "2026-10-12T18:48:44Z"),
	}
	if d := cmp.Diff(want, f.Listed); d != "" {
		t.Error(d)
	}
	if f.Complete || len(f.Steps) != 3 || f.Steps[0].Address != want[0].Address || !f.Steps[0].Static || f.Steps[2].What != Page ||
		f.Steps[2].Static || f.Steps[2].Address != knotsAPI+"emails/?limit=100&offset=1" {
		t.Errorf("complete %t, steps %+v", f.Complete, f.Steps)
	}
	if f.Bulk == nil || f.Bulk.Address != knotsList+"export/messages.mbox.gz?start=2026-10-12&end=2026-10-15" || len(f.Bulk.Listed) != 2 {
		t.Errorf("bulk %+v", f.Bulk)
	}
}

// server answers as the recorded one would, from its 80 messages.
func server(t *testing.T) (get func(Step) Answer, arrive func(n int)) {
	t.Helper()
	var all struct{ Results []json.RawMessage }
	if err := json.Unmarshal([]byte(recorded(t, "hyperkitty-api/emails-limit100.json")), &all); err != nil {
		t.Fatal(err)
	}
	hidden := 0
	return func(s Step) Answer {
		u, err := url.Parse(s.Address)
		if err != nil {
			t.Fatal(err)
		}
		if s.What == Message {
			return answer(recorded(t, "hyperkitty-api/email-"+lastPart(u.Path)+".json"))
		}
		offset, _ := strconv.Atoi(u.Query().Get("offset"))
		limit := min(20, len(all.Results)-hidden-offset) // A server may give less than it was asked for.
		next := "null"
		if offset+limit < len(all.Results)-hidden {
			next = `"http://localhost/next"`
		}
		rows, _ := json.Marshal(all.Results[hidden+offset : hidden+offset+max(limit, 0)])
		return answer(fmt.Sprintf(`{"count":%d,"next":%s,"previous":null,"results":%s}`, len(all.Results)-hidden, next, rows))
	}, func(n int) { hidden = n }
}

func TestRecordedHyperKitty(t *testing.T) {
	var want []struct {
		ID      string `json:"message_id"`
		Hash    string `json:"message_id_hash"`
		Subject string
		Date    string
		Name    string `json:"sender_name"`
	}
	if err := json.Unmarshal([]byte(recorded(t, "hyperkitty-api/expected.json")), &want); err != nil {
		t.Fatal(err)
	}
	get, show := server(t)
	k := kind(t, "hyperkitty")
	s := mustStart(t, k, "https://lists.example.org/hyperkitty/list/imagej-devel@imagej.net/")
	got, pages := map[string]Mail{}, 0
	harvest := func() {
		for todo := []Step{s}; len(todo) > 0; {
			next := todo[0]
			todo = todo[1:]
			if _, known := got[lastPart(next.Address)]; known {
				continue
			}
			f, err := k.Read(next, get(next))
			if err != nil {
				t.Fatal(err)
			}
			wantSound(t, next, f)
			for _, m := range f.Messages {
				got[lastPart(m.URL)] = m
			}
			if next.What != Message {
				if pages++; pages == 2 {
					show(0)
				}
			}
			todo = append(slices.Clone(f.Steps), todo...)
		}
	}
	show(3) // They arrive while we read, and are found the next time.
	harvest()
	if len(got) != 77 || pages < 5 {
		t.Errorf("%d messages in %d pages, want the 77 that were there", len(got), pages)
	}
	harvest()
	if len(got) != 80 {
		t.Errorf("%d messages, want 80", len(got))
	}
	for _, w := range want {
		m := got[w.Hash]
		if m.MessageID != w.ID || m.Subject != line(w.Subject) || m.Author != w.Name || !m.SentAt.Equal(fakesite.UTC(w.Date)) || m.Approximate ||
			hashOf(m.MessageID) != w.Hash {
			t.Errorf("got %q %q %q at %s, want %+v", m.MessageID, m.Subject, m.Author, m.SentAt, w)
		}
		if m.Parent != "" && got[lastPart(m.Parent)].URL != m.Parent {
			t.Errorf("%s answers %s, which is not there", m.URL, m.Parent)
		}
	}
	if m := got["AVQACIAMKVOG3CGFDDIM4VTAV4COP46F"]; m.Address != "ctrueden (a) wisc.edu" || !m.Obfuscated || len(m.Links) != 2 ||
		!strings.HasPrefix(m.Thread, "https://lists.example.org/hyperkitty/list/") {
		t.Errorf("%+v", m)
	}
}

func mustStart(t *testing.T, k Kind, base string) Step {
	t.Helper()
	s, err := k.Start(base)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The export of a month has the same messages, by the same addresses.
func TestRecordedHyperKittyExport(t *testing.T) {
	const base = "https://lists.example.org/hyperkitty/list/imagej-devel@imagej.net/"
	k := kind(t, "hyperkitty")
	list := read(t, "hyperkitty", mustStart(t, k, base), recorded(t, "hyperkitty-api/emails-limit100.json"))
	if len(list.Listed) != 80 || list.Bulk == nil || !list.Complete {
		t.Fatalf("%d listed, bulk %+v", len(list.Listed), list.Bulk)
	}
	f := read(t, "hyperkitty", *list.Bulk, recorded(t, "hyperkitty-api/export-2015-09.mbox.gz"))
	if len(f.Messages) == 0 || len(f.Messages)+len(f.Steps) != 80 {
		t.Errorf("%d messages in September, %d left", len(f.Messages), len(f.Steps))
	}
	for _, m := range f.Messages {
		page := read(t, "hyperkitty", Step{Address: strings.Replace(m.URL, "/hyperkitty/list/", "/hyperkitty/api/list/", 1), What: Message,
			Base: base}, recorded(t, "hyperkitty-api/email-"+lastPart(m.URL)+".json")).Messages[0]
		if page.URL != m.URL || page.MessageID != m.MessageID || page.Subject != m.Subject || !page.SentAt.Equal(m.SentAt) ||
			page.Body != m.Body {
			t.Errorf("by file %+v\nby page %+v", m, page)
		}
	}
}

func TestRecordedHyperKittyIsDetected(t *testing.T) {
	const base = "https://lists.example.org/hyperkitty/list/imagej-devel@imagej.net/"
	for page, name := range map[string]string{
		base: "latest.html", base + "latest": "latest.html", base + "2015/9/": "archives-2015-9.html",
		base + "message/AVQACIAMKVOG3CGFDDIM4VTAV4COP46F/":                       "message.html",
		"https://lists.example.org/hyperkitty/api/list/imagej-devel@imagej.net/": "list.json",
	} {
		if kind, at, ok := Detect(page, answer(recorded(t, "hyperkitty-api/"+name))); !ok || kind != "hyperkitty" || at != base {
			t.Errorf("%s: %s at %s, %t", page, kind, at, ok)
		}
	}
}

func TestHyperKittyRefusesAnother(t *testing.T) {
	s := Step{Address: knotsAPI + "email/AVQACIAMKVOG3CGFDDIM4VTAV4COP46F/", What: Message, Base: knotsList}
	for _, body := range []string{`{"message_id_hash":"3ASO3EZUQXHYLSDGVEYUELSSTTWAYNQV","content":"x"}`,
		`{"message_id_hash":"AVQACIAMKVOG3CGFDDIM4VTAV4COP46F"}`, `{"detail":"Not found."}`} {
		if _, err := (hyperkitty{}).Read(s, answer(body)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestWrongDatesDoNotExportAllYears(t *testing.T) {
	text := strings.Builder{}
	for i := range 40 {
		date := fmt.Sprintf("2026-10-%02dT00:00:00Z", 1+i%28)
		if i == 7 {
			date = "1970-01-01T00:00:00Z"
		}
		fmt.Fprintf(&text, `,{"message_id":"%d@x","message_id_hash":"%s","date":"%s"}`, i, hashOf(fmt.Sprint(i, "@x")), date)
	}
	f := read(t, "hyperkitty", Step{Address: knotsAPI + "emails/", What: Root, Base: knotsList},
		`{"count":40,"next":null,"results":[`+text.String()[1:]+`]}`)
	if !strings.Contains(f.Bulk.Address, "start=2026-10-0") {
		t.Errorf("%s", f.Bulk.Address)
	}
}
