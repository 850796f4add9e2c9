package networks

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const textRunes = 500 // What is stored of a text; a page shows no more of a post.

// decode reads JSON. A field of another type than we know is left empty and does
// not cost the rest: what must be there is checked by name afterwards. It is
// false where the body is no JSON, or of another shape altogether.
func decode(body []byte, into any) bool {
	body = bytes.TrimPrefix(bytes.ToValidUTF8(body, nil), []byte("\ufeff")) // A byte order mark is no part of JSON.
	err := json.Unmarshal(body, into)
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || ok && wrong.Field != "" // Without a field it is the whole that is of another shape.
}

// shape is the first character of a JSON value: { [ " n t f or a digit, 0 for none.
func shape(raw []byte) byte {
	raw = bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\ufeff")), " \t\r\n")
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}

// A count is a number of likes or the like. It is absent where it is null, not a
// whole number, negative or beyond all belief; that is never an error, for the
// other numbers of the post are as good as ever.
type count struct{ n *int64 }

const mostCounted = 1_000_000_000_000 // A hundred views by everybody alive.

func (c *count) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && n >= 0 && n <= mostCounted {
		c.n = &n
	}
	return nil
}

// first returns the first count that was given.
func first(counts ...count) *int64 {
	for _, c := range counts {
		if c.n != nil {
			return c.n
		}
	}
	return nil
}

// A numeral is an id in digits. It comes in quotes or bare and never goes
// through a float: above 2^53 that would name another post.
type numeral string

func (d *numeral) UnmarshalJSON(raw []byte) error {
	if text := strings.Trim(string(raw), `"`); isNumeral(text) {
		*d = numeral(text)
	}
	return nil
}

// isNumeral reports whether text is an id in digits as it is written canonically.
func isNumeral(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > 0 && text[0] != '+' && text[0] != '0'
}

// newerNumeral reports whether a was given out after b.
func newerNumeral(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// clean returns a network's text as Postgres can store it.
func clean(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", ""))
}

// bounded cuts a text that is longer than n runes and says so with its last one.
func bounded(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:n-1])) + "…"
}

// when reads a point in time as any of the networks writes it: RFC 3339, or the
// layout of X v1.1.
func when(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, time.RubyDate} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return believable(t)
		}
	}
	return time.Time{}, false
}

var (
	earliest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// believable returns t in UTC, or false where nothing on a network is so old or
// so new: then it is no time but something else.
func believable(t time.Time) (time.Time, bool) {
	if t.Before(earliest) || t.After(latest) {
		return time.Time{}, false
	}
	return t.UTC(), true
}

// account puts every id asked for into one of the two maps: the posts that came,
// then the reasons the network gave, and rest for those it passed over. Posts
// nobody asked for are dropped.
func account(asked []string, posts map[string]Post, reasons map[string]string, rest string) Fetched {
	f := Fetched{Posts: map[string]Post{}, Missing: map[string]string{}}
	for _, id := range asked {
		if p, ok := posts[id]; ok {
			f.Posts[id] = p
		} else if reason, ok := reasons[id]; ok {
			f.Missing[id] = reason
		} else {
			f.Missing[id] = rest
		}
	}
	return f
}

// sortOut separates what can be asked for, once each, from what is no id at all
// and must never enter an address.
func sortOut(ids []string, valid func(string) bool) (ask []string, reasons map[string]string) {
	seen, reasons := map[string]bool{}, map[string]string{}
	for _, id := range ids {
		switch {
		case !valid(id):
			reasons[id] = Invalid
		case !seen[id]:
			ask, seen[id] = append(ask, id), true
		}
	}
	return ask, reasons
}
