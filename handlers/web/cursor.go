package web

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	pg "laurel/models/db"
)

// EncodeCursor makes the place of a list from what identifies it.
func EncodeCursor(list string, place any) string {
	text, _ := json.Marshal([]any{list, place}) // Strings, numbers and times never fail.
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor reads what writeCursor wrote for the same list; nothing where the
// cursor is "".
func DecodeCursor(cursor, list string, place any) error {
	if cursor == "" {
		return nil
	}
	var of string
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // A key has all its digits.
		err = d.Decode(&[]any{&of, place})
	}
	if err != nil || of != list {
		return pg.ErrCursor
	}
	return nil
}
