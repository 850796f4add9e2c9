package rules

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// sheetWidth is how long a list or an object may be to be on one line.
const sheetWidth = 76

// String writes the value for people: what is short is on one line.
func (s *Sheet) String() string {
	var b strings.Builder
	s.write(&b, "", 0)
	return b.String()
}

func (s *Sheet) write(b *strings.Builder, indent string, before int) {
	line := s.line()
	if len(s.items) == 0 || len(indent)+before+len(line) <= sheetWidth && indent != "" {
		b.WriteString(line)
		return
	}
	inner := indent + "  "
	b.WriteByte(byte(s.kind))
	for i, item := range s.items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + inner)
		name := s.name(i)
		b.WriteString(name)
		item.write(b, inner, len(name))
	}
	b.WriteString("\n" + indent)
	b.WriteByte(byte(s.kind) + 2) // The bracket that closes it.
}

func (s *Sheet) name(i int) string {
	if s.kind != '{' {
		return ""
	}
	quoted, _ := jsontext.AppendQuote(nil, s.keys[i])
	return string(quoted) + ": "
}

// line writes the value on one line.
func (s *Sheet) line() string {
	switch s.kind {
	case '"':
		quoted, _ := jsontext.AppendQuote(nil, s.text)
		return string(quoted)
	case '{', '[':
		parts := make([]string, len(s.items))
		for i, item := range s.items {
			parts[i] = s.name(i) + item.line()
		}
		return string(byte(s.kind)) + strings.Join(parts, ", ") + string(byte(s.kind)+2)
	}
	return s.text
}
