package forums

import (
	"bytes"
	"compress/gzip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laurel/jobs/fakesite"
)

func answer(body string) Answer { return Answer{Status: 200, Body: []byte(body)} }

func kind(t testing.TB, name string) Kind {
	t.Helper()
	k, ok := ByName(name)
	if !ok {
		t.Fatalf("no kind is named %s", name)
	}
	return k
}

// read reads an answer that must be understood.
func read(t testing.TB, name string, s Step, body string) Found {
	t.Helper()
	f, err := kind(t, name).Read(s, answer(body))
	if err != nil {
		t.Fatalf("%s %s: %v", name, s.Address, err)
	}
	wantSound(t, s, f)
	return f
}

// wantSound holds for whatever was found in whatever answer.
func wantSound(t testing.TB, s Step, f Found) {
	t.Helper()
	if len(f.Messages) > maxListed || len(f.Listed) > maxListed || len(f.Steps) > maxListed+1 || len(f.Spans) > maxListed {
		t.Errorf("%d messages, %d listed, %d steps", len(f.Messages), len(f.Listed), len(f.Steps))
	}
	home, err := url.Parse(s.Base)
	if err != nil {
		t.Fatalf("base %q: %v", s.Base, err)
	}
	steps := f.Steps
	if f.Bulk != nil {
		steps = append(steps[:len(steps):len(steps)], *f.Bulk)
	}
	seen := map[string]bool{}
	for _, next := range steps {
		u, err := url.Parse(next.Address)
		if err != nil || u.Host != home.Host || u.Scheme != home.Scheme || u.Fragment != "" || next.Base != s.Base ||
			strings.ContainsAny(next.Address, " \n\r\t\x00") {
			t.Errorf("%q leads to %q: %v", s.Address, next.Address, err)
		}
		if next.Static && next.What != Message || next.Address == s.Address && next.What == s.What || seen[next.Address] {
			t.Errorf("step %+v after %q", next, s.Address)
		}
		seen[next.Address] = true
	}
	for _, l := range f.Listed {
		wantText(t, l.URL, l.MessageID, l.Subject, l.Author)
		if l.URL == "" || l.Address == "" {
			t.Errorf("listed without an address: %+v", l)
		}
	}
	for _, m := range f.Messages {
		wantSoundMail(t, m)
	}
	wantText(t, f.Note)
}

func wantSoundMail(t testing.TB, m Mail) {
	t.Helper()
	wantText(t, m.URL, m.MessageID, m.InReplyTo, m.Parent, m.Thread, m.Author, m.Address, m.Subject, m.SentShown, m.Body, m.Period)
	wantText(t, append(append(append([]string{}, m.Links...), m.References...), m.Attachments...)...)
	if m.URL == "" || len(m.Body) > maxBody || len(m.Subject) > maxLine || len(m.Author) > maxLine || len(m.Address) > maxLine ||
		len(m.SentShown) > maxLine || len(m.MessageID) > 998 ||
		len(m.Links) > maxLinks || len(m.References) > maxReferences || len(m.Attachments) > 2*maxLinks {
		t.Errorf("out of bounds: %.200q, body of %d, %d links, %d references", m.URL, len(m.Body), len(m.Links), len(m.References))
	}
	if m.SentAt.IsZero() && !m.Approximate || m.SentAt.Location() != time.UTC {
		t.Errorf("%s: sent at %s, exactly: %t", m.URL, m.SentAt, !m.Approximate)
	}
	if strings.ContainsAny(m.Subject+m.Author+m.Address+m.SentShown, "\n") {
		t.Errorf("%s: more than a line: %q %q %q", m.URL, m.Subject, m.Author, m.SentShown)
	}
}

func wantText(t testing.TB, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\r\x1b") {
			t.Errorf("Postgres or a page cannot keep %.200q", s)
		}
	}
}

func recordedPath(t testing.TB, name string) string {
	t.Helper()
	return fakesite.RecordedPath(t, "harvest/"+name)
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return fakesite.Recorded(t, "harvest/"+name)
}

// folder answers with the files of a folder.
func folder(t testing.TB, dir, base string) func(Step) Answer {
	return func(s Step) Answer {
		name := strings.TrimPrefix(s.Address, base)
		if name == "" {
			name = "index.html"
		}
		body, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return Answer{Status: 404, Body: []byte("<h1>Not Found</h1>")}
		}
		return Answer{Status: 200, Body: body}
	}
}

var packed []byte

// bomb is 130 KB that are more than may be unpacked.
func bomb(t testing.TB) []byte {
	t.Helper()
	if packed == nil {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		zeros := make([]byte, 1<<20)
		for range MaxUnpacked>>20 + 1 {
			if _, err := w.Write(zeros); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		packed = b.Bytes()
	}
	return packed
}
