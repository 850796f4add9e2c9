package forums

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Bounds, so that no answer costs more than it can be worth.
const (
	MaxPage     = 16 << 20  // Of a page, in bytes: ten times the largest month seen.
	MaxUnpacked = 128 << 20 // Of a bulk.
	maxListed   = 50_000    // Messages of one answer.
	maxBody     = 256 << 10 // What is stored of a message's text.
	maxLine     = 2_000     // Of a subject, a name, an address.
)

const (
	statusOK       = 200
	statusNotFound = 404
	statusGone     = 410
)

// body returns a page's bytes, or why there is nothing to read.
func body(a Answer) ([]byte, error) {
	switch {
	case a.Status == statusNotFound || a.Status == statusGone:
		return nil, fmt.Errorf("%w: status %d", ErrGone, a.Status)
	case a.Status != statusOK:
		return nil, fmt.Errorf("%w: status %d", ErrFormat, a.Status)
	case len(a.Body) > MaxPage:
		return nil, fmt.Errorf("%w: a page of %d bytes", ErrTooLarge, len(a.Body))
	}
	return a.Body, nil
}

// Unpack returns what a file holds, packed with gzip or not: what an archive
// calls it and what it is are two things, and HTTP may have unpacked it on the
// way. A file that grows beyond limit is refused.
func Unpack(file []byte, limit int64) ([]byte, error) {
	if !bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		if int64(len(file)) > limit {
			return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, len(file))
		}
		return file, nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	unpacked, err := io.ReadAll(io.LimitReader(packed, limit+1))
	if err != nil { // Half a file is none: the other half would never be asked for.
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if int64(len(unpacked)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes when unpacked", ErrTooLarge, limit)
	}
	return unpacked, nil
}

// bulk is body for a file of messages, which may be larger than a page.
func bulk(a Answer) ([]byte, error) {
	if _, err := body(Answer{Status: a.Status}); err != nil {
		return nil, err
	}
	return Unpack(a.Body, MaxUnpacked)
}

// decode reads JSON. A field of another type than we know is an error, a field
// nobody knows is not.
func decode(raw []byte, into any) error {
	raw = bytes.TrimPrefix(bytes.ToValidUTF8(raw, nil), []byte("\ufeff")) // A byte order mark is no part of JSON.
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return nil
}

// toUTF8 reads bytes in the charset they claim to be in. Claims are wrong as
// often as they are missing: then it is UTF-8 if it can be, else windows-1252,
// in which everything means something.
func toUTF8(raw []byte, charset string) string {
	charset = strings.ToLower(strings.Trim(strings.TrimSpace(charset), `"'`))
	e, err := htmlindex.Get(charset)
	name := ""
	if err == nil {
		name, _ = htmlindex.Name(e)
	}
	switch {
	case name == "" || name == "utf-8" || name == "replacement" || strings.HasSuffix(charset, "ascii"):
		if utf8.Valid(raw) {
			return string(raw)
		}
		e = charmap.Windows1252
	}
	text, err := e.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) && utf8.Valid(raw) {
		return strings.ToValidUTF8(string(raw), "\ufffd")
	}
	return string(text)
}

// clean returns a text as Postgres can store it and a page can show it: valid,
// lines ended by \n, no control characters.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r == '\r' {
			return '\n'
		}
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\ufeff' {
			return -1
		}
		return r
	}, s)
}

// isClean is a quick check that most texts pass.
func isClean(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// line returns a text in one line of bounded length.
func line(s string) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "")
	}
	return s
}

// oneLine is line for what is stored as it was written, with all its spaces.
func oneLine(s string) string {
	s = strings.TrimSpace(strings.NewReplacer("\n", " ", "\t", " ").Replace(clean(s)))
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "")
	}
	return s
}

// webAddress parses an address that may be asked.
func webAddress(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || len(address) > maxLine {
		return nil, fmt.Errorf("%q is not a web address", address)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// directory returns a base in the one way it is written: a folder, with the
// slash at its end, without query.
func directory(base string) (string, error) {
	u, err := webAddress(base)
	if err != nil {
		return "", err
	}
	u.RawQuery, u.ForceQuery, u.RawPath = "", false, "" // %40 is @.
	return strings.TrimRight(u.String(), "/") + "/", nil
}

// under resolves a link and returns it if it stays in the forum.
func under(base, ref string) (string, bool) {
	b, err := url.Parse(base)
	if err != nil {
		return "", false
	}
	u, err := b.Parse(ref)
	if err != nil {
		return "", false
	}
	u.Fragment, u.RawFragment = "", ""
	address := u.String()
	return address, strings.HasPrefix(address, base) && len(address) <= maxLine
}
