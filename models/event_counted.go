package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// A counted is what an item contributes to one objective now. The zero value is
// nothing.
type counted struct {
	Objective            int64
	Period, Status, Cell string
	Amount               int64 // In millionths.
}

// MarshalJSON writes [objective, period, status, cell, amount].
func (c counted) MarshalJSON() ([]byte, error) {
	return json.Marshal([5]any{c.Objective, c.Period, c.Status, c.Cell, c.Amount})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *counted) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var parts []any
	if err := d.Decode(&parts); err != nil {
		return err
	}
	if len(parts) != 5 {
		return fmt.Errorf("a contribution of %d parts: %s", len(parts), text)
	}
	for i, to := range []any{&c.Objective, &c.Period, &c.Status, &c.Cell, &c.Amount} {
		var err error
		switch to := to.(type) {
		case *int64:
			n, _ := parts[i].(json.Number)
			*to, err = strconv.ParseInt(n.String(), 10, 64)
		case *string:
			*to, _ = parts[i].(string)
		}
		if err != nil {
			return fmt.Errorf("contribution %s: %w", text, err)
		}
	}
	return nil
}

func writeCounted(list []counted) string {
	if len(list) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(list) // Texts and numbers can be written.
	return string(text)
}

func readCounted(text string) (list []counted, err error) {
	if text == "[]" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("contributions: %w", err)
	}
	return list, nil
}

// text is the contribution for the log: null where there is none.
func (c counted) text() *string {
	if c.Amount == 0 {
		return nil
	}
	text, _ := json.Marshal([4]any{c.Period, c.Status, c.Cell, c.Amount})
	return new(string(text))
}
