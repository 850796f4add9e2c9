package models

import (
	"encoding/base64"
	"encoding/json"
)

// A place is where a list goes on, for lists that are not ordered by time: the
// key of the last row shown, so that rows that appear or go do not move it.
// Lists put their own name first, and refuse the place of another.
func place(list string, key ...string) string {
	text, _ := json.Marshal(append([]string{list}, key...)) // Strings never fail.
	return base64.RawURLEncoding.EncodeToString(text)
}

// parsePlace reads what place wrote for the list: n strings, empty ones for the beginning.
func parsePlace(cursor, list string, n int) ([]string, error) {
	if cursor == "" {
		return make([]string, n), nil
	}
	var parts []string
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &parts)
	}
	if err != nil || len(parts) != n+1 || parts[0] != list {
		return nil, &InputError{"cursor", "this cursor was not made by this list; begin without one"}
	}
	for i := range parts {
		parts[i] = cleanText(parts[i])
	}
	return parts[1:], nil
}
