package awards

import (
	"fmt"
	"io"
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

// writeChanges is how objectives changed, for the log: [[objective, was, became], ...],
// where null is nothing.
func writeChanges(list []loggedChange) string {
	b := append(make([]byte, 0, 96*len(list)+2), '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '['), list[i].objective, 10)
		for _, c := range []*counted{&list[i].was, &list[i].became} {
			if c.Amount == 0 {
				b = append(b, ",null"...)
				continue
			}
			b = c.appendTo(append(b, ",["...))
		}
		b = append(b, ']')
	}
	return string(append(b, ']'))
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

// readCounted reads what writeCounted writes, and nothing else that is JSON, too: it
// is asked for each event, and a decoder takes three times as long.
func readCounted(text string) (list []counted, err error) {
	for rest := strings.TrimPrefix(text, "["); rest != "]"; rest = strings.TrimPrefix(rest, ",") {
		var c counted
		if rest, err = c.read(rest); err != nil {
			return nil, fmt.Errorf("contributions %s: %w", text, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// read takes a contribution from the front and returns what is behind it.
func (c *counted) read(text string) (rest string, err error) {
	objective, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), ",")
	if c.Objective, err = strconv.ParseInt(objective, 10, 64); err != nil {
		return "", err
	}
	for _, to := range []*string{&c.Period, &c.Status, &c.Cell} {
		if *to, rest, err = unquoted(rest); err != nil {
			return "", err
		}
	}
	amount, rest, ok2 := strings.Cut(rest, "]")
	if !ok || !ok2 {
		return "", io.ErrUnexpectedEOF
	}
	c.Amount, err = strconv.ParseInt(amount, 10, 64)
	return rest, err
}

// unquoted takes a string and the comma behind it from the front.
func unquoted(text string) (value, rest string, err error) {
	end := 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end+1 >= len(text) || text[0] != '"' || text[end+1] != ',' {
		return "", "", io.ErrUnexpectedEOF
	}
	if value = text[1:end]; !strings.Contains(value, `\`) {
		return value, text[end+2:], nil
	}
	b, err := jsontext.AppendUnquote(nil, text[:end+1])
	return string(b), text[end+2:], err
}
