package models

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A counted is what an item contributes to one objective now. The zero value is
// nothing. In the ledger it is [objective, period, status, cell, amount]: there
// are as many as items, so they are written and read without reflection.
type counted struct {
	Objective            int64
	Period, Status, Cell string
	Amount               int64 // In millionths.
}

// appendTo writes the contribution behind its objective.
func (c *counted) appendTo(b []byte) []byte {
	for _, text := range []string{c.Period, c.Status, c.Cell} {
		b, _ = jsontext.AppendQuote(b, text) // What is no UTF-8 was refused long before.
		b = append(b, ',')
	}
	return append(strconv.AppendInt(b, c.Amount, 10), ']')
}

// text is the contribution for the log, without its objective: null where there
// is none.
func (c *counted) text() *string {
	if c.Amount == 0 {
		return nil
	}
	return new(string(c.appendTo([]byte{'['})))
}

func writeCounted(list []counted) string {
	b := append(make([]byte, 0, 64*len(list)+2), '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendInt(append(b, '['), list[i].Objective, 10), ',')
		b = list[i].appendTo(b)
	}
	return string(append(b, ']'))
}

// readCounted reads what writeCounted writes.
func readCounted(text string) (list []counted, err error) {
	if text == "[]" {
		return nil, nil
	}
	d := jsontext.NewDecoder(strings.NewReader(text))
	if _, err := d.ReadToken(); err != nil {
		return nil, fmt.Errorf("contributions: %w", err)
	}
	for d.PeekKind() == '[' {
		var c counted
		if err := c.read(d); err != nil {
			return nil, fmt.Errorf("contributions %s: %w", text, err)
		}
		list = append(list, c)
	}
	return list, nil
}

func (c *counted) read(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil { // The bracket.
		return err
	}
	for _, to := range []any{&c.Objective, &c.Period, &c.Status, &c.Cell, &c.Amount} {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		switch to := to.(type) {
		case *string:
			*to = token.String()
		case *int64:
			if *to, err = strconv.ParseInt(token.String(), 10, 64); err != nil {
				return err
			}
		}
	}
	_, err := d.ReadToken()
	return err
}
