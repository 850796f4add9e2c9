package accounts

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	pg "laurel/models/db"
	"laurel/models/members"
)

// An importFile is a CSV file as it was read: its lines, and its mistakes. A line with a mistake may be
// among lines.
type importFile struct {
	lines    []importLine
	mistakes []Mistake
}

// An importLine is one member of the file.
type importLine struct {
	Line        int               `json:"line"`
	Name        string            `json:"name"`
	DisplayName string            `json:"display_name"`
	TimeZone    string            `json:"time_zone"`
	Custom      *bool             `json:"custom"` // Nil where the file does not say.
	Handles     map[string]string `json:"handles"`
}

// importColumns are what a file may have beside a column for each site.
var importColumns = []string{"name", "display_name", "time_zone", "custom"}

func (f *importFile) wrong(line int, column, format string, args ...any) {
	f.mistakes = append(f.mistakes, Mistake{line, column, fmt.Sprintf(format, args...)})
}

// readImport reads a file and checks what can be checked without the database.
func readImport(r io.Reader, sites []members.Site) (*importFile, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	f := &importFile{lines: []importLine{}} // Never null in JSON.
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		f.wrong(1, "", "the file is not in UTF-8; save it as CSV UTF-8")
		return f, nil
	}
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma, rows.FieldsPerRecord = separator(text), -1
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		f.wrong(1, "", "the file is empty; its first line names the columns: %s", strings.Join(importColumns, ", "))
		return f, nil
	}
	if err != nil {
		f.broken(err)
		return f, nil
	}
	if header = f.header(header, sites); len(f.mistakes) == 0 {
		f.body(rows, header, sites)
	}
	return f, nil
}

// separator is what is more frequent in the first line: a program that writes
// decimal commas separates columns by semicolons.
func separator(text []byte) rune {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		return ';'
	}
	return ','
}

// header returns the names of the columns, in order.
func (f *importFile) header(cells []string, sites []members.Site) []string {
	known := slices.Clone(importColumns)
	for _, s := range sites {
		known = append(known, s.Name)
	}
	var names []string
	for _, cell := range cells {
		name := strings.ToLower(pg.CleanText(cell))
		if !slices.Contains(known, name) {
			f.wrong(1, fmt.Sprintf("%q", name), "no column has this name; known are %s", strings.Join(known, ", "))
		} else if slices.Contains(names, name) {
			f.wrong(1, name, "this column is there twice")
		}
		names = append(names, name)
	}
	if !slices.Contains(names, "name") {
		f.wrong(1, "name", "this column is missing")
	}
	return names
}

func (f *importFile) body(rows *csv.Reader, header []string, sites []members.Site) {
	first := map[string]int{} // The line of a name.
	for {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			f.broken(err)
			return
		}
		number, _ := rows.FieldPos(0)
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue // A spreadsheet's empty row.
		}
		if len(cells) != len(header) {
			f.wrong(number, "", "it has %d columns, and the first line has %d", len(cells), len(header))
			continue
		}
		line := f.line(number, header, cells, sites)
		name := strings.ToLower(line.Name)
		if before := first[name]; before != 0 && name != "" {
			f.wrong(number, "name", "%s is in line %d already", line.Name, before)
			continue
		}
		first[name] = number
		f.lines = append(f.lines, line)
	}
}

// line reads one member.
func (f *importFile) line(number int, header, cells []string, sites []members.Site) importLine {
	l := importLine{Line: number, Handles: map[string]string{}}
	m := members.Member{}
	for i, column := range header {
		cell := pg.CleanText(cells[i])
		switch column {
		case "name":
			m.Name = cell
		case "display_name":
			m.DisplayName = cell
		case "time_zone":
			l.TimeZone = cell
		case "custom":
			l.Custom = f.yesNo(number, cell)
		default:
			if cell == "" {
				continue
			}
			l.Handles[column] = members.HandleIn(sites, column, cell)
			f.check(number, members.CheckHandle(sites, column, l.Handles[column]))
		}
	}
	f.check(number, m.CheckName())
	f.check(number, m.CheckDisplayName())
	l.Name, l.DisplayName = m.Name, m.DisplayName
	if l.TimeZone == "" {
		l.TimeZone = "UTC"
	}
	return l
}

// check notes an InputError, in the column it is about.
func (f *importFile) check(number int, err error) {
	if input, ok := errors.AsType[*pg.InputError](err); ok {
		f.wrong(number, strings.TrimPrefix(input.Field, "accounts."), "%s", input.Message)
	}
}

func (f *importFile) yesNo(number int, cell string) *bool {
	switch strings.ToLower(cell) {
	case "":
		return nil
	case "true", "yes", "1":
		return new(true)
	case "false", "no", "0":
		return new(false)
	}
	f.wrong(number, "custom", "%q is neither true nor false", cell)
	return nil
}

// broken notes what the CSV reader stumbled over. It cannot go on behind it.
func (f *importFile) broken(err error) {
	number := 1
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		number, err = pe.Line, pe.Err
	}
	f.wrong(number, "", "%v; the lines behind it were not read", err)
}
