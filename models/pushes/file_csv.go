package pushes

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns are the names that the first line of a CSV file may have: those of the JSON.
var columns = map[string]func(in *Input, value string) error{
	"site":         func(in *Input, v string) error { in.Site = v; return nil },
	"id":           func(in *Input, v string) error { in.ID = text(v); return nil },
	"problem.key":  func(in *Input, v string) error { in.Problem.Key = text(v); return nil },
	"problem.name": func(in *Input, v string) error { in.Problem.Name = v; return nil },
	"problem.url":  func(in *Input, v string) error { in.Problem.URL = v; return nil },
	"status":       func(in *Input, v string) error { in.Status = v; return nil },
	"language":     func(in *Input, v string) error { in.Language = v; return nil },
	"submitted_at": func(in *Input, v string) error { in.SubmittedAt = v; return nil },
	"url":          func(in *Input, v string) error { in.URL = v; return nil },
	"contest":      func(in *Input, v string) error { in.Contest.Key = text(v); return nil },
	"participation": func(in *Input, v string) error {
		in.Participation = v
		return nil
	},
	"points": func(in *Input, v string) error {
		if v == "" {
			return nil
		}
		n, err := strconv.ParseFloat(v, 64)
		in.Points = &n
		if err != nil {
			return fmt.Errorf("points: %.40q is no number", v)
		}
		return nil
	},
}

// readCSV reads a file whose first line names the columns. Lines are those of the file.
func (f *File) readCSV(data []byte) (list []numbered, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	first, _, _ := bytes.Cut(data, []byte("\n"))
	for _, mark := range ";\t" {
		if !bytes.ContainsRune(first, ',') && bytes.ContainsRune(first, mark) {
			r.Comma = mark
			break
		}
	}
	names, err := header(r)
	if err != nil {
		return nil, err
	}
	for rows := 1; ; rows++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if rows > MaxRows {
			return nil, errTooMany
		}
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			f.unread(parse.StartLine, errors.New("the quotes do not fit"))
			continue
		}
		if err != nil {
			return nil, errors.New("the file could not be read")
		}
		in := numbered{}
		in.Line, _ = r.FieldPos(0)
		if err := fill(&in.Input, names, record); err != nil {
			f.unread(in.Line, err)
			continue
		}
		list = append(list, in)
	}
}

// header reads the names of the columns.
func header(r *csv.Reader) ([]string, error) {
	names, err := r.Read()
	if err != nil {
		return nil, errors.New("this is neither JSON lines, nor CSV, nor a saved page of LeetCode or CSES")
	}
	known := 0
	for i, name := range names {
		names[i] = strings.ToLower(strings.TrimSpace(name))
		if columns[names[i]] != nil {
			known++
		}
	}
	if known < 2 {
		return nil, errors.New(
			"this is neither JSON lines, nor CSV whose first line names the columns, nor a saved page of LeetCode or CSES")
	}
	return names, nil
}

// fill reads a record. Columns that have other names are passed over.
func fill(in *Input, names, record []string) error {
	if len(record) != len(names) {
		return fmt.Errorf("this line has %d columns, the first one %d", len(record), len(names))
	}
	for i, name := range names {
		if set := columns[name]; set != nil {
			if !utf8.ValidString(record[i]) {
				return fmt.Errorf("%s: is not in UTF-8; save the file as UTF-8", name)
			}
			if err := set(in, strings.TrimSpace(record[i])); err != nil {
				return err
			}
		}
	}
	return nil
}
