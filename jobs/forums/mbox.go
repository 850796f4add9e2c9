package forums

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An mbox is a file of messages one after the other, each after a line that
// begins with "From " (RFC 4155; mboxo and mboxrd differ in how such a line
// within a message is quoted). Nobody quotes it reliably: see separates.
type mbox struct{}

func init() { register(mbox{}) }

func (mbox) Info() Info {
	return Info{Name: "mbox", Title: "Mailbox file", Hint: "https://lists.example.org/archive.mbox.gz", Gap: time.Second, Upload: true}
}

func (mbox) Start(base string) (Step, error) {
	u, err := webAddress(base)
	if err != nil {
		return Step{}, err
	}
	return Step{Address: u.String(), What: Root, Base: u.String()}, nil
}

func (mbox) Read(s Step, a Answer) (Found, error) {
	file, err := bulk(a)
	if err != nil {
		return Found{}, err
	}
	f := Found{Complete: true}
	for m, err := range ReadMbox(bytes.NewReader(file), s.Base, MaxUnpacked) {
		if err != nil {
			return Found{}, err
		}
		if f.Messages = append(f.Messages, m); len(f.Messages) > maxListed {
			return Found{}, fmt.Errorf("%w: more than %d messages", ErrTooLarge, maxListed)
		}
	}
	return f, nil
}

func (mbox) Detect(at *url.URL, a Answer) (string, bool) {
	if !isMbox(a.Body) {
		return "", false
	}
	return at.String(), true
}

// isMbox reads the beginning of a file, packed or not.
func isMbox(file []byte) bool {
	if bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		packed, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			return false
		}
		file, _ = io.ReadAll(io.LimitReader(packed, 8<<10)) // The rest does not matter, nor whether it is sound.
	}
	first, rest, _ := bytes.Cut(file[:min(len(file), 8<<10)], []byte("\n"))
	return separates(first, rest)
}

// ReadMbox yields the messages of a mailbox file of any size, packed with gzip
// or not, holding one of them at a time. It yields an error once, last:
// ErrTooLarge where there is more than limit when unpacked, ErrFormat where it
// is no mailbox. A message without id gets a URL from its content.
func ReadMbox(r io.Reader, base string, limit int64) iter.Seq2[Mail, error] {
	return func(yield func(Mail, error) bool) {
		for l, err := range ReadLetters(r, base, limit) {
			if !yield(l.Mail, err) {
				return
			}
		}
	}
}

// A Letter is a message of a mailbox file with its text.
type Letter struct {
	Mail
	entry entry
}

// Raw is the message as it stands in a file, with its From_ line and what ends it.
func (l *Letter) Raw() []byte {
	text := slices.Concat([]byte(l.entry.from), []byte("\n"), l.entry.raw)
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return text
}

// ReadLetters is ReadMbox with the texts of the messages.
func ReadLetters(r io.Reader, base string, limit int64) iter.Seq2[Letter, error] {
	return func(yield func(Letter, error) bool) {
		file := bufio.NewReaderSize(r, 64<<10)
		if magic, _ := file.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
			packed, err := gzip.NewReader(file)
			if err != nil {
				yield(Letter{}, fmt.Errorf("%w: %w", ErrFormat, err))
				return
			}
			file = bufio.NewReaderSize(packed, 64<<10)
		}
		n := 0
		for e, err := range entries(file, limit) {
			if err != nil {
				yield(Letter{}, err)
				return
			}
			n++
			if m := e.mail(true); !yield(Letter{m.at(base, e), e}, nil) {
				return
			}
		}
		if n == 0 {
			yield(Letter{}, fmt.Errorf("%w: no message begins with a From line and a date", ErrFormat))
		}
	}
}

// at names the place of a message in a file.
func (m Mail) at(base string, e entry) Mail {
	id := m.MessageID
	if id == "" {
		sum := sha256.Sum256(bytes.TrimRight(e.raw, "\r\n")) // The last of a file has no blank line after it.
		id = hex.EncodeToString(sum[:12])
	}
	m.URL = base + "#" + url.PathEscape(id)
	return m
}

// An entry is one message of a mailbox file, as it is there.
type entry struct {
	from      string // The From_ line.
	raw       []byte // What follows it.
	truncated bool
}

const maxLetter = 4 << 20 // Of a message with all its attachments, in bytes; what comes later is skipped.

// entries splits a mailbox.
func entries(file *bufio.Reader, limit int64) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		var e entry
		var read int64
		began, blank, whole := false, true, true // Whether the line before was blank, and ended.
		for {
			text, err := file.ReadSlice('\n')
			if read += int64(len(text)); read > limit {
				yield(entry{}, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit))
				return
			}
			if whole && bytes.HasPrefix(text, []byte("From ")) {
				text = bytes.Clone(text) // Before Peek overwrites it.
				if beginsMessage(file, text, blank) {
					if began && !yield(e, nil) {
						return
					}
					e, began, blank = entry{from: strings.TrimSpace(string(text))}, true, false
					continue
				}
			}
			if began {
				e.add(text)
			}
			blank = whole && len(bytes.TrimRight(text, "\r\n")) == 0
			if whole = err == nil; whole || errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			switch {
			case !errors.Is(err, io.EOF): // Cut off: the message it happened in is not whole.
				yield(entry{}, fmt.Errorf("%w: %w", ErrFormat, err))
			case began:
				yield(e, nil)
			}
			return
		}
	}
}

// beginsMessage reports whether a From_ line begins a message: behind a blank line, or where
// what follows looks like one.
func beginsMessage(file *bufio.Reader, line []byte, blank bool) bool {
	next, _ := file.Peek(200)
	return separates(line, next) && (blank || usual.Match(next))
}

func (e *entry) add(text []byte) {
	if len(e.raw)+len(text) > maxLetter {
		e.truncated = true
		return
	}
	e.raw = append(e.raw, text...)
}

// usual is what messages begin with where the line before was not left blank:
// Mailman forgets it after what it scrubbed.
var usual = regexp.MustCompile(`^(?i:from|date|return-path|received|message-id|subject|to):`)

// separates reports whether a line that begins with "From " begins a message and
// is no sentence: it holds a date, and what follows looks like a header.
func separates(from, next []byte) bool {
	if !bytes.HasPrefix(from, []byte("From ")) || len(from) > 1000 {
		return false
	}
	if _, ok := readDate(fromDate(string(from))); !ok {
		return false
	}
	text, _, _ := bytes.Cut(next, []byte("\n"))
	name, _, ok := bytes.Cut(text, []byte(":"))
	return ok && isHeaderName(bytes.TrimRight(name, " \t")) || bytes.HasPrefix(text, []byte(">From "))
}

// fromDate returns what in a From_ line is its date. The address before it may
// be disguised, and hold spaces: a date begins with a weekday or a day.
func fromDate(from string) string {
	fields := strings.Fields(from)
	for i, f := range fields {
		if i > 0 && len(f) >= 3 && strings.Contains("mon,tue,wed,thu,fri,sat,sun,", strings.ToLower(strings.TrimSuffix(f, ","))+",") {
			return strings.Join(fields[i:], " ")
		}
	}
	return strings.Join(fields[min(2, len(fields)):], " ")
}

// mail reads an entry. In files that were made to be read again, quoted From
// lines are what they were.
func (e entry) mail(unquote bool) Mail {
	raw := e.raw
	if unquote && bytes.Contains(raw, []byte("\n>")) {
		raw = unquoteFrom(raw)
	}
	m := readLetter(raw).mail(e.from)
	m.Truncated = m.Truncated || e.truncated
	return m
}

func unquoteFrom(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for text := range bytes.Lines(raw) {
		if quoted := bytes.TrimLeft(text, ">"); len(quoted) < len(text) && bytes.HasPrefix(quoted, []byte("From ")) {
			text = text[1:]
		}
		out = append(out, text...)
	}
	return out
}
