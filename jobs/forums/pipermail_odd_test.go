package forums

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"testing"
)

// TestRecordedOddMonths has messages of 1945 and a month that was rebuilt, with
// other numbers, beside its old pages.
func TestRecordedOddMonths(t *testing.T) {
	const base = "http://h.example/pipermail/twisted-python/"
	files := untar(t, recorded(t, "pipermail-twisted-python-odd/twisted-python-odd.tar.gz"))
	w := walkPipermail(t, func(s Step) Answer {
		name := strings.TrimPrefix(s.Address, base)
		if name == "" {
			name = "index.html"
		}
		body, ok := files["twisted-python/"+name]
		if !ok {
			return Answer{Status: 404}
		}
		return Answer{Status: 200, Body: body}
	}, base)
	if last := w.spans[len(w.spans)-1]; len(w.spans) != 248 || last.Name != "1945-February" || last.Start.Year() != 1945 {
		t.Errorf("%d periods, the last %+v", len(w.spans), last)
	}
	periods := map[string]int{}
	for _, l := range w.listed {
		periods[path.Base(path.Dir(l.URL))]++
		page, inPage := w.pages[l.URL]
		mail, inFile := w.bulks[l.URL]
		if !inPage || !inFile || page.Subject != mail.Subject || page.Author != mail.Author || page.Address != mail.Address ||
			page.MessageID != "" && page.MessageID != mail.MessageID {
			t.Errorf("%s: by page %q %q %q %q, by file %q %q %q %q", l.URL, page.Subject, page.Author, page.Address, page.MessageID,
				mail.Subject, mail.Author, mail.Address, mail.MessageID)
		}
		if page.SentAt.Year() == 1945 && !mail.Approximate {
			t.Errorf("%s: sent %q, and that is exact", l.URL, mail.SentShown)
		}
	}
	if periods["1945-February"] != 2 || periods["2005-March"] != 337 || w.requests != 1+2*3 {
		t.Errorf("messages by period %v, %d requests", periods, w.requests)
	}
	if first := w.listed[len(w.listed)-2]; first.Number != 2056 {
		t.Errorf("1945 begins with %+v", first)
	}
	old, renumbered := 0, 0
	for name, body := range files {
		if articleName.MatchString(path.Base(name)) && strings.Contains(name, "2005-March") {
			s := Step{Address: "http://h.example/pipermail/" + name, What: Message, Base: base, Period: "2005-March"}
			m := read(t, "pipermail", s, string(body)).Messages[0]
			if m.Number < 20000 {
				old++
			} else {
				renumbered++
			}
		}
	}
	if old != 337 || renumbered != 337 {
		t.Errorf("%d old pages and %d new ones, want 337 each", old, renumbered)
	}
}

// untar returns the regular files of an archive.
func untar(t *testing.T, packed string) map[string][]byte {
	t.Helper()
	gz, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		files[h.Name] = b.Bytes()
	}
}

func TestRecordedRootsOfOthers(t *testing.T) {
	s := Step{Address: "http://example.com/", What: Root, Base: "http://example.com/"}
	f := read(t, "pipermail", s, recorded(t, "perceval/pipermail/pipermail_index.html"))
	if len(f.Spans) != 3 || f.Spans[0].Name != "2016-April" || f.Spans[0].Index.Bulk != "http://example.com/2016-April.txt" ||
		f.Spans[1].Size != "Text 5 KB" {
		t.Errorf("%+v", f.Spans)
	}
	if f := read(t, "pipermail", s, recorded(t, "perceval/pipermail/pipermail_index_empty.html")); len(f.Spans) != 0 || !f.Complete {
		t.Errorf("%+v", f)
	}
	if _, err := (pipermail{}).Read(s, answer(recorded(t, "perceval/pipermail/pipermail_apache_index.html"))); !errors.Is(err, ErrFormat) {
		t.Errorf("mod_mbox: %v", err)
	}
}

// A file has one message too many and, a few later, one too few, so that it has as
// many as the index: those between belong one place further down, and whose they are
// tells the page.
func TestPipermailShiftedMonth(t *testing.T) {
	var listed []Listed
	var file strings.Builder
	for i := range 100 {
		subject, author := fmt.Sprintf("Knot %d", i/10), fmt.Sprintf("Sailor %d", i)
		address := fmt.Sprintf("%s2004-April/%06d.html", knots, i)
		listed = append(listed, Listed{URL: address, Address: address, Number: i, Subject: subject, Author: author})
		letter := func(text string) {
			fmt.Fprintf(&file,
				"From s%d at example.org  Fri Apr  2 02:39:10 2004\nFrom: s%d at example.org (%s)\nSubject: %s\nDate: Fri, 2 Apr 2004 "+
					"02:39:10 +0000\n\n%s\n\n", i, i, author, subject, text)
		}
		if i != 55 {
			letter(fmt.Sprintf("It is %d.", i))
		}
		if i == 51 {
			letter("It is 51, again.")
		}
	}
	got := read(t, "pipermail", Step{Address: april.Bulk, What: Bulk, Base: knots, Period: "2004-April", Listed: listed}, file.String())
	for _, m := range got.Messages {
		if want := fmt.Sprintf("Sailor %d", m.Number); m.Author != want || m.Body != fmt.Sprintf("It is %d.", m.Number) {
			t.Errorf("%s is %q by %q", m.URL, m.Body, m.Author)
		}
	}
	if len(got.Messages)+len(got.Steps) != 100 || len(got.Steps) > 10 {
		t.Errorf("%d messages, %d left to their pages", len(got.Messages), len(got.Steps))
	}
}
