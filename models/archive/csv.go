package archive

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"laurel/models/archive/shards"
)

// csvOnly are columns of an exported file that say what follows from the instants.
var csvOnly = []string{"valid_from", "valid_until", "end_reason", "retrieved", "first_retrieved", "last_retrieved"}

// notAsked is the column of a shard with added fields that names those which a row does not have.
const notAsked = "not_asked"

// NotAsked are the added fields that a row does not have, as files name them.
func (s *Shard) NotAsked(data map[string]any) string {
	var names []string
	for _, f := range s.Data {
		if _, has := data[f.Name]; !has && s.Since[f.Name] != (time.Time{}) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, " ")
}

// ReadCSV reads rows of a shard with the instants at which they were seen, as they are exported:
// a column for each field, and retrieved_at with one instant or several, separated by spaces. An
// empty cell is null, or the empty text of a key. add gets each row once for each instant.
func ReadCSV(r io.Reader, s *Shard, add func(line int, at time.Time, row shards.Row) error) error {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if errors.Is(err, io.EOF) {
		return &shards.InputError{Shard: s.Name, Row: -1, Message: "the file is empty; its first line names the columns"}
	}
	if err != nil {
		return csvError(s, err)
	}
	columns, seen, err := s.csvColumns(slices.Clone(head))
	if err != nil {
		return err
	}
	left := slices.Index(head, notAsked)
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(s, err)
		}
		line, _ := in.FieldPos(0)
		instants := strings.Fields(cells[seen])
		if len(instants) == 0 {
			return csvWrong(s, line, "retrieved_at", "is missing: when was it seen?")
		}
		for _, text := range instants {
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				return csvWrong(s, line, "retrieved_at", fmt.Sprintf("%q is not a time such as 2026-11-21T14:02:00Z", text))
			}
			row, err := s.csvRow(line, columns, cells)
			if left >= 0 && err == nil {
				err = s.leaveOut(line, row, cells[left])
			}
			if err == nil {
				err = add(line, shards.Instant(at), row)
			}
			if err != nil {
				return err
			}
		}
	}
}

func (s *Shard) csvRow(line int, columns []*shards.Field, cells []string) (shards.Row, error) {
	row := shards.Row{}
	for i, f := range columns {
		if f == nil {
			continue
		}
		v, err := s.csvValue(*f, cells[i])
		if err != nil {
			return nil, csvWrong(s, line, f.Name, err.Error())
		}
		row[f.Name] = v
	}
	return row, nil
}

// leaveOut takes out of a row the fields that nobody asked for when it was seen.
func (s *Shard) leaveOut(line int, row shards.Row, cell string) error {
	for _, name := range strings.Fields(cell) {
		if _, added := s.Since[name]; !added {
			return csvWrong(s, line, notAsked, fmt.Sprintf("%q is not a field that was added to the shard", name))
		}
		delete(row, name)
	}
	return nil
}

func csvError(s *Shard, err error) error {
	return &shards.InputError{Shard: s.Name, Row: -1, Message: "the file is not CSV: " + err.Error()}
}

func csvWrong(s *Shard, line int, field, message string) error {
	return &shards.InputError{Shard: s.Name, Row: -1, Field: field, Message: fmt.Sprintf("line %d: %s", line, message)}
}

// csvColumns finds the field of each column, nil for one that is passed over, and that of the instants.
func (s *Shard) csvColumns(head []string) (columns []*shards.Field, seen int, err error) {
	head[0] = strings.TrimPrefix(head[0], "\ufeff") // Spreadsheets begin a file so.
	fields := s.Fields()
	columns, seen = make([]*shards.Field, len(head)), -1
	for i, name := range head {
		at := slices.IndexFunc(fields, func(f shards.Field) bool { return f.Name == name })
		switch {
		case slices.Contains(head[:i], name):
			return nil, 0, &shards.InputError{Shard: s.Name, Row: -1, Field: name, Message: "two columns have this name"}
		case at >= 0:
			columns[i] = &fields[at]
		case name == "retrieved_at":
			seen = i
		case !slices.Contains(csvOnly, name) && (name != notAsked || len(s.Since) == 0):
			return nil, 0, &shards.InputError{Shard: s.Name, Row: -1, Field: name, Message: "no field has the name of this column"}
		}
	}
	for _, name := range append([]string{"retrieved_at"}, fieldNames(fields)...) {
		if _, added := s.Since[name]; !slices.Contains(head, name) && !added {
			return nil, 0, &shards.InputError{Shard: s.Name, Row: -1, Field: name, Message: "is missing: no column has this name"}
		}
	}
	return columns, seen, nil
}

func fieldNames(fields []shards.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// csvValue reads a cell. What spreadsheets would take for a formula is exported behind a '.
func (s *Shard) csvValue(f shards.Field, cell string) (any, error) {
	switch {
	case f.Type == shards.Text && (cell != "" || slices.Contains(s.Key, f)):
		if len(cell) > 1 && cell[0] == '\'' && strings.IndexByte("=+-@\t\r", cell[1]) >= 0 {
			cell = cell[1:]
		}
		return cell, nil
	case cell == "":
		return nil, nil
	case f.Type == shards.Boolean:
		if cell != "true" && cell != "false" {
			return nil, fmt.Errorf("%q is neither true nor false", cell)
		}
		return cell == "true", nil
	case f.Type == shards.Integer || f.Type == shards.Number:
		return shards.Clean(f.Type, json.Number(cell))
	case f.Document():
		return csvDocument(cell)
	}
	return cell, nil
}

func csvDocument(cell string) (doc any, err error) {
	d := json.NewDecoder(strings.NewReader(cell))
	d.UseNumber()
	err = d.Decode(&doc)
	if err == nil && d.More() {
		err = errors.New("has something behind the document")
	}
	return doc, err
}
