package shards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Clean turns what JSON or Go code gives for a field into the one form that
// equal values share: string, int64, float64, bool, time.Time in UTC, json.Number
// never, and a json field as its canonical text. nil is NULL.
func Clean(kind string, v any) (any, error) {
	if v == nil && kind != JSON {
		return nil, nil
	}
	switch kind {
	case Text:
		if s, ok := v.(string); ok {
			return v, CheckText(s)
		}
	case Integer:
		return cleanInteger(v)
	case Number:
		return cleanNumber(v)
	case Boolean:
		if _, ok := v.(bool); ok {
			return v, nil
		}
	case Timestamp:
		return cleanTime(v)
	case JSON:
		return cleanJSON(v)
	case ListType:
		if name, ok := v.(string); ok && listName.MatchString(name) {
			return v, nil
		}
		l, err := ListIn(v)
		return l.ID, err
	}
	return nil, wrongType(kind, v)
}

func wrongType(kind string, v any) error {
	return fmt.Errorf("%s is not of type %s", show(v), kind)
}

// show prints a value for a message, not longer than a message may be.
func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	if len(text) > 60 {
		return strings.ToValidUTF8(string(text[:60]), "") + "..."
	}
	return string(text)
}

func CheckText(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("is not UTF-8")
	}
	if strings.IndexByte(s, 0) >= 0 {
		return errors.New("contains the character U+0000, which cannot be stored")
	}
	return nil
}

func cleanInteger(v any) (any, error) {
	switch n := v.(type) {
	case int:
		return int64(n), nil
	case int64:
		return v, nil // Not n: it would be put into memory of its own once more.
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n), nil
		}
	case json.Number:
		if i, err := strconv.ParseInt(plainNumber(string(n)), 10, 64); err == nil {
			return i, nil
		}
	}
	return nil, wrongType("integer", v)
}

func cleanNumber(v any) (any, error) {
	var f float64
	switch n := v.(type) {
	case int:
		f = float64(n)
	case int64:
		f = float64(n)
	case float64:
		f = n
	case json.Number:
		var err error
		if f, err = strconv.ParseFloat(string(n), 64); err != nil {
			return nil, wrongType("number", v)
		}
	default:
		return nil, wrongType("number", v)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, errors.New("is not a finite number")
	}
	return f + 0, nil // -0 becomes 0.
}

func cleanTime(v any) (any, error) {
	at, ok := v.(time.Time)
	if text, isText := v.(string); isText {
		var err error
		at, err = time.Parse(time.RFC3339Nano, text)
		ok = err == nil
	}
	if at = Instant(at); ok && at.Year() >= 1 && at.Year() <= 9999 { // In UTC: others cannot be written as RFC 3339.
		return at, nil
	}
	return nil, fmt.Errorf("%s is not a timestamp such as 2026-11-21T12:00:00Z", show(v))
}

// Instant is a time as the database keeps it.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// cleanJSON gives equal documents equal texts: keys sorted, numbers plain. NULL
// and the JSON null are one and the same.
func cleanJSON(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	if bytes.Equal(text, []byte("null")) {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	if doc, err = plain(doc); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err = e.Encode(doc) // A map's keys come sorted.
	return strings.TrimSuffix(out.String(), "\n"), err
}

func plain(doc any) (_ any, err error) {
	switch d := doc.(type) {
	case json.Number:
		n := plainNumber(string(d))
		if n == "" {
			return nil, fmt.Errorf("the number %s is too large", show(d))
		}
		return json.Number(n), nil
	case string:
		return d, CheckText(d)
	case []any:
		for i := range d {
			if d[i], err = plain(d[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range d {
			if err = CheckText(k); err != nil {
				return nil, err
			}
			if d[k], err = plain(d[k]); err != nil {
				return nil, err
			}
		}
	}
	return doc, nil
}

// plainNumber writes a JSON number without exponent and without zeros that say
// nothing, so that 1, 1.0 and 10e-1 are the same; "" where that would be long.
func plainNumber(n string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(n), "e")
	e, err := strconv.Atoi(exponent)
	if exponent != "" && err != nil || e > 400 || e < -400 {
		return ""
	}
	digits, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	e -= len(fraction)
	digits = strings.TrimLeft(whole+fraction, "0")
	for strings.HasSuffix(digits, "0") {
		digits, e = digits[:len(digits)-1], e+1
	}
	switch {
	case digits == "":
		return "0"
	case e >= 0:
		digits += strings.Repeat("0", e)
	default:
		if pad := 1 - e - len(digits); pad > 0 {
			digits = strings.Repeat("0", pad) + digits
		}
		digits = digits[:len(digits)+e] + "." + digits[len(digits)+e:]
	}
	if negative {
		digits = "-" + digits
	}
	return digits
}
