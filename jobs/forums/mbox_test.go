package forums

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/fakesite"
)

// mails reads a mailbox to its end.
func mails(t testing.TB, file io.Reader, limit int64) ([]Mail, error) {
	t.Helper()
	var all []Mail
	for m, err := range ReadMbox(file, "upload:x", limit) {
		if err != nil {
			return all, err
		}
		wantSoundMail(t, m)
		all = append(all, m)
	}
	return all, nil
}

func TestMbox(t *testing.T) {
	all, err := mails(t, strings.NewReader(fakesite.Testdata(t, "small.mbox")), 1<<20)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d messages, %v", len(all), err)
	}
	want := []Mail{{
		URL: "upload:x#a@example.org", MessageID: "a@example.org", Author: `Ada "the Knot" R.`, Address: "ada@example.org",
		Subject: "Café noir", SentAt: fakesite.UTC("1999-06-13T06:28:09Z"),
		SentShown: "Sun, 13 Jun 1999 02:28:09 -0400 (EDT)", Body: "Café.\nFrom here on.", Attachments: []string{"nö.pdf"},
	}, {
		URL: all[1].URL, InReplyTo: "a@example.org", Author: "bo@example.org", Address: "bo@example.org",
		SentAt: fakesite.UTC("2011-07-08T12:08:34Z"), SentShown: "Fri Jul 8 12:08:34 2011", Approximate: true,
		Body: "Without id, and the last line is not ended.",
	}}
	if d := cmp.Diff(want, all); d != "" {
		t.Error(d)
	}
	again, _ := mails(t, strings.NewReader(fakesite.Testdata(t, "small.mbox")), 1<<20)
	if again[1].URL != all[1].URL || len(all[1].URL) != len("upload:x#")+24 {
		t.Errorf("a message without id is %s and %s", all[1].URL, again[1].URL)
	}
	crlf, err := mails(t, strings.NewReader(strings.ReplaceAll(fakesite.Testdata(t, "small.mbox"), "\n", "\r\n")), 1<<20)
	if err != nil || len(crlf) != 2 || crlf[0].Body != all[0].Body {
		t.Errorf("with CRLF: %d messages, %v", len(crlf), err)
	}
}

func TestMboxLimits(t *testing.T) {
	const one = "From a@x Fri Jul  8 12:08:34 2011\nFrom: a@x\n\nhello\n\n"
	if all, err := mails(t, strings.NewReader(strings.Repeat(one, 100)), 20*int64(len(one))); !errors.Is(err, ErrTooLarge) ||
		len(all) < 18 || len(all) > 20 {
		t.Errorf("beyond its limit: %d messages, %v", len(all), err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(strings.Repeat(one, 100)))
	_ = w.Close()
	if all, err := mails(t, bytes.NewReader(b.Bytes()), 1<<20); err != nil || len(all) != 100 {
		t.Errorf("packed: %d messages, %v", len(all), err)
	}
	if _, err := mails(t, bytes.NewReader(b.Bytes()[:b.Len()-10]), 1<<20); !errors.Is(err, ErrFormat) {
		t.Errorf("cut off: %v", err)
	}
	if _, err := mails(t, bytes.NewReader(bomb(t)), 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("bomb: %v", err)
	}
	// One line of many megabytes, and a message after it. No more than one message is held.
	long := one + strings.Repeat("x", 3*maxLetter) + "\n\n" + one
	if all, err := mails(t, strings.NewReader(long), 100<<20); err != nil || len(all) != 2 || !all[0].Truncated || all[1].Body != "hello" {
		t.Errorf("a long line: %d messages, %v", len(all), err)
	}
	for range ReadMbox(strings.NewReader(strings.Repeat(one, 3)), "upload:x", 1<<20) {
		break // Nothing is yielded after that, which would panic.
	}
}

func TestRecordedMboxes(t *testing.T) {
	for name, want := range map[string]int{
		"mbox/mbox_complex.mbox": 2, "mbox/mbox_iso8859_encoding.mbox": 1, "mbox/mbox_multipart.mbox": 2, "mbox/mbox_no_fields.mbox": 6,
		"mbox/mbox_single.mbox": 1, "mbox/mbox_unixfrom_encoding.mbox": 1,
		"mbox/mbox_unknown_encoding.mbox": 1, "hyperkitty/hyperkitty_2016_april.mbox": 3, "hyperkitty/hyperkitty_2016_march.mbox": 1,
		"pipermail/pipermail_2015_november.mbox": 4, "pipermail/pipermail_2016_april.mbox": 3, "pipermail/pipermail_2016_march.mbox": 1,
	} {
		all, err := mails(t, strings.NewReader(recorded(t, "perceval/"+name)), 1<<30)
		if err != nil || len(all) != want {
			t.Errorf("%s: %d messages, %v, want %d", name, len(all), err, want)
		}
		for _, m := range all {
			if m.Author == "" || m.Body == "" || m.SentAt.IsZero() {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
	first, _ := mails(t, strings.NewReader(recorded(t, "perceval/pipermail/pipermail_2015_november.mbox")), 1<<30)
	if first[0].MessageID != "CACRHdMaObu7Dc0FWTWEesvRCzUNDG=7oA7KFqAgtOs_UKjb3Og@mail.gmail.com" {
		t.Errorf("first is %q", first[0].MessageID)
	}
	single, _ := mails(t, strings.NewReader(recorded(t, "perceval/mbox/mbox_single.mbox")), 1<<30)
	if single[0].Author != "Göran Lastname" {
		t.Errorf("author %q", single[0].Author)
	}
}

// TestRecordedOddMails is about real mail that broke HyperKitty's own reader.
func TestRecordedOddMails(t *testing.T) {
	dir := recordedPath(t, "hyperkitty-odd-mails")
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 21 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	got := map[string]Mail{}
	for _, f := range files {
		raw := recorded(t, "hyperkitty-odd-mails/"+f.Name())
		from, _, _ := strings.Cut(raw, "\n")
		m := readLetter([]byte(raw)).mail(from)
		m.URL = f.Name()
		wantSoundMail(t, m)
		got[f.Name()] = m
	}
	for name, want := range map[string]Mail{
		"bad_date_tz.txt": {MessageID: "msg1", Approximate: true, SentAt: fakesite.UTC("1999-12-01T05:56:33Z"), Body: "msg1"},
		"bad_folding.txt": {MessageID: "msg1",
			Subject: "[<redacted>]  Sicherheit 2005: Stichworte und Vorschlag PC-Mitglieder; Ergänzung!", Body: "msg1"},
		"non-ascii-date-header.txt": {MessageID: "263.386743.235@korea.com", SentAt: fakesite.UTC("2001-06-27T15:23:36Z"),
			Approximate: true},
		"non-ascii-headers.txt":          {Author: "Vít Ondruch", Address: "vondruch at redhat.com"},
		"resent-date.txt":                {SentAt: fakesite.UTC("1999-11-09T02:53:05Z")},
		"unixfrom-date.txt":              {SentAt: fakesite.UTC("1999-11-09T21:54:11Z"), Approximate: true},
		"strange-in-reply-to-header.txt": {InReplyTo: "200704070053.46646.other.person@example.com"},
		"wrong-in-reply-to-header.txt":   {InReplyTo: "200704070053.46646.other.person@example"},
		"attachment-2.txt":               {Author: "A User"},
		"unconvertable_message.txt":      {Body: "Hi!\n\n...[very slow list]..."},
		"another-wrong-encoding.txt":     {Author: "Some One", Subject: "[Mailman-Developers] Questionnaire For My Project"},
		"bad_content_type.txt":           {Body: "Some text"},
		"unknown-charset.txt":            {Author: "nicolasa puga", HTML: true},
		"cant_write_error_message.txt":   {Author: ".", Address: "user@example.com", SentAt: fakesite.UTC("2001-03-30T12:11:56Z")},
		"bad-subject-header.txt":         {Subject: "(et en plus, en local)", Body: "Bonjour,"},
		"payload-utf8-wrong.txt":         {Author: "Dummy Person"},
	} {
		m := got[name]
		if want.MessageID != "" && m.MessageID != want.MessageID || want.InReplyTo != "" && m.InReplyTo != want.InReplyTo ||
			want.Subject != "" && m.Subject != line(want.Subject) ||
			want.Author != "" && m.Author != want.Author || want.Address != "" && m.Address != want.Address || want.Body != "" &&
			m.Body != want.Body || want.HTML && !m.HTML ||
			!want.SentAt.IsZero() && (!m.SentAt.Equal(want.SentAt) || m.Approximate != want.Approximate) {
			t.Errorf("%s: got %+v, want %+v", name, m, want)
		}
	}
	if m := got["attachment-3.txt"]; !strings.HasPrefix(m.Body, "Hi folks") || len(m.Attachments) == 0 {
		t.Errorf("%+v", m)
	}
}

// A message has more than one part of words, and links that only its HTML shows.
func TestParts(t *testing.T) {
	const head = "From ada@example.org Fri Apr  2 02:39:10 2004\nFrom: ada@example.org\nContent-Type: "
	for _, tt := range []struct{ name, mail, body, links, attachments string }{
		{"a footer",
			"multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nWords.\n--b\nContent-Type: " +
				"text/plain\n\nhttps://list.example.org/\n--b--\n", "Words.\n\nhttps://list.example.org/", "https://list.example.org/", ""},
		{"a file",
			"multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nWords.\n--b\nContent-Type: text/plain; " +
				"name=knot.patch\n\n+ x\n--b--\n", "Words.", "", "knot.patch"},
		{"alternatives",
			"multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<a " +
				"href=\"https://a.example/\">It</a>\n--b\nContent-Type: text/plain\n\nIt\n--b--\n", "It", "https://a.example/", ""},
		{"HTML", "text/html\n\n<p>See <a href=\"https://a.example/x?b=1&amp;c=2\">this</a> and https://b.example/.</p>\n",
			"See this and https://b.example/.", "https://b.example/ https://a.example/x?b=1&c=2", ""},
	} {
		for m, err := range ReadMbox(strings.NewReader(head+tt.mail), "mbox:", 1<<20) {
			if err != nil || m.Body != tt.body || strings.Join(m.Links, " ") != tt.links ||
				strings.Join(m.Attachments, " ") != tt.attachments {
				t.Errorf("%s: %q, links %q, attachments %q, %v", tt.name, m.Body, m.Links, m.Attachments, err)
			}
		}
	}
}
