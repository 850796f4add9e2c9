package mail

import (
	"bytes"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
)

// A Message is an e-mail of plain text.
type Message struct {
	To          string // The address alone.
	Subject     string
	Text        string
	ID          string // Without the brackets; the same at every attempt, so that a repetition is known for one.
	Date        time.Time
	Unsubscribe string // The https address that ends these e-mails by one POST (RFC 8058); "" for none.
}

// bytes writes the message as it goes over the wire.
func (m *Message) bytes(from *mail.Address) []byte {
	var b bytes.Buffer
	header := func(name, value string) {
		_, _ = fmt.Fprintf(&b, "%s: %s\r\n", name, strings.NewReplacer("\r", "", "\n", "").Replace(value))
	}
	header("From", from.String())
	header("To", (&mail.Address{Address: m.To}).String())
	header("Subject", mime.QEncoding.Encode("utf-8", strings.Join(strings.Fields(m.Subject), " ")))
	header("Date", m.Date.Format(time.RFC1123Z))
	header("Message-ID", "<"+m.ID+">")
	header("Auto-Submitted", "auto-generated") // No answers of those who are away, please.
	if m.Unsubscribe != "" {
		header("List-Unsubscribe", "<"+m.Unsubscribe+">")
		header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(strings.ReplaceAll(m.Text, "\n", "\r\n"))) // Into memory: it cannot fail.
	_ = w.Close()
	return b.Bytes()
}
