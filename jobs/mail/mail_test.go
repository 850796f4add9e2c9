package mail_test

import (
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"laurel/jobs/mail"
	"laurel/jobs/mail/mailtest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestAnEmailArrivesAsItWasWritten(t *testing.T) {
	t.Parallel()
	box := mailtest.New(t)
	s, err := mail.Parse("smtp://"+box.Addr, "Läurel <laurel@example.org>")
	if err != nil {
		t.Fatal(err)
	}
	text := "Grüße,\n\n.a line that begins with a dot\n" + strings.Repeat("long ", 100) + "\n"
	m := &mail.Message{To: "ada@example.org", Subject: "Ein Lorbeer für\r\nBcc: eve@example.org " + strings.Repeat("ж", 60), Text: text,
		ID: "key@laurel.example.org", Date: noon, Unsubscribe: "https://laurel.example.org/unsubscribe?token=x"}
	if err := s.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got := box.Take()
	if len(got) != 1 || got[0].From != "laurel@example.org" || got[0].To != "ada@example.org" {
		t.Fatalf("envelopes %+v", got)
	}
	parsed, err := netmail.ReadMessage(strings.NewReader(got[0].Data))
	if err != nil {
		t.Fatalf("%v\n%s", err, got[0].Data)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if want := "Ein Lorbeer für Bcc: eve@example.org " + strings.Repeat("ж", 60); err != nil || subject != want {
		t.Errorf("subject %q, want %q (%v)", subject, want, err)
	}
	for header, want := range map[string]string{
		"Message-ID": "<key@laurel.example.org>", "List-Unsubscribe": "<https://laurel.example.org/unsubscribe?token=x>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		"Date":                  "Sat, 21 Nov 2026 12:00:00 +0000", "Auto-Submitted": "auto-generated", "Bcc": "",
		"To": "<ada@example.org>",
	} {
		if got := parsed.Header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	body, err := io.ReadAll(quotedprintable.NewReader(parsed.Body))
	if err != nil || strings.TrimRight(strings.ReplaceAll(string(body), "\r\n", "\n"), "\n") != strings.TrimRight(text, "\n") {
		t.Errorf("text %q (%v), want %q", body, err, text)
	}
}

func TestAnAddressThatNobodyHasIsRefusedForGood(t *testing.T) {
	t.Parallel()
	box := mailtest.New(t)
	s, err := mail.Parse("smtp://"+box.Addr, "laurel@example.org")
	if err != nil {
		t.Fatal(err)
	}
	for reply, final := range map[string]bool{"550 no such user": true, "450 busy, later": false} {
		box.Refuse(reply)
		err := s.Send(t.Context(), &mail.Message{To: "nobody@example.org", Date: noon})
		if _, refused := errors.AsType[*mail.RefusedError](err); err == nil || refused != final {
			t.Errorf("%s: error %v, final %t, want %t", reply, err, refused, final)
		}
	}
}

func TestAPasswordIsNeverSentInTheClear(t *testing.T) {
	t.Parallel()
	box := mailtest.New(t)
	_, port, _ := strings.Cut(box.Addr, ":")
	s, err := mail.Parse("smtp://ada:secret@[::ffff:127.0.0.1]:"+port, "laurel@example.org") // No name of this machine that net/smtp knows.
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), &mail.Message{To: "ada@example.org", Date: noon}); err == nil || len(box.Take()) > 0 {
		t.Error("the password was sent without TLS")
	}
}

func TestBadAddresses(t *testing.T) {
	for _, tt := range [][2]string{{"", "a@b.org"}, {"http://x", "a@b.org"}, {"smtp://", "a@b.org"},
		{"smtp://user:topsecret@:587", "a@b.org"}, {"smtp://x", "nobody"}} {
		if _, err := mail.Parse(tt[0], tt[1]); err == nil || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%q from %q: error %v", tt[0], tt[1], err)
		}
	}
}
