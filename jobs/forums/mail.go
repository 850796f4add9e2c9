package forums

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"slices"
	"strings"
)

// A letter is a message as it was sent: RFC 5322 read with patience. Real mail
// has lines without colons, charsets that never were, parts that never end; what
// can be read of it is read, and nothing of it is an error.
type letter struct {
	header map[string][]string // By name in small letters. Values are raw, unfolded.
	body   []byte
}

const (
	maxHeader = 64 << 10
	maxParts  = 50 // Of a multipart, and
	maxDepth  = 4  // so deep.
)

// readLetter takes a message apart. Before the headers a From_ line may be left.
func readLetter(raw []byte) letter {
	l := letter{header: map[string][]string{}}
	name, seen := "", 0
	for len(raw) > 0 {
		text, rest, _ := bytes.Cut(raw, []byte("\n"))
		text = bytes.TrimSuffix(text, []byte("\r"))
		if len(text) == 0 {
			l.body = rest
			return l
		}
		seen += len(text) + 1
		key, value, ok := bytes.Cut(text, []byte(":"))
		switch {
		case seen > maxHeader:
			name = ""
		case text[0] == ' ' || text[0] == '\t':
			if values := l.header[name]; name != "" {
				values[len(values)-1] += " " + string(bytes.TrimSpace(text))
			}
		case ok && isHeaderName(bytes.TrimRight(key, " \t")):
			name = strings.ToLower(string(bytes.TrimRight(key, " \t")))
			l.header[name] = append(l.header[name], string(bytes.TrimSpace(value)))
		case bytes.HasPrefix(text, []byte("From ")) || bytes.HasPrefix(text, []byte(">From ")):
			name = ""
		case len(l.header) > 0 && !ok: // No header any more, and nobody left a line free.
			l.body = raw
			return l
		default:
			name = ""
		}
		raw = rest
	}
	return l
}

func isHeaderName(name []byte) bool {
	for _, c := range name {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return len(name) > 0 && len(name) < 100
}

func (l letter) get(name string) string {
	if values := l.header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// mail makes a Mail of a letter. The From_ line is where dates are searched
// last: it says when the archive got the message.
func (l letter) mail(fromLine string) Mail {
	m := Mail{Subject: line(decodeWords(l.get("subject"))), MessageID: first(messageIDs(l.get("message-id")))}
	name, address := person(l.get("from"))
	if name == "" {
		name, address = person(l.get("sender"))
	}
	m.Author = name
	m.setAddress(address)
	m.References = messageIDs(strings.Join(l.header["references"], " "))
	m.InReplyTo = inReplyTo(l.get("in-reply-to"))
	if m.InReplyTo == "" && len(m.References) > 0 {
		m.InReplyTo = m.References[len(m.References)-1]
	}
	m.date(l, fromLine)
	text := l.text(&m, 0)
	m.setBody(text)
	return m
}

// inReplyTo returns the id in a header that some programs fill with a sentence.
func inReplyTo(header string) string {
	ids := messageIDs(header)
	for _, id := range ids {
		if strings.Contains(id, "@") {
			return id
		}
	}
	return first(ids)
}

// date reads the first header that holds one.
func (m *Mail) date(l letter, fromLine string) {
	for _, shown := range []string{l.get("date"), l.get("resent-date")} {
		if _, ok := readDate(clean(shown)); ok {
			m.setDate(toUTF8([]byte(shown), ""))
			return
		}
	}
	m.setDate(fromDate(fromLine))
	m.Approximate = true
	if shown := l.get("date"); shown != "" {
		m.SentShown = oneLine(toUTF8([]byte(shown), ""))
	}
}

// text returns the words of a message: its parts of plain text without a name, of
// alternatives the first, else the first that is HTML. Others are attachments.
func (l letter) text(m *Mail, depth int) string {
	kind, params, err := mime.ParseMediaType(l.get("content-type"))
	if err != nil && kind == "" {
		kind = "text/plain" // Also of what was bogus.
	}
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" && depth < maxDepth:
		return l.parts(params["boundary"], kind == "multipart/alternative", m, depth)
	case kind == "text/html":
		m.HTML = true
		source := toUTF8(l.decoded(), params["charset"])
		m.link(source)
		return plainText(source)
	}
	return toUTF8(l.decoded(), params["charset"])
}

// A partReader puts the text of a message together from its parts.
type partReader struct {
	m           *Mail
	depth       int
	alternative bool // Parts say the same in several ways.
	text        string
	found       bool
	isHTML      bool // The text was made from HTML, which plain text replaces.
}

func (l letter) parts(boundary string, alternative bool, m *Mail, depth int) string {
	r := partReader{m: m, depth: depth, alternative: alternative}
	parts := multipart.NewReader(bytes.NewReader(l.body), boundary)
	for range maxParts {
		p, err := parts.NextRawPart()
		if err != nil {
			break
		}
		part := letter{header: map[string][]string{}}
		for name, values := range p.Header {
			part.header[strings.ToLower(name)] = values
		}
		part.body, _ = io.ReadAll(io.LimitReader(p, 4*maxBody)) // What came of a part that never ends.
		r.add(part)
	}
	m.HTML = r.isHTML
	if !r.found && len(r.text) == 0 && len(m.Attachments) == 0 {
		return toUTF8(l.body, "") // A boundary that never comes.
	}
	return r.text
}

// add takes a part as text, or as an attachment.
func (r *partReader) add(part letter) {
	kind, params, _ := mime.ParseMediaType(part.get("content-type"))
	disposition, dparams, _ := mime.ParseMediaType(part.get("content-disposition"))
	isHTML := kind == "text/html"
	switch {
	case !readable(kind) || disposition == "attachment":
		r.m.attach(dparams["filename"], params["name"], kind)
	case r.found && !r.isHTML && (r.alternative || isHTML): // Said already.
	case r.found && !r.isHTML && (dparams["filename"] != "" || params["name"] != ""):
		r.m.attach(dparams["filename"], params["name"])
	case r.found && !r.isHTML:
		r.more(part)
	case !r.found || !isHTML:
		r.begin(part)
	}
}

func readable(kind string) bool {
	return slices.Contains([]string{"", "text/plain", "text/html"}, kind) || strings.HasPrefix(kind, "multipart/")
}

// begin takes the text of the first part that has any, or of one in plain text instead of it.
func (r *partReader) begin(part letter) {
	r.m.HTML = false
	words := part.text(r.m, r.depth+1)
	if strings.TrimSpace(words) != "" {
		r.text, r.found, r.isHTML = words, true, r.m.HTML
	}
}

// more adds a further part of plain text.
func (r *partReader) more(part letter) {
	if more := strings.TrimSpace(part.text(r.m, r.depth+1)); more != "" && len(r.text) < 4*maxBody {
		r.text = strings.TrimRight(r.text, "\r\n") + "\n\n" + more
	}
	r.m.HTML = false
}

func (m *Mail) attach(names ...string) {
	for _, name := range names {
		if name = line(decodeWords(name)); name != "" && len(m.Attachments) < maxParts {
			m.Attachments = append(m.Attachments, name)
			return
		}
	}
}

// decoded undoes the transfer encoding, as far as it goes.
func (l letter) decoded() []byte {
	var from io.Reader
	switch strings.ToLower(strings.TrimSpace(l.get("content-transfer-encoding"))) {
	case "base64":
		from = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(bytes.Join(bytes.Fields(l.body), nil)))
	case "quoted-printable":
		from = quotedprintable.NewReader(bytes.NewReader(l.body))
	default:
		return l.body
	}
	text, err := io.ReadAll(from)
	if err != nil && len(text) == 0 {
		return l.body
	}
	return text
}

func readCharset(charset string, input io.Reader) (io.Reader, error) {
	raw, err := io.ReadAll(input)
	if err != nil {
		return nil, err
	}
	return strings.NewReader(toUTF8(raw, charset)), nil
}
