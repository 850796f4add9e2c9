package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// A Mistake is one thing that is wrong with a document, and where it stands:
// objectives[0].filters[1].config.allowed_length.
type Mistake struct {
	Path string `json:"path"` // Empty for the document as a whole.
	Text string `json:"text"`
}

func (m Mistake) String() string {
	if m.Path == "" {
		return m.Text
	}
	return m.Path + ": " + m.Text
}

// Mistakes are all that is wrong with a document, so that an admin mends it in
// one go. An award with a mistake is not run; the others are.
type Mistakes []Mistake

// maxMistakes keeps the answer to a document that is all wrong readable.
const maxMistakes = 100

func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, one := range m {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// add reports one mistake. The first one at a path is the cause, and those that
// follow there mostly come of it.
func (m *Mistakes) add(path, format string, args ...any) {
	if len(*m) >= maxMistakes || m.at(path) {
		return
	}
	*m = append(*m, Mistake{path, fmt.Sprintf(format, args...)})
}

// under reports whether there is a mistake at a path or below it.
func (m *Mistakes) under(path string) bool {
	for _, one := range *m {
		if strings.HasPrefix(one.Path, path) {
			return true
		}
	}
	return false
}

func (m *Mistakes) at(path string) bool {
	for _, one := range *m {
		if one.Path == path {
			return true
		}
	}
	return false
}

// join makes the path of a key. One that is not a plain name is quoted, for it
// came from outside and will be shown.
func join(path, key string) string {
	if !plainName(key) {
		if len(key) > 40 {
			key = key[:40]
		}
		return path + "[" + strconv.QuoteToASCII(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// PlainName says whether s can name a source, a type or a status.
func PlainName(s string) bool { return plainName(s) }

// plainName reports whether s is what keys, statuses and objectives are called:
// letters, digits, _ and -, at most 64 of them.
func plainName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return false
		}
	}
	return true
}
