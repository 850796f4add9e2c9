package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// ETag is a strong one of its arguments.
func ETag(parts ...string) string {
	text, _ := json.Marshal(parts) // Strings never fail.
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// MatchesETag reports whether a header such as If-None-Match names a tag. A proxy
// that compresses weakens tags.
func MatchesETag(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}
