package db

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// NewToken returns 256 random bits as text for an address or a header. A hash
// without salt is enough for such a secret: nobody can guess it.
func NewToken(prefix string) string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // Never fails.
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// HashToken is what is stored of a token.
func HashToken(secret string) []byte {
	h := sha256.Sum256([]byte(secret))
	return h[:]
}
