package pushes

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"laurel/models/members"
)

// Limits of a file.
const (
	MaxFile = 10 << 20
	MaxRows = 10_000
)

// A numbered input is a row of a file before it is checked.
type numbered struct {
	Line int `json:"line"`
	Input
}

// A File is what was read of a file that a member brings.
type File struct {
	Kind   string // What it was taken for, in words.
	Rows   []Row
	Unread []Rejected

	inputs []numbered // Those of Rows.
}

// errTooMany refuses a file whole.
var errTooMany = fmt.Errorf("a file has at most %d submissions; bring it in parts", MaxRows)

// ReadFile reads a file: JSON lines as a push has them, CSV with the same names, LeetCode's saved
// pages, or CSES's list of problems. An error means that the file is none of these; lines that
// cannot be read are told one by one.
func ReadFile(data []byte, sites []members.Site, now time.Time) (*File, error) {
	data = bytes.TrimRight(decoded(data), " \t\r\n")
	start := bytes.TrimLeft(data, " \t\r\n") // Lines are those of the whole file.
	var f File
	var list []numbered
	var err error
	switch {
	case len(data) == 0:
		return nil, errors.New("the file is empty")
	case len(data) > MaxFile:
		return nil, errors.New("a file has at most 10 MB")
	case start[0] == '<':
		f.Kind = "CSES, solved problems"
		list, err = readCSES(bytes.ToValidUTF8(data, []byte("\ufffd")))
	case (start[0] == '{' || start[0] == '[') && bytes.Contains(data, []byte(`"submissions_dump"`)):
		f.Kind = "LeetCode, saved pages"
		list, err = f.readLeetCode(data)
	case start[0] == '{' || start[0] == '[':
		f.Kind = "JSON lines"
		list, err = f.readLines(data)
	default:
		f.Kind = "CSV"
		list, err = f.readCSV(data)
	}
	if err != nil {
		return nil, err
	}
	f.check(list, sites, now)
	return &f, nil
}

// decoded is a file in UTF-8 where its first bytes say that it is in UTF-16, as spreadsheets save it. Of
// another encoding they say nothing.
func decoded(data []byte) []byte {
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), data)
	if err != nil {
		return data
	}
	return text
}

// check sorts rows into those that can be stored and those that cannot.
func (f *File) check(list []numbered, sites []members.Site, now time.Time) {
	for _, in := range list {
		row, err := in.Row(sites, now)
		if err != nil {
			f.unread(in.Line, err)
			continue
		}
		row.Line = in.Line
		f.Rows, f.inputs = append(f.Rows, row), append(f.inputs, in)
	}
}

func (f *File) unread(line int, err error) {
	f.Unread = append(f.Unread, Rejected{line, strings.ToValidUTF8(fmt.Sprintf("%.500s", err), "")})
}
