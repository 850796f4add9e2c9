package db

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ListCursor says where a list goes on that is not ordered by time: the key of
// the last row shown, so that rows that appear or go do not move it. Lists put
// their own name first, and refuse the cursor of another.
func ListCursor(list string, key ...string) string {
	text, _ := json.Marshal(append([]string{list}, key...)) // Strings never fail.
	return base64.RawURLEncoding.EncodeToString(text)
}

// ParseListCursor reads what ListCursor wrote for the list: n strings, empty ones for the beginning.
func ParseListCursor(cursor, list string, n int) ([]string, error) {
	if cursor == "" {
		return make([]string, n), nil
	}
	var parts []string
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &parts)
	}
	if err != nil || len(parts) != n+1 || parts[0] != list {
		return nil, ErrCursor
	}
	for i := range parts {
		parts[i] = CleanText(parts[i])
	}
	return parts[1:], nil
}

// A Cursor is a place in a list that is ordered newest first. Rows that appear
// or change elsewhere do not move it.
type Cursor struct {
	At time.Time
	ID int64
}

// String returns the cursor as it is in addresses; "" for the zero one.
func (c Cursor) String() string {
	if c == (Cursor{}) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", c.At.UnixMicro(), c.ID))
}

// ParseCursor reads what String wrote.
func ParseCursor(s string) (Cursor, error) {
	if s == "" {
		return Cursor{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Cursor{}, ErrCursor
	}
	at, id, ok := strings.Cut(string(text), ".")
	micros, err1 := strconv.ParseInt(at, 10, 64)
	n, err2 := strconv.ParseInt(id, 10, 64)
	const first, last = -62135596800e6, 253402300800e6 // The years 1 and 10000: PostgreSQL's timestamps go further, ours do not.
	if !ok || err1 != nil || err2 != nil || micros < first || micros > last {
		return Cursor{}, ErrCursor
	}
	return Cursor{time.UnixMicro(micros).UTC(), n}, nil
}
